//! Pairs of runs: made with the same seeds, or read from what an earlier run has kept.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use airtime_lab::compare::{Estimate, is_exact};
use airtime_lab::links::identity;
use airtime_lab::{Figure, Plan, Point, Record};

use super::{NotCompared, Operand, Origin, Run};
use crate::Sweep;

/// Keys of a run that a comparison sets.
const SEED: &str = "run.seed";
const REPEAT: &str = "run.repeat";

/// Bench on which points of several plans are run, none twice in one call.
pub struct Bench<'a> {
    runner: &'a Run<'a>,
    watch: &'a (dyn Fn(usize) + Sync),
    cancel: &'a AtomicBool,
    threads: usize,
    made: AtomicUsize,
}

impl<'a> Bench<'a> {
    /// A bench on which nothing was run.
    pub fn new(runner: &'a Run<'a>, watch: &'a (dyn Fn(usize) + Sync), cancel: &'a AtomicBool, threads: usize) -> Self {
        Self { runner, watch, cancel, threads, made: AtomicUsize::new(0) }
    }

    /// Records of `points`, in their order.
    pub fn records(&self, points: &[(&Plan, Point)]) -> Result<Vec<Record>, NotCompared> {
        let mut places: BTreeMap<String, usize> = BTreeMap::new();
        let mut new: Vec<&(&Plan, Point)> = Vec::new();
        let mut of: Vec<usize> = Vec::new();
        for point in points {
            let next = new.len();
            let place = *places.entry(identity(&*point.1.scenario.link)).or_insert(next);
            if place == next {
                new.push(point);
            }
            of.push(place);
        }
        let ran = |(plan, point): &&(&Plan, Point)| {
            let record = (self.runner)(plan, point);
            (self.watch)(self.made.fetch_add(1, Ordering::Relaxed) + 1);
            record
        };
        let swept = Sweep { threads: self.threads, cancel: self.cancel, ..Sweep::new(&new, &ran) }.run();
        if !swept.complete() || self.cancel.load(Ordering::Relaxed) {
            return Err(NotCompared::Stopped);
        }
        Ok(of.into_iter().map(|place| swept.records[place].1.clone()).collect())
    }
}

/// `point` with one run of this seed.
pub fn seeded(plan: &Plan, point: &Point, seed: u64) -> Point {
    repeated(plan, point, seed, 1)
}

/// `point` with so many runs from this seed on.
fn repeated(plan: &Plan, point: &Point, seed: u64, runs: u32) -> Point {
    let changes = [(SEED.to_owned(), seed.into()), (REPEAT.to_owned(), runs.into())];
    let varied = plan.vary(point, &changes);
    // What nobody logged is run at its corners, and nowhere else.
    varied.map_or_else(|_| point.clone(), |varied| Point { unlogged: Vec::new(), ..varied })
}

/// Way in which runs belong together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Bond {
    /// Each pair has a seed.
    Seeds,
    /// They have no seed in common.
    Apart,
    /// Each is a summary of several runs.
    Summaries,
}

/// Pairs of runs.
#[derive(Debug)]
pub struct Pairs {
    a: Vec<Record>,
    b: Vec<Record>,
    bond: Bond,
    /// The points that more pairs can be made of.
    points: Option<Box<[(Plan, Point); 2]>>,
    exact: bool,
}

impl Pairs {
    /// The pairs that there are of these operands without more runs than one of each point.
    pub fn begin(bench: &Bench<'_>, [a, b]: [&Operand; 2]) -> Result<Self, NotCompared> {
        let (a, b, bond, points) = match (&a.from, &b.from) {
            (Origin::Point(of_a), Origin::Point(of_b)) => {
                let points = [of_a, of_b].map(|of| (**of).clone());
                let runs = [&points[0], &points[1]].map(|(plan, point)| {
                    let seed = point.scenario.run().seed;
                    (plan, seeded(plan, point, seed))
                });
                let [a, b] = two(bench.records(&runs)?);
                (vec![a], vec![b], Bond::Seeds, Some(Box::new(points)))
            }
            (Origin::Kept(kept), Origin::Point(point)) => {
                let (runs, bond) = alike(bench, kept, point)?;
                (kept.clone(), runs, bond, None)
            }
            (Origin::Point(point), Origin::Kept(kept)) => {
                let (runs, bond) = alike(bench, kept, point)?;
                (runs, kept.clone(), bond, None)
            }
            (Origin::Kept(a), Origin::Kept(b)) => {
                let (a, b, bond) = matched(a, b);
                (a, b, bond, None)
            }
        };
        let [names_a, names_b] = [&a, &b].map(Vec::is_empty);
        if names_a || names_b {
            return Err(NotCompared::Empty(if names_a { "the first" } else { "the second" }.to_owned()));
        }
        let exact = is_exact(a.iter().chain(&b));
        Ok(Self { a, b, bond, points, exact })
    }

