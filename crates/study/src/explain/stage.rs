//! A stage of the climb: the point that was reached, and changes to it in short runs.

use airtime_lab::explain::{Length, Lever, Worth, combined};
use airtime_lab::{Point, Record};
use serde_json::Value;

use super::bench::Bench;

/// Units of payload in a run of a change, *assumed*: one more or less is then no more than the least gain that is worth a word.
const UNITS_MIN: u64 = 100;

/// Several changes, each with its value.
pub type Changes = Vec<(String, Value)>;

/// A lever with values that it may take, the one that eases most last.
pub type Wish<'a> = (&'a Lever, Vec<Value>);

/// Changes to the point of a stage, and what a run with them comes to.
#[derive(Clone, Debug)]
pub struct Tried {
    /// Changes of keys that were made so far.
    pub changes: Changes,
    /// Worth of a run of it.
    pub worth: Worth,
}

/// The point that was reached.
pub struct Stage<'b, 'a> {
    /// Bench on which its changes are run.
    pub bench: &'b mut Bench<'a>,
    /// Point that the search stands at.
    pub at: Point,
    /// Length of the runs of changes to it.
    pub length: Length,
    /// Worth of a run of that length without a change.
    pub base: Worth,
}

/// The two short lengths of runs of changes to the point of which `whole` is the record, or the whole where those have too few units of
/// payload to tell a gain by.
pub fn lengths(whole: &Record) -> [Length; 2] {
    Length::of(whole).map(|length| length.with_units(Worth::of(whole).units(), UNITS_MIN))
}

impl<'b, 'a> Stage<'b, 'a> {
    /// The stage of `at`, of which `whole` is the record, with runs of `length`.
    pub fn new(bench: &'b mut Bench<'a>, at: &Point, whole: &Record, mut length: Length) -> Option<Self> {
        let whole_worth = Worth::of(whole);
        let mut base = bench.worths(std::slice::from_ref(at), length)?.remove(0);
        // A part that ends otherwise than the whole tells nothing of it.
        if base.keeps(&base) != whole_worth.keeps(&whole_worth) || (base.kbps > 0.0) != (whole_worth.kbps > 0.0) {
            (length, base) = (Length::WHOLE, whole_worth);
        }
        Some(Self { bench, at: at.clone(), length, base })
    }

    /// The point itself, as the change that it is not.
    pub fn nothing(&self) -> Tried {
        Tried { changes: Vec::new(), worth: self.base.clone() }
    }

    /// Runs of these sets of changes, in their order; those that are impossible are left out.
    pub fn run(&mut self, sets: Vec<Changes>) -> Option<Vec<Tried>> {
        let plan = self.bench.plan;
        let possible = sets.into_iter().filter_map(|changes| Some((combined(plan, &self.at, &changes)?, changes)));
        let (points, sets): (Vec<Point>, Vec<Changes>) = possible.unzip();
        let worths = self.bench.worths(&points, self.length)?;
        Some(sets.into_iter().zip(worths).map(|(changes, worth)| Tried { changes, worth }).collect())
    }

    /// Gain over the point in percent.
    pub fn gain(&self, tried: &Tried) -> f64 {
        tried.worth.gain_pct(&self.base)
    }

    /// As many of `wishes` as are possible together, each as far as it is.
    pub fn fitted(&self, wishes: &[Wish<'_>]) -> Changes {
        let far = |(lever, values): &Wish<'_>| Some((lever.key.name.to_owned(), values.last()?.clone()));
        let all: Changes = wishes.iter().filter_map(far).collect();
        let is_possible = |changes: &Changes| combined(self.bench.plan, &self.at, changes).is_some();
        if is_possible(&all) {
            return all;
        }
        let mut found = Changes::new();
        for (lever, values) in wishes {
            let with = |value: &Value| with(&found, lever, value.clone(), &self.at);
            if let Some(more) = values.iter().rev().flat_map(with).find(is_possible) {
                found = more;
            }
        }
        found
    }
}

/// `changes` with `lever` at `value`: as it is, and then with the key without which it may be impossible.
pub fn with(changes: &Changes, lever: &Lever, value: Value, at: &Point) -> Vec<Changes> {
    let set = |changes: &Changes, name: &str, value: Value| -> Changes {
        let others = changes.iter().filter(|(known, _)| known != name).cloned();
        others.chain([(name.to_owned(), value)]).collect()
    };
    let alone = set(changes, lever.key.name, value);
    let companion = at.scenario.companion(lever.key);
    let both = companion.map(|(key, value)| set(&alone, key.name, value));
    [Some(alone), both].into_iter().flatten().collect()
}
