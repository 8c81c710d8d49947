//! Measured figures as points of a plan: from a sweep in CSV, from records of real runs and from rows of a field plan.

use std::str::Lines;

use airtime_lab::plan::Row;
use airtime_lab::record::{Measured, REAL, UNITS};
use airtime_lab::schema::Key;
use airtime_lab::{Plan, Point, Record, Verdict};
use csv::{Position, ReaderBuilder, StringRecord};
use serde_json::Value;
use thiserror::Error;

/// Points at most, *assumed*: every candidate runs them all.
pub const POINTS_MAX: usize = 1_000;
/// Column with the name of a point.
const ID: &str = "id";
/// Column with anything else.
const NOTE: &str = "note";
/// Column with the figure, in kbps or, behind an underscore, another unit.
const GOODPUT: &str = "goodput";

/// Points of a plan with a figure each.
#[derive(Clone, Debug)]
pub struct Measurements {
    /// Plan that they are of.
    pub plan: Plan,
    /// Points, the row of each with its figure.
    pub points: Vec<Point>,
    /// Points that are left out, each with the reason.
    pub left_out: Vec<String>,
}

/// Reason that figures cannot be taken.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum NotMeasured {
    /// Something in a table of figures makes no sense.
    #[error("{file}:{line}:{column}: {why}")]
    Cell {
        /// Name of the file.
        file: String,
        /// Line, from 1.
        line: u64,
        /// Column of the line in characters, from 1.
        column: usize,
        /// Fault there.
        why: String,
    },
    /// Something about a whole file, or all of them.
    #[error("{0}")]
    File(String),
}

impl Measurements {
    /// No figure yet: points of `plan` are to come.
    pub const fn of(plan: Plan) -> Self {
        Self { plan, points: Vec::new(), left_out: Vec::new() }
    }

    /// The rows of a field plan whose figure counts.
    pub fn of_field(plan: Plan) -> Self {
        let (mut points, mut left_out) = (Vec::new(), Vec::new());
        for point in plan.points() {
            let Some(row) = &point.row else { continue };
            match &row.verdict {
                _ if row.measured.is_none() => {}
                Some(verdict) if !verdict.counts() => left_out.push(format!("{}: {verdict}", point.id)),
                _ if !point.unlogged.is_empty() => {
                    left_out.push(format!("{}: not all of its conditions were logged", point.id))
                }
                _ => points.push(point),
            }
        }
        Self { plan, points, left_out }
    }

    /// Adds `point` with its figure.
    ///
    /// # Errors
    /// When there are too many.
    fn add(&mut self, point: Point, id: String, measured: Measured) -> Result<(), NotMeasured> {
        if self.points.len() == POINTS_MAX {
            return Err(NotMeasured::File(format!("more than {POINTS_MAX} measured points: fit a part of them")));
        }
        let source = measured.source.clone();
        let row = Row {
            id: id.clone(),
            measured: Some(measured),
            verdict: Some(Verdict::Predicted),
            source,
            ..Row::default()
        };
        self.points.push(Point { id, row: Some(row), unlogged: Vec::new(), candidate: None, ..point });
        Ok(())
    }

    /// Adds the table `text` of `file`: a column for each key that was set and one for the figure. What a point does not say is as
    /// `base`, a point of the plan, has it. `captured` gives the figure of a capture that the column `capture` names.
    ///
    /// # Errors
    /// The first thing that is wrong with it, with line and column.
    pub fn add_csv(&mut self, file: &str, text: &str, base: &Point, captured: Captured<'_>) -> Result<(), NotMeasured> {
        let text = text.trim_start_matches('\u{feff}');
        let mut reader =
            ReaderBuilder::new().comment(Some(b'#')).has_headers(false).flexible(true).from_reader(text.as_bytes());
        let mut columns: Option<Vec<Column>> = None;
        let mut record = StringRecord::new();
        let failed = |error: csv::Error| NotMeasured::File(format!("{file}: {error}"));
        while reader.read_record(&mut record).map_err(failed)? {
            let row = CsvRow { file, text, position: record.position().cloned().unwrap_or_else(Position::new) };
            match &columns {
                None => columns = Some(self.columns(&row, &record)?),
                Some(columns) => self.add_row(&row, columns, &record, base, captured)?,
            }
        }
        match columns {
            None => Err(NotMeasured::File(format!(
                "{file}: it is empty; its first line names the columns: ble.conn_interval,goodput"
            ))),
            Some(_) if self.points.is_empty() => Err(NotMeasured::File(format!("{file}: no line has a figure"))),
            Some(_) => Ok(()),
        }
    }

