//! A log of experiments in their order: what changed, what was measured, what the lab says of it.

use std::borrow::Cow;

use airtime_lab::{Document, Record};

use crate::cells;
use crate::table::{Align, Table, Weight};

/// Measured changes of less than this many percent are no change: single runs that differ in nothing scatter by 1.4 % in the one
/// source that repeats itself, two of them differ by more than 2√2 times that once in twenty.
const SAME_MEASURED_PCT: f64 = 4.0;

/// Changes of the lab's figures of less than this many percent are none.
const SAME_LAB_PCT: f64 = 1.5;

pub(super) fn table(document: &Document) -> Table {
    // A log has hundreds of rows, and each may be set against any other.
    let records: Vec<Cow<'_, Record>> = document.records.iter().collect();
    let records: Vec<&Record> = records.iter().map(AsRef::as_ref).collect();
    let before: Vec<Option<&Record>> = (0..records.len()).map(|position| against(&records, position)).collect();
    let changes = |figure: fn(&Record) -> Option<f64>, same_pct: f64| -> Vec<String> {
        let change = |(now, before): (&&Record, &Option<&Record>)| {
            let (before, now) = (before.and_then(figure)?, figure(now)?);
            Some(100.0 * (now - before) / before).filter(|change| change.is_finite()).map(|pct| word(pct, same_pct))
        };
        records.iter().zip(&before).map(|pair| change(pair).unwrap_or_default()).collect()
    };
    let mut table = Table::new(&document.plan);
    table.column("iteration", Align::Left, records.iter().map(|r| name(r)));
    table.column_if_any("what changed", Align::Left, records.iter().map(|r| changed(r)));
    table.column_if_any("against", Align::Left, before.iter().map(|row| row.map(name).unwrap_or_default()));
    table.column("measured", Align::Right, records.iter().map(|r| cells::measured(r.measured.as_ref())));
    table.column("was", Align::Left, changes(measured, SAME_MEASURED_PCT));
    table.column("lab", Align::Right, records.iter().map(|r| cells::lab(r)));
    table.column("is", Align::Left, changes(lab, SAME_LAB_PCT));
    table.column_if_any("finding", Align::Left, records.iter().map(|r| r.finding.clone().unwrap_or_default()));
    table.column_if_any("asked: granted", Align::Left, records.iter().map(|r| cells::asked(r)));
    table.column_if_any("what limits it", Align::Left, records.iter().map(|r| cells::says(r)));
    table.column_if_any("note", Align::Left, records.iter().map(|r| r.note.clone().unwrap_or_default()));
    ["what limits it", "note"].into_iter().for_each(|heading| table.weigh(heading, Weight::Note));
    table.remarks.extend(document.note.clone());
    table.remarks.push(format!(
        "better, worse, no help: against the row that the experiment changed; measured changes of less than \
         {SAME_MEASURED_PCT} % are within what single runs scatter"
    ));
    table.remarks.extend(records.iter().flat_map(|record| ratios(record, &records)));
    table
}

/// Number of the experiment in its log.
fn name(record: &Record) -> String {
    record.iteration.clone().unwrap_or_else(|| record.id.clone())
}

/// Change of the row, where it says more than its name.
fn changed(record: &Record) -> String {
    if record.label == record.id { String::new() } else { record.label.clone() }
}

/// Record whose configuration the one at `position` changed: the first of the row that it names, or else of the row before that has a
/// figure.
fn against<'a>(records: &[&'a Record], position: usize) -> Option<&'a Record> {
    let record = records[position];
    let named = match &record.against {
        Some(named) => named.as_str(),
        None => {
            let earlier = records[..position].iter().rev();
            earlier.filter(|other| other.row() != record.row()).find(|other| measured(other).is_some())?.row()
        }
    };
    records.iter().find(|other| other.is_of(named)).copied()
}

fn measured(record: &Record) -> Option<f64> {
    record.measured.as_ref().map(|measured| measured.value)
}

fn lab(record: &Record) -> Option<f64> {
    let goodput = (record.goodput_kbps.runs > 0).then_some(record.goodput_kbps.median);
    record.lab.as_ref().map(|lab| lab.value).or(goodput)
}

fn word(change_pct: f64, same_pct: f64) -> String {
    let word = match change_pct {
        up if up >= same_pct => "better",
        down if down <= -same_pct => "worse",
        _ => "no help",
    };
    format!("{word} {}", cells::signed_pct(change_pct))
}

/// A line for each ratio that the source printed, with that of the measured figures and the lab's: one for each candidate of the row
/// that is divided by.
fn ratios(record: &Record, records: &[&Record]) -> Vec<String> {
    let line = |ratio: &airtime_lab::record::Ratio| {
        let others: Vec<&Record> = records.iter().copied().filter(|other| other.is_of(&ratio.to)).collect();
        let of = |figure: fn(&Record) -> Option<f64>, other: &Record| {
            Some(figure(record)? / figure(other)?).filter(|ratio| ratio.is_finite()).map(|ratio| format!("{ratio:.1}x"))
        };
        let mine: Vec<String> = others.iter().filter_map(|other| of(lab, other)).collect();
        let figures = others.first().and_then(|other| of(measured, other)).unwrap_or_else(|| "none".to_owned());
        let lab = if mine.is_empty() { "none".to_owned() } else { mine.join(" or ") };
        format!("{} to {}: printed {}x, its figures {figures}, lab {lab}", name(record), ratio.to, ratio.value)
    };
    record.ratios.iter().map(line).collect()
}

#[cfg(test)]
mod tests {
    use airtime_lab::record::{Measured, Ratio};

    use super::*;

    fn one(id: &str, kbps: f64, against: Option<&str>) -> Record {
        Record {
            id: id.into(),
            label: id.into(),
            measured: Some(Measured { value: kbps, unit: "kbps".into(), ..Measured::default() }),
            against: against.map(str::to_owned),
            ..Record::default()
        }
    }

    #[test]
    fn an_experiment_is_set_against_the_row_that_it_changed() {
        let records = vec![
            one("best", 530.0, None),
            one("shorter/candidate-1", 276.0, None),
            one("shorter/candidate-2", 276.0, None),
            one("ten-buffers", 517.0, Some("best")),
            Record { ratios: vec![Ratio { to: "best".into(), value: 2.4 }], ..one("boards", 1285.0, None) },
        ];
        let table = table(&Document { records: records.into(), ..Document::new("log") });
        let column = |heading: &str| -> Vec<String> {
            let at = table.columns.iter().position(|column| column.heading == heading).unwrap();
            table.rows.iter().map(|row| row[at].to_owned()).collect()
        };
        assert_eq!(column("against"), ["", "best", "best", "best", "ten-buffers"]);
        assert_eq!(column("was"), ["", "worse −47.9 %", "worse −47.9 %", "no help −2.5 %", "better +148.5 %"]);
        assert_eq!(table.remarks.last().unwrap(), "boards to best: printed 2.4x, its figures 2.4x, lab none");
    }
}
