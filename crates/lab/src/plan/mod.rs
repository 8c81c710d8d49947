//! Plans: text in, typed scenarios out.
//!
//! A plan's base settings are overlaid by a row, a candidate of the row, a point of the grid and
//! `--set` options, in this order; the last one wins.

mod board;
mod check;
mod names;
mod params;
mod read;
mod resolve;
mod row;
pub mod scenario;
mod settings;
mod turns;
mod unlogged;

use std::collections::BTreeSet;

use serde_json::Value;

pub use crate::toml::{Place, PlanError};
pub use check::CHECKED_MAX;
pub use names::Outline;
use names::describe;
pub use read::POINTS_MAX;
pub use row::Row;
#[cfg(test)]
pub(crate) use row::{MEASURED_KEYS, ROW_KEYS};
pub use scenario::Scenario;
pub use turns::turns;
pub use unlogged::{Corner, Range, corners};

use crate::condition::Condition;
use crate::figure::Figure;
use crate::personality::Library;
use crate::schema::{self, KEYS, Key, Kind, Need, Threshold};
use crate::toml::error::{At, Fault};
use crate::toml::tree::{self, Data, Node};
pub use airtime_link::config::{set_argument, toml_text};
pub(crate) use board::{BoardSettings, with_devices};
use read::Axis;
use resolve::Resolver;
use row::RowSource;
pub(crate) use settings::Assignment;
use settings::Settings;
use unlogged::RangeSource;

/// A plan that has been read. Every point of it is possible; one of more than [`CHECKED_MAX`] points may have some that are not, which
/// shows when they are made.
#[derive(Clone, Debug)]
pub struct Plan {
    /// Name in tables and records.
    pub name: String,
    /// The file it came from, as it was named.
    pub file: String,
    /// Source of its measured figures.
    pub source: Option<String>,
    /// Note about its figures as a whole.
    pub note: Option<String>,
    /// Goodput that must be reached.
    pub threshold: Option<Threshold>,
    /// Limits of other figures.
    pub limits: Vec<Condition>,
    /// Rate that the application wants.
    pub need: Option<Need>,
    base: Settings,
    rows: Vec<RowSource>,
    axes: Vec<Axis>,
    unlogged: Vec<RangeSource>,
    overrides: Vec<Assignment>,
    /// Settings of a build configuration, above the plan's own and below options.
    board: BoardSettings,
    /// Rows with their candidates; one without a row if there are no rows.
    variants: Vec<(Option<usize>, Option<usize>)>,
    library: Library,
}

/// One point of a plan: one line of its table.
#[derive(Clone, Debug)]
pub struct Point {
    /// Identifier: the row's, or the plan's name, and the coordinates in the grid.
    pub id: String,
    /// Label that tells it from its neighbours, for people.
    pub label: String,
    /// Settings beyond the plan's base, by dotted name.
    pub set: Vec<(String, Value)>,
    /// Those among them that were made on top of everything else, `--set` options among it.
    pub varied: Vec<(String, Value)>,
    /// The published experiment.
    pub row: Option<Row>,
    /// Number of the row's candidate, from 0.
    pub candidate: Option<usize>,
    /// Keys of which only a range is known here; the scenario has the middle of each.
    pub unlogged: Vec<Range>,
    /// Scenario to run.
    pub scenario: Scenario,
}

