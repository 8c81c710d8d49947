//! One line per record, for spreadsheets and data frames: everything but the series. Where links share a radio, each has a line
//! behind that of its record, with its name in the column `of`.

use std::collections::HashSet;
use std::io;

use airtime_lab::quantity::Quantity;
use airtime_lab::record::{Asked, LinkFigures};
use airtime_lab::{Document, Record};

use crate::quantity::{cell, cell_of, heading, millis};
use crate::{Export, Sheet, Table};

/// Comma-separated values as in RFC 4180, with a heading line and line feeds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Csv;

impl Csv {
    /// Beginning of the heading line of records, whatever they are of.
    pub const BEGINS: &str = "plan,id,label,link,seed,outcome,goodput_kbps.median,";
}

/// Content of a cell for a plan's record.
type Cell = fn(&Document, &Record) -> String;

/// The columns every record has, with what stands in them.
const FIXED: &[(&str, Cell)] = &[
    ("plan", |document, _| document.plan.clone()),
    ("id", |_, record| record.id.clone()),
    ("label", |_, record| record.label.clone()),
    ("link", |_, record| record.link.clone()),
    ("seed", |_, record| record.seed.to_string()),
    ("outcome", |_, record| record.outcome.clone()),
    ("goodput_kbps.median", |_, record| record.goodput_kbps.median.to_string()),
    ("goodput_kbps.low", |_, record| record.goodput_kbps.low.to_string()),
    ("goodput_kbps.high", |_, record| record.goodput_kbps.high.to_string()),
    ("goodput_kbps.runs", |_, record| record.goodput_kbps.runs.to_string()),
    ("latency_ms.p50", |_, record| text(record.latency_ms.map(|latency| latency.p50))),
    ("latency_ms.p95", |_, record| text(record.latency_ms.map(|latency| latency.p95))),
    ("latency_ms.p99", |_, record| text(record.latency_ms.map(|latency| latency.p99))),
    ("accepted_kbps", |_, record| text(record.accepted_kbps)),
    ("delivered_bytes", |_, record| record.delivered_bytes.to_string()),
    ("elapsed_ns", |_, record| record.elapsed_ns.to_string()),
    ("measured.value", |_, record| text(record.measured.as_ref().map(|measured| measured.value))),
    ("measured.unit", |_, record| record.measured.as_ref().map(|measured| measured.unit.clone()).unwrap_or_default()),
    ("measured.approx", |_, record| text(record.measured.as_ref().map(|measured| measured.approx))),
    ("lab.value", |_, record| text(record.lab.as_ref().map(|lab| lab.value))),
    ("error_pct", |_, record| text(record.error_pct)),
    ("verdict", |_, record| text(record.verdict.as_ref())),
    ("bottleneck.account", |_, record| record.bottleneck.account.clone()),
    ("bottleneck.says", |_, record| record.bottleneck.says.clone()),
    ("note", |_, record| record.note.clone().unwrap_or_default()),
    ("replay", |_, record| record.replay.clone()),
    ("calls.ms_per_call", |_, record| crate::calls::ms_per_call(record)),
    ("calls.ms_per_item", |_, record| crate::calls::ms_per_item(record)),
    ("calls.calls_per_s", |_, record| crate::calls::calls_per_s(record)),
    ("together.goodput_kbps", |_, record| text(record.together.map(|together| together.goodput_kbps))),
    ("together.fairness", |_, record| text(record.together.map(|together| together.fairness))),
    ("conn_interval_ms", |_, record| text(record.negotiated.as_ref().map(|terms| millis(&terms.conn_interval)))),
    ("finding", |_, record| record.finding.clone().unwrap_or_default()),
    ("checks.made", |_, record| counted(record, crate::calls::checks_of(record).count())),
    ("checks.passed", |_, record| counted(record, crate::calls::passed(record))),
    ("of", |_, _| String::new()),
];

impl Export for Csv {
    fn export(&self, sheet: &Sheet, out: &mut dyn io::Write) -> io::Result<()> {
        // Columns are known when every record was looked at once; lines are written as they are looked at again.
        let names = Names::of(sheet);
        let mut csv = ::csv::Writer::from_writer(out);
        csv.write_record(names.headings())?;
        for document in documents(sheet) {
            for record in &document.records {
                csv.write_record(names.line(document, &record))?;
                for link in &record.links {
                    csv.write_record(names.line_of_link(document, &record, link))?;
                }
            }
        }
        csv.flush()
    }

    fn export_table(&self, table: &Table, out: &mut dyn io::Write) -> io::Result<()> {
        let mut csv = ::csv::Writer::from_writer(out);
        csv.write_record(table.columns.iter().map(|column| named(&column.heading)))?;
        for row in &table.rows {
            csv.write_record(row.iter().map(plain))?;
        }
        csv.flush()
    }

    /// Tables below one heading line, which has the columns of all of them; the first says which table a line is of.
    fn export_tables(&self, tables: &[Table], out: &mut dyn io::Write) -> io::Result<()> {
        let full: Vec<&Table> = tables.iter().filter(|table| !table.columns.is_empty()).collect();
        match full.as_slice() {
            [] => return Ok(()),
            [one] => return self.export_table(one, out),
            _ => {}
        }
        let mut headings: Vec<&str> = Vec::new();
        for column in full.iter().flat_map(|table| &table.columns) {
            if !headings.contains(&column.heading.as_str()) {
                headings.push(&column.heading);
            }
        }
        let mut csv = ::csv::Writer::from_writer(out);
        csv.write_record(["table"].into_iter().chain(headings.iter().map(|heading| named(heading))))?;
        for table in full {
            let place = |heading: &&str| table.columns.iter().position(|column| column.heading == *heading);
            for row in &table.rows {
                let cells = headings.iter().map(|heading| place(heading).map(|at| plain(&row[at])).unwrap_or_default());
                csv.write_record([table.title.clone()].into_iter().chain(cells))?;
            }
        }
        csv.flush()
    }
}

