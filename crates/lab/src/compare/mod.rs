//! Comparison of two sets of runs: which is better, by how much, how sure that is, and where the time went.
//!
//! Where nothing is drawn at random the difference is what it is, to the last digit. Where something is, runs with the same seeds are
//! pairs, and [`Estimate`] has the interval of what they differ by; whoever runs them makes more until the interval is on one side of a
//! threshold. What a personality assumes has two ends ([`ends`]), and a verdict that one of them turns depends on it.
//!
//! - [`Compared`]: one figure of both, with its verdict · [`Comparison`]: all of them, with the books
//! - [`Estimate`]: the bootstrap · [`Books`]: where the time went · [`ends`]: what is not known

mod books;
pub mod ends;
mod interval;
mod words;

use airtime_link::Ordered;
use serde::Serialize;

pub use books::{Booked, Books, Per, signed};
pub use interval::{Estimate, LEVEL, LOOKS_MAX};
pub use words::{because, times};

use crate::condition::{Bound, Condition};
use crate::figure::{Figure, Side};
use crate::record::Record;

/// The schema's name, first in the document that `airtime compare --json` prints.
pub const SCHEMA: &str = "airtime/compare/1";

/// Counter of random numbers, which every link has.
const DRAWS: &str = "random_draws";

/// Verdict on a figure of the second of two beside that of the first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Verdict {
    /// The second is better by more than the threshold.
    Better,
    /// The second is worse by more than the threshold.
    Worse,
    /// They differ by the threshold at most.
    Same,
    /// They differ by more than the threshold, in a figure of which neither more nor less is better.
    Differs,
    /// Chance, or a value that is assumed, decides.
    Depends,
}

impl Verdict {
    /// Word for people and documents.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Better => "better",
            Self::Worse => "worse",
            Self::Same => "same",
            Self::Differs => "differs",
            Self::Depends => "depends",
        }
    }
}

/// One figure of two sets of runs.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Compared {
    /// Name of the figure.
    pub figure: String,
    /// Unit of the figure; empty of a count.
    pub unit: &'static str,
    /// Figure of the first: the mean over the repeats.
    pub a: f64,
    /// Figure of the second.
    pub b: f64,
    /// Second less first.
    pub difference: f64,
    /// Second by first; absent where the first is nothing.
    pub ratio: Option<f64>,
    /// Lower end of the interval of the ratio; absent where nothing is left to chance, or there is no ratio.
    pub low: Option<f64>,
    /// Upper end of it.
    pub high: Option<f64>,
    /// Lower end of the interval of the difference; absent where nothing is left to chance.
    pub difference_low: Option<f64>,
    /// Upper end of it.
    pub difference_high: Option<f64>,
    /// Verdict on it.
    pub verdict: Verdict,
    /// Reason of the verdict, as a clause.
    pub because: String,
}

impl Compared {
    /// The figure of this `estimate`, judged by a threshold in per cent; of a share, in points of it.
    pub fn of(figure: &Figure, estimate: &Estimate, is_exact: bool, threshold: f64) -> Self {
        let Estimate { a, b, difference, ratio } = *estimate;
        let known = |end: f64| Some(end).filter(|end| !is_exact && end.is_finite());
        Self {
            figure: figure.to_string(),
            unit: figure.unit(),
            a,
            b,
            difference: b - a,
            ratio: (a != 0.0).then(|| b / a),
            low: ratio.and_then(|[low, _]| known(low)),
            high: ratio.and_then(|[_, high]| known(high)),
            difference_low: known(difference[0]),
            difference_high: known(difference[1]),
            verdict: verdict(figure, estimate, threshold),
            because: String::new(),
        }
    }
}

