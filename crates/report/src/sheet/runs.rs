//! Single runs of several plans in one table.

use airtime_lab::Record;

use super::{Shown, outcome_columns};
use crate::table::{Align, Table, Weight};
use crate::tone::Tone;

pub(super) fn table(several: &[Shown]) -> Table {
    let runs: Vec<(&Shown, &Record)> =
        several.iter().flat_map(|shown| shown.document.records.iter().map(move |record| (shown, record))).collect();
    let mut table = Table::new("");
    table.column("plan", Align::Left, runs.iter().map(|(shown, _)| shown.document.plan.as_str()));
    table.detail_if_any("link", Align::Left, runs.iter().map(|(_, record)| record.link.clone()));
    // A plan of one point has nothing to tell it from.
    let label = |(shown, record): &(&Shown, &Record)| match record.label.as_str() {
        label if label == shown.document.plan => String::new(),
        label => label.to_owned(),
    };
    table.column_if_any("point", Align::Left, runs.iter().map(label));
    let rows: Vec<(&Record, Option<(f64, f64)>)> =
        runs.iter().map(|(shown, record)| (*record, shown.need_kbps)).collect();
    outcome_columns(&mut table, &rows);
    table.weigh("what limits it", Weight::Note);
    table.tone_cells("goodput kbps", |_| Some(Tone::Headline));
    table
}
