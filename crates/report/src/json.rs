//! The records themselves: one document of the schema `airtime/run/1`.

use std::collections::BTreeMap;
use std::io;

use airtime_lab::Document;
use airtime_study::field::Totals;
use serde::ser::SerializeSeq;
use serde::{Serialize, Serializer};

use crate::{Export, Row, Sheet, Table};

/// Indented JSON with a newline at the end.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Json;

/// A document and, of published measurements, what the comparison comes to.
#[derive(Serialize)]
struct Whole<'a> {
    #[serde(flatten)]
    document: Document<Joined<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    totals: Option<Totals>,
    #[serde(skip_serializing_if = "Option::is_none")]
    totals_by_source: Option<BTreeMap<&'a str, Totals>>,
}

impl Export for Json {
    fn export(&self, sheet: &Sheet, out: &mut dyn io::Write) -> io::Result<()> {
        let (totals, totals_by_source) = (sheet.totals(), sheet.totals_by_source());
        let whole = Whole { document: joined(sheet), totals, totals_by_source };
        json(&whole, out)
    }

    fn export_table(&self, table: &Table, out: &mut dyn io::Write) -> io::Result<()> {
        let object = |row: &Row| -> serde_json::Map<String, serde_json::Value> {
            table.columns.iter().zip(row.iter()).map(|(column, cell)| (column.heading.clone(), cell.into())).collect()
        };
        let rows: Vec<_> = table.rows.iter().map(object).collect();
        json(&rows, out)
    }
}

/// Writes `value` as indented JSON with a newline at the end.
///
/// # Errors
/// When `out` cannot be written.
pub fn json(value: &impl Serialize, out: &mut dyn io::Write) -> io::Result<()> {
    serde_json::to_writer_pretty(&mut *out, value)?;
    writeln!(out)
}

/// The records of all plans in one document, named for the plans in their order.
fn joined(sheet: &Sheet) -> Document<Joined<'_>> {
    let names: Vec<&str> = sheet.shown.iter().map(|shown| shown.document.plan.as_str()).collect();
    let notes: Vec<&str> = sheet.shown.iter().filter_map(|shown| shown.document.note.as_deref()).collect();
    let documents = || sheet.shown.iter().map(|shown| &shown.document);
    let document = Document {
        remarks: documents().flat_map(Document::told).collect(),
        config: documents().flat_map(|document| document.config.iter().cloned()).collect(),
        note: (!notes.is_empty()).then(|| notes.join(" ")),
        ..Document::new(names.join(", "))
    };
    document.with(Joined(sheet))
}

/// The records of all plans of a sheet as one sequence, which nothing but the record that is being written is unpacked for.
struct Joined<'a>(&'a Sheet);

impl Serialize for Joined<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Self(sheet) = self;
        let count = sheet.shown.iter().map(|shown| shown.document.records.len()).sum();
        let mut records = serializer.serialize_seq(Some(count))?;
        sheet.records().try_for_each(|record| records.serialize_element(&*record))?;
        records.end()
    }
}
