//! Rows: published experiments, one each.

use std::str::FromStr;

use serde_json::Value;

use super::read::point_assignments;
use super::settings::Assignment;
use super::unlogged::{RangeSource, named};
use crate::record::{Measured, Ratio, UNITS};
use crate::toml::error::{At, Fault, PlanError};
use crate::toml::tree::{Data, Entry, Node};
use crate::verdict::Verdict;

/// A published experiment.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct Row {
    /// Its identifier, unique in the plan.
    pub id: String,
    /// Keys that differ from the plan's.
    pub set: Vec<(String, Value)>,
    /// The published figure, if there is one.
    pub measured: Option<Measured>,
    /// Verdict on its comparison; [`Verdict::Predicted`] when there is a figure and nothing else
    /// is said.
    pub verdict: Option<Verdict>,
    /// One `set` for each possible value of what was not logged.
    pub candidates: Vec<Vec<(String, Value)>>,
    /// Its number in the log.
    pub iteration: Option<String>,
    /// Change that the experiment made.
    pub changed: Option<String>,
    /// Row whose configuration the experiment changed; the one before where nothing is said.
    pub against: Option<String>,
    /// Ratios of its figure to others, as its source printed them.
    pub ratios: Vec<Ratio>,
    /// Anything else.
    pub note: Option<String>,
    /// Source of its publication.
    pub source: String,
    /// Dotted names of keys of which only a range is known.
    pub unlogged: Vec<String>,
}

/// A row with the places of what it sets.
#[derive(Clone, Debug)]
pub struct RowSource {
    pub row: Row,
    pub set: Vec<Assignment>,
    pub candidates: Vec<Vec<Assignment>>,
    pub unlogged: Vec<RangeSource>,
}

/// Keys of a row.
pub const ROW_KEYS: [&str; 11] =
    ["id", "set", "measured", "verdict", "candidates", "unlogged", "iteration", "changed", "against", "ratios", "note"];
/// Keys of a measured figure.
pub const MEASURED_KEYS: [&str; 6] = ["value", "unit", "approx", "of", "link", "source"];

/// Keys of a ratio.
const RATIO_KEYS: [&str; 2] = ["to", "value"];

/// One `[[row]]`, after `earlier` ones, of a plan published in `source`.
pub fn row(
    file: &str,
    node: &Node,
    source: &str,
    earlier: &[RowSource],
    ranges: &[RangeSource],
) -> Result<RowSource, PlanError> {
    let entries = node.table("row").map_err(|fault| fault.at(file, node.place.clone()))?;
    let row = Row { source: source.into(), ..Row::default() };
    let mut read = RowSource { row, set: vec![], candidates: vec![], unlogged: vec![] };
    for entry in entries {
        let RowSource { row, set, candidates, unlogged } = &mut read;
        match entry.name.as_str() {
            "id" => row.id = text(file, entry)?,
            "iteration" => row.iteration = Some(text(file, entry)?),
            "changed" => row.changed = Some(text(file, entry)?),
            "against" => row.against = Some(earlier_row(file, entry, earlier)?),
            "ratios" => row.ratios = ratios(file, entry, earlier)?,
            "note" => row.note = Some(text(file, entry)?),
            "verdict" => {
                let verdict = Verdict::from_str(&text(file, entry)?);
                row.verdict = Some(verdict.map_err(|e| Fault::new(e.to_string()).at(file, entry.node.place.clone()))?);
            }
            "set" => *set = set_table(file, &entry.node)?,
            "unlogged" => *unlogged = named(file, entry, ranges)?,
            "measured" => row.measured = Some(measured(file, &entry.node, source)?),
            "candidates" => {
                let Data::List(list) = &entry.node.data else {
                    let fault = Fault::new("`candidates` is a list of tables like `set`");
                    return Err(fault.at(file, entry.node.place.clone()));
                };
                *candidates = list.iter().map(|node| set_table(file, node)).collect::<Result<_, _>>()?;
            }
            other => {
                let fault = Fault::new(format!("unknown key `{other}` of a row")).one_of(other, ROW_KEYS);
                return Err(fault.at(file, entry.place.clone()));
            }
        }
    }
    finish(file, node, &mut read, earlier)?;
    Ok(read)
}

/// Checks between the keys of a row, and between rows.
fn finish(file: &str, node: &Node, read: &mut RowSource, earlier: &[RowSource]) -> Result<(), PlanError> {
    let row = &mut read.row;
    let fault = |what: String| Err(Fault::new(what).at(file, node.place.clone()));
    if row.id.is_empty() {
        return fault("a row needs an `id`".into());
    }
    if earlier.iter().any(|other| other.row.id == row.id) {
        return fault(format!("there is a row `{}` already", row.id));
    }
    if row.verdict.is_none() && row.measured.is_some() {
        row.verdict = Some(if read.candidates.is_empty() { Verdict::Predicted } else { Verdict::Candidate });
    }
    if row.verdict == Some(Verdict::Predicted) && row.measured.is_none() {
        return fault(format!("row `{}` is predicted but has no `measured`", row.id));
    }
    let plain = |set: &[Assignment]| set.iter().map(|a| (a.key.name.to_owned(), a.node.json())).collect();
    row.set = plain(&read.set);
    row.unlogged = read.unlogged.iter().map(|range| range.key.name.to_owned()).collect();
    row.candidates = read.candidates.iter().map(|set| plain(set)).collect();
    if let Some(measured) = &row.measured {
        row.source.clone_from(&measured.source);
    }
    Ok(())
}

