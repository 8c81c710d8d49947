//! Results that were kept: run folders, documents of `--json` and reports, read back.

use std::borrow::Cow;
use std::cmp::Ordering;
use std::path::Path;

use airtime_lab::record::{HELD, Records, SCHEMA};
use airtime_lab::{Document, Record};
use airtime_report::figures;
use airtime_study::{KeptFolder, RECORDS_FILE};

use crate::exit::Failure;
use crate::{place, shelf};

/// Source of such documents.
const PRINTED: &str = "`airtime run --json` prints them";

/// Most octets of a file with records: 10,000 of them as JSON are 80 MB. *Assumed.*
const OCTETS_MAX: u64 = 1 << 30;

/// Tells if `name` names kept results and no plan.
pub fn is_kept(name: &str) -> bool {
    let path = Path::new(name);
    let ending = path.extension().and_then(|extension| extension.to_str());
    path.is_dir() || matches!(ending, Some("json" | "jsonl" | "html" | "htm"))
}

/// Documents in what `name` names, if results are kept there: a run folder, a document of `--json`, or a report.
///
/// # Errors
/// When it is one by its name, and cannot be read as one.
pub fn find(name: &str) -> Result<Option<Vec<Document>>, Failure> {
    find_of(name, None)
}

/// The same with the records of one `point` alone, if it is given: of a folder no other is held in memory.
///
/// # Errors
/// As of [`find`].
pub fn find_of(name: &str, point: Option<&str>) -> Result<Option<Vec<Document>>, Failure> {
    let path = Path::new(name);
    if let Some(kept) = run_folder(path) {
        return folder(kept, point).map(|document| Some(vec![document]));
    }
    let bad = |why: String| Failure::BadInput(format!("{name}: {why}"));
    match path.extension().and_then(|extension| extension.to_str()) {
        Some("json") => {
            let octets = place::read(path, OCTETS_MAX)?;
            document(&octets).map(|document| Some(vec![of(document, point)])).map_err(bad)
        }
        Some("html" | "htm") => {
            let octets = place::read(path, OCTETS_MAX)?;
            let html = String::from_utf8_lossy(&octets);
            let documents = figures::documents(&html).ok_or_else(|| {
                bad("it is no report: no page but that of `airtime report` has records inside".into())
            })?;
            let asked =
                |documents: Vec<Document>| Some(documents.into_iter().map(|document| of(document, point)).collect());
            documents.map(asked).map_err(|error| bad(format!("its records are damaged: {error}")))
        }
        _ => Ok(None),
    }
}

/// Run folder that `path` names: the folder itself, or its file of records.
pub fn run_folder(path: &Path) -> Option<&Path> {
    if path.is_dir() {
        return Some(path);
    }
    path.ends_with(RECORDS_FILE).then(|| path.parent().unwrap_or(Path::new("")))
}

/// Name of the plan that a run folder is of, as documents have it: `coc-sweep` of `coc-sweep (ble-coc)`.
pub fn plan_of(kept: &KeptFolder) -> String {
    let of = kept.of.clone().unwrap_or_else(|| kept.folder.display().to_string());
    // Behind the plan is its link.
    let plan = of.split_once(" (").filter(|(_, rest)| rest.matches('(').count() == 0).map(|(plan, _)| plan.to_owned());
    plan.unwrap_or(of)
}

fn of(document: Document, point: Option<&str>) -> Document {
    let Some(point) = point else { return document };
    let asked = document.records.iter().filter(|record| record.is_of(point)).map(Cow::into_owned).collect::<Vec<_>>();
    Document { records: asked.into(), ..document }
}

fn document(octets: &[u8]) -> Result<Document, String> {
    #[derive(serde::Deserialize)]
    struct Head {
        schema: Option<String>,
    }
    let head: Head = serde_json::from_slice(octets).map_err(|error| error.to_string())?;
    match head.schema.as_deref() {
        Some(SCHEMA) => serde_json::from_slice(octets).map_err(|error| error.to_string()),
        Some(other) => Err(format!("it is of the schema `{other}`, and {SCHEMA} is what has records: {PRINTED}")),
        None => Err(format!("it names no schema, and {SCHEMA} is what has records: {PRINTED}")),
    }
}

/// Records of a run folder, in the order of the plan's points: a sweep on several threads keeps them as they are finished.
fn folder(path: &Path, point: Option<&str>) -> Result<Document, Failure> {
    let mut kept = KeptFolder::read(path)?;
    kept.sort_by(by_number)?;
    let is_asked = |record: &Record| point.is_none_or(|point| record.is_of(point));
    // A few are held as they are: what shows them goes over them a dozen times.
    let records = if kept.len() < HELD {
        let mut few: Vec<Record> = Vec::new();
        kept.each(|record| few.extend(is_asked(&record).then_some(record)))?;
        Records::read(few)
    } else {
        let mut many = shelf::records();
        kept.each(|record| many.extend(is_asked(&record).then_some(record)))?;
        many
    };
    Ok(Document { records, ..Document::new(plan_of(&kept)) })
}

/// Order in which `sdu=9` is before `sdu=10`, and `7.5ms` before `15ms`.
fn by_number(a: &str, b: &str) -> Ordering {
    let (mut a, mut b) = (a, b);
    loop {
        let (text_a, number_a, rest_a) = part(a);
        let (text_b, number_b, rest_b) = part(b);
        let order = text_a.cmp(text_b).then_with(|| number_a.total_cmp(&number_b));
        if order != Ordering::Equal || rest_a.is_empty() || rest_b.is_empty() {
            return order.then_with(|| rest_a.len().cmp(&rest_b.len()));
        }
        (a, b) = (rest_a, rest_b);
    }
}

/// Letters up to a number, the number, and what is behind it.
fn part(text: &str) -> (&str, f64, &str) {
    let (letters, rest) = text.split_at(text.find(|c: char| c.is_ascii_digit()).unwrap_or(text.len()));
    let (digits, rest) = rest.split_at(rest.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(rest.len()));
    (letters, digits.parse().unwrap_or(-1.0), rest)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn points_stand_in_the_order_of_their_numbers() {
        let mut ids = ["g/10", "g/9", "a/2", "g", "a/10", "s=10/i=15ms", "s=10/i=7.5ms", "s=9/i=30ms"];
        ids.sort_by(|a, b| by_number(a, b));
        assert_eq!(ids, ["a/2", "a/10", "g", "g/9", "g/10", "s=9/i=30ms", "s=10/i=7.5ms", "s=10/i=15ms"]);
    }

    #[test]
    fn what_is_no_document_of_records_says_what_it_is() {
        let said = |text: &str| document(text.as_bytes()).unwrap_err();
        assert!(said("{\"schema\":\"airtime/explain/1\"}").contains("`airtime/explain/1`"));
        assert!(said("{}").contains("names no schema"));
        assert!(said("[1").contains("line 1"));
    }
}