/// Verdict on `figure` of this `estimate` by a threshold in per cent.
pub fn verdict(figure: &Figure, estimate: &Estimate, threshold: f64) -> Verdict {
    let [low, high] = change(figure, estimate);
    let (better, worse) = match figure.side() {
        Side::More => (Verdict::Better, Verdict::Worse),
        Side::Less => (Verdict::Worse, Verdict::Better),
        Side::Neither => (Verdict::Differs, Verdict::Differs),
    };
    match (low, high) {
        _ if low >= -threshold && high <= threshold => Verdict::Same,
        _ if low > threshold => better,
        _ if high < -threshold => worse,
        _ => Verdict::Depends,
    }
}

/// Interval of the change in per cent of the first; of a share, in points. Of a first that is nothing any change is without bound.
fn change(figure: &Figure, estimate: &Estimate) -> [f64; 2] {
    match estimate.ratio {
        _ if figure.is_share() => estimate.difference,
        Some(ratio) => ratio.map(|ratio| 100.0 * (ratio - 1.0)),
        None => estimate.difference.map(|by| if by == 0.0 { 0.0 } else { by.signum() * f64::INFINITY }),
    }
}

/// State of a condition on two sets of runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum State {
    /// It holds, whatever chance brings.
    Holds,
    /// It does not.
    Not,
    /// Chance decides, with the runs there are.
    Open,
    /// The runs have no such figure.
    Absent,
}

/// Looks at `condition` with what is known of its figure.
pub fn state(condition: &Condition, estimate: Option<&Estimate>) -> State {
    let Some(estimate) = estimate else { return State::Absent };
    let Estimate { a, b, difference, ratio } = *estimate;
    // As values of the second beside one first: what the bound is compared with.
    let ends = match condition.bound {
        Bound::Percent(_) => match ratio {
            Some(ratio) => ratio.map(|ratio| a * ratio),
            None => difference.map(|by| a + by),
        },
        // Of a value itself, what the difference leaves to chance is the nearest that is known.
        Bound::Difference(_) | Bound::Value(_) => difference.map(|by| a + by),
    };
    let held = ends.map(|end| condition.holds(end, Some(a)));
    match held {
        [true, true] if condition.holds(b, Some(a)) => State::Holds,
        [false, false] => State::Not,
        _ => State::Open,
    }
}

/// A condition that was asked for, and what became of it.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Checked {
    /// The condition as it was written.
    pub condition: String,
    /// State of it.
    pub state: State,
    /// Sentence on it.
    pub says: String,
}

impl Checked {
    /// True if it holds, and must not.
    pub fn has_failed(&self) -> bool {
        self.state == State::Holds
    }
}

/// Runs at both ends of what is assumed, and what came of them.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Ends {
    /// Values of which both ends were run, and corners of the ranges of a plan.
    pub run: usize,
    /// Those with which the verdict is another one, each with what comes of it.
    pub depends_on: Vec<Dependence>,
}

/// A value that turns a verdict.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Dependence {
    /// Name of the value: `host.latency of macos`.
    pub on: String,
    /// The end of it that does: `400us`.
    pub at: String,
    /// Change of the figure there, in per cent of the first; of a share, in points.
    pub change_pct: f64,
    /// Verdict there.
    pub verdict: Verdict,
}

/// Two sets of runs beside each other.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Comparison {
    /// Name of the first.
    pub a: String,
    /// Name of the second.
    pub b: String,
    /// Point that both are of, where a grid is compared.
    pub point: String,
    /// Verdict on the first figure.
    pub verdict: Verdict,
    /// Sentence on it.
    pub says: String,
    /// Set where nothing was drawn at random: differences are exact.
    pub exact: bool,
    /// Pairs of runs.
    pub repeats: usize,
    /// Figures of both, the one that the verdict is about first.
    pub figures: Vec<Compared>,
    /// Difference of every account over the steady state, in ns: the second less the first, the mean over the repeats.
    pub ledger_ns: Ordered<i64>,
    /// The accounts of both.
    pub books: Option<Books>,
    /// Ends of what is assumed.
    pub ends: Ends,
    /// Conditions that were asked for.
    pub conditions: Vec<Checked>,
}

