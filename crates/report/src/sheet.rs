//! Sheet to show: documents, and the kind of their table.

mod field;
mod grid;
mod log;
mod runs;

use std::collections::BTreeMap;

use airtime_lab::{Document, Record};
use airtime_study::field::Totals;

use crate::table::{Align, Table};
use crate::tone::Tone;

/// Kind of table that documents are shown as.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Runs: each document as what it is (single runs, a grid, or a log of experiments).
    Runs,
    /// Every document as a grid, its best row marked.
    Grid,
    /// Published measurements beside the lab's figures, with totals.
    Field,
}

/// A plan's records, and what the plan's application wants.
#[derive(Clone, Debug, PartialEq)]
pub struct Shown {
    /// The records.
    pub document: Document,
    /// The least and the most rate the application wants, 10³ bit/s, if the plan says.
    pub need_kbps: Option<(f64, f64)>,
    /// Keys that the plan gives to its points, if the plan is known: what else differs between them follows from these.
    pub varied: Option<Vec<String>>,
    /// Points that were to be run, if that is known: a sweep that was stopped has fewer records.
    pub points: Option<usize>,
}

impl From<Document> for Shown {
    fn from(document: Document) -> Self {
        Self { document, need_kbps: None, varied: None, points: None }
    }
}

impl Shown {
    /// Names of the parameters that tell the records from one another. A personality brings a dozen keys along; those are columns
    /// only where the plan that would say so is unknown.
    fn telling(&self) -> Vec<&str> {
        let mut names = differing(&self.document.records);
        if let Some(varied) = &self.varied {
            names.retain(|name| varied.iter().any(|key| is_or_is_below(name, key)));
        }
        names
    }
}

/// Plans and as what they are shown.
#[derive(Clone, Debug, PartialEq)]
pub struct Sheet {
    /// Kind of table that the plans are shown as.
    pub kind: Kind,
    /// One per plan.
    pub shown: Vec<Shown>,
}

impl Sheet {
    /// `shown` as `kind`.
    pub fn new(kind: Kind, shown: impl IntoIterator<Item = impl Into<Shown>>) -> Self {
        Self { kind, shown: shown.into_iter().map(Into::into).collect() }
    }

    /// Every record of every plan.
    pub fn records(&self) -> impl Iterator<Item = &Record> {
        self.shown.iter().flat_map(|shown| &shown.document.records)
    }

    /// Totals of the comparison with published measurements, if that is what is shown.
    pub fn totals(&self) -> Option<Totals> {
        (self.kind == Kind::Field).then(|| Totals::of(self.records()))
    }

    /// Totals of each source by its name, if there are several.
    pub fn totals_by_source(&self) -> Option<BTreeMap<&str, Totals>> {
        let of = |shown: &'_ Shown| Totals::of(&shown.document.records);
        let named = self.shown.iter().map(|shown| (shown.document.plan.as_str(), of(shown)));
        (self.kind == Kind::Field && self.shown.len() > 1).then(|| named.collect())
    }

    /// The tables that people read.
    pub fn tables(&self) -> Vec<Table> {
        match self.kind {
            Kind::Grid => {
                let links = self.shown.iter().filter_map(|shown| crate::links::links(&shown.document));
                self.shown.iter().map(grid::table).chain(links).collect()
            }
            Kind::Field => field::tables(&self.shown),
            Kind::Runs => self.runs_tables(),
        }
    }

