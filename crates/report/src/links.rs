//! Links that share a radio, a row each.

use airtime_lab::record::LinkFigures;
use airtime_lab::{Document, Record};

use crate::cells::figure;
use crate::{Align, Table};

/// The links of every record that has several: a row each, and one for all of them.
pub(crate) fn links(document: &Document) -> Option<Table> {
    let rows: Vec<(&Record, Option<&LinkFigures>)> = document
        .records
        .iter()
        .filter(|record| record.links.len() > 1)
        .flat_map(|record| record.links.iter().map(Some).chain([None]).map(move |link| (record, link)))
        .collect();
    if rows.is_empty() {
        return None;
    }
    let mut table = Table::new(format!("{}: links", document.plan));
    let point = |(record, link): &(&Record, Option<&LinkFigures>)| match link {
        Some(first) if record.links.first() == Some(first) && record.label != document.plan => record.label.clone(),
        _ => String::new(),
    };
    table.column_if_any("point", Align::Left, rows.iter().map(point));
    let of = |cell: &dyn Fn(&LinkFigures) -> String, all: &dyn Fn(&Record) -> String| -> Vec<String> {
        rows.iter().map(|(record, link)| link.map_or_else(|| all(record), cell)).collect()
    };
    let nothing = |_: &Record| String::new();
    table.column("link", Align::Left, of(&|link| link.name.clone(), &|_| "all".to_owned()));
    table.column("goodput kbps", Align::Right, of(&|link| figure(link.goodput_kbps), &all));
    table.column_if_any("fairness", Align::Right, of(&|_| String::new(), &fairness));
    table.column_if_any("exchanges/event", Align::Right, of(&exchanges, &nothing));
    table.column_if_any("interval", Align::Right, of(&|link| link.conn_interval.clone().unwrap_or_default(), &nothing));
    table.column("outcome", Align::Left, of(&|link| link.outcome.clone(), &nothing));
    table.column_if_any("what limits it", Align::Left, of(&says, &nothing));
    table.remarks.push("fairness: 1 if all got the same, 1/n if one of n got everything (Jain)".to_owned());
    Some(table)
}

/// Goodput of all links of a record together; nothing where there is but one.
pub(crate) fn all(record: &Record) -> String {
    record.together.map(|together| figure(together.goodput_kbps)).unwrap_or_default()
}

/// Fairness among the links of a record; nothing where there is but one.
pub(crate) fn fairness(record: &Record) -> String {
    record.together.map(|together| format!("{:.2}", together.fairness)).unwrap_or_default()
}

/// The link that suffers: the slowest of several, where it has books.
pub(crate) fn slowest(record: &Record) -> Option<&LinkFigures> {
    let booked = record.links.iter().filter(|link| !link.steady_ledger_ns.is_empty());
    booked.min_by(|a, b| a.goodput_kbps.total_cmp(&b.goodput_kbps)).filter(|_| record.links.len() > 1)
}

/// Title of what is said about one link of a record.
pub(crate) fn title(record: &Record, link: &LinkFigures) -> String {
    format!("{}: {}, the slowest of {} links", record.label, link.name, record.links.len())
}

/// A line about each link of a record.
pub(crate) fn facts(record: &Record) -> Vec<String> {
    let line = |link: &LinkFigures| {
        let exchanges = link.exchanges_per_event.map(|exchanges| format!("{exchanges:.2} exchanges per event"));
        let interval = link.conn_interval.as_ref().map(|interval| format!("every {interval}"));
        let outcome = (link.outcome != "ok").then(|| link.outcome.clone());
        let more = [exchanges, interval, outcome].into_iter().flatten().map(|part| format!(", {part}"));
        format!("{}: {} kbps{}", link.name, figure(link.goodput_kbps), more.collect::<String>())
    };
    record.links.iter().map(line).collect()
}

/// Verdict on one link: how it failed, or what limits it.
pub(crate) fn verdict(link: &LinkFigures) -> String {
    if link.outcome.starts_with("ok") { says(link) } else { link.outcome.clone() }
}

fn exchanges(link: &LinkFigures) -> String {
    link.exchanges_per_event.map(|exchanges| format!("{exchanges:.2}")).unwrap_or_default()
}

fn says(link: &LinkFigures) -> String {
    link.bottleneck.as_ref().map(|bottleneck| bottleneck.says.clone()).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use airtime_lab::record::Together;

    use super::*;

    fn link(name: &str, goodput_kbps: f64) -> LinkFigures {
        LinkFigures { name: name.into(), goodput_kbps, outcome: "ok".into(), ..LinkFigures::default() }
    }

    #[test]
    fn every_link_has_a_row_and_all_have_one() {
        let links = vec![link("a", 300.0), link("b", 100.0)];
        let together = Together::of(&links);
        let shared = Record { label: "two".into(), links, together, ..Record::default() };
        let document = Document { records: vec![Record::default(), shared], ..Document::new("plan") };
        let table = super::links(&document).unwrap();
        assert_eq!(
            table.rows,
            [["two", "a", "300.0", "", "ok"], ["", "b", "100.0", "", "ok"], ["", "all", "400.0", "0.80", ""]]
        );
        assert!(super::links(&Document::new("other")).is_none());
    }

    #[test]
    fn the_link_that_suffers_is_the_slowest_that_has_books() {
        let booked = |name: &str, kbps: f64| LinkFigures {
            exchanges_per_event: Some(3.0),
            conn_interval: Some("15ms".into()),
            steady_ledger_ns: [("other_link", 5_u64), ("payload.p2c", 3)].into_iter().collect(),
            ..link(name, kbps)
        };
        let links = vec![booked("a", 300.0), booked("b", 100.0), link("c", 0.0)];
        let record = Record { label: "three".into(), links, ..Record::default() };
        let slowest = slowest(&record).unwrap();
        assert_eq!(title(&record, slowest), "three: b, the slowest of 3 links");
        assert_eq!(facts(&record)[1], "b: 100.0 kbps, 3.00 exchanges per event, every 15ms");
        assert_eq!(facts(&record)[2], "c: 0.0 kbps");
        let lost = LinkFigures { outcome: "0x08 connection timeout".into(), ..booked("d", 1.0) };
        assert_eq!(verdict(&lost), "0x08 connection timeout");
        assert!(super::slowest(&Record::default()).is_none());
        assert_eq!(crate::Waterfall::of(&record).steps[0].ns, 5);
    }
}
