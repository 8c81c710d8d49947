//! Stops of a slider: values of a key from its least to its most, near enough to one another to be followed.

use airtime_core::Duration;
use airtime_core::units::{Bitrate, Frequency, Size};
use airtime_lab::Scenario;
use airtime_lab::schema::{Key, Kind};
use serde_json::Value;

/// Ratio of neighbouring stops, *assumed*: a hand on a slider of a hundred stops is a hundredth of it away.
const RATIO: f64 = 1.12;
/// Numbers up to this one are all stops of a count.
const ALL: u64 = 32;
/// Least stop of a time that can be nothing, in nanoseconds: 1 µs.
const TIME_MIN: u64 = 1_000;
/// Rates that a slider goes over, in bit/s, where nothing else says: 1 kbit/s to 100 Mbit/s.
const RATES: (u64, u64) = (1_000, 100_000_000);
/// Steps from one fitting value to the next that are looked for on either side.
const FITTING: usize = 48;
/// Shares that a slider stops at.
const SHARES: [f64; 16] = [0.0, 0.001, 0.002, 0.005, 0.01, 0.02, 0.03, 0.05, 0.1, 0.15, 0.2, 0.3, 0.4, 0.5, 0.75, 1.0];

/// Values of `key`, which now is `now`, from the least to the most; none of a key that takes no numbers.
pub fn stops(key: &'static Key, now: &Value, scenario: &Scenario) -> Vec<Value> {
    let (range, write): ((u64, u64), fn(u64) -> Value) = match key.kind {
        Kind::Count(least, most) | Kind::CountOrNone(least, most) => ((least, most), Value::from),
        Kind::Span(least, most) | Kind::SpanOrNone(least, most) => {
            ((least.as_nanos(), most.as_nanos()), |ns| Duration::from_nanos(ns).to_string().into())
        }
        Kind::Size(least, most) => ((least, most), |octets| Size(octets).to_string().into()),
        Kind::Clock(least, most) => ((least, most), |hertz| Frequency(hertz).to_string().into()),
        Kind::Rate => (RATES, |rate| Bitrate(rate).to_string().into()),
        Kind::Probability => return shares(now),
        _ => return Vec::new(),
    };
    let number = |value: &Value| key.kind.number(value);
    let range = (range.0, scenario.most(key).map_or(range.1, |most| most.clamp(range.0, range.1)));
    let current = number(now);
    let (fitting, grid) = fitting(key, current.unwrap_or(range.0), scenario);
    let begin = if is_time(key) && range.0 == 0 { TIME_MIN } else { range.0.max(1) };
    let mut found: Vec<u64> = series((begin, range.1), if is_time(key) { 0 } else { ALL }).collect();
    if let Some(grid) = grid {
        found.iter_mut().for_each(|value| *value = *value / grid * grid);
        // What is below the least that fits is refused.
        let least = fitting.iter().min().copied().unwrap_or(0);
        found.retain(|value| *value >= least);
    }
    found.extend(fitting);
    found.extend(key.default.value().as_ref().and_then(number));
    found.extend(current);
    found.extend([range.0, range.1].into_iter().filter(|_| grid.is_none()));
    found.retain(|value| (range.0..=range.1).contains(value) || Some(*value) == current);
    found.sort_unstable();
    found.dedup();
    found.into_iter().map(write).collect()
}

fn is_time(key: &Key) -> bool {
    matches!(key.kind, Kind::Span(..) | Kind::SpanOrNone(..))
}

fn shares(now: &Value) -> Vec<Value> {
    let mut found = SHARES.to_vec();
    found.extend(now.as_f64());
    found.sort_by(f64::total_cmp);
    found.dedup();
    found.into_iter().map(Value::from).collect()
}

/// Round numbers from the first to the second, all of them up to `all`.
fn series((least, most): (u64, u64), all: u64) -> impl Iterator<Item = u64> {
    let next = move |value: &u64| {
        let further = if *value < all { value + 1 } else { rounded(((*value as f64) * RATIO) as u64).max(value + 1) };
        (further < most).then_some(further)
    };
    std::iter::successors((least <= most).then_some(least), next)
}

/// `value` with two digits that say something.
fn rounded(value: u64) -> u64 {
    let mut scale = 1;
    while value / scale >= 100 {
        scale *= 10;
    }
    value.div_ceil(scale) * scale
}

/// Values that fit the rest of the scenario, walked from `now` to both sides; and the grid that they are on, if it is an even one.
fn fitting(key: &'static Key, now: u64, scenario: &Scenario) -> (Vec<u64>, Option<u64>) {
    let near = |at: u64| scenario.fitting(key, at);
    let mut found = vec![];
    let (mut below, mut above) = (now, now);
    for _ in 0..FITTING {
        let less = near(below).into_iter().filter(|value| *value < below).max();
        let more = near(above).into_iter().filter(|value| *value > above).min();
        if less.is_none() && more.is_none() {
            break;
        }
        found.extend(less.into_iter().chain(more));
        (below, above) = (less.unwrap_or(below), more.unwrap_or(above));
    }
    let distances = found.iter().map(|value| value.abs_diff(now)).filter(|distance| *distance > 0);
    let grid = distances.min().filter(|step| is_time(key) && now.is_multiple_of(*step));
    (found, grid)
}
