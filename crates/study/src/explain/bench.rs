//! The bench of a search: points run in parallel, none of them twice.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

use airtime_lab::explain::{Length, Worth};
use airtime_lab::record::Asked;
use airtime_lab::{Ordered, Plan, Point, Record, Scenario};

use super::Seen;
use crate::Sweep;

/// Function that makes the record of a point of a plan.
pub type Run<'a> = dyn Fn(&Plan, &Point) -> Record + Sync + 'a;

/// A run as a search compares it.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// Worth of the run.
    pub worth: Worth,
    /// Lengths in which changes to it can be tried.
    pub lengths: [Length; 2],
    /// Keys whose value in effect is not the one asked for.
    pub asked: Vec<Asked>,
    /// Books of its steady state.
    books: Ordered<u64>,
}

impl Outcome {
    /// Outcome of the run that `record` is of.
    pub fn of(record: &Record) -> Self {
        Self {
            worth: Worth::of(record),
            lengths: Length::of(record),
            asked: record.asked.clone(),
            books: record.steady_ledger_ns.clone(),
        }
    }

    /// True if nothing differs between the two runs: whatever was changed has no effect.
    pub fn is_same(&self, other: &Self) -> bool {
        self.worth == other.worth && self.books == other.books
    }
}

/// Bench on which the points of one explanation are run.
pub struct Bench<'a> {
    /// Plan that the points are of.
    pub plan: &'a Plan,
    runner: &'a Run<'a>,
    watch: &'a (dyn Fn(&Seen<'_>) + Sync),
    cancel: &'a AtomicBool,
    known: Vec<(Scenario, Outcome)>,
    /// Changes that were tried, and changes there are.
    changes: (AtomicUsize, usize),
    /// The gain that is best so far, and the change.
    best: Mutex<Option<(f64, String)>>,
}

/// A point to be run, with the change that it is one of, if any.
pub struct Job<'a> {
    /// The point.
    pub point: Point,
    /// The change as `--set` takes it.
    pub set: &'a str,
}

impl<'a> Bench<'a> {
    /// A bench for points of `plan`, on which nothing has been run.
    pub fn new(
        plan: &'a Plan,
        runner: &'a Run<'a>,
        watch: &'a (dyn Fn(&Seen<'_>) + Sync),
        cancel: &'a AtomicBool,
    ) -> Self {
        let changes = (AtomicUsize::new(0), 0);
        Self { plan, runner, watch, cancel, known: Vec::new(), changes, best: Mutex::new(None) }
    }

    /// There are `total` changes, none of which was tried.
    pub fn begin(&mut self, total: usize) {
        self.changes = (AtomicUsize::new(0), total);
    }

    /// `count` changes need not be run.
    pub fn spare(&self, count: usize) {
        self.changes.0.fetch_add(count, Ordering::Relaxed);
    }

    /// Changes that were tried, and changes there are.
    pub fn extent(&self) -> (usize, usize) {
        (self.changes.0.load(Ordering::Relaxed).min(self.changes.1), self.changes.1)
    }

    /// The change that looks best so far.
    pub fn best(&self) -> Option<String> {
        let best = self.best.lock().unwrap_or_else(PoisonError::into_inner);
        best.as_ref().map(|(_, set)| set.clone())
    }

    /// Outcomes of `jobs`, in their order, beside a run of `base`; none when it was stopped before all of them were run. With
    /// `counts` each of them is one of the changes there are.
    pub fn run(&mut self, jobs: &[Job<'_>], base: Option<&Worth>, counts: bool) -> Option<Vec<Outcome>> {
        let mut new: Vec<usize> = Vec::new();
        for (index, job) in jobs.iter().enumerate() {
            let is_job = |other: &usize| jobs[*other].point.scenario == job.point.scenario;
            if self.known(&job.point).is_none() && !new.iter().any(is_job) {
                new.push(index);
            }
        }
        if counts {
            self.spare(jobs.len() - new.len());
        }
        let runner = |index: &usize| {
            let record = (self.runner)(self.plan, &jobs[*index].point);
            if counts {
                self.spare(1);
            }
            self.tell(jobs[*index].set, base, &record);
            record
        };
        let swept = Sweep { cancel: self.cancel, ..Sweep::new(&new, &runner) }.run();
        let complete = swept.complete();
        for (position, record) in swept.records {
            self.known.push((jobs[new[position]].point.scenario.clone(), Outcome::of(&record)));
        }
        complete.then(|| jobs.iter().filter_map(|job| self.known(&job.point).cloned()).collect())
    }

    /// A run that was made before.
    pub fn keep(&mut self, point: &Point, record: &Record) {
        self.known.push((point.scenario.clone(), Outcome::of(record)));
    }

    /// The record of `point`, which is not one of the changes.
    pub fn record(&self, point: &Point) -> Record {
        (self.runner)(self.plan, point)
    }

    fn known(&self, point: &Point) -> Option<&Outcome> {
        self.known.iter().find(|(scenario, _)| *scenario == point.scenario).map(|(_, outcome)| outcome)
    }

    /// Tells whoever watches that a change was run.
    fn tell(&self, set: &str, base: Option<&Worth>, record: &Record) {
        let mut best = self.best.lock().unwrap_or_else(PoisonError::into_inner);
        let worth = Worth::of(record);
        if let Some(base) = base.filter(|base| worth.keeps(base)) {
            let gain = worth.gain_pct(base);
            if gain > best.as_ref().map_or(0.0, |(best, _)| *best) {
                *best = Some((gain, set.to_owned()));
            }
        }
        let (done, total) = self.extent();
        (self.watch)(&Seen { done, total, best: best.as_ref().map(|(gain, set)| (set.as_str(), *gain)) });
    }
}
