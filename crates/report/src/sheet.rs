//! Sheet to show: documents, and the kind of their table.

mod field;
mod grid;
mod log;
mod outcome;
mod runs;
mod survey;

use std::borrow::Cow;
use std::collections::BTreeMap;

use airtime_lab::{Document, Plan, Record};
use airtime_study::field::Totals;

use crate::table::Table;
use survey::Survey;

/// Kind of table that documents are shown as.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SheetKind {
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
    /// Document that holds the records.
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
    /// A plan of which nothing was run yet.
    pub fn of(plan: &Plan) -> Self {
        Self {
            document: Document { note: plan.note.clone(), ..Document::new(&plan.name) },
            need_kbps: plan.need.map(|need| (need.least.kbps(), need.most.kbps())),
            varied: Some(plan.varied().into_iter().map(str::to_owned).collect()),
            points: None,
        }
    }

    /// Names of the keys that tell the records from one another.
    pub(crate) fn keys(&self) -> Vec<String> {
        let survey = Survey::of(&self.document.records);
        self.telling(&survey).into_iter().map(str::to_owned).collect()
    }

    /// Names of the parameters that tell the records from one another. A personality brings a dozen keys along; those are columns
    /// only where the plan that would say so is unknown.
    fn telling<'a>(&self, survey: &'a Survey) -> Vec<&'a str> {
        let mut names = survey.differing();
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
    pub kind: SheetKind,
    /// One per plan.
    pub shown: Vec<Shown>,
}

impl Sheet {
    /// `shown` as `kind`.
    pub fn new(kind: SheetKind, shown: impl IntoIterator<Item = impl Into<Shown>>) -> Self {
        Self { kind, shown: shown.into_iter().map(Into::into).collect() }
    }

    /// Every record of every plan; those of a large one are unpacked as they are asked for.
    pub fn records(&self) -> impl Iterator<Item = Cow<'_, Record>> {
        self.shown.iter().flat_map(|shown| &shown.document.records)
    }

    /// Totals of the comparison with published measurements, if that is what is shown.
    pub fn totals(&self) -> Option<Totals> {
        (self.kind == SheetKind::Field).then(|| Totals::of(self.records()))
    }

    /// Totals of each source by its name, if there are several.
    pub fn totals_by_source(&self) -> Option<BTreeMap<&str, Totals>> {
        let of = |shown: &'_ Shown| Totals::of(&shown.document.records);
        let named = self.shown.iter().map(|shown| (shown.document.plan.as_str(), of(shown)));
        (self.kind == SheetKind::Field && self.shown.len() > 1).then(|| named.collect())
    }

    /// The tables that people read.
    pub fn tables(&self) -> Vec<Table> {
        if self.kind == SheetKind::Field {
            return field::tables(&self.shown);
        }
        let surveys: Vec<Survey> = self.shown.iter().map(|shown| Survey::of(&shown.document.records)).collect();
        let known: Vec<Known<'_>> = self.shown.iter().zip(&surveys).collect();
        let shared = known.iter().filter(|(_, survey)| survey.shares_radio);
        let links = shared.filter_map(|(shown, _)| crate::links::links(&shown.document));
        match self.kind {
            SheetKind::Grid => known.iter().map(|(shown, survey)| grid::table(shown, survey)).chain(links).collect(),
            _ => self.runs_tables(&known, links),
        }
    }

    /// Neighbouring plans of one run each share a table.
    fn runs_tables(&self, known: &[Known<'_>], links: impl Iterator<Item = Table>) -> Vec<Table> {
        let single = |(_, survey): &Known<'_>| survey.len < 2 && !survey.published;
        let called = || known.iter().filter(|(_, survey)| survey.calls).map(|(shown, _)| &shown.document);
        let mut tables: Vec<Table> = known
            .chunk_by(|a, b| single(a) && single(b))
            .map(|known| match known {
                [(one, survey)] if survey.published => log::table(&one.document),
                [(one, survey)] if survey.len > 1 => grid::table(one, survey),
                several => runs::table(several.iter().map(|(shown, _)| *shown)),
            })
            .chain(links)
            .chain(called().filter_map(crate::calls::checks))
            .chain(called().filter_map(crate::calls::benches))
            .collect();
        // The table of a publication has the note of its plan already.
        let note = |(shown, survey): &Known<'_>| {
            let Document { plan, note, .. } = &shown.document;
            note.as_ref().filter(|_| !survey.published).map(|note| format!("{plan}: {note}"))
        };
        let notes: Vec<String> = known.iter().filter_map(note).collect();
        let remarks = notes.into_iter().chain(self.shown.iter().flat_map(|shown| shown.document.told()));
        if let Some(last) = tables.last_mut() {
            last.remarks.extend(remarks);
        }
        tables
    }
}

/// A plan's records with what is known of all of them.
type Known<'a> = (&'a Shown, &'a Survey);

/// Tells if `name` is `key`, or a part of it: `coc.credits.initial` of `coc.credits`.
fn is_or_is_below(name: &str, key: &str) -> bool {
    name.strip_prefix(key).is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
}
