//! Single runs of several plans in one table.

use super::Shown;
use super::outcome::Runs;
use crate::draft::Draft;
use crate::table::{Align, Table, Weight};
use crate::tone::Tone;

pub(super) fn table<'a>(several: impl IntoIterator<Item = &'a Shown>) -> Table {
    let mut draft = Draft::default();
    draft.column("plan", Align::Left);
    draft.column_if_any("link", Align::Left, Weight::Detail);
    draft.column_if_any("point", Align::Left, Weight::Needed);
    let mut runs = Runs::under(draft);
    for shown in several {
        let plan = &shown.document.plan;
        for record in &shown.document.records {
            // A plan of one point has nothing to tell it from.
            let label = if record.label == *plan { String::new() } else { record.label.clone() };
            runs.row([plan.clone(), record.link.clone(), label], &record, shown.need_kbps);
        }
    }
    let mut table = runs.table("", Weight::Note);
    table.tone_cells("goodput kbps", |_| Some(Tone::Headline));
    table
}
