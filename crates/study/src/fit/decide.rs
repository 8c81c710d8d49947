//! All values within the noise, those that the figures cannot tell apart, and the one measurement that would.

use airtime_lab::explain::{lever, levers, values};
use airtime_lab::fit::DeviceAxis;
use airtime_lab::plan::set_argument;
use airtime_lab::schema;
use airtime_lab::schema::Key;
use airtime_lab::{Plan, Point};
use serde::Serialize;
use serde_json::Value;

use super::bench::Bench;
use super::rank::rounded;
use super::search::{Cut, Landscape, Tried, Values};

/// Rise of the cost, in squares of the repeatability, up to which a value is within the noise: the quantile 0.99 of the chi-square
/// distribution of one value, the others being free. S. S. Wilks, 1938.
const RISE: f64 = 6.635;
/// Steps by which the end of an interval is looked for between two rungs, *assumed*.
const BISECTIONS: usize = 6;
/// Candidates that a next measurement is to tell apart, *assumed*: the ends of what each value may be are among them.
const REMAINING_MAX: usize = 12;
/// Points that a next measurement is chosen from, *assumed*.
const NEXT_MAX: usize = 40;
/// Times the repeatability that predictions must differ by for a measurement to decide.
const APART: f64 = 3.0;

/// A value that was looked for.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct FittedValue {
    /// Dotted name of its key.
    pub key: &'static str,
    /// The value with the least error.
    pub value: Value,
    /// Value that the device has on which the fit is based.
    pub was: Value,
    /// Values within the noise, among those that were tried: of numbers from the least to the largest.
    pub within: Vec<Value>,
    /// Set if some value is not within the noise: the figures say something of it.
    pub decided: bool,
}

/// A measurement that would tell what is left apart.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Next {
    /// Settings of the point, as `--set` takes them.
    pub set: Vec<String>,
    /// Lowest figure that is predicted there by what is within the noise.
    pub low: f64,
    /// Highest of them.
    pub high: f64,
    /// Unit of both.
    pub unit: String,
}

/// Cost up to which a candidate is within the noise. Where even the best is worse than the repeatability, that is its measure.
fn limit(best: &Tried) -> f64 {
    best.cost + RISE * (best.cost / best.errors.len().max(1) as f64).max(1.0)
}

/// Runs what bounds each value, alone and with each other one, best first; gives what is within the noise.
pub fn within(landscape: &mut Landscape<'_, '_>) -> Result<(), Cut> {
    let Some(best) = landscape.best().cloned() else { return Ok(()) };
    let limit = limit(&best);
    for axis in 0..landscape.axes.len() {
        let line = landscape.line(&best.values, axis);
        landscape.run(&line, limit)?;
        sharpen(landscape, &best.values, axis, limit)?;
    }
    let count = landscape.axes.len();
    for (one, other) in (0..count).flat_map(|one| (one + 1..count).map(move |other| (one, other))) {
        let lines = landscape.line(&best.values, one);
        let grid: Vec<Values> = lines.iter().flat_map(|values| landscape.line(values, other)).collect();
        landscape.run(&grid, limit)?;
    }
    // One that an end was looked for with may be better than all before it.
    let best = landscape.best().map(|best| best.values.clone()).unwrap_or_default();
    for (axis, value) in landscape.axes.iter_mut().zip(&best) {
        axis.place(value);
    }
    Ok(())
}

