//! Report: everything that is known of some results as one page, with the records inside.

use std::collections::BTreeSet;

use airtime_figures::{Figure, Grid, Page, Part};
use airtime_lab::personality::{Status, Trait};
use airtime_lab::time_line::TimeLine;
use airtime_lab::{Document, Library, Record};
use serde_json::Value;

use super::kept::kept;
use super::tunnel::Tunnel;
use crate::cells::figure;
use crate::{Explanation, Sheet, SheetKind, Table, Waterfall};

/// Rows of a table that is shown at once, *assumed*: a longer one is folded up below its figure.
const ROWS_SHOWN: usize = 40;
/// Commands that are listed at most, *assumed*: the records have each their own.
const COMMANDS_SHOWN: usize = 200;

/// Subject of a report: results of one kind.
#[derive(Clone, Debug, PartialEq)]
pub enum Subject {
    /// Records: single runs, a grid, or published measurements beside the lab's figures.
    Records(Box<Sheet>),
    /// One run, explained.
    Explained {
        /// The run that is explained, as a document of one record.
        document: Box<Document>,
        /// Accounts, ladder, and lines to paste.
        explanation: Box<Explanation>,
        /// A cycle of the run, where its link has a time line.
        cycle: Option<TimeLine>,
    },
    /// A tunnel that programs of this machine have measured.
    Tunnel(Box<Tunnel>),
}

impl Subject {
    /// Documents as what they hold: published measurements where there are any, grids, or runs.
    pub fn of(documents: Vec<Document>) -> Self {
        let records = || documents.iter().flat_map(|document| &document.records);
        let is_measured = records().any(|record| record.measured.is_some());
        let is_real = records().all(|record| record.radio.is_some());
        let kind = if is_measured && !is_real { SheetKind::Field } else { SheetKind::Runs };
        Self::Records(Box::new(Sheet::new(kind, documents)))
    }

    fn documents(&self) -> Vec<&Document> {
        match self {
            Self::Records(sheet) => sheet.shown.iter().map(|shown| &shown.document).collect(),
            Self::Explained { document, .. } => vec![&**document],
            Self::Tunnel(tunnel) => vec![&tunnel.document],
        }
    }

    fn name(&self) -> String {
        self.documents().iter().map(|document| document.plan.as_str()).collect::<Vec<_>>().join(", ")
    }

    fn figures(&self) -> Vec<Figure> {
        match self {
            Self::Records(sheet) => super::figures(sheet),
            Self::Explained { document, explanation, cycle } => {
                let cycle = cycle.as_ref().and_then(|cycle| super::time_line(&document.plan, cycle));
                let beside = document.records.iter().flat_map(|record| super::run::beside(&record));
                super::explained(explanation).into_iter().chain(cycle).chain(beside).collect()
            }
            Self::Tunnel(tunnel) => tunnel.figures(),
        }
    }

    fn parts(&self) -> Vec<Part> {
        let mut parts: Vec<Part> = self.answer().map(Part::Answer).into_iter().collect();
        parts.extend(self.figures().into_iter().map(Part::Figure));
        match self {
            Self::Records(sheet) => parts.extend(sheet.tables().into_iter().map(table)),
            Self::Explained { document, explanation, .. } => {
                parts.extend(pasted(explanation));
                parts.push(table(explanation.table(false)));
                parts.extend(document.records.iter().map(|record| values(&record)));
            }
            Self::Tunnel(tunnel) => {
                parts.extend(tunnel.remarks().map(Part::Text));
                parts.push(table(tunnel.table()));
            }
        }
        parts
    }

    /// Goodput of a run that is explained, with what gains most. Figures have their findings as titles.
    fn answer(&self) -> Option<String> {
        let explanation = match self {
            Self::Records(_) => return None,
            Self::Explained { explanation, .. } => explanation,
            Self::Tunnel(tunnel) => return tunnel.answer(),
        };
        let Waterfall { goodput_kbps, phy_kbps, conclusion, .. } = &explanation.waterfall;
        let of = if *phy_kbps > 0.0 { format!(" of {}", figure(*phy_kbps)) } else { String::new() };
        Some(format!("{}{of} kbps. {conclusion}", figure(*goodput_kbps)).trim_end().to_owned())
    }
}

/// Every key of a run with its value in effect.
fn values(record: &Record) -> Part {
    let text = |value: &Value| value.as_str().map_or_else(|| value.to_string(), str::to_owned);
    let rows: Vec<Vec<String>> = record.params.iter().map(|(key, value)| vec![key.to_owned(), text(value)]).collect();
    let columns = ["key", "value in effect"].map(|heading| (heading.to_owned(), false)).to_vec();
    let summary = format!("All {} keys of the run", rows.len());
    Part::Folded(summary, Grid { title: String::new(), columns, rows, remarks: Vec::new() })
}

