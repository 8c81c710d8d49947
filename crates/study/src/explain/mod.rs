//! An explanation: the ladder from a point as it is to the limit of its link, found in parallel runs. The same plan gives the same
//! answer, on any number of threads.
//!
//! - [`bench`]: runs, none twice · [`stage`]: changes to the point that was reached · [`unit`]: levers that are relaxed together
//! - [`relax`]: a mechanism at its best · [`reduce`]: the fewest keys and the nearest values of it · [`climb`]: rung upon rung
//! - [`fold`]: no key twice

mod bench;
mod climb;
mod even;
mod fold;
mod reduce;
mod relax;
mod stage;
mod unit;

use std::sync::atomic::AtomicBool;

use airtime_lab::explain::Guard;
use airtime_lab::explain::cost::other_way;
use airtime_lab::explain::{
    self, Block, Cause, Change, Length, Limit, Rung, Stopped, Together, Worth, advice, block, candidates, combined,
    machine, measured,
};
use airtime_lab::{Plan, Point, Record};
use serde_json::Value;

use bench::{Bench, Run};
use climb::{Climb, Step};

/// State of a search, for whoever watches it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Seen<'a> {
    /// Runs that were made.
    pub runs: usize,
    /// Goodput that was reached.
    pub state: &'a str,
}

/// Request for an explanation.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Depth {
    /// Rungs at most; none for as many as there are.
    pub rungs: Option<usize>,
    /// Goods that may be given up for throughput.
    pub also: Vec<Guard>,
}

/// A point, its record, and the ladder from it.
#[derive(Clone, Debug)]
pub struct Explained {
    /// The point as it is.
    pub record: Record,
    /// Worth of it: what the rungs gain over.
    pub worth: Worth,
    /// Cause of what is lost; none where nothing gains.
    pub cause: Option<Cause>,
    /// The rungs, each upon those before it that are applied.
    pub ladder: Vec<Rung>,
    /// End of the ladder.
    pub limit: Limit,
    /// Rungs that somebody can turn as changes of the point as it is, each with those before it.
    pub changes: Vec<Change>,
    /// All of them together, where there are several.
    pub together: Option<Together>,
    /// Number of runs that were made.
    pub tried: usize,
    /// One sentence about it.
    pub conclusion: String,
    /// All changes that somebody can make, as lines to paste.
    pub blocks: Vec<Block>,
    /// Lines of `sdkconfig` that must stay or do not matter, if the link has one.
    pub config: Vec<String>,
    /// Effects of faster machines, a sentence each, though nobody can turn them.
    pub machine: Vec<String>,
    /// Extent of the search, if it was stopped from outside.
    pub stopped: Option<Stopped>,
}

