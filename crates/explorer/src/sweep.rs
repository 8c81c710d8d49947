//! Goodput over one key, a run at a time, so that whoever asks may stop between two.

use airtime_figures::{Figure, Look, Mark, Series};
use airtime_lab::explain::lever::now;
use airtime_lab::plan::Point;
use airtime_lab::schema::{Key, Kind, find};
use airtime_lab::{Document, Record, run};
use airtime_report::{Sheet, SheetKind, Shown, figures};
use serde_json::Value;

use crate::stops::stops;
use crate::{Ask, Asked};

/// Most values that are run.
const VALUES_MAX: usize = 48;

/// Sweep over one key of the point that is asked about.
pub struct Sweep {
    asked: Asked,
    point: Point,
    key: &'static Key,
    values: Vec<Value>,
    /// Values that are still to be run, by their place, the last one next.
    left: Vec<usize>,
    found: Vec<(Value, Record)>,
}

impl Sweep {
    /// A sweep over the key of this name, of which nothing was run.
    ///
    /// # Errors
    /// When the question makes no sense, or its key has no values to go over.
    pub fn new(ask: &Ask, key: &str) -> Result<Self, String> {
        let asked = ask.read()?;
        let point = asked.point()?;
        let key = find(key).ok_or_else(|| format!("no key is called `{key}`"))?;
        let current = now(key, &point);
        let values = values(key, &current, &point);
        if values.len() < 2 {
            return Err(format!("`{}` has no values to go over", key.name));
        }
        let at = values.iter().position(|value| *value == current).unwrap_or(0);
        let left = order(values.len(), at);
        Ok(Self { asked, point, key, values, left, found: Vec::new() })
    }

    /// Runs the next value; none is left once this is false.
    pub fn step(&mut self) -> bool {
        if let Some(place) = self.left.pop() {
            self.run(self.values[place].clone());
        }
        !self.left.is_empty()
    }

    /// Runs `value`, where nobody has. One that is impossible here has no place in the curve.
    fn run(&mut self, value: Value) {
        if self.found.iter().any(|(known, _)| *known == value) {
            return;
        }
        let change = [(self.key.name.to_owned(), value.clone())];
        if let Ok(point) = self.asked.plan.vary(&self.point, &change) {
            self.found.push((value, run::record(&self.asked.plan, &point)));
        }
    }

    /// The curve of what was run so far, with `here` marked, which is a value as behind `--set`; as an element of SVG.
    pub fn figure(&mut self, width: f64, here: &str) -> String {
        let here = self.read(here);
        here.iter().for_each(|here| self.run(here.clone()));
        let mut found: Vec<&(Value, Record)> = self.found.iter().collect();
        found.sort_by(|a, b| self.order(&a.0).total_cmp(&self.order(&b.0)));
        let records: Vec<Record> = found.iter().map(|(_, record)| record.clone()).collect();
        let document = Document { records: records.into(), ..Document::new(&self.asked.plan.name) };
        let varied = Some(vec![self.key.name.to_owned()]);
        let mut drawn = figures::figures(&Sheet::new(SheetKind::Grid, [Shown { varied, ..Shown::from(document) }]));
        // Points without a run have no mark.
        let ran = || found.iter().filter(|(_, record)| record.goodput_kbps.runs > 0);
        let place = here.and_then(|here| ran().position(|(value, _)| *value == here));
        if let (Some(Figure::Chart(chart)), Some(place)) = (drawn.first_mut(), place)
            && let Some(mark) = chart.series.first().and_then(|series| series.marks.get(place))
        {
            let marks = vec![Mark::new(mark.x, mark.y)];
            chart.series.push(Series { name: "you are here".to_owned(), look: Look::Marks, marks });
        }
        drawn.iter().map(|figure| figure.element_of(width)).collect()
    }

    /// The value that `text` is, in the form that values of the key have.
    fn read(&self, text: &str) -> Option<Value> {
        let written = Value::from(text);
        let value = serde_json::from_str(text).ok().filter(|value: &Value| !value.is_string()).unwrap_or(written);
        self.key.kind.check(self.key.name, &value).ok()
    }

    /// Place of a value: its number, or that of its word.
    fn order(&self, value: &Value) -> f64 {
        let number = self.key.kind.number(value).map(|number| number as f64).or_else(|| value.as_f64());
        let place = || self.values.iter().position(|known| known == value).map(|place| place as f64);
        number.or_else(place).unwrap_or(f64::MAX)
    }
}

fn values(key: &'static Key, now: &Value, point: &Point) -> Vec<Value> {
    let words = |words: &[&str]| words.iter().map(|word| Value::from(*word)).collect();
    match key.kind {
        Kind::Choice(of) => words(of),
        Kind::Forms { words: of, .. } if of.len() > 1 => words(of),
        Kind::Flag => vec![false.into(), true.into()],
        _ => thinned(stops(key, now, &point.scenario), now),
    }
}

/// As many of `values` as are run at most, `now` among them.
fn thinned(values: Vec<Value>, now: &Value) -> Vec<Value> {
    let every = values.len().div_ceil(VALUES_MAX).max(1);
    let last = values.len().saturating_sub(1);
    let kept = |(place, value): &(usize, Value)| place % every == 0 || *place == last || value == now;
    values.into_iter().enumerate().filter(kept).map(|(_, value)| value).collect()
}

/// Order in which `count` values are run, the last one first: the one in effect, the ends, then what halves the gaps that are left.
fn order(count: usize, at: usize) -> Vec<usize> {
    let mut order = vec![at, 0, count - 1];
    let mut step = count.next_power_of_two() / 2;
    while step > 0 {
        order.extend((0..count).step_by(step));
        step /= 2;
    }
    let mut found: Vec<usize> = Vec::with_capacity(count);
    for place in order {
        if !found.contains(&place) {
            found.push(place);
        }
    }
    found.reverse();
    found
}