    /// Neighbouring plans of one run each share a table.
    fn runs_tables(&self) -> Vec<Table> {
        let single = |shown: &Shown| shown.document.records.len() < 2 && !is_log(&shown.document);
        let mut tables: Vec<Table> = self
            .shown
            .chunk_by(|a, b| single(a) && single(b))
            .map(|shown| match shown {
                [one] if is_log(&one.document) => log::table(&one.document),
                [one] if one.document.records.len() > 1 => grid::table(one),
                several => runs::table(several),
            })
            .chain(self.shown.iter().filter_map(|shown| crate::links::links(&shown.document)))
            .chain(self.shown.iter().filter_map(|shown| crate::calls::checks(&shown.document)))
            .chain(self.shown.iter().filter_map(|shown| crate::calls::benches(&shown.document)))
            .collect();
        let remarks = self.shown.iter().flat_map(|shown| shown.document.told());
        if let Some(last) = tables.last_mut() {
            last.remarks.extend(remarks);
        }
        tables
    }
}

/// Tells if the document replays published measurements.
fn is_log(document: &Document) -> bool {
    document.records.iter().any(|record| record.verdict.is_some() || record.measured.is_some())
}

/// Adds the columns on what came out of each record, given with the rate its application wants.
fn outcome_columns(table: &mut Table, rows: &[(&Record, Option<(f64, f64)>)]) {
    use crate::{calls, cells, links};

    let records = || rows.iter().map(|(record, _)| *record);
    table.column_if_any("checks", Align::Left, records().map(calls::checked));
    table.column_if_any("goodput kbps", Align::Right, records().map(calls::goodput));
    table.column_if_any("all links", Align::Right, records().map(links::all));
    table.detail_if_any("fairness", Align::Right, records().map(links::fairness));
    table.column_if_any("ms/call", Align::Right, records().map(calls::ms_per_call));
    table.column_if_any("ms/item", Align::Right, records().map(calls::ms_per_item));
    table.detail_if_any("KiB/s", Align::Right, records().map(calls::kib_per_s));
    table.detail_if_any("calls/s", Align::Right, records().map(calls::calls_per_s));
    table.detail_if_any("call ms p50, p99", Align::Right, records().map(calls::times));
    table.detail_if_any("events/call", Align::Right, records().map(calls::events));
    table.detail_if_any("accepted", Align::Right, records().map(cells::accepted));
    table.detail_if_any("low–high", Align::Right, records().map(|r| cells::range(&r.goodput_kbps)));
    table.detail_if_any("delay ms p50, p99", Align::Right, records().map(cells::delay));
    table.detail_if_any("overrun s", Align::Right, records().map(cells::overrun));
    table.column_if_any("headroom", Align::Right, rows.iter().map(|(r, need)| cells::headroom(r, *need)));
    table.column_if_any("measured", Align::Right, records().map(|r| cells::measured(r.measured.as_ref())));
    table.column_if_any("error", Align::Right, records().map(cells::error));
    table.column_if_any("asked: granted", Align::Left, records().map(cells::asked));
    table.detail_if_any("exchanges/event", Align::Right, records().map(cells::exchanges_per_event));
    table.detail_if_any("RAM kB host, co-processor", Align::Right, records().map(cells::ram));
    table.column_if_any("what limits it", Align::Left, records().map(cells::says));
    let failed: Vec<bool> = records().map(cells::failed).collect();
    table.tone_cells("what limits it", |row| failed[row].then_some(Tone::Warning));
}

/// Names of the parameters whose values differ between the records: those of the first in its order, then those that only
/// later ones have, because they mean nothing to the first.
fn differing(records: &[Record]) -> Vec<&str> {
    let Some((first, others)) = records.split_first() else { return Vec::new() };
    let differs = |name: &str| others.iter().any(|record| record.params.get(name) != first.params.get(name));
    let mut names: Vec<_> = first.params.iter().map(|(name, _)| name).filter(|name| differs(name)).collect();
    for (name, _) in others.iter().flat_map(|record| record.params.iter()) {
        if first.params.get(name).is_none() && !names.contains(&name) {
            names.push(name);
        }
    }
    names
}

/// Tells if `name` is `key`, or a part of it: `coc.credits.initial` of `coc.credits`.
fn is_or_is_below(name: &str, key: &str) -> bool {
    name.strip_prefix(key).is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
}
