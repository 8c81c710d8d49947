//! The bench of a search: points run in parallel, none of them twice.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use airtime_lab::explain::{Length, Worth};
use airtime_lab::{Plan, Point, Record, Scenario};

use super::Seen;
use crate::Sweep;

/// Function that makes the record of a point of a plan.
pub type Run<'a> = dyn Fn(&Plan, &Point) -> Record + Sync + 'a;

/// Bench on which the points of one explanation are run.
pub struct Bench<'a> {
    /// Plan that the points are of.
    pub plan: &'a Plan,
    runner: &'a Run<'a>,
    watch: &'a (dyn Fn(&Seen<'_>) + Sync),
    cancel: &'a AtomicBool,
    known: Vec<(Scenario, Worth)>,
    /// Records of runs as long as the plan says.
    wholes: Vec<(Scenario, Record)>,
    /// Runs that were made.
    made: AtomicUsize,
    /// State of the ladder, for whoever watches.
    pub state: String,
}

impl<'a> Bench<'a> {
    /// A bench for points of `plan`, on which nothing has been run.
    pub fn new(
        plan: &'a Plan,
        runner: &'a Run<'a>,
        watch: &'a (dyn Fn(&Seen<'_>) + Sync),
        cancel: &'a AtomicBool,
    ) -> Self {
        let (known, wholes, made) = (Vec::new(), Vec::new(), AtomicUsize::new(0));
        Self { plan, runner, watch, cancel, known, wholes, made, state: String::new() }
    }

    /// Number of runs that were made.
    pub fn made(&self) -> usize {
        self.made.load(Ordering::Relaxed)
    }

    /// Worths of `points`, in their order, in runs of a `length`; none when it was stopped before all of them were run.
    pub fn worths(&mut self, points: &[Point], length: Length) -> Option<Vec<Worth>> {
        let cut: Vec<Point> = points.iter().map(|point| length.cut(self.plan, point)).collect();
        let mut new: Vec<&Point> = Vec::new();
        for point in &cut {
            if self.known(point).is_none() && !new.iter().any(|other| other.scenario == point.scenario) {
                new.push(point);
            }
        }
        let swept = Sweep { cancel: self.cancel, ..Sweep::new(&new, &|point: &&Point| self.ran(point)) }.run();
        let complete = swept.complete();
        let found = swept.records.into_iter().map(|(index, record)| (new[index].scenario.clone(), Worth::of(&record)));
        let found: Vec<_> = found.collect();
        self.known.extend(found);
        complete.then(|| cut.iter().filter_map(|point| self.known(point).cloned()).collect())
    }

    /// Record of `point` in a run as long as the plan says; none when it was stopped before its end.
    pub fn whole(&mut self, point: &Point) -> Option<Record> {
        if let Some((_, record)) = self.wholes.iter().find(|(scenario, _)| *scenario == point.scenario) {
            return Some(record.clone());
        }
        let record = self.ran(point);
        if self.cancel.load(Ordering::SeqCst) {
            return None;
        }
        self.keep(point, &record);
        Some(record)
    }

    /// Records of `points` as they are, which nobody asks for again; none when it was stopped before all of them were run.
    pub fn records(&self, points: &[Point]) -> Option<Vec<Record>> {
        let swept = Sweep { cancel: self.cancel, ..Sweep::new(points, &|point: &Point| self.ran(point)) }.run();
        swept.complete().then(|| swept.records.into_iter().map(|(_, record)| record).collect())
    }

    /// A run as long as the plan says that was made before.
    pub fn keep(&mut self, point: &Point, record: &Record) {
        self.wholes.push((point.scenario.clone(), record.clone()));
        self.known.push((point.scenario.clone(), Worth::of(record)));
    }

    fn ran(&self, point: &Point) -> Record {
        let record = (self.runner)(self.plan, point);
        let runs = self.made.fetch_add(1, Ordering::Relaxed) + 1;
        (self.watch)(&Seen { runs, state: &self.state });
        record
    }

    fn known(&self, point: &Point) -> Option<&Worth> {
        self.known.iter().find(|(scenario, _)| *scenario == point.scenario).map(|(_, worth)| worth)
    }
}