    fn columns(&self, row: &CsvRow<'_>, record: &StringRecord) -> Result<Vec<Column>, NotMeasured> {
        let mut found: Vec<Column> = Vec::new();
        for (index, heading) in record.iter().enumerate() {
            let unit = heading.trim().strip_prefix(GOODPUT).map(|rest| rest.strip_prefix('_').unwrap_or("kbps"));
            let column = match (heading.trim(), unit) {
                (ID, _) => Column::Id,
                (NOTE, _) => Column::Note,
                ("capture", _) => Column::Capture,
                (_, Some(unit)) if UNITS.contains(&unit) => Column::Figure(unit.to_owned()),
                (_, Some(unit)) => {
                    let why = format!("`{unit}` is no unit of a figure; allowed here: {}", UNITS.join(", "));
                    return Err(row.fault(index, why));
                }
                (name, None) => match self.plan.value(name, "") {
                    Ok((key, _)) => Column::Key(key),
                    Err(error) => return Err(row.fault(index, error.to_string())),
                },
            };
            if found.iter().any(|other| other.is_same(&column)) {
                return Err(row.fault(index, format!("`{}` is a column already", heading.trim())));
            }
            found.push(column);
        }
        let has_figure = found.iter().any(|column| matches!(column, Column::Figure(_) | Column::Capture));
        if has_figure {
            Ok(found)
        } else {
            Err(row.fault(0, "no column `goodput` (in kbps), `goodput_Mbps` or `capture`".to_owned()))
        }
    }

    fn add_row(
        &mut self,
        row: &CsvRow<'_>,
        columns: &[Column],
        record: &StringRecord,
        base: &Point,
        captured: Captured<'_>,
    ) -> Result<(), NotMeasured> {
        if record.len() != columns.len() {
            let why = format!("{} cells, and the first line names {} columns", record.len(), columns.len());
            return Err(row.fault(record.len().min(columns.len()).saturating_sub(1), why));
        }
        let (mut set, mut figure, mut id) = (Vec::new(), None, None);
        for (index, (column, cell)) in columns.iter().zip(record).enumerate() {
            let cell = cell.trim();
            match column {
                _ if cell.is_empty() => {}
                Column::Note => {}
                Column::Id => id = Some(cell.to_owned()),
                Column::Figure(unit) => figure = Some((row.number(index, cell)?, unit.clone())),
                Column::Capture => {
                    figure = Some((captured(cell).map_err(|why| row.fault(index, why))?, "kbps".to_owned()))
                }
                Column::Key(key) => {
                    let value = self.plan.value(key.name, cell).map_err(|error| row.fault(index, error.to_string()))?.1;
                    set.push((key.name.to_owned(), value));
                }
            }
        }
        // A line without a figure is a point that is still to be measured.
        let Some((value, unit)) = figure else { return Ok(()) };
        let point = self.plan.vary(base, &set).map_err(|error| row.fault(0, error.to_string()))?;
        let id = id.unwrap_or_else(|| named(&set, self.points.len()));
        let measured = Measured { value, unit, source: format!("{}:{}", row.file, row.line()), ..Measured::default() };
        self.add(point, id, measured)
    }

    /// Adds the record of a real run; what it does not say is as `base`, a point of the plan, has it.
    ///
    /// # Errors
    /// When it is of no real run, or has no figure, or makes no sense in the plan.
    pub fn add_record(&mut self, record: &Record, base: &Point) -> Result<(), NotMeasured> {
        let bad = |why: String| NotMeasured::File(format!("{}: {why}", record.id));
        if record.radio.as_deref() != Some(REAL) {
            return Err(bad("it is not of a real radio, and what the lab has run is no measurement".to_owned()));
        }
        if record.link != base.scenario.link() {
            return Err(bad(format!("it is of {}, and the plan is of {}", record.link, base.scenario.link())));
        }
        let measured = record.measured.clone().ok_or_else(|| bad("it has no figure".to_owned()))?;
        let set: Vec<(String, Value)> =
            record.params.iter().map(|(name, value)| ((*name).to_string(), value.clone())).collect();
        let point = self.plan.vary(base, &set).map_err(|error| bad(error.to_string()))?;
        self.add(point, record.id.clone(), measured)
    }

    /// Adds the figure of a connection that was captured under these `terms`, by key.
    ///
    /// # Errors
    /// When the terms make no sense in the plan.
    pub fn add_captured(
        &mut self,
        file: &str,
        terms: &[(String, Value)],
        kbps: f64,
        base: &Point,
    ) -> Result<(), NotMeasured> {
        let point = self.plan.vary(base, terms).map_err(|error| NotMeasured::File(format!("{file}: {error}")))?;
        let measured =
            Measured { value: kbps, unit: "kbps".to_owned(), source: file.to_owned(), ..Measured::default() };
        let id = named(terms, self.points.len());
        self.add(point, id, measured)
    }
}

/// Function that gives the goodput of the capture in a file, in kbps, or says why there is none.
pub type Captured<'a> = &'a dyn Fn(&str) -> Result<f64, String>;

/// Name of a point that has none: what it sets.
fn named(set: &[(String, Value)], before: usize) -> String {
    if set.is_empty() {
        return format!("point-{}", before + 1);
    }
    let one = |(name, value): &(String, Value)| airtime_lab::plan::set_argument(name, value);
    set.iter().map(one).collect::<Vec<_>>().join(" ")
}