/// The id of a row that stands above.
fn earlier_row(file: &str, entry: &Entry, earlier: &[RowSource]) -> Result<String, PlanError> {
    let id = text(file, entry)?;
    let known = || earlier.iter().map(|other| other.row.id.as_str());
    if known().any(|other| other == id) {
        return Ok(id);
    }
    let fault = Fault::new(format!("`{}`: there is no row `{id}` above", entry.name)).one_of(&id, known());
    Err(fault.at(file, entry.node.place.clone()))
}

/// Ratios that were published: `[{ to = "row", value = 2.4 }]`.
fn ratios(file: &str, entry: &Entry, earlier: &[RowSource]) -> Result<Vec<Ratio>, PlanError> {
    let Data::List(list) = &entry.node.data else {
        let fault = Fault::new("`ratios` is a list of `{ to, value }`");
        return Err(fault.at(file, entry.node.place.clone()));
    };
    list.iter().map(|node| ratio(file, node, earlier)).collect()
}

fn ratio(file: &str, node: &Node, earlier: &[RowSource]) -> Result<Ratio, PlanError> {
    let entries = node.table("ratios").map_err(|fault| fault.at(file, node.place.clone()))?;
    let mut found = Ratio::default();
    for entry in entries {
        let at = |fault: Fault| fault.at(file, entry.node.place.clone());
        match entry.name.as_str() {
            "to" => found.to = earlier_row(file, entry, earlier)?,
            "value" => {
                let value = entry.node.json();
                let figure = value.as_f64().filter(|value| *value > 0.0);
                found.value = figure.ok_or_else(|| at(Fault::new(format!("{value} is no ratio above 0"))))?;
            }
            other => return Err(at(Fault::new(format!("unknown key `{other}` of a ratio")).one_of(other, RATIO_KEYS))),
        }
    }
    if found.to.is_empty() || found.value == 0.0 {
        return Err(Fault::new("a ratio needs `to` and `value`").at(file, node.place.clone()));
    }
    Ok(found)
}

/// A table of keys that differ.
fn set_table(file: &str, node: &Node) -> Result<Vec<Assignment>, PlanError> {
    let entries = node.table("set").map_err(|fault| fault.at(file, node.place.clone()))?;
    point_assignments(file, entries)
}

/// A published figure.
fn measured(file: &str, node: &Node, source: &str) -> Result<Measured, PlanError> {
    let entries = node.table("measured").map_err(|fault| fault.at(file, node.place.clone()))?;
    let mut found = Measured { unit: "kbps".into(), source: source.into(), ..Measured::default() };
    for entry in entries {
        let at = |fault: Fault| fault.at(file, entry.node.place.clone());
        let value = entry.node.json();
        match entry.name.as_str() {
            "value" => {
                let figure = value.as_f64().filter(|v| *v > 0.0);
                found.value = figure.ok_or_else(|| at(Fault::new(format!("{value} is no figure above 0"))))?;
            }
            "unit" => {
                found.unit = text(file, entry)?;
                if !UNITS.contains(&found.unit.as_str()) {
                    return Err(at(Fault::new(format!("unknown unit `{}`", found.unit)).one_of(&found.unit, UNITS)));
                }
            }
            "approx" => {
                let flag = value.as_bool();
                found.approx = flag.ok_or_else(|| at(Fault::new("`approx` is true or false")))?;
            }
            "of" => {
                let of = text(file, entry)?;
                let figures = ["delivered", "accepted"];
                if !figures.contains(&of.as_str()) {
                    return Err(at(Fault::new(format!("a figure is not of `{of}`")).one_of(&of, figures)));
                }
                found.accepted = of == "accepted";
            }
            "link" => found.link = Some(text(file, entry)?),
            "source" => found.source = text(file, entry)?,
            other => {
                let fault = Fault::new(format!("unknown key `{other}` of a measured figure"));
                return Err(fault.one_of(other, MEASURED_KEYS).at(file, entry.place.clone()));
            }
        }
    }
    if found.value == 0.0 {
        return Err(Fault::new("`measured` needs a `value`").at(file, node.place.clone()));
    }
    Ok(found)
}

/// A text.
fn text(file: &str, entry: &Entry) -> Result<String, PlanError> {
    match &entry.node.data {
        Data::Value(Value::String(text)) if !text.is_empty() => Ok(text.clone()),
        _ => Err(Fault::new(format!("`{}` is a text", entry.name)).at(file, entry.node.place.clone())),
    }
}
