//! From the tree of a plan's text to settings, rows and axes.

use airtime_core::Duration;
use serde_json::Value;

use super::row::{RowSource, row};
use super::settings::{Assignment, Settings, unknown};
use super::unlogged::{RangeSource, ranges};
use crate::schema::{self, Key, Kind, Scope, scope};
use crate::toml::error::{At, Fault, Place, PlanError};
use crate::toml::tree::{Data, Entry, Node};

/// Most points a plan may have.
pub const POINTS_MAX: u64 = 10_000_000;

/// A key that takes several values in turn.
#[derive(Clone, Debug)]
pub struct Axis {
    /// Key of the axis.
    pub key: &'static Key,
    /// Its values, each with its place.
    pub values: Vec<Assignment>,
}

/// Text of a plan, read.
pub struct Read {
    pub base: Settings,
    pub rows: Vec<RowSource>,
    pub axes: Vec<Axis>,
    /// Ranges of what nobody logged.
    pub unlogged: Vec<RangeSource>,
}

/// Reads the whole plan.
pub fn read(file: &str, entries: &[Entry]) -> Result<Read, PlanError> {
    let mut read = Read { base: Settings::new(), rows: Vec::new(), axes: Vec::new(), unlogged: Vec::new() };
    // A plan for a link that does not exist is told so before any of its tables is called unknown.
    if let Some(entry) = entries.iter().find(|entry| entry.name == "link") {
        let key = schema::find("link").expect("the schema has a link");
        read.base.assign(file, &Assignment { key, place: entry.place.clone(), node: entry.node.clone() })?;
    }
    let own = |entry: &&Entry| !matches!(entry.name.as_str(), "sweep" | "unlogged" | "row");
    let settings: Vec<Entry> = entries.iter().filter(own).cloned().collect();
    let link = read.base.text("link").map(str::to_owned);
    for assignment in assignments(file, &settings, link.as_deref())? {
        read.base.assign(file, &assignment)?;
    }
    // Rows name these, wherever they stand.
    if let Some(entry) = entries.iter().find(|entry| entry.name == "unlogged") {
        read.unlogged = ranges(file, entry)?;
    }
    for entry in entries {
        match (entry.name.as_str(), &entry.node.data) {
            ("sweep", _) => read.axes = axes_of(file, entry, link.as_deref())?,
            ("row", Data::List(rows)) => {
                let source = read.base.text("source").unwrap_or_default();
                for node in rows {
                    let row = row(file, node, source, &read.rows, &read.unlogged)?;
                    read.rows.push(row);
                }
            }
            ("row", _) => {
                let fault = Fault::new("rows are written `[[row]]`, in double brackets");
                return Err(fault.at(file, entry.place.clone()));
            }
            _ => {}
        }
    }
    Ok(read)
}

/// Every key the tables name, in their order.
pub fn assignments(file: &str, entries: &[Entry], link: Option<&str>) -> Result<Vec<Assignment>, PlanError> {
    let mut found = Vec::new();
    walk((file, link), "", entries, &|_, _| true, &mut |assignment| found.push(assignment))?;
    Ok(found)
}

/// As [`assignments`], for what may differ between points.
pub fn point_assignments(file: &str, entries: &[Entry]) -> Result<Vec<Assignment>, PlanError> {
    let found = assignments(file, entries, None)?;
    let mut trial = Settings::new();
    for assignment in &found {
        varies(file, assignment.key, &assignment.place)?;
        trial.assign(file, assignment)?;
    }
    Ok(found)
}

/// Calls `found` for every key below `table`; `is_leaf` tells whether a key with forms that is
/// followed by a table is itself what is set.
fn walk(
    (file, link): (&str, Option<&str>),
    table: &str,
    entries: &[Entry],
    is_leaf: &dyn Fn(&Key, &Node) -> bool,
    found: &mut dyn FnMut(Assignment),
) -> Result<(), PlanError> {
    for entry in entries {
        let path = if table.is_empty() { entry.name.clone() } else { format!("{table}.{}", entry.name) };
        match schema::find(&path) {
            Some(key) if is_leaf(key, &entry.node) => {
                found(Assignment { key, place: entry.place.clone(), node: entry.node.clone() });
            }
            _ if schema::is_table(&path) => {
                let below = entry.node.table(&path).map_err(|fault| {
                    fault.allowing(schema::below(&path).join(", ")).at(file, entry.node.place.clone())
                })?;
                walk((file, link), &path, below, is_leaf, found)?;
            }
            _ => return Err(unknown(file, &path, &entry.place, link)),
        }
    }
    Ok(())
}

