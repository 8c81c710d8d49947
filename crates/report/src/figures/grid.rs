//! Goodput over one key, or a row for each point where there is no such key.

use std::borrow::Cow;

use airtime_figures::{Axis, Chart, Dot, Figure, Heat, Look, Mark, Row, Rows, Series};
use airtime_lab::Record;
use serde_json::Value;

use crate::Shown;
use crate::cells::{self, figure};

/// Ratio of the largest value of a key to the smallest from which on its axis is logarithmic, *assumed*.
pub(super) const DECADES: f64 = 30.0;
/// Columns of a heat map at most, *assumed*: more are narrower than a letter of their figures.
const COLUMNS_MAX: usize = 60;
/// Rows of a figure at most, *assumed*: more is a wall that nobody reads.
pub(super) const ROWS_MAX: usize = 60;

pub(super) fn figures(shown: &Shown) -> Vec<Figure> {
    let records: Vec<Cow<'_, Record>> = shown.document.records.iter().collect();
    let keys = shown.keys();
    let over = match keys.as_slice() {
        [key] => over_key(shown, key, &records),
        [down, across] => over_two(shown, [down, across], &records),
        _ => None,
    };
    vec![over.unwrap_or_else(|| points(shown, &keys, &records))]
}

/// Finding of a grid: its best point.
fn title(shown: &Shown, records: &[Cow<'_, Record>], named: &dyn Fn(&Record) -> String) -> String {
    let well = records.iter().filter(|record| !cells::failed(record) && record.goodput_kbps.median > 0.0);
    let best = well.max_by(|a, b| a.goodput_kbps.median.total_cmp(&b.goodput_kbps.median));
    match best {
        Some(best) => {
            format!("Best of {}: {} kbps with {}", shown.document.plan, figure(best.goodput_kbps.median), named(best))
        }
        None => format!("{}: nothing arrived", shown.document.plan),
    }
}

fn how(records: &[Cow<'_, Record>]) -> String {
    let runs = records.iter().map(|record| record.goodput_kbps.runs).max().unwrap_or(0);
    let ranges = if runs > 1 { format!(", median and range of up to {runs} runs") } else { String::new() };
    format!("{} points{ranges}", records.len())
}

/// A chart where every value of `key` is a number in one unit and no two points share one.
fn over_key(shown: &Shown, key: &str, records: &[Cow<'_, Record>]) -> Option<Figure> {
    let values = records.iter().map(|record| number(record.params.get(key)?)).collect::<Option<Vec<_>>>()?;
    let unit = values.first()?.1;
    if values.iter().any(|value| value.1 != unit) {
        return None;
    }
    let mut points: Vec<(f64, &Record)> =
        values.iter().map(|value| value.0).zip(records.iter().map(AsRef::as_ref)).collect();
    points.sort_by(|a, b| a.0.total_cmp(&b.0));
    if points.windows(2).any(|pair| pair[0].0 >= pair[1].0) {
        return None;
    }
    let decades = points.first().is_some_and(|first| first.0 > 0.0)
        && points.first().zip(points.last()).is_some_and(|(first, last)| last.0 / first.0 > DECADES);
    let ran = points.iter().filter(|(_, record)| record.goodput_kbps.runs > 0);
    let marks =
        ran.map(|(x, record)| Mark { range: range(record), ..Mark::new(*x, record.goodput_kbps.median) }).collect();
    let published: Vec<Mark> =
        points.iter().filter_map(|(x, record)| Some(Mark::new(*x, published(record)?))).collect();
    let mut series = vec![Series { name: "goodput in the lab".to_owned(), look: Look::Line, marks }];
    if !published.is_empty() {
        series.push(Series { name: "published".to_owned(), look: Look::Marks, marks: published });
    }
    let label = if unit.is_empty() { key.to_owned() } else { format!("{key} ({unit})") };
    let value = |record: &Record| format!("{key} {}", record.params.get(key).map(cells::value).unwrap_or_default());
    Some(Figure::Chart(Chart {
        title: title(shown, records, &value),
        subtitle: how(records),
        x: if decades { Axis::logarithmic(label) } else { Axis::linear(label) },
        y: Axis::linear("goodput (kbps)"),
        series,
    }))
}

/// A heat map where every pair of values of two keys has one point at most, and each key has several values.
fn over_two(shown: &Shown, keys: [&str; 2], records: &[Cow<'_, Record>]) -> Option<Figure> {
    let [down, across] = keys.map(|key| values(key, records));
    let (down, across) = (down?, across?);
    if down.len().min(across.len()) < 2 || across.len() > COLUMNS_MAX || down.len() > ROWS_MAX {
        return None;
    }
    let mut cells = vec![vec![None; across.len()]; down.len()];
    for record in records {
        let place = |key: &str, all: &[String]| all.iter().position(|value| *value == written(record, key));
        let cell = &mut cells[place(keys[0], &down)?][place(keys[1], &across)?];
        if cell.is_some() {
            return None;
        }
        *cell = (record.goodput_kbps.runs > 0).then_some(record.goodput_kbps.median);
    }
    let pair = |record: &Record| keys.map(|key| format!("{key} {}", written(record, key))).join(", ");
    Some(Figure::Heat(Heat {
        title: title(shown, records, &pair),
        subtitle: how(records),
        across: (keys[1].to_owned(), across),
        down: (keys[0].to_owned(), down),
        cells,
        unit: "kbps".to_owned(),
    }))
}

/// Value of `key` as it is written.
fn written(record: &Record, key: &str) -> String {
    record.params.get(key).map(cells::value).unwrap_or_default()
}

/// Values of `key` in their first order; none where a record has none.
fn values(key: &str, records: &[Cow<'_, Record>]) -> Option<Vec<String>> {
    let mut all: Vec<String> = Vec::new();
    for record in records {
        let value = cells::value(record.params.get(key)?);
        if !all.contains(&value) {
            all.push(value);
        }
    }
    Some(all)
}

/// A row for each point.
fn points(shown: &Shown, keys: &[String], records: &[Cow<'_, Record>]) -> Figure {
    let named = |record: &Record| {
        let told: Vec<String> = keys
            .iter()
            .filter_map(|key| Some(format!("{} {}", key.rsplit('.').next()?, cells::value(record.params.get(key)?))))
            .collect();
        if told.is_empty() || told.len() > 3 { record.label.clone() } else { told.join(", ") }
    };
    let row = |record: &Cow<'_, Record>| Row {
        name: named(record),
        dots: vec![
            (record.goodput_kbps.runs > 0).then(|| Dot { value: record.goodput_kbps.median, range: range(record) }),
        ],
        says: if cells::failed(record) { "failed".to_owned() } else { cells::goodput(&record.goodput_kbps) },
    };
    let left_out = left_out(records.len());
    Figure::Rows(Rows {
        title: title(shown, records, &named),
        subtitle: format!("{}{left_out}", how(records)),
        axis: "goodput (kbps)".to_owned(),
        legend: vec!["goodput".to_owned()],
        band: None,
        rows: records.iter().take(ROWS_MAX).map(row).collect(),
    })
}

/// Words on what a figure of so many rows does not show.
pub(super) fn left_out(rows: usize) -> String {
    if rows > ROWS_MAX { format!("; the first {ROWS_MAX} are shown, the table has all {rows}") } else { String::new() }
}

fn range(record: &Record) -> Option<(f64, f64)> {
    let goodput = record.goodput_kbps;
    (goodput.runs > 1).then_some((goodput.low, goodput.high))
}

/// The published figure, where it is a goodput in 10³ bit/s.
fn published(record: &Record) -> Option<f64> {
    record.measured.as_ref().filter(|measured| measured.unit == "kbps").map(|measured| measured.value)
}

/// Number of a value with its unit; times are in ms, whatever a plan writes them in.
fn number(value: &Value) -> Option<(f64, &str)> {
    let Value::String(text) = value else { return Some((value.as_f64()?, "")) };
    let end = text.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(text.len());
    let (figure, unit) = text.split_at(end);
    let figure: f64 = figure.parse().ok()?;
    Some(match unit {
        "us" | "µs" => (figure / 1e3, "ms"),
        "s" => (figure * 1e3, "ms"),
        unit if unit.chars().all(|c| c.is_alphabetic() || c == '/') => (figure, unit),
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_numbers_in_one_unit() {
        let of = |text: &str| number(&Value::from(text)).map(|(figure, unit)| (figure, unit.to_owned()));
        assert_eq!(of("7.5ms"), Some((7.5, "ms".to_owned())));
        assert_eq!(of("1250us"), Some((1.25, "ms".to_owned())));
        assert_eq!(of("2s"), Some((2000.0, "ms".to_owned())));
        assert_eq!(of("500kbps"), Some((500.0, "kbps".to_owned())));
        assert_eq!(number(&Value::from(27)), Some((27.0, "")));
        assert_eq!((of("on"), of("7 of 8"), number(&Value::Null)), (None, None, None));
    }
}