/// Runs `point`, and climbs from it. `watch` is called whenever a change was run; a set `cancel` ends it early with what was found so
/// far.
pub fn explain(
    plan: &Plan,
    point: &Point,
    depth: &Depth,
    runner: &Run<'_>,
    watch: &(dyn Fn(&Seen<'_>) + Sync),
    cancel: &AtomicBool,
) -> Explained {
    let record = runner(plan, point);
    let point = &measured(plan, point);
    let mut bench = Bench::new(plan, runner, watch, cancel);
    bench.keep(point, &record);
    let mut climb = Climb::new(&depth.also, depth.rungs);
    let mut found = Beside::default();
    let climbed = climb.run(&mut bench, point, &record);
    let Climb { cause, mut steps, .. } = climb;
    let complete = climbed.and_then(|()| {
        steps = fold::folded(&mut bench, &steps)?;
        steps = fold::pruned(&mut bench, &steps)?;
        found.find(&mut bench, point, &record, &steps)
    });
    let mut ladder = rungs(point, &record, &steps);
    for (rung, price) in ladder.iter_mut().zip(&found.other_way) {
        rung.costs.extend(price.clone());
    }
    let worth = Worth::of(&record);
    let limit = Limit::of(end(&record, &steps));
    let stopped = complete.is_none().then(|| Stopped { after: bench.made(), of: None });
    let conclusion = match stopped {
        Some(stopped) => explain::stopped(stopped, &worth, &ladder),
        None => explain::conclusion(&worth, &ladder, &limit),
    };
    let ours = explain::ours(&ladder);
    let changes: Vec<Change> = (1..=ours.len()).filter_map(|count| Change::of(&ours[..count], &worth)).collect();
    let together = together(&ours, &changes);
    let blocks = block::blocks(point, &turnable(&steps));
    let Beside { config, machine, .. } = found;
    let tried = bench.made();
    let cause = Cause::of(&cause, &ladder);
    Explained {
        record,
        worth,
        cause,
        ladder,
        limit,
        changes,
        together,
        tried,
        conclusion,
        blocks,
        config,
        machine,
        stopped,
    }
}

/// Run at the end of the ladder: of the last rung, or of the one beside it that nobody can turn where that comes to more.
fn end<'a>(record: &'a Record, steps: &'a [Step]) -> &'a Record {
    let last = steps.iter().rev().find(|step| step.is_applied).map_or(record, |step| &step.record);
    let kbps = |record: &Record| Worth::of(record).kbps;
    let beside = steps.iter().filter(|step| !step.is_applied).map(|step| &step.record);
    beside.fold(last, |most, record| if kbps(record) > kbps(most) { record } else { most })
}

/// `steps` as rungs.
fn rungs(point: &Point, record: &Record, steps: &[Step]) -> Vec<Rung> {
    let mut found = Vec::new();
    let mut before = explain::Seen { point, record };
    for step in steps {
        let after = explain::Seen { point: &step.point, record: &step.record };
        let rung = Rung::of(&step.mechanisms, before, after, &step.changes);
        found.push(Rung { turnable: !step.is_environment && rung.turnable, applied: step.is_applied, ..rung });
        if step.is_applied {
            before = after;
        }
    }
    found
}

/// Changes of all rungs that somebody can turn and that stand on nothing that nobody can; of a key that several change, the last value.
fn turnable(steps: &[Step]) -> Vec<(String, Value)> {
    let mut found: Vec<(String, Value)> = Vec::new();
    let applied = steps.iter().filter(|step| step.is_applied).take_while(|step| !step.is_environment);
    for (name, value) in applied.flat_map(|step| &step.changes) {
        found.retain(|(known, _)| known != name);
        found.push((name.clone(), value.clone()));
    }
    found
}

/// The rungs that somebody can turn as one set of changes, of which the last of `changes` is the figure; none of fewer than two.
fn together(ours: &[&Rung], changes: &[Change]) -> Option<Together> {
    let last = changes.last().filter(|_| ours.len() > 1)?;
    Some(Together {
        set: explain::settings(ours),
        goodput_kbps: last.goodput_kbps,
        gain_pct: last.gain_pct,
        worst_kbps: last.worst_kbps,
    })
}

/// Findings beside the ladder.
#[derive(Default)]
struct Beside {
    /// Price of each rung for the stream the other way, if it has one.
    other_way: Vec<Option<String>>,
    config: Vec<String>,
    machine: Vec<String>,
}

impl Beside {
    /// Finds all of it; nothing when it was stopped before.
    fn find(&mut self, bench: &mut Bench<'_>, point: &Point, record: &Record, steps: &[Step]) -> Option<()> {
        let [_, length] = Length::of(record);
        self.turn(bench, length, steps)?;
        self.advise(bench, point, length, steps)?;
        self.halve(bench, &length.cut(bench.plan, point))
    }

    /// Runs `point` on faster machines. No plan says what they are: such a point cannot be cut any more.
    fn halve(&mut self, bench: &Bench<'_>, point: &Point) -> Option<()> {
        let faster = machine::faster(point);
        if faster.is_empty() {
            return Some(());
        }
        let points: Vec<Point> =
            [point].into_iter().chain(faster.iter().map(|faster| &faster.point)).cloned().collect();
        let records = bench.records(&points)?;
        let (base, after) = records.split_first()?;
        self.machine = faster.iter().zip(after).map(|(faster, after)| machine::sentence(faster, base, after)).collect();
        Some(())
    }

    /// Runs the stream the other way before and after each rung.
    fn turn(&mut self, bench: &mut Bench<'_>, length: Length, steps: &[Step]) -> Option<()> {
        let turned = |at: &Point, changes: &[(String, Value)]| {
            let (key, value) = at.scenario.turned_round()?;
            combined(bench.plan, at, &[changes, &[(key.name.to_owned(), value)]].concat())
        };
        let points: Vec<Option<(Point, Point)>> =
            steps.iter().map(|step| Some((turned(&step.before, &[])?, turned(&step.before, &step.changes)?))).collect();
        for pair in points {
            self.other_way.push(match pair {
                Some((before, after)) => {
                    let worths = bench.worths(&[before, after], length)?;
                    other_way(worths[0].kbps, worths[1].kbps)
                }
                None => None,
            });
        }
        Some(())
    }

    /// Lines of `sdkconfig`: those to keep, with what the nearest other value costs, and those that do not matter.
    fn advise(&mut self, bench: &mut Bench<'_>, point: &Point, length: Length, steps: &[Step]) -> Option<()> {
        let changed = |key: &str| steps.iter().any(|step| step.changes.iter().any(|(name, _)| name == key));
        let near = candidates(bench.plan, point).into_iter();
        let near: Vec<_> =
            near.filter(|one| advice::has_line(one.key) && (one.rung == 0 || one.last) && !changed(one.key)).collect();
        if near.is_empty() {
            return Some(());
        }
        let points: Vec<Point> = near.iter().map(|candidate| candidate.point.clone()).collect();
        let base = bench.worths(std::slice::from_ref(point), length)?.remove(0);
        let worths = bench.worths(&points, length)?;
        let tried: Vec<advice::Tried<'_>> = near.iter().zip(worths.iter().map(|worth| worth.gain_pct(&base))).collect();
        self.config = advice::advice(point, &tried);
        Some(())
    }
}
