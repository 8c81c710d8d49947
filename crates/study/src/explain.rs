//! An explanation: the candidates of a point, run in parallel.

use std::sync::atomic::AtomicBool;

use airtime_lab::advice::advice;
use airtime_lab::explain::{self, Change};
use airtime_lab::machine;
use airtime_lab::{Plan, Point, Record};

use crate::Sweep;

/// A point, its record, and what would change it.
#[derive(Clone, Debug)]
pub struct Explained {
    /// The point as it is.
    pub record: Record,
    /// The changes that gain most.
    pub changes: Vec<Change>,
    /// Number of changes that were run.
    pub tried: usize,
    /// One sentence about them.
    pub conclusion: String,
    /// Lines of `sdkconfig` that follow from the changes, if the link has one.
    pub config: Vec<String>,
    /// Effects of faster machines, a sentence each, though nobody can turn them.
    pub machine: Vec<String>,
}

/// Runs `point` and every change to it that somebody can make. `progress` is called with changes
/// done and changes in all; a set `cancel` ends it early with the changes run so far.
pub fn explain(
    plan: &Plan,
    point: &Point,
    runner: &(dyn Fn(&Plan, &Point) -> Record + Sync),
    progress: &(dyn Fn(usize, usize) + Sync),
    cancel: &AtomicBool,
) -> Explained {
    let record = runner(plan, point);
    let candidates = explain::candidates(plan, point);
    let faster = machine::faster(point);
    let points: Vec<&Point> =
        candidates.iter().map(|candidate| &candidate.point).chain(faster.iter().map(|faster| &faster.point)).collect();
    let run = |point: &&Point| runner(plan, point);
    let swept = Sweep { progress, cancel, ..Sweep::new(&points, &run) }.run();
    let (mut tried, mut machine) = (Vec::new(), Vec::new());
    for (index, after) in swept.records {
        match candidates.get(index) {
            Some(candidate) => tried.push((candidate.clone(), after)),
            None => machine.push(machine::sentence(&faster[index - candidates.len()], &record, &after)),
        }
    }
    let changes = explain::best(&record, &tried);
    let conclusion = explain::conclusion(&record, &changes, tried.len());
    let config = advice(point, &record, &tried);
    Explained { record, changes, tried: tried.len(), conclusion, config, machine }
}