impl Plan {
    /// Reads the plan `text` that came from `file`, with `--set` options as `(key, value)`.
    ///
    /// # Errors
    /// The first thing that is wrong: TOML, a key, a value, or a combination of values at any point; in a plan of more than
    /// [`CHECKED_MAX`] points, at one of those that are looked at.
    pub fn parse(
        file: &str,
        text: &str,
        personalities: &Library,
        overrides: &[(String, String)],
    ) -> Result<Self, PlanError> {
        let mut read = read::read(file, &tree::parse(file, text)?)?;
        // An option may name another link than the plan does.
        let link = overrides.iter().rev().find(|(key, _)| key == "link").map(|(_, link)| link.as_str());
        let link = link.or(read.base.text("link")).map(str::to_owned);
        let flag = |(key, value): &(String, String)| flag((file, link.as_deref()), key, value);
        let overrides = overrides.iter().map(flag).collect::<Result<Vec<_>, PlanError>>()?;
        for assignment in &overrides {
            read.base.assign(file, assignment)?;
            let (set, dot) = (assignment.key.name, format!("{}.", assignment.key.name));
            let overridden = |axis: &str| axis == set || axis.starts_with(&dot) || set.starts_with(&format!("{axis}."));
            read.axes.retain(|axis| !overridden(axis.key.name));
        }
        let stem = file.rsplit(['/', '\\']).next().unwrap_or(file);
        let stem = stem.strip_suffix(".toml").unwrap_or(stem);
        let plan = Self {
            name: read.base.text("name").unwrap_or(stem).to_owned(),
            file: file.to_owned(),
            source: read.base.text("source").map(str::to_owned),
            note: read.base.text("note").map(str::to_owned),
            threshold: read.base.text("threshold.goodput").and_then(|text| text.parse().ok()),
            limits: Figure::NAMED.iter().filter_map(|figure| limit(&read.base, figure)).collect(),
            need: read.base.text("need.rate").and_then(|text| text.parse().ok()),
            base: read.base,
            variants: variants(&read.rows),
            rows: read.rows,
            axes: read.axes,
            unlogged: read.unlogged,
            overrides,
            board: BoardSettings::default(),
            library: personalities.clone(),
        };
        plan.check_size()?;
        plan.check()?;
        Ok(plan)
    }

    /// Number of points.
    pub fn len(&self) -> usize {
        self.variants.len() * self.grid()
    }

    /// A plan has at least one point.
    pub const fn is_empty(&self) -> bool {
        false
    }

    /// Every point that is possible, in the order of the file: rows, their candidates, and for each the grid with its
    /// last axis fastest.
    pub fn points(&self) -> Vec<Point> {
        (0..self.len()).filter_map(|index| self.point(index)).collect()
    }

    /// The point of this number, if there are as many and it is possible.
    pub fn point(&self, index: usize) -> Option<Point> {
        if index < self.len() { self.made(index).ok() } else { None }
    }

    /// The point of this number.
    ///
    /// # Errors
    /// When it is impossible.
    ///
    /// # Panics
    /// When there are not as many.
    pub fn made(&self, index: usize) -> Result<Point, PlanError> {
        let assignments = self.assignments(index);
        let scenario = self.scenario(&assignments)?;
        let (row, candidate) = self.variant(index);
        let mut set: Vec<(String, Value)> = Vec::new();
        for assignment in &assignments {
            set.retain(|(name, _)| name != assignment.key.name);
            set.push((assignment.key.name.to_owned(), assignment.node.json()));
        }
        let (id, label) = self.names(index);
        let unlogged = self.unlogged(index).map(RangeSource::range).collect();
        Ok(Point {
            id,
            label,
            set,
            varied: Vec::new(),
            row: row.map(|row| row.row.clone()),
            candidate,
            unlogged,
            scenario,
        })
    }

    /// The row of the point of this number, if there are rows, and the number of its candidate.
    fn variant(&self, index: usize) -> (Option<&RowSource>, Option<usize>) {
        let (row, candidate) = self.variants[index / self.grid()];
        (row.map(|row| &self.rows[row]), candidate)
    }

