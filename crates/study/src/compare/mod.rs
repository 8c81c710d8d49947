//! Comparison of two sets of runs, made in parallel until chance no longer decides, or kept by an earlier run.
//!
//! - `operands`: plans and records, point by point · `runs`: pairs of runs, each as often as is needed · `corners`: both ends of what is
//!   assumed

mod corners;
mod operands;
mod runs;

use std::sync::atomic::AtomicBool;

use airtime_lab::compare::{
    Books, Checked, Compared, Comparison, Ends, Estimate, LOOKS_MAX, State, Verdict, because, figures, verdict,
};
use airtime_lab::links::identity;
use airtime_lab::{Condition, Figure, Plan, Point, Record};
use thiserror::Error;

pub use operands::{Named, Pair, matched};
use runs::{Bench, Pairs};

/// Function that makes the record of a point of a plan.
pub type Run<'a> = dyn Fn(&Plan, &Point) -> Record + Sync + 'a;

/// Pairs of runs at the first look, *assumed*: the quantiles of the interval are those of Student's distribution from there on.
pub const REPEATS_MIN: usize = 10;
/// Pairs of runs at the last look, unless somebody says otherwise.
pub const REPEATS_MAX: usize = 160;
/// Change in per cent that is worth a word, unless somebody says otherwise: as of an explanation.
pub const THRESHOLD_PCT: f64 = airtime_lab::explain::GAIN_MIN_PCT;

/// One of two that are compared.
#[derive(Clone, Debug)]
pub struct Operand {
    /// Name for people.
    pub name: String,
    /// Origin of its runs.
    pub from: Origin,
}

/// Origin of the runs of an operand.
#[derive(Clone, Debug)]
pub enum Origin {
    /// A point of a plan, which is run.
    Point(Box<(Plan, Point)>),
    /// Records that an earlier run has kept, of one point: one, or one for each seed.
    Kept(Vec<Record>),
}

/// Question that a comparison is to answer.
#[derive(Clone, Debug, PartialEq)]
pub struct Question {
    /// Change in per cent up to which two figures are the same; of a share, in points.
    pub threshold: f64,
    /// Conditions that must not hold.
    pub conditions: Vec<Condition>,
    /// Pairs of runs at most, where something is drawn at random.
    pub repeats_max: usize,
    /// Set if both ends of what is assumed are run as well.
    pub ends: bool,
    /// Threads; zero: one per core.
    pub threads: usize,
}

impl Default for Question {
    fn default() -> Self {
        let conditions = Vec::new();
        Self { threshold: THRESHOLD_PCT, conditions, repeats_max: REPEATS_MAX, ends: true, threads: 0 }
    }
}

/// Reason that two cannot be compared.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum NotCompared {
    /// Somebody stopped it.
    #[error("stopped before there was anything to compare")]
    Stopped,
    /// They have no figure in common.
    #[error("{a} and {b} have no figure in common: {why}")]
    NoFigure {
        /// Name of the first.
        a: String,
        /// Name of the second.
        b: String,
        /// Outcome of the runs of both.
        why: String,
    },
    /// One of them has no record.
    #[error("{0} has no record of a run")]
    Empty(String),
}

/// Compares `b` with `a`. `watch` is told the number of runs that were made; a set `cancel` ends it.
///
/// # Errors
/// When it was stopped, or there is nothing to compare.
pub fn compare(
    [a, b]: [&Operand; 2],
    question: &Question,
    runner: &Run<'_>,
    watch: &(dyn Fn(usize) + Sync),
    cancel: &AtomicBool,
) -> Result<Comparison, NotCompared> {
    let bench = Bench::new(runner, watch, cancel, question.threads);
    let mut pairs = Pairs::begin(&bench, [a, b])?;
    let [first_a, first_b] = pairs.first();
    let figures = figures(first_a, first_b);
    let Some(first) = figures.first().cloned() else {
        let why = format!("{}, and {}", first_a.outcome, first_b.outcome);
        return Err(NotCompared::NoFigure { a: a.name.clone(), b: b.name.clone(), why });
    };
    grow(&bench, &mut pairs, &first, question)?;
    let mut found = beside([a, b], &pairs, &figures, question);
    if question.ends
        && matches!(found.verdict, Verdict::Better | Verdict::Worse)
        && let (Origin::Point(of_a), Origin::Point(of_b)) = (&a.from, &b.from)
    {
        found.ends = corners::ends(&bench, [of_a, of_b], &pairs, &first, question, found.verdict)?;
    }
    conclude(&mut found);
    Ok(found)
}