impl Comparison {
    /// True if a condition holds that must not.
    pub fn has_failed(&self) -> bool {
        self.conditions.iter().any(Checked::has_failed)
    }
}

/// True if the runs of these records drew no random number, so that any other seed would give the same. Real radios count none.
pub fn is_exact<'a>(records: impl IntoIterator<Item = &'a Record>) -> bool {
    records.into_iter().all(|record| record.radio.is_none() && record.counters.get(DRAWS) == Some(&0))
}

/// Figures that both records have, the one that a comparison is about first.
pub fn figures(a: &Record, b: &Record) -> Vec<Figure> {
    let both = |figure: &Figure| figure.of(a).is_some() && figure.of(b).is_some();
    let mut found: Vec<Figure> = Figure::NAMED.into_iter().filter(both).collect();
    // Of calls the time of one is what they are for.
    if let Some(at) = found.iter().position(|figure| *figure == Figure::CallTime) {
        let first = found.remove(at);
        found.insert(0, first);
    }
    found
}

/// The change of a figure in per cent of the first, or in points of a share: the middle of what is known.
pub fn middle_change(figure: &Figure, estimate: &Estimate) -> f64 {
    let exact = Estimate::exact(estimate.a, estimate.b);
    change(figure, &exact)[0]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_verdict_needs_the_whole_interval_on_one_side() {
        let of = |figure: Figure, ratio: [f64; 2]| {
            let estimate = Estimate { a: 100.0, b: 100.0, difference: [0.0; 2], ratio: Some(ratio) };
            verdict(&figure, &estimate, 1.0)
        };
        assert_eq!(of(Figure::Goodput, [1.02, 1.03]), Verdict::Better);
        assert_eq!(of(Figure::Goodput, [0.92, 0.95]), Verdict::Worse);
        assert_eq!(of(Figure::Goodput, [0.995, 1.005]), Verdict::Same);
        assert_eq!(of(Figure::Goodput, [0.995, 1.02]), Verdict::Depends);
        assert_eq!(of(Figure::DelayP99, [1.02, 1.03]), Verdict::Worse);
        assert_eq!(of(Figure::Counter("x".into()), [1.02, 1.03]), Verdict::Differs);
    }

    #[test]
    fn a_share_is_judged_in_points_and_nothing_by_its_sign() {
        assert_eq!(
            verdict(&Figure::Loss, &Estimate::exact(0.1, 0.3), 1.0),
            Verdict::Same,
            "three times next to nothing"
        );
        assert_eq!(verdict(&Figure::Loss, &Estimate::exact(0.0, 3.0), 1.0), Verdict::Worse);
        assert_eq!(verdict(&Figure::Goodput, &Estimate::exact(0.0, 3.0), 1.0), Verdict::Better);
        assert_eq!(verdict(&Figure::Goodput, &Estimate::exact(0.0, 0.0), 1.0), Verdict::Same);
    }

    #[test]
    fn a_condition_is_open_while_chance_decides() {
        let condition: Condition = "goodput < -3%".parse().unwrap();
        let of = |low: f64, high: f64| {
            let b = 50.0 * (low + high);
            let difference = [100.0 * low - 100.0, 100.0 * high - 100.0];
            state(&condition, Some(&Estimate { a: 100.0, b, difference, ratio: Some([low, high]) }))
        };
        assert_eq!([of(0.95, 0.96), of(0.96, 0.98), of(0.98, 1.0)], [State::Holds, State::Open, State::Not]);
        assert_eq!(state(&condition, None), State::Absent);
    }

    #[test]
    fn an_exact_difference_has_no_interval() {
        let exact = Compared::of(&Figure::Goodput, &Estimate::exact(100.0, 183.0), true, 1.0);
        assert_eq!((exact.ratio, exact.low, exact.high, exact.difference_low), (Some(1.83), None, None, None));
        let json = serde_json::to_value(&exact).unwrap();
        assert_eq!((json["verdict"].as_str(), json["low"].is_null()), (Some("better"), true));
    }
}