/// Heading of a column; one of marks has none for people.
fn named(heading: &str) -> &str {
    if heading.is_empty() { "mark" } else { heading }
}

/// A cell as programs read it: a typographical minus is a word to them.
fn plain(cell: &str) -> String {
    cell.replace('−', "-")
}

/// Cells of what was asked for, what was granted, and by whom.
fn granted(record: &Record, key: &str) -> [String; 3] {
    let of = |asked: &Asked| [cell(key, &asked.asked), cell(key, &asked.granted), asked.by.clone()];
    record.asked.iter().find(|asked| asked.key == key).map(of).unwrap_or_default()
}

/// Number of checks, where checks were made.
fn counted(record: &Record, count: usize) -> String {
    let made = crate::calls::checks_of(record).next().is_some();
    if made { count.to_string() } else { String::new() }
}

/// Cell of a link below that of its record, where the two differ: what is known of the record alone is empty.
fn of_link(heading: &str, link: &LinkFigures) -> Option<String> {
    match heading {
        "plan" | "id" | "label" | "link" | "seed" => None,
        "of" => Some(link.name.clone()),
        "outcome" => Some(link.outcome.clone()),
        "goodput_kbps.median" => Some(link.goodput_kbps.to_string()),
        "conn_interval_ms" => Some(link.conn_interval.as_deref().map(millis).unwrap_or_default()),
        "bottleneck.account" => Some(link.bottleneck.as_ref().map(|found| found.account.clone()).unwrap_or_default()),
        "bottleneck.says" => Some(link.bottleneck.as_ref().map(|found| found.says.clone()).unwrap_or_default()),
        _ => Some(String::new()),
    }
}

fn documents(sheet: &Sheet) -> impl Iterator<Item = &Document> {
    sheet.shown.iter().map(|shown| &shown.document)
}

fn text(value: Option<impl ToString>) -> String {
    value.map(|value| value.to_string()).unwrap_or_default()
}

/// Names of the columns that some record has, each kind in the order of first appearance.
#[derive(Default)]
struct Names {
    params: Known,
    /// Quantity of each of them.
    quantities: Vec<Quantity>,
    ledger: Known,
    counters: Known,
    /// Keys whose value in effect is not the one asked for.
    asked: Known,
}

impl Names {
    fn of(sheet: &Sheet) -> Self {
        let mut names = Self::default();
        for record in sheet.records() {
            names.params.see(record.params.iter().map(|(name, _)| name));
            names.ledger.see(record.ledger_ns.iter().map(|(name, _)| name));
            names.counters.see(record.counters.iter().map(|(name, _)| name));
            names.asked.see(record.asked.iter().map(|asked| asked.key.as_str()));
        }
        names.quantities = names.params.iter().map(Quantity::of).collect();
        names
    }

    fn headings(&self) -> impl Iterator<Item = String> {
        let fixed = FIXED.iter().map(|(heading, _)| (*heading).to_owned());
        let asked = |key: &str| [heading("asked", key), heading("granted", key), format!("granted_by.{key}")];
        fixed
            .chain(self.params.iter().map(|key| heading("params", key)))
            .chain(self.ledger.iter().map(|name| format!("ledger_ns.{name}")))
            .chain(self.counters.iter().map(|name| format!("counters.{name}")))
            .chain(self.asked.iter().flat_map(asked))
    }

    fn line(&self, document: &Document, record: &Record) -> impl Iterator<Item = String> {
        FIXED
            .iter()
            .map(|(_, cell)| cell(document, record))
            .chain(self.params(record))
            .chain(self.ledger.iter().map(|name| text(record.ledger_ns.get(name))))
            .chain(self.counters.iter().map(|name| text(record.counters.get(name))))
            .chain(self.asked.iter().flat_map(|key| granted(record, key)))
    }

    fn line_of_link(&self, document: &Document, record: &Record, link: &LinkFigures) -> impl Iterator<Item = String> {
        let cell = |(heading, cell): &(&str, Cell)| of_link(heading, link).unwrap_or_else(|| cell(document, record));
        let empty = self.ledger.len() + self.counters.len() + 3 * self.asked.len();
        FIXED.iter().map(cell).chain(self.params(record)).chain(std::iter::repeat_n(String::new(), empty))
    }

    fn params(&self, record: &Record) -> impl Iterator<Item = String> {
        let cell = |(name, quantity): (&str, &Quantity)| record.params.get(name).map(|value| cell_of(*quantity, value));
        self.params.iter().zip(&self.quantities).map(move |found| cell(found).unwrap_or_default())
    }
}

/// Names in the order of first appearance.
#[derive(Default)]
struct Known {
    order: Vec<String>,
    all: HashSet<String>,
}

impl Known {
    fn see<'a>(&mut self, names: impl Iterator<Item = &'a str>) {
        for (position, name) in names.enumerate() {
            // Nearly every record has the names of the first, in the same order.
            if self.order.get(position).is_some_and(|known| known == name) || self.all.contains(name) {
                continue;
            }
            self.all.insert(name.to_owned());
            self.order.push(name.to_owned());
        }
    }

    fn iter(&self) -> impl Iterator<Item = &str> {
        self.order.iter().map(String::as_str)
    }

    fn len(&self) -> usize {
        self.order.len()
    }
}
