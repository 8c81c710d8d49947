//! Columns on what came out of a run, the same in every table of runs.

use airtime_lab::Record;

use crate::draft::Draft;
use crate::table::{Align, Table, Weight};
use crate::tone::Tone;
use crate::{calls, cells, links};

/// The least and the most rate that an application wants, 10³ bit/s, if it is known.
type Need = Option<(f64, f64)>;

/// A column: its heading, alignment and weight, and the cell of a record.
type Outcome = (&'static str, Align, Weight, fn(&Record, Need) -> String);

/// The columns in their order; those that nothing is known about are left out.
const OUTCOMES: &[Outcome] = &[
    ("checks", Align::Left, Weight::Needed, |record, _| calls::checked(record)),
    ("goodput kbps", Align::Right, Weight::Needed, |record, _| calls::goodput(record)),
    ("all links", Align::Right, Weight::Needed, |record, _| links::all(record)),
    ("fairness", Align::Right, Weight::Detail, |record, _| links::fairness(record)),
    ("ms/call", Align::Right, Weight::Needed, |record, _| calls::ms_per_call(record)),
    ("ms/item", Align::Right, Weight::Needed, |record, _| calls::ms_per_item(record)),
    ("KiB/s", Align::Right, Weight::Detail, |record, _| calls::kib_per_s(record)),
    ("calls/s", Align::Right, Weight::Detail, |record, _| calls::calls_per_s(record)),
    ("call ms p50, p99", Align::Right, Weight::Detail, |record, _| calls::times(record)),
    ("events/call", Align::Right, Weight::Detail, |record, _| calls::events(record)),
    ("accepted", Align::Right, Weight::Detail, |record, _| cells::accepted(record)),
    ("low–high", Align::Right, Weight::Detail, |record, _| cells::range(&record.goodput_kbps)),
    ("delay ms p50, p99", Align::Right, Weight::Detail, |record, _| cells::delay(record)),
    ("overrun s", Align::Right, Weight::Detail, |record, _| cells::overrun(record)),
    ("headroom", Align::Right, Weight::Needed, cells::headroom),
    ("measured", Align::Right, Weight::Needed, |record, _| cells::measured(record.measured.as_ref())),
    ("error", Align::Right, Weight::Needed, |record, _| cells::error(record)),
    ("asked: granted", Align::Left, Weight::Needed, |record, _| cells::asked(record)),
    ("exchanges/event", Align::Right, Weight::Detail, |record, _| cells::exchanges_per_event(record)),
    ("RAM kB host, co-processor", Align::Right, Weight::Detail, |record, _| cells::ram(record)),
    (LIMIT, Align::Left, Weight::Needed, |record, _| cells::says(record)),
];

/// Heading of the sentence on what limits a run, or how it failed.
const LIMIT: &str = "what limits it";

/// Rows of a table of runs so far: cells that tell them from one another, then what came out of them.
#[derive(Debug)]
pub(super) struct Runs {
    draft: Draft,
    failed: Vec<bool>,
}

impl Runs {
    /// No rows yet, under the headings of `draft` and those of the outcome.
    pub fn under(mut draft: Draft) -> Self {
        OUTCOMES.iter().for_each(|(heading, align, weight, _)| draft.column_if_any(*heading, *align, *weight));
        Self { draft, failed: Vec::new() }
    }

    /// Adds the row of `record`, which begins with `told`.
    pub fn row(&mut self, told: impl IntoIterator<Item = String>, record: &Record, need: Need) {
        let outcome = OUTCOMES.iter().map(|(.., cell)| cell(record, need));
        self.draft.row(told.into_iter().chain(outcome));
        self.failed.push(cells::failed(record));
    }

    /// The table; the sentence on what limits a run has this weight.
    pub fn table(self, title: &str, limit: Weight) -> Table {
        let mut table = self.draft.table(title);
        table.tone_cells(LIMIT, |row| self.failed[row].then_some(Tone::Warning));
        table.weigh(LIMIT, limit);
        table
    }
}