/// Refuses keys of the plan as a whole where points differ.
fn varies(file: &str, key: &Key, place: &Place) -> Result<(), PlanError> {
    if *scope(key) != Scope::Plan {
        return Ok(());
    }
    Err(Fault::new(format!("`{}` belongs to the plan as a whole", key.name)).at(file, place.clone()))
}

/// The axes of a `[sweep]`, or the ranges of an `[unlogged]`.
pub fn axes_of(file: &str, sweep: &Entry, link: Option<&str>) -> Result<Vec<Axis>, PlanError> {
    let entries = sweep.node.table(&sweep.name).map_err(|fault| fault.at(file, sweep.place.clone()))?;
    let mut found = Vec::new();
    // `[sweep.ble.loss]` goes on to its parts; a list of whole tables does not.
    let is_leaf = |key: &Key, node: &Node| !matches!((key.kind, &node.data), (Kind::Forms { .. }, Data::Table(_)));
    walk((file, link), "", entries, &is_leaf, &mut |assignment| found.push(assignment))?;
    // `coc.sdu` and `"coc.sdu"` are two keys to TOML.
    for (position, Assignment { key, place, .. }) in found.iter().enumerate() {
        if found[..position].iter().any(|earlier| earlier.key.name == key.name) {
            return Err(Fault::new(format!("`{}` is in here twice", key.name)).at(file, place.clone()));
        }
    }
    found.into_iter().map(|assignment| axis(file, assignment)).collect()
}

/// One axis: a list of values, or a range.
fn axis(file: &str, assignment: Assignment) -> Result<Axis, PlanError> {
    let Assignment { key, place, node } = assignment;
    varies(file, key, &place)?;
    let nodes = match node.data {
        Data::List(nodes) => nodes,
        Data::Table(entries) => range(key, &entries, &node.place).map_err(|f| f.at(file, node.place.clone()))?,
        Data::Value(_) => {
            let fault = Fault::new(format!("`{}` is swept over a list of values or a range", key.name));
            return Err(fault.allowing("[a, b, ...], { from, to, step }").at(file, node.place));
        }
    };
    if nodes.is_empty() {
        let fault = Fault::new(format!("the sweep over `{}` is empty", key.name));
        return Err(fault.allowing(key.kind.allowed()).at(file, node.place));
    }
    let values: Vec<Assignment> =
        nodes.into_iter().map(|node| Assignment { key, place: node.place.clone(), node }).collect();
    let mut trial = Settings::new();
    for value in &values {
        trial.assign(file, value)?;
    }
    Ok(Axis { key, values })
}

/// The values of `{ from, to, step }`.
fn range(key: &Key, entries: &[Entry], place: &Place) -> Result<Vec<Node>, Fault> {
    let is_span = match key.kind {
        Kind::Count(..) => false,
        Kind::Span(..) => true,
        _ => return Err(Fault::new(format!("`{}` has no range; give a list", key.name)).allowing(key.kind.allowed())),
    };
    let bound = |name: &str| {
        let entry = entries.iter().find(|entry| entry.name == name);
        let value = entry.ok_or_else(|| Fault::new(format!("a range needs `{name}`")).allowing("from, to, step"))?;
        let value = value.node.json();
        let number = match &value {
            Value::String(text) if is_span => text.parse::<Duration>().ok().map(Duration::as_nanos),
            Value::Number(number) if !is_span => number.as_u64(),
            _ => None,
        };
        number.ok_or_else(|| Fault::new(format!("{value} is no bound of `{}`", key.name)).allowing(key.kind.allowed()))
    };
    if let Some(other) = entries.iter().find(|entry| !matches!(entry.name.as_str(), "from" | "to" | "step")) {
        return Err(Fault::new(format!("unknown key `{}`", other.name)).one_of(&other.name, ["from", "to", "step"]));
    }
    let (from, to, step) = (bound("from")?, bound("to")?, bound("step")?);
    if step == 0 || from > to {
        return Err(Fault::new("a range goes up from `from` to `to` in steps above 0"));
    }
    if (to - from) / step >= POINTS_MAX {
        return Err(Fault::new(format!("the range has more than {POINTS_MAX} values")));
    }
    let value = |n: u64| if is_span { Duration::from_nanos(n).to_string().into() } else { n.into() };
    let count = (to - from) / step + 1;
    Ok((0..count).map(|i| Node { place: place.clone(), data: Data::Value(value(from + i * step)) }).collect())
}
