//! A log of experiments in their order: what changed, what was measured, what the lab says of it.

use airtime_lab::{Document, Record};

use crate::cells;
use crate::table::{Align, Table, Weight};

/// Changes of less than this many percent are no change: published runs that differ in nothing
/// scatter by as much.
const SAME_PCT: f64 = 1.5;

pub(super) fn table(document: &Document) -> Table {
    let records = &document.records;
    let measured: Vec<Option<f64>> = records.iter().map(|r| r.measured.as_ref().map(|m| m.value)).collect();
    let lab: Vec<Option<f64>> = records.iter().map(lab).collect();
    let mut table = Table::new(&document.plan);
    table.column("iteration", Align::Left, records.iter().map(|r| r.iteration.as_deref().unwrap_or(&r.id)));
    table.column_if_any("what changed", Align::Left, records.iter().map(changed));
    table.column("measured", Align::Right, records.iter().map(|r| cells::measured(r.measured.as_ref())));
    table.column("was", Align::Left, changes(&measured));
    table.column("lab", Align::Right, records.iter().map(cells::lab));
    table.column("is", Align::Left, changes(&lab));
    table.column_if_any("what limits it", Align::Left, records.iter().map(cells::says));
    table.column_if_any("note", Align::Left, records.iter().map(|r| r.note.clone().unwrap_or_default()));
    ["what limits it", "note"].into_iter().for_each(|heading| table.weigh(heading, Weight::Note));
    table.remarks.extend(document.note.clone());
    table.remarks.push("better and worse: than the row before that has a figure".to_owned());
    table
}

/// Change of the row, where it says more than its name.
fn changed(record: &Record) -> String {
    if record.label == record.id { String::new() } else { record.label.clone() }
}

fn lab(record: &Record) -> Option<f64> {
    let goodput = (record.goodput_kbps.runs > 0).then_some(record.goodput_kbps.median);
    record.lab.as_ref().map(|lab| lab.value).or(goodput)
}

/// Each figure against the one before.
fn changes(figures: &[Option<f64>]) -> Vec<String> {
    let mut before: Option<f64> = None;
    let change = |figure: &Option<f64>| {
        let change = before.zip(*figure).map(|(before, now)| 100.0 * (now - before) / before);
        before = figure.or(before);
        change.filter(|change| change.is_finite()).map(word).unwrap_or_default()
    };
    figures.iter().map(change).collect()
}

fn word(change_pct: f64) -> String {
    let word = match change_pct {
        up if up >= SAME_PCT => "better",
        down if down <= -SAME_PCT => "worse",
        _ => "same",
    };
    format!("{word} {}", cells::signed_pct(change_pct))
}