/// A column of a table of figures.
#[derive(Clone, Debug)]
enum Column {
    Id,
    Note,
    Capture,
    Figure(String),
    Key(&'static Key),
}

impl Column {
    fn is_same(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Id, Self::Id) | (Self::Note, Self::Note) => true,
            (Self::Figure(_) | Self::Capture, Self::Figure(_) | Self::Capture) => true,
            (Self::Key(one), Self::Key(other)) => one.name == other.name,
            _ => false,
        }
    }
}

/// A line of a table, for messages with a place.
struct CsvRow<'a> {
    file: &'a str,
    text: &'a str,
    position: Position,
}

impl CsvRow<'_> {
    fn fault(&self, cell: usize, why: String) -> NotMeasured {
        NotMeasured::Cell { file: self.file.to_owned(), line: self.line(), column: self.column(cell), why }
    }

    /// Lines from the reader's place on, which is before empty lines and comments.
    fn lines(&self) -> Lines<'_> {
        self.text.get(self.position.byte() as usize..).unwrap_or_default().lines()
    }

    /// Number of the row's line, from 1.
    fn line(&self) -> u64 {
        self.position.line() + self.lines().take_while(|line| is_passed_over(line)).count() as u64
    }

    /// Column in which the cell of this number begins, in characters from 1.
    fn column(&self, cell: usize) -> usize {
        let line = self.lines().find(|line| !is_passed_over(line)).unwrap_or_default();
        let (mut commas, mut quoted) = (0, false);
        for (column, c) in line.chars().enumerate() {
            if commas == cell {
                return column + 1;
            }
            match c {
                '"' => quoted = !quoted,
                ',' if !quoted => commas += 1,
                _ => {}
            }
        }
        line.chars().count() + 1
    }

    fn number(&self, cell: usize, text: &str) -> Result<f64, NotMeasured> {
        let number = text.parse::<f64>().ok().filter(|number| number.is_finite() && *number > 0.0);
        number.ok_or_else(|| self.fault(cell, format!("`{text}` is no figure above 0")))
    }
}

/// Tells if a table has nothing in this line: it is empty, or a comment.
fn is_passed_over(line: &str) -> bool {
    line.is_empty() || line.starts_with('#')
}

#[cfg(test)]
mod tests {
    use airtime_lab::Library;

    use super::*;

    fn read(text: &str) -> Result<Measurements, NotMeasured> {
        let plan = Plan::parse("x.toml", "link = \"ble-coc\"\n", &Library::builtin(), &[]).unwrap();
        let base = plan.point(0).unwrap();
        let mut measured = Measurements::of(plan);
        measured.add_csv("m.csv", text, &base, &|_| Err("no capture here".into())).map(|()| measured)
    }

    #[test]
    fn a_line_is_a_point_with_its_figure() {
        let read =
            read("# my sweep\nble.conn_interval,coc.sdu,goodput\n15ms,492,510.5\n30ms,,\n\n30ms,,600\n").unwrap();
        let ids: Vec<&str> = read.points.iter().map(|point| point.id.as_str()).collect();
        assert_eq!(ids, ["ble.conn_interval=15ms coc.sdu=492", "ble.conn_interval=30ms"]);
        let figure = |point: &Point| point.row.as_ref().and_then(|row| row.measured.clone()).unwrap();
        assert_eq!((figure(&read.points[0]).value, figure(&read.points[1]).unit), (510.5, "kbps".to_owned()));
        assert_eq!(figure(&read.points[0]).source, "m.csv:3");
    }

    #[test]
    fn what_is_wrong_has_its_line_and_column() {
        let said = |text: &str| read(text).unwrap_err().to_string();
        let cases = [
            ("ble.conn_interval,goodput\n15ms,fast\n", "m.csv:2:6: `fast` is no figure above 0"),
            ("ble.conn_interval,goodput\n\n15ms,-1\n", "m.csv:3:6: `-1` is no figure"),
            ("ble.conn_intervall,goodput\n", "m.csv:1:1: "),
            ("coc.sdu,ble.conn_interval,goodput\n492,15,500\n", "m.csv:2:5: "),
            ("coc.sdu,goodput\n492\n", "m.csv:2:1: 1 cells, and the first line names 2 columns"),
            ("coc.sdu\n492\n", "m.csv:1:1: no column `goodput`"),
            ("coc.sdu,goodput_mph\n", "m.csv:1:9: `mph` is no unit"),
            ("coc.sdu,goodput,coc.sdu\n", "m.csv:1:17: `coc.sdu` is a column already"),
            ("capture\nx.pcapng\n", "m.csv:2:1: no capture here"),
            ("", "m.csv: it is empty"),
            ("goodput\n", "m.csv: no line has a figure"),
        ];
        for (text, expected) in cases {
            assert!(said(text).contains(expected), "{text}\n{}", said(text));
        }
        assert!(
            said("ble.conn_intervall,goodput\n").contains("did you mean"),
            "{}",
            said("ble.conn_intervall,goodput\n")
        );
    }
}
