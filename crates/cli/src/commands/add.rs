//! `airtime field --add`: records of real runs become rows of a field plan.

use std::path::Path;

use airtime_lab::record::{REAL, SCHEMA};
use airtime_lab::{Plan, Point, Record};
use airtime_study::log::row;
use airtime_study::request::catalog::library;
use serde::Deserialize;

use super::field::FOLDER;
use crate::catalog;
use crate::exit::{Exit, Failure};
use crate::output;
use crate::place;

/// Most octets of a document: a record of a log is 2 kB and its seconds. *Assumed.*
const OCTETS_MAX: u64 = 64 << 20;

/// The document, as far as rows are made of it.
#[derive(Deserialize)]
struct Real {
    schema: String,
    records: Vec<Record>,
}

/// Adds the records in the file `records` to the plan in the file `plan`, which is written only if it makes sense with them.
pub fn add(records: &Path, plan: &str) -> Result<Exit, Failure> {
    let name = records.display().to_string();
    let bad = |why: String| Failure::BadInput(format!("{name}: {why}"));
    if catalog::is_shipped(plan, FOLDER) {
        return Err(Failure::BadInput(format!(
            "`{plan}` is the name of a shipped plan, which `airtime field {plan}` would go on to replay: call the file otherwise, such as \
             my-{plan}.toml"
        )));
    }
    let octets = place::read(records, OCTETS_MAX)?;
    let real: Real = serde_json::from_slice(&octets).map_err(|error| bad(error.to_string()))?;
    if real.schema != SCHEMA {
        return Err(bad(format!("it is of the schema `{}`, and {SCHEMA} is what has records", real.schema)));
    }
    if let Some(record) = real.records.iter().find(|record| record.radio.as_deref() != Some(REAL)) {
        return Err(bad(format!("`{}` is not of a real radio, and a field plan has nothing else", record.id)));
    }
    let link = real.records.first().map(|record| record.link.clone()).ok_or_else(|| bad("it has no records".into()))?;
    if let Some(other) = real.records.iter().find(|record| record.link != link) {
        return Err(bad(format!("`{}` is of {}, and `{}` of {link}", other.id, other.link, real.records[0].id)));
    }
    let path = Path::new(plan);
    let (mut text, parsed) = match path.exists() {
        true => {
            let source = catalog::read(plan)?;
            let parsed = Plan::parse(plan, &source.text, &library(), &[])?;
            (source.text, Some(parsed))
        }
        false => (begun(path, &link), None),
    };
    let before = parsed.as_ref().map(|plan| plan.points()).unwrap_or_default();
    let taken = before.iter().filter_map(|point| point.row.as_ref().map(|row| row.id.clone())).collect::<Vec<_>>();
    let mut ids = taken.clone();
    for record in &real.records {
        let id = free(&record.id, &ids);
        text.push_str(&row(record, &id).ok_or_else(|| bad(format!("`{}` has no figure", record.id)))?);
        ids.push(id);
    }
    // A plan that makes no sense with them is not written; its message is of the rows as they would stand.
    let with = Plan::parse(plan, &text, &library(), &[])?;
    let added = &ids[taken.len()..];
    let is_added = |point: &Point| point.row.as_ref().is_some_and(|row| added.contains(&row.id));
    // Keys of one link may be those of another: a stream over GATT would be a row of channels.
    if let Some(other) = with.points().iter().find(|point| is_added(point) && point.scenario.link() != link) {
        return Err(bad(format!("its records are of {link}, and `{plan}` is a plan of {}", other.scenario.link())));
    }
    place::write(path, true, text.as_bytes())?;
    output::say(&format!("{plan}: added {}", added.join(", ")));
    Ok(Exit::Ok)
}

/// A plan without a row.
fn begun(path: &Path, link: &str) -> String {
    let name = path.file_stem().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    let quoted = serde_json::Value::from(name);
    format!("# Real runs, as their logs tell them.\n\nname = {quoted}\nsource = \"real runs\"\nlink = \"{link}\"\n")
}

/// `id`, or what is free behind it.
fn free(id: &str, taken: &[String]) -> String {
    let others = (2_u32..).map(|number| format!("{id}-{number}"));
    std::iter::once(id.to_owned()).chain(others).find(|id| !taken.contains(id)).unwrap_or_default()
}