    /// The point with `changes` on top of everything else.
    ///
    /// # Errors
    /// When a change is impossible at this point.
    pub fn vary(&self, point: &Point, changes: &[(String, Value)]) -> Result<Point, PlanError> {
        let made = |set: &[(String, Value)]| {
            set.iter().map(|(name, value)| self.change(name, value)).collect::<Result<Vec<_>, _>>()
        };
        let mut assignments = made(&point.set)?;
        assignments.extend(self.overrides.iter().cloned());
        // What was varied before stands above options, too.
        assignments.extend(made(&point.varied)?);
        let changes: Vec<Assignment> =
            changes.iter().map(|(name, value)| self.change(name, value)).collect::<Result<_, _>>()?;
        let mut settings = self.base.clone();
        for assignment in assignments.iter().chain(&changes) {
            settings.assign(&self.file, assignment)?;
        }
        let varied = |key: &Key| {
            changes.iter().any(|change| change.key.name == key.name)
                || point.varied.iter().any(|(name, _)| name == key.name)
        };
        self.board.put(&self.file, &mut settings, &|key| varied(key) || self.is_fixed(key))?;
        let scenario = self.resolver(&settings).scenario()?;
        let label = changes.iter().map(describe).collect::<Vec<_>>().join(", ");
        let new: Vec<(String, Value)> =
            changes.iter().map(|change| (change.key.name.to_owned(), change.node.json())).collect();
        let with_new = |before: &[(String, Value)]| before.iter().chain(&new).cloned().collect();
        let (set, varied) = (with_new(&point.set), with_new(&point.varied));
        Ok(Point { label, set, varied, scenario, ..point.clone() })
    }