/// Page of `subjects` with `command`, which makes it again.
pub fn report(subjects: &[Subject], command: &str) -> Page {
    let documents: Vec<&Document> = subjects.iter().flat_map(Subject::documents).collect();
    let mut parts: Vec<Part> = Vec::new();
    for subject in subjects {
        // One subject is what the page is called by.
        parts.extend((subjects.len() > 1).then(|| Part::Heading(subject.name())));
        parts.extend(subject.parts());
    }
    parts.push(Part::Heading("Where the figures come from".to_owned()));
    parts.push(Part::Text(surroundings(&documents)));
    parts.extend(environments(&documents));
    parts.extend(assumed(&documents));
    parts.extend(commands(&documents));
    parts.push(Part::Text("This page is made by:".to_owned()));
    parts.push(Part::Command(command.to_owned()));
    parts.extend(documents.iter().any(|document| !document.records.is_empty()).then(|| kept(&documents)));
    let names: Vec<String> = subjects.iter().map(Subject::name).collect();
    Page { title: format!("Where did the throughput go? {}", names.join(", ")), parts }
}

fn table(table: Table) -> Part {
    let rows = table.rows.len();
    let grid = Grid::from(table);
    if rows > ROWS_SHOWN { Part::Folded(format!("All {rows} rows"), grid) } else { Part::Grid(grid) }
}

fn pasted(explanation: &Explanation) -> Vec<Part> {
    let blocks = explanation.waterfall.paste.iter();
    let of = |block: &airtime_lab::explain::Block| {
        [Part::Text(format!("To paste: {}", block.to)), Part::Command(block.lines.join("\n"))]
    };
    blocks.flat_map(of).collect()
}

fn surroundings(documents: &[&Document]) -> String {
    let versions: BTreeSet<&str> = documents.iter().map(|document| document.airtime.as_str()).collect();
    let versions = versions.into_iter().collect::<Vec<_>>().join(", ");
    let records = || documents.iter().flat_map(|document| &document.records);
    let virtual_ones = records().filter(|record| record.radio.is_none()).count();
    let others = records().count() - virtual_ones;
    if virtual_ones + others == 0 {
        return format!("Airtime {versions}. The page holds figures and no records.");
    }
    let of = |count: usize, radios: &str| (count > 0).then(|| format!("{count} of {radios}"));
    let told = [of(virtual_ones, "virtual radios"), of(others, "live or real ones")];
    format!(
        "Records: {}; airtime {versions}. The page holds them whole: `airtime report THIS_FILE` reads them again.",
        told.into_iter().flatten().collect::<Vec<_>>().join(", ")
    )
}

/// Surroundings of real runs, as far as somebody has said them.
fn environments(documents: &[&Document]) -> Option<Part> {
    let told = documents.iter().flat_map(|document| &document.records).filter_map(|record| {
        let environment = serde_json::to_value(record.environment.as_ref()?).ok()?;
        let fields = environment.as_object()?.iter();
        let text = |(name, value): (&String, &Value)| format!("{name} {}", value.as_str().unwrap_or_default());
        Some(vec![record.id.clone(), fields.map(text).collect::<Vec<_>>().join(", ")])
    });
    let rows: Vec<Vec<String>> = told.collect();
    let columns = ["record", "surroundings"].map(|heading| (heading.to_owned(), false)).to_vec();
    (!rows.is_empty()).then(|| Part::Grid(Grid { title: "Real runs".to_owned(), columns, rows, remarks: Vec::new() }))
}

/// Values that nobody has published, of every personality that a record names.
fn assumed(documents: &[&Document]) -> Option<Part> {
    let library = Library::builtin();
    let mut named: BTreeSet<String> = BTreeSet::new();
    for record in documents.iter().flat_map(|document| &document.records) {
        named.extend(personalities(&record));
    }
    let is_assumed = |entry: &&Trait| entry.status == Status::Assumed;
    let rows: Vec<Vec<String>> = named
        .iter()
        .filter_map(|name| library.get(name))
        .flat_map(|device| {
            let row = |entry: &Trait| {
                let value = entry.value.as_str().map_or_else(|| entry.value.to_string(), str::to_owned);
                vec![device.name.clone(), entry.key.to_owned(), value, entry.source.clone()]
            };
            device.describe().iter().filter(is_assumed).map(row)
        })
        .collect();
    let count = rows.len();
    let columns = ["personality", "key", "value", "reason"].map(|heading| (heading.to_owned(), false)).to_vec();
    let remarks =
        vec!["Every other value of these devices has a source; `airtime personality show NAME` names it.".into()];
    let grid = Grid { title: String::new(), columns, rows, remarks };
    (count > 0).then(|| Part::Folded(format!("{count} assumed values: nobody has published them"), grid))
}

fn personalities(record: &Record) -> Vec<String> {
    let is_named = |(key, _): &(&str, &Value)| key.ends_with("personality");
    record.params.iter().filter(is_named).filter_map(|(_, value)| value.as_str().map(str::to_owned)).collect()
}

/// The command that replays each record.
fn commands(documents: &[&Document]) -> Option<Part> {
    let all = || documents.iter().flat_map(|document| &document.records).filter(|record| !record.replay.is_empty());
    let count = all().count();
    let rows = all().take(COMMANDS_SHOWN).map(|record| vec![record.id.clone(), record.replay.clone()]).collect();
    let columns = ["record", "command"].map(|heading| (heading.to_owned(), false)).to_vec();
    let left =
        (count > COMMANDS_SHOWN).then(|| format!("The first {COMMANDS_SHOWN} of {count}; each record has its own."));
    let grid = Grid { title: String::new(), columns, rows, remarks: left.into_iter().collect() };
    (count > 0).then(|| Part::Folded("Commands that run each record again".to_owned(), grid))
}
