//! One line per record, for spreadsheets and data frames: everything but the series. Where links share a radio, each has a line
//! behind that of its record, with its name in the column `of`.

use std::io;

use airtime_lab::record::{Asked, LinkFigures};
use airtime_lab::{Document, Ordered, Record};

use crate::quantity::{cell, heading, millis};
use crate::{Export, Sheet, Table};

/// Comma-separated values as in RFC 4180, with a heading line and line feeds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Csv;

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
        let records: Vec<(&Document, &Record)> =
            documents(sheet).flat_map(|d| d.records.iter().map(move |record| (d, record))).collect();
        let params = names(records.iter().map(|(_, record)| &record.params));
        let ledger = names(records.iter().map(|(_, record)| &record.ledger_ns));
        let counters = names(records.iter().map(|(_, record)| &record.counters));
        let asked = asked(records.iter().map(|(_, record)| *record));
        let mut csv = ::csv::Writer::from_writer(out);
        let fixed = FIXED.iter().map(|(heading, _)| (*heading).to_owned());
        let prefixed = |prefix: &'static str, names: &[&str]| -> Vec<String> {
            names.iter().map(|name| format!("{prefix}.{name}")).collect()
        };
        csv.write_record(
            fixed
                .chain(params.iter().map(|key| heading("params", key)))
                .chain(prefixed("ledger_ns", &ledger))
                .chain(prefixed("counters", &counters))
                .chain(
                    asked
                        .iter()
                        .flat_map(|key| [heading("asked", key), heading("granted", key), format!("granted_by.{key}")]),
                ),
        )?;
        for (document, record) in records {
            let param = |name: &&str| record.params.get(name).map(|value| cell(name, value)).unwrap_or_default();
            csv.write_record(
                FIXED
                    .iter()
                    .map(|(_, cell)| cell(document, record))
                    .chain(params.iter().map(param))
                    .chain(ledger.iter().map(|name| text(record.ledger_ns.get(name))))
                    .chain(counters.iter().map(|name| text(record.counters.get(name))))
                    .chain(asked.iter().flat_map(|key| granted(record, key))),
            )?;
            for link in &record.links {
                let cells = FIXED
                    .iter()
                    .map(|(heading, cell)| of_link(heading, link).unwrap_or_else(|| cell(document, record)));
                let empty = vec![String::new(); ledger.len() + counters.len() + 3 * asked.len()];
                csv.write_record(cells.chain(params.iter().map(param)).chain(empty))?;
            }
        }
        csv.flush()
    }

    fn export_table(&self, table: &Table, out: &mut dyn io::Write) -> io::Result<()> {
        let mut csv = ::csv::Writer::from_writer(out);
        csv.write_record(table.columns.iter().map(|column| named(&column.heading)))?;
        for row in &table.rows {
            csv.write_record(row.iter().map(|cell| plain(cell)))?;
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

/// Keys whose value in effect is not the one asked for in some record, in the order of first appearance.
fn asked<'a>(records: impl Iterator<Item = &'a Record>) -> Vec<&'a str> {
    let mut keys: Vec<&str> = Vec::new();
    for asked in records.flat_map(|record| &record.asked) {
        if !keys.contains(&asked.key.as_str()) {
            keys.push(&asked.key);
        }
    }
    keys
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

/// Every name that occurs, in the order of first appearance.
fn names<'a, V: 'a>(maps: impl Iterator<Item = &'a Ordered<V>>) -> Vec<&'a str> {
    let mut names = Vec::new();
    for (name, _) in maps.flat_map(Ordered::iter) {
        if !names.contains(&name) {
            names.push(name);
        }
    }
    names
}