    /// Keys that some point sets beyond the plan's base; whatever else differs between points follows from these.
    pub fn varied(&self) -> BTreeSet<&'static str> {
        let of_row = |row: &'_ RowSource| -> Vec<&'static str> {
            let set = row.set.iter().chain(row.candidates.iter().flatten()).map(|assignment| assignment.key.name);
            set.chain(row.unlogged.iter().map(|range| range.key.name)).collect()
        };
        self.rows.iter().flat_map(of_row).chain(self.axes.iter().map(|axis| axis.key.name)).collect()
    }

    /// Tells if the plan, an option or a change says `key` at `point`, or a part of the table that it is.
    pub fn says(&self, point: &Point, key: &str) -> bool {
        let is_part = |name: &str| name.strip_prefix(key).is_some_and(|rest| rest.is_empty() || rest.starts_with('.'));
        let overrides = self.overrides.iter().map(|assignment| assignment.key.name);
        let of_point = point.set.iter().chain(&point.varied).map(|(name, _)| name.as_str());
        of_point.chain(overrides).any(is_part)
            || KEYS.iter().any(|own| is_part(own.name) && self.base.set(own.name).is_some())
    }

    /// The `--set` options the plan was read with, as on the command line: `coc.sdu=495`.
    pub fn overrides(&self) -> Vec<String> {
        self.overrides.iter().map(|set| set_argument(set.key.name, &set.node.json())).collect()
    }

    /// The key of this name with the value that `text` is, as behind `--set`.
    ///
    /// # Errors
    /// When there is no such key, or it has no such value.
    pub fn value(&self, name: &str, text: &str) -> Result<(&'static Key, Value), PlanError> {
        let Assignment { key, node, place } = flag((&self.file, self.base.text("link")), name, text)?;
        let value = node.json();
        if value.is_null() {
            return Ok((key, value));
        }
        let checked = key.kind.check(key.name, &value).map_err(|fault| fault.at(&self.file, place))?;
        Ok((key, checked))
    }

    fn change(&self, name: &str, value: &Value) -> Result<Assignment, PlanError> {
        let place = Place::Change;
        let key =
            schema::find(name).ok_or_else(|| settings::unknown(&self.file, name, &place, self.base.text("link")))?;
        Ok(Assignment { key, place: place.clone(), node: node_of(value, &place) })
    }

    /// Points of the grid alone.
    fn grid(&self) -> usize {
        self.axes.iter().map(|axis| axis.values.len()).product()
    }

    fn check_size(&self) -> Result<(), PlanError> {
        let rows = self.variants.len() as u64;
        let points = self.axes.iter().try_fold(rows, |n, axis| n.checked_mul(axis.values.len() as u64));
        if points.is_some_and(|n| n <= POINTS_MAX) {
            return Ok(());
        }
        let place = self.axes.last().map(|axis| axis.values[0].place.clone()).unwrap_or_default();
        let what = points.map_or("more than 2^64".to_owned(), |n| n.to_string());
        Err(Fault::new(format!("the grid has {what} points; at most {POINTS_MAX} are allowed")).at(&self.file, place))
    }

    /// The values of the axes at point `index`.
    fn coordinates(&self, index: usize) -> Vec<Assignment> {
        let mut rest = index % self.grid();
        let mut found = Vec::with_capacity(self.axes.len());
        for axis in self.axes.iter().rev() {
            found.push(axis.values[rest % axis.values.len()].clone());
            rest /= axis.values.len();
        }
        found.reverse();
        found
    }

    /// Settings of point `index` beyond the base: row, candidate, grid.
    fn assignments(&self, index: usize) -> Vec<Assignment> {
        let (row, candidate) = self.variant(index);
        let mut found: Vec<Assignment> = self.unlogged(index).map(|range| range.middle().clone()).collect();
        if let Some(row) = row {
            found.extend(row.set.iter().cloned());
            found.extend(candidate.map(|n| row.candidates[n].clone()).unwrap_or_default());
        }
        found.extend(self.coordinates(index));
        found
    }

    /// Ranges of what is not logged at point `index`: what its row names, or without rows everything, but for what is set by the row
    /// itself, the grid or an option.
    fn unlogged(&self, index: usize) -> impl Iterator<Item = &RangeSource> {
        let (row, candidate) = self.variant(index);
        let ranges = row.map_or(&self.unlogged, |row| &row.unlogged);
        let set = move |range: &RangeSource| {
            let own = row.into_iter().flat_map(move |row| {
                let candidate = candidate.into_iter().flat_map(|n| &row.candidates[n]);
                row.set.iter().chain(candidate)
            });
            let grid = self.axes.iter().map(|axis| axis.key.name);
            own.map(|assignment| assignment.key.name).chain(grid).any(|name| name == range.key.name)
                || self.overrides.iter().any(|assignment| assignment.key.name == range.key.name)
                || self.board.sets(range.key)
        };
        ranges.iter().filter(move |range| !set(range))
    }

    fn settings(&self, assignments: &[Assignment]) -> Result<Settings, PlanError> {
        let mut settings = self.base.clone();
        for assignment in assignments.iter().chain(&self.overrides) {
            settings.assign(&self.file, assignment)?;
        }
        self.board.put(&self.file, &mut settings, &|key| self.is_fixed(key))?;
        Ok(settings)
    }

    /// Tells if an option or an axis of the grid sets `key`, above whatever is built into a board.
    fn is_fixed(&self, key: &Key) -> bool {
        let options = self.overrides.iter().map(|assignment| assignment.key.name);
        options.chain(self.axes.iter().map(|axis| axis.key.name)).any(|name| name == key.name)
    }

    /// The plan with what is built into a board; its points are checked again.
    ///
    /// # Errors
    /// When a point is impossible with it.
    pub(crate) fn with_board(mut self, board: BoardSettings, library: Library) -> Result<Self, PlanError> {
        (self.board, self.library) = (board, library);
        self.check()?;
        Ok(self)
    }

    /// The plan with other devices to name; its points are not checked again.
    pub(crate) fn with_library(self, library: Library) -> Self {
        Self { library, ..self }
    }

    /// Values that the plan itself, or an option, gives to `key` at some point.
    pub(crate) fn said(&self, key: &Key) -> Vec<Value> {
        let base = self.base.set(key.name).cloned();
        let rows = self.rows.iter().flat_map(|row| row.set.iter().chain(row.candidates.iter().flatten()));
        let rows = rows.filter(|assignment| assignment.key.name == key.name).map(|assignment| assignment.node.json());
        base.into_iter().chain(rows).collect()
    }

    /// Setting of `key` that stands above whatever is built into a board, if there is one: an option, or the plan's sweep.
    pub(crate) fn above_board(&self, key: &Key) -> Option<String> {
        let option = self.overrides.iter().find(|option| option.key.name == key.name);
        let option = option.map(|option| format!("--set {}", set_argument(key.name, &option.node.json())));
        let axis = || self.axes.iter().any(|axis| axis.key.name == key.name);
        option.or_else(|| axis().then(|| format!("the plan's sweep of {}", key.name)))
    }

    /// The personalities it can name.
    pub(crate) fn library(&self) -> &Library {
        &self.library
    }

    /// Options of the command line that name the build configurations it runs with.
    pub fn board_arguments(&self) -> &[String] {
        &self.board.arguments
    }

    fn scenario(&self, assignments: &[Assignment]) -> Result<Scenario, PlanError> {
        let settings = self.settings(assignments)?;
        self.resolver(&settings).scenario()
    }

    fn resolver<'a>(&'a self, settings: &'a Settings) -> Resolver<'a> {
        Resolver { file: &self.file, set: settings, library: &self.library }
    }
}

