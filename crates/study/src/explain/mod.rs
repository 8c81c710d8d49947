//! An explanation: the changes to a point that gain most, searched in parallel. The same plan gives the same answer, on any number
//! of threads.

mod bench;
mod refused;
mod search;
mod together;

use std::sync::atomic::AtomicBool;

use airtime_lab::explain::advice::{self, advice};
use airtime_lab::explain::{self, Block, CHANGES_SHOWN, Candidate, Change, Stopped, Together, Worth, block, machine};
use airtime_lab::plan::set_argument;
use airtime_lab::{Plan, Point, Record};

use crate::Sweep;
use bench::{Bench, Job, Run};
use search::{FIRST, Lengths, Tried};
use together::Changes;

/// State of a search, for whoever watches it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Seen<'a> {
    /// Changes that were tried.
    pub done: usize,
    /// Changes there are.
    pub total: usize,
    /// The change that looks best so far, and its gain in percent, maybe that of a short run.
    pub best: Option<(&'a str, f64)>,
}

/// A point, its record, and what would change it.
#[derive(Clone, Debug)]
pub struct Explained {
    /// The point as it is.
    pub record: Record,
    /// Worth of it: what the changes gain over.
    pub worth: Worth,
    /// The changes that gain most, each at one key.
    pub changes: Vec<Change>,
    /// Number of changes that were tried.
    pub tried: usize,
    /// One sentence about them.
    pub conclusion: String,
    /// Changes that gain most together, where they gain more than one alone.
    pub together: Option<Together>,
    /// The changes of `together`, or else the best one, as lines to paste.
    pub blocks: Vec<Block>,
    /// Changes that were tried and not granted, a line for each key.
    pub refused: Vec<String>,
    /// Lines of `sdkconfig` that must stay or do not matter, if the link has one.
    pub config: Vec<String>,
    /// Effects of faster machines, a sentence each, though nobody can turn them.
    pub machine: Vec<String>,
    /// Extent of the search, if it was stopped from outside.
    pub stopped: Option<Stopped>,
}

/// Runs `point`, and searches every change to it that somebody can make for those that gain most. `watch` is called whenever
/// a change was run; a set `cancel` ends it early with what was found so far.
pub fn explain(
    plan: &Plan,
    point: &Point,
    runner: &Run<'_>,
    watch: &(dyn Fn(&Seen<'_>) + Sync),
    cancel: &AtomicBool,
) -> Explained {
    let record = runner(plan, point);
    let mut bench = Bench::new(plan, runner, watch, cancel);
    bench.keep(point, &record);
    let worth = Worth::of(&record);
    let mut search = Search::new(point, &record);
    let complete = search.run(&mut bench, cancel).is_some();
    let (tried, total) = bench.extent();
    let stopped = (!complete).then_some(Stopped { after: tried, of: total });
    let (found, together) = (search.found, search.together);
    let changes: Vec<Change> =
        found.iter().take(CHANGES_SHOWN).map(|(candidate, after)| Change::of(candidate, after, &worth)).collect();
    let conclusion = match stopped {
        Some(stopped) => explain::stopped(stopped, &changes, bench.best().as_deref()),
        None => explain::conclusion(&worth, &changes, tried),
    };
    let pasted = together.as_ref().map(|(changes, _)| changes).or(found.first().map(|(best, _)| &best.changes));
    let blocks = pasted.map(|changes| block::blocks(point, changes)).unwrap_or_default();
    let together = together.map(|(changes, after)| told(&changes, &after, &worth));
    let (refused, config, machine) = (search.refused, search.config, search.machine);
    Explained { record, worth, changes, tried, conclusion, together, blocks, refused, config, machine, stopped }
}

/// Changes that were run together, as they are shown.
fn told(changes: &Changes, after: &Worth, base: &Worth) -> Together {
    Together {
        set: changes.iter().map(|(name, value)| set_argument(name, value)).collect(),
        goodput_kbps: after.kbps,
        gain_pct: after.gain_pct(base),
        worst_kbps: after.worst_kbps,
    }
}

/// Findings of a search so far: whatever ends it, these are told.
struct Search<'a> {
    point: &'a Point,
    record: &'a Record,
    base: Worth,
    found: Vec<(Candidate, Worth)>,
    together: Option<(Changes, Worth)>,
    refused: Vec<String>,
    config: Vec<String>,
    machine: Vec<String>,
}

impl<'a> Search<'a> {
    fn new(point: &'a Point, record: &'a Record) -> Self {
        let base = Worth::of(record);
        Self { point, record, base, found: vec![], together: None, refused: vec![], config: vec![], machine: vec![] }
    }

    /// Searches to the end; nothing when it was stopped before.
    fn run(&mut self, bench: &mut Bench<'_>, cancel: &AtomicBool) -> Option<()> {
        let candidates = explain::candidates(bench.plan, self.point);
        bench.begin(candidates.len());
        let lengths = Lengths::of(bench, self.point)?;
        let tried = search::screen(bench, lengths, self.point, candidates, FIRST)?;
        self.refused = refused::refused(&tried);
        let promising = search::promising(bench, lengths, self.point, &tried, FIRST)?;
        search::finals(bench, &self.base, &promising, &mut self.found)?;
        self.together = together::together(bench, self.point, &self.base, &self.found)?;
        self.advise(bench, &tried)?;
        self.faster(bench, cancel)
    }

    /// Lines of `sdkconfig`, those to keep with what another value costs in a run as long as the plan says.
    fn advise(&mut self, bench: &mut Bench<'_>, tried: &[Tried]) -> Option<()> {
        let tried: Vec<advice::Tried<'_>> = tried.iter().map(|one| (&one.candidate, one.gain)).collect();
        let harmful = advice::doubtful(&tried);
        let job = |candidate: &&'_ Candidate| Job { point: candidate.point.clone(), set: "" };
        let jobs: Vec<Job<'_>> = harmful.iter().map(job).collect();
        let costs = bench.run(&jobs, None, false)?.into_iter().map(|one| one.worth.gain_pct(&self.base));
        let harmful: Vec<advice::Tried<'_>> = harmful.into_iter().zip(costs).collect();
        self.config = advice(self.point, &tried, &harmful);
        Some(())
    }

    /// Sentences on what faster machines would do.
    fn faster(&mut self, bench: &Bench<'_>, cancel: &AtomicBool) -> Option<()> {
        let faster = machine::faster(self.point);
        let run = |faster: &machine::Faster| bench.record(&faster.point);
        let swept = Sweep { cancel, ..Sweep::new(&faster, &run) }.run();
        let complete = swept.complete();
        let sentence = |(index, after): (usize, Record)| machine::sentence(&faster[index], self.record, &after);
        self.machine = swept.records.into_iter().map(sentence).collect();
        complete.then_some(())
    }
}