/// Looks for the ends of the interval around the best value between the last rung within the noise and the first one outside.
fn sharpen(landscape: &mut Landscape<'_, '_>, best: &[Value], axis: usize, limit: f64) -> Result<(), Cut> {
    if !landscape.axes[axis].is_ladder() {
        return Ok(());
    }
    let is_within = |landscape: &Landscape<'_, '_>, value: &Value| {
        let mut values = best.to_vec();
        values[axis] = value.clone();
        landscape.get(&values).is_some_and(|tried| tried.cost <= limit)
    };
    let ladder = landscape.axes[axis].values.clone();
    let at = ladder.iter().position(|value| *value == best[axis]).unwrap_or_default();
    let low = (0..at).rev().take_while(|rung| is_within(landscape, &ladder[*rung])).last().unwrap_or(at);
    let high = (at + 1..ladder.len()).take_while(|rung| is_within(landscape, &ladder[*rung])).last().unwrap_or(at);
    let outer = [low.checked_sub(1), Some(high + 1).filter(|high| *high < ladder.len())];
    for (inside, outside) in [low, high].into_iter().zip(outer) {
        let Some(outside) = outside else { continue };
        let (mut inside, mut outside) = (ladder[inside].clone(), ladder[outside].clone());
        for _ in 0..BISECTIONS {
            let number = |value: &Value| landscape.axes[axis].key.kind.number(value).unwrap_or(u64::MAX);
            let (low, high) =
                if number(&inside) < number(&outside) { (&inside, &outside) } else { (&outside, &inside) };
            let Some(middle) = landscape.axes[axis].between(low, high) else { break };
            let mut values = best.to_vec();
            values[axis] = middle.clone();
            landscape.run(&[values], limit)?;
            if is_within(landscape, &middle) { inside = middle } else { outside = middle }
        }
        landscape.axes[axis].place(&inside);
    }
    Ok(())
}

/// Candidates within the noise, the best first.
pub fn remaining<'l>(landscape: &'l Landscape<'_, '_>) -> Vec<&'l Tried> {
    let Some(best) = landscape.best() else { return Vec::new() };
    let limit = limit(best);
    let mut found: Vec<&Tried> = landscape.whole().filter(|tried| tried.cost <= limit).collect();
    found.sort_by(|one, other| one.cost.total_cmp(&other.cost));
    found.retain(|tried| tried.values != best.values);
    found.insert(0, best);
    found
}

/// Each value with what it may be.
pub fn fitted_values(landscape: &Landscape<'_, '_>) -> Vec<FittedValue> {
    let remaining = remaining(landscape);
    let Some(best) = remaining.first() else { return Vec::new() };
    let base = landscape.of_base();
    let value = |(at, axis): (usize, &DeviceAxis)| {
        let is_within = |value: &&Value| remaining.iter().any(|tried| tried.values[at] == **value);
        let within: Vec<Value> = axis.values.iter().filter(is_within).cloned().collect();
        // Rungs between rungs are tried on one side of it only.
        let tried = |value: &&Value| landscape.whole_or_cut().any(|tried| tried.values[at] == **value);
        let decided = within.len() < axis.values.iter().filter(tried).count();
        FittedValue { key: axis.key.name, value: best.values[at].clone(), was: base[at].clone(), within, decided }
    };
    landscape.axes.iter().enumerate().map(value).collect()
}