/// Each row with each of its candidates; one without a row if there are no rows.
/// Limit of `figure` that these settings have.
fn limit(settings: &Settings, figure: &Figure) -> Option<Condition> {
    let text = settings.text(&format!("threshold.{figure}")).filter(|_| *figure != Figure::Goodput)?;
    format!("{figure} {text}").parse().ok()
}

fn variants(rows: &[RowSource]) -> Vec<(Option<usize>, Option<usize>)> {
    if rows.is_empty() {
        return vec![(None, None)];
    }
    let of_row = |(i, row): (usize, &RowSource)| match row.candidates.len() {
        0 => vec![(Some(i), None)],
        n => (0..n).map(|candidate| (Some(i), Some(candidate))).collect(),
    };
    rows.iter().enumerate().flat_map(of_row).collect()
}

/// A `--set` option.
fn flag((file, link): (&str, Option<&str>), key: &str, value: &str) -> Result<Assignment, PlanError> {
    let place = Place::Flag(format!("{key}={value}"));
    let found = schema::find(key.trim()).ok_or_else(|| settings::unknown(file, key.trim(), &place, link))?;
    // Nothing behind the equals sign takes back what the plan sets.
    if value.trim().is_empty() {
        return Ok(Assignment { key: found, node: node_of(&Value::Null, &place), place });
    }
    let node = tree::parse_value(file, value, &place)?;
    // A number is a fine name, and `1M` needs no quotes either.
    let node = match (&node.data, found.kind) {
        (Data::Value(v), Kind::Text(_) | Kind::Personality | Kind::Choice(_)) if !v.is_string() => {
            Node { data: Data::Value(value.trim().into()), ..node }
        }
        _ => node,
    };
    Ok(Assignment { key: found, place, node })
}

/// The node of a value nobody wrote down.
fn node_of(value: &Value, place: &Place) -> Node {
    let data = match value {
        Value::Array(list) => Data::List(list.iter().map(|v| node_of(v, place)).collect()),
        Value::Object(table) => Data::Table(
            table
                .iter()
                .map(|(name, v)| tree::Entry { name: name.clone(), place: place.clone(), node: node_of(v, place) })
                .collect(),
        ),
        other => Data::Value(other.clone()),
    };
    Node { place: place.clone(), data }
}

/// The personalities a plan and its options name that look like paths: the files to add to the
/// library before the plan is read. Nothing when the plan cannot be read at all.
pub fn personality_files(text: &str, overrides: &[(String, String)]) -> Vec<String> {
    let mut found: Vec<String> = overrides.iter().map(|(_, value)| value.trim().to_owned()).collect();
    let mut nodes: Vec<Node> = tree::parse("", text).unwrap_or_default().into_iter().map(|entry| entry.node).collect();
    while let Some(node) = nodes.pop() {
        match node.data {
            Data::Value(Value::String(text)) => found.push(text),
            Data::Value(_) => {}
            Data::List(list) => nodes.extend(list),
            Data::Table(entries) => nodes.extend(entries.into_iter().map(|entry| entry.node)),
        }
    }
    found.retain(|name| name.ends_with(".toml"));
    found.sort();
    found.dedup();
    found
}

#[cfg(test)]
mod tests;