    /// The first pair.
    pub fn first(&self) -> [&Record; 2] {
        [&self.a[0], &self.b[0]]
    }

    /// Number of pairs.
    pub fn len(&self) -> usize {
        self.a.len().min(self.b.len())
    }

    /// True if nothing in them is left to chance.
    pub const fn is_exact(&self) -> bool {
        self.exact
    }

    /// True if more of them can be made, and would tell more.
    pub const fn can_grow(&self) -> bool {
        self.points.is_some() && !self.exact
    }

    /// Makes as many pairs as there are to be.
    pub fn grow(&mut self, bench: &Bench<'_>, count: usize) -> Result<(), NotCompared> {
        let Some(points) = &self.points else { return Ok(()) };
        let mut runs: Vec<(&Plan, Point)> = Vec::new();
        for number in self.len()..count {
            for (plan, point) in &**points {
                runs.push((plan, seeded(plan, point, point.scenario.run().seed + number as u64)));
            }
        }
        let mut records = bench.records(&runs)?.into_iter();
        while let (Some(a), Some(b)) = (records.next(), records.next()) {
            self.a.push(a);
            self.b.push(b);
        }
        Ok(())
    }

    /// The records of both.
    pub fn records(&self) -> [Vec<&Record>; 2] {
        [&self.a, &self.b].map(|records| records.iter().collect())
    }

    /// Estimate of `figure`; none where a run has none.
    pub fn estimate(&self, figure: &Figure) -> Option<Estimate> {
        let of = |records: &[Record]| records.iter().map(|record| figure.of(record)).collect::<Option<Vec<f64>>>();
        let (a, b) = (of(&self.a)?, of(&self.b)?);
        let is_one = a.len() == 1 && b.len() == 1;
        Some(match self.bond {
            _ if self.exact || is_one && a == b && self.a[0].goodput_kbps == self.b[0].goodput_kbps => {
                Estimate::exact(a[0], b[0])
            }
            Bond::Summaries if *figure == Figure::Goodput => {
                Estimate::of_ranges(range(&self.a[0], a[0]), range(&self.b[0], b[0]))
            }
            Bond::Apart => Estimate::of_apart(&a, &b),
            _ => Estimate::of_pairs(&a, &b),
        })
    }
}

/// Goodput of a summary with its range.
fn range(record: &Record, value: f64) -> [f64; 3] {
    let goodput = record.goodput_kbps;
    // Of several streams the others are those of the first run.
    let beside = value - goodput.median;
    [value, goodput.low + beside, goodput.high + beside]
}

/// Runs of `point` with the seeds of what was kept.
fn alike(
    bench: &Bench<'_>,
    kept: &[Record],
    (plan, point): &(Plan, Point),
) -> Result<(Vec<Record>, Bond), NotCompared> {
    let runs: Vec<(&Plan, Point)> =
        kept.iter().map(|record| (plan, repeated(plan, point, record.seed, record.goodput_kbps.runs.max(1)))).collect();
    let bond = if kept.iter().any(|record| record.goodput_kbps.runs > 1) { Bond::Summaries } else { Bond::Seeds };
    Ok((bench.records(&runs)?, bond))
}

/// Records of both with the same seeds, or all of them where there are none.
fn matched(a: &[Record], b: &[Record]) -> (Vec<Record>, Vec<Record>, Bond) {
    let is_summary = |record: &Record| record.goodput_kbps.runs > 1;
    if a.iter().chain(b).any(is_summary) {
        return (a.iter().take(1).cloned().collect(), b.iter().take(1).cloned().collect(), Bond::Summaries);
    }
    let partner = |record: &Record| Some((record.clone(), b.iter().find(|other| other.seed == record.seed)?.clone()));
    let (same_a, same_b): (Vec<Record>, Vec<Record>) = a.iter().filter_map(partner).unzip();
    if same_a.is_empty() { (a.to_vec(), b.to_vec(), Bond::Apart) } else { (same_a, same_b, Bond::Seeds) }
}

fn two(records: Vec<Record>) -> [Record; 2] {
    records.try_into().unwrap_or_else(|_| unreachable!("a record for each of two points"))
}