/// Pairs of values that the figures cannot tell apart: another one of the first needs another one of the second.
pub fn alike(landscape: &Landscape<'_, '_>) -> Vec<[&'static str; 2]> {
    let remaining = remaining(landscape);
    let Some((best, others)) = remaining.split_first() else { return Vec::new() };
    let limit = limit(best);
    let mut found: Vec<[&'static str; 2]> = Vec::new();
    for other in others {
        let turned: Vec<usize> = (0..best.values.len()).filter(|at| best.values[*at] != other.values[*at]).collect();
        let [one, two] = turned.as_slice() else { continue };
        let alone = |at: usize| {
            let mut values = best.values.clone();
            values[at] = other.values[at].clone();
            landscape.get(&values).is_some_and(|tried| tried.cost <= limit)
        };
        let names = [landscape.axes[*one].key.name, landscape.axes[*two].key.name];
        if !alone(*one) && !alone(*two) && !found.contains(&names) {
            found.push(names);
        }
    }
    found
}

/// The candidates that are farthest from each other among what is left: the best, and those at the ends of each value.
fn representatives(landscape: &Landscape<'_, '_>) -> Vec<Values> {
    let remaining = remaining(landscape);
    let mut found: Vec<Values> = remaining.first().map(|best| best.values.clone()).into_iter().collect();
    for (at, axis) in landscape.axes.iter().enumerate() {
        let place = |tried: &&&Tried| axis.values.iter().position(|value| *value == tried.values[at]);
        let ends = [remaining.iter().min_by_key(place), remaining.iter().max_by_key(place)];
        for end in ends.into_iter().flatten() {
            if !found.contains(&end.values) && found.len() < REMAINING_MAX {
                found.push(end.values.clone());
            }
        }
    }
    found
}

/// The measurement at which what is left differs most; none where nothing is left but the best, or nothing tells it apart.
pub fn next(
    landscape: &Landscape<'_, '_>,
    bench: &Bench<'_>,
    plan: &Plan,
    points: &[Point],
) -> Result<Option<Next>, Cut> {
    let left = representatives(landscape);
    let Some(first) = points.first() else { return Ok(None) };
    let asked = to_ask(plan, points);
    if left.len() < 2 || asked.is_empty() {
        return Ok(None);
    }
    if !bench.affords_runs(left.len() * asked.len()) {
        return Err(Cut::Spent);
    }
    let at: Vec<Point> = asked.iter().map(|(_, point)| point.clone()).collect();
    let devices: Vec<_> = left.iter().map(|values| landscape.device(values)).collect();
    let told = bench.figures_at(&devices, &at).ok_or(Cut::Stopped)?;
    let unit = first.row.as_ref().and_then(|row| row.measured.as_ref()).map(|measured| measured.unit.clone());
    // Where one of them has no figure the others cannot be told from it by one.
    let spread = |number: usize| {
        let figures: Option<Vec<f64>> = told.iter().map(|told| told[number].figure()).collect();
        let figures = figures.unwrap_or_default().into_iter();
        figures.fold((f64::INFINITY, 0.0_f64), |(low, high), figure| (low.min(figure), high.max(figure)))
    };
    let apart = |(low, high): (f64, f64)| if high > 0.0 { 100.0 * (high - low) / high } else { 0.0 };
    let best = (0..asked.len())
        .max_by(|one, other| apart(spread(*one)).total_cmp(&apart(spread(*other))).then(other.cmp(one)));
    let Some(number) = best.filter(|number| apart(spread(*number)) > APART * landscape.noise_pct) else {
        return Ok(None);
    };
    let (low, high) = spread(number);
    Ok(Some(Next {
        set: asked[number].0.clone(),
        low: rounded(low),
        high: rounded(high),
        unit: unit.unwrap_or_default(),
    }))
}

/// Points that could be measured next, each with its settings: other values of what the points differ in, or, where they are one, of what
/// somebody can turn.
fn to_ask(plan: &Plan, points: &[Point]) -> Vec<(Vec<String>, Point)> {
    let Some(first) = points.first() else { return Vec::new() };
    let mut keys: Vec<&'static Key> = Vec::new();
    for (name, _) in points.iter().flat_map(|point| point.set.iter().chain(&point.varied)) {
        keys.extend(schema::find(name).filter(|key| keys.iter().all(|known| known.name != key.name)));
    }
    keys.retain(|key| points.iter().any(|point| lever::now(key, point) != lever::now(key, first)));
    let mut found: Vec<(Vec<String>, Point)> = Vec::new();
    let mut ask = |key: &Key, value: &Value| {
        let same = |point: &Point| lever::now(key, point) == *value;
        let Ok(point) = plan.vary(first, &[(key.name.to_owned(), value.clone())]) else { return };
        if found.len() < NEXT_MAX && !points.iter().any(same) {
            found.push((vec![set_argument(key.name, value)], point));
        }
    };
    for key in &keys {
        between(key, points).iter().for_each(|value| ask(key, value));
        let tried = values::values(key, &lever::now(key, first), &first.scenario);
        tried.iter().for_each(|trial| ask(key, &trial.value));
    }
    if keys.is_empty() {
        for lever in levers(plan, first, &[]).iter().filter(|lever| !lever.is_environment()) {
            lever.natural.iter().for_each(|value| ask(lever.key, value));
        }
    }
    found
}

/// Values between those that were measured, the middles first.
fn between(key: &'static Key, points: &[Point]) -> Vec<Value> {
    let mut known = DeviceAxis { key, values: Vec::new() };
    for point in points {
        known.place(&lever::now(key, point));
    }
    let mut found = Vec::new();
    for _ in 0..2 {
        let pairs: Vec<[Value; 2]> = known.values.windows(2).map(|pair| [pair[0].clone(), pair[1].clone()]).collect();
        for middle in pairs.iter().filter_map(|[low, high]| known.between(low, high)).collect::<Vec<_>>() {
            known.place(&middle);
            found.push(middle);
        }
    }
    found
}