/// Makes pairs until neither the verdict on `first` nor a condition is left to chance, or there are as many as there may be.
fn grow(bench: &Bench<'_>, pairs: &mut Pairs, first: &Figure, question: &Question) -> Result<(), NotCompared> {
    let mut count = REPEATS_MIN;
    for _ in 0..LOOKS_MAX {
        if !pairs.can_grow() {
            return Ok(());
        }
        let most = question.repeats_max.max(REPEATS_MIN);
        pairs.grow(bench, count.min(most))?;
        let is_open = |condition: &Condition| {
            Checked::of(condition, pairs.estimate(&condition.figure).as_ref()).state == State::Open
        };
        let estimate = pairs.estimate(first);
        let decided = estimate.is_some_and(|found| verdict(first, &found, question.threshold) != Verdict::Depends);
        if (decided && !question.conditions.iter().any(is_open)) || count >= most {
            return Ok(());
        }
        count *= 2;
    }
    Ok(())
}

/// Everything that the pairs say, without a conclusion.
fn beside([a, b]: [&Operand; 2], pairs: &Pairs, figures: &[Figure], question: &Question) -> Comparison {
    let exact = pairs.is_exact();
    let compared = |figure: &Figure| {
        let estimate: Estimate = pairs.estimate(figure)?;
        let mut found = Compared::of(figure, &estimate, exact, question.threshold);
        found.because = match (exact, pairs.len()) {
            (true, _) => "nothing is drawn at random".to_owned(),
            (false, 1) => "one run of each".to_owned(),
            (false, count) => format!("{count} runs of each"),
        };
        Some(found)
    };
    // What a condition is about is shown, too.
    let asked = question.conditions.iter().map(|condition| &condition.figure);
    let mut shown: Vec<&Figure> = figures.iter().collect();
    for figure in asked {
        if !shown.contains(&figure) {
            shown.push(figure);
        }
    }
    let figures: Vec<Compared> = shown.into_iter().filter_map(compared).collect();
    let [of_a, of_b] = pairs.records();
    let books = Books::of(&of_a, &of_b);
    let check = |condition: &Condition| Checked::of(condition, pairs.estimate(&condition.figure).as_ref());
    Comparison {
        a: a.name.clone(),
        b: b.name.clone(),
        point: String::new(),
        verdict: figures[0].verdict,
        says: String::new(),
        exact,
        repeats: pairs.len(),
        figures,
        ledger_ns: books.as_ref().map(Books::differences_ns).unwrap_or_default(),
        books,
        ends: Ends::default(),
        conditions: question.conditions.iter().map(check).collect(),
    }
}

/// The verdict with what it depends on, and the sentence on it.
fn conclude(found: &mut Comparison) {
    let verdict = found.verdict;
    let first = &mut found.figures[0];
    let is_booked = first.figure.parse::<Figure>().is_ok_and(|figure| figure.is_booked());
    let account = because(found.books.as_ref(), verdict).filter(|_| is_booked);
    let chance = (verdict == Verdict::Depends).then(|| match (first.low, first.high) {
        (Some(low), Some(high)) => format!("chance decides: {low:.4} to {high:.4} times, {}", first.because),
        _ => format!("chance decides: {}", first.because),
    });
    let clauses: Vec<String> = [chance, account, found.ends.says(verdict)].into_iter().flatten().collect();
    if !clauses.is_empty() {
        first.because = clauses.join("; ");
    }
    if !found.ends.depends_on.is_empty() {
        first.verdict = Verdict::Depends;
        found.verdict = Verdict::Depends;
    }
    found.says = Comparison::sentence(&found.a, &found.b, &found.figures[0]);
}

/// True if two points run alike: whatever their plans are called.
fn same(a: &Point, b: &Point) -> bool {
    identity(&*a.scenario.link) == identity(&*b.scenario.link)
}
