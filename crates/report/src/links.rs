//! Links that share a radio, a row each.

use airtime_lab::record::LinkFigures;
use airtime_lab::{Document, Record};

use crate::cells::figure;
use crate::draft::Draft;
use crate::{Align, Table, Weight};

/// The links of every record that has several: a row each, and one for all of them.
pub(crate) fn links(document: &Document) -> Option<Table> {
    let mut draft = Draft::default();
    draft.column_if_any("point", Align::Left, Weight::Needed);
    draft.column("link", Align::Left);
    draft.column("goodput kbps", Align::Right);
    draft.column_if_any("fairness", Align::Right, Weight::Needed);
    draft.column_if_any("exchanges/event", Align::Right, Weight::Needed);
    draft.column_if_any("interval", Align::Right, Weight::Needed);
    draft.column("outcome", Align::Left);
    draft.column_if_any("what limits it", Align::Left, Weight::Needed);
    for record in document.records.iter().filter(|record| record.links.len() > 1) {
        let named =
            |first: bool| if first && record.label != document.plan { record.label.clone() } else { String::new() };
        for link in &record.links {
            let interval = link.conn_interval.clone().unwrap_or_default();
            let (point, goodput) = (named(record.links.first() == Some(link)), figure(link.goodput_kbps));
            let told = [point, link.name.clone(), goodput, String::new()];
            draft.row(told.into_iter().chain([exchanges(link), interval, link.outcome.clone(), says(link)]));
        }
        let nothing = String::new;
        draft.row([
            nothing(),
            "all".into(),
            all(&record),
            fairness(&record),
            nothing(),
            nothing(),
            nothing(),
            nothing(),
        ]);
    }
    let mut table = draft.table(format!("{}: links", document.plan));
    table.remarks.push("fairness: 1 if all got the same, 1/n if one of n got everything (Jain)".to_owned());
    (!table.rows.is_empty()).then_some(table)
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
        let document = Document { records: vec![Record::default(), shared].into(), ..Document::new("plan") };
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
