//! Search for the best point of a space: every point of a small one; of a larger one what coordinate descent finds from several starts.
//!
//! From a start one axis after the other goes to its best value, all of whose runs are made in parallel, until a whole round gains
//! nothing. The starts and the order of the axes are drawn with a fixed seed: the same plan has the same answer on any number of threads.
//!
//! A search has parts that several machines can do: of a small space its points, of a larger one its starts. What a part keeps in its
//! folder is all that it is for; a search of the whole that goes on with the folders put together finds it there, and answers.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use airtime_core::random::{Stream, stream};
use airtime_lab::explain::combined;
use airtime_lab::run::IMPOSSIBLE;
use airtime_lab::schema::Turns;
use airtime_lab::tune::{Axis, Goal, Place, Space, Tried, Tuned, free_key, turned_by};
use airtime_lab::{Plan, Point, Record};
use thiserror::Error;

use crate::compare::Run;
use crate::request::Refused;
use crate::{Digest, FolderError, Part, RunFolder, Shard, Sweep};

/// Points of a space up to which every one is run.
pub const EXHAUSTIVE_MAX: u64 = 20_000;
/// Starts besides the point as it is, unless somebody says otherwise, *assumed*.
pub const RESTARTS: usize = 8;
/// Rounds from one start at most, *assumed*: each gains something, and few gain more than a little.
const ROUNDS_MAX: usize = 16;
/// Seed of the starts.
const SEED: u64 = 1;

/// Space of the keys that are named, each with its values or with those that it may have, and of those that somebody of `who` can turn.
///
/// # Errors
/// When a key cannot be free, or none is.
pub fn free_space(plan: &Plan, point: &Point, free: &[(String, Vec<String>)], who: &[Turns]) -> Result<Space, Refused> {
    let mut axes: Vec<Axis> = Vec::new();
    for (name, values) in free {
        let called = if values.is_empty() { name.clone() } else { format!("{name}={}", values.join(",")) };
        let axis = free_key(plan, point, name, values);
        let axis = axis.map_err(|error| Refused(format!("--free {called}: {error}")))?;
        if axes.iter().any(|known| known.key.name == axis.key.name) {
            return Err(Refused(format!("--free {called}: it is free already")));
        }
        axes.push(axis);
    }
    for role in who {
        for axis in turned_by(plan, point, *role) {
            if axes.iter().all(|known| known.key.name != axis.key.name) {
                axes.push(axis);
            }
        }
    }
    if axes.is_empty() {
        return Err(Refused(format!(
            "{}: nobody named by --who can turn a key here; `airtime keys` says who turns what, --free names keys",
            plan.file
        )));
    }
    Ok(Space { axes })
}

/// Request for a search.
#[derive(Clone, Copy, Debug)]
pub struct Search<'a> {
    /// Space that is searched.
    pub space: &'a Space,
    /// Goal of it: what is to be best, within which limits.
    pub goal: &'a Goal,
    /// Points up to which every one is run.
    pub exhaustive_max: u64,
    /// Starts besides the point as it is.
    pub restarts: usize,
    /// Threads; zero: one per core.
    pub threads: usize,
    /// Folder where points are kept, and read back from.
    pub folder: Option<&'a RunFolder>,
    /// Part to do: some of the points, or of the starts, dealt like cards.
    pub shard: Shard,
}

impl<'a> Search<'a> {
    /// Search of `space` for the `goal` on every core, without a folder.
    pub const fn new(space: &'a Space, goal: &'a Goal) -> Self {
        let (exhaustive_max, restarts) = (EXHAUSTIVE_MAX, RESTARTS);
        Self { space, goal, exhaustive_max, restarts, threads: 0, folder: None, shard: Shard::WHOLE }
    }

    /// True if every point is run.
    pub fn is_exhaustive(&self) -> bool {
        self.space.len() <= self.exhaustive_max
    }

    /// Parts that the search can have at most: points, or starts.
    pub fn parts_max(&self) -> u64 {
        if self.is_exhaustive() { self.space.len() } else { 1 + self.restarts as u64 }
    }

    /// The part as its folder says it, of a search around `point` of `plan`; none of the whole.
    pub fn part(&self, plan: &Plan, point: &Point) -> Option<Part> {
        let (shard, points) = (self.shard.to_string(), self.space.len());
        (self.shard != Shard::WHOLE).then(|| Part { shard, points, grid: self.digest(plan, point), search: true })
    }

    /// Digest of the search around `point` of `plan`, by which its parts are told from those of others.
    pub fn digest(&self, plan: &Plan, point: &Point) -> Digest {
        let limits = self.goal.limits.iter().map(ToString::to_string);
        let axes = self.space.axes.iter().flat_map(|axis| {
            let values = axis.values.iter().map(ToString::to_string);
            std::iter::once(axis.key.name.to_owned()).chain(values)
        });
        let how = [Digest::of_point(plan, point).to_string(), self.goal.aim.to_string()];
        let how = how.into_iter().chain([self.exhaustive_max.to_string(), self.restarts.to_string()]);
        let all: Vec<String> = how.chain(limits).chain(axes).collect();
        Digest::of(all.iter().map(String::as_str))
    }
}

/// Reason that a search came to nothing.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum NotTuned {
    /// Somebody stopped it before the point as it is was run.
    #[error("stopped before the point as it is was run")]
    Stopped,
    /// The points could not be kept.
    #[error(transparent)]
    Folder(#[from] FolderError),
}

/// Searches the space around `point` of `plan`. `watch` is told how many points were run, of how many where that is known; a set
/// `cancel` ends it with what was found.
///
/// # Errors
/// When it was stopped before anything was found, or points could not be kept.
pub fn tune(
    plan: &Plan,
    point: &Point,
    search: &Search<'_>,
    runner: &Run<'_>,
    watch: &(dyn Fn(usize, Option<u64>) + Sync),
    cancel: &AtomicBool,
) -> Result<Tuned, NotTuned> {
    let mut bench = Bench {
        plan,
        point,
        search,
        runner,
        watch,
        cancel,
        today: None,
        known: BTreeMap::new(),
        done: AtomicUsize::new(0),
    };
    let today = search.space.today();
    bench.run(vec![today.clone()])?;
    let Some(first) = bench.known.get(&today).cloned() else { return Err(NotTuned::Stopped) };
    let complete = if search.is_exhaustive() {
        let mine = (0..search.space.len()).filter(|number| search.shard.holds(*number as usize));
        bench.run(mine.map(|number| search.space.place(number)).collect())?
    } else {
        // What is around the best is known where all parts are.
        bench.descend_all()? && (search.shard != Shard::WHOLE || bench.look_around()?)
    };
    let tried: Vec<Tried> = bench.known.into_values().collect();
    let found = Tuned::of(&plan.name, point, search.space, search.goal, &tried, &first);
    Ok(Tuned { stopped: !complete, ..found })
}

/// Bench on which points of one space are run, none twice.
struct Bench<'a> {
    plan: &'a Plan,
    point: &'a Point,
    search: &'a Search<'a>,
    runner: &'a Run<'a>,
    watch: &'a (dyn Fn(usize, Option<u64>) + Sync),
    cancel: &'a AtomicBool,
    /// Record of the point as it is, which limits may be about.
    today: Option<Record>,
    known: BTreeMap<Place, Tried>,
    done: AtomicUsize,
}

impl Bench<'_> {
    /// Runs those of `places` that were not run yet; false when it was stopped before all of them were.
    fn run(&mut self, places: Vec<Place>) -> Result<bool, NotTuned> {
        let mut new: Vec<Place> = places.into_iter().filter(|place| !self.known.contains_key(place)).collect();
        new.sort_unstable();
        new.dedup();
        let Search { space, goal, threads, folder, .. } = *self.search;
        let whole = self.search.is_exhaustive() && self.search.shard == Shard::WHOLE;
        let total = whole.then(|| space.len());
        let runner = |place: &Place| {
            let record = self.record(place);
            (self.watch)(self.done.fetch_add(1, Ordering::Relaxed) + 1, total);
            record
        };
        let name = |place: &Place| self.name(place);
        let sweep = Sweep {
            threads,
            folder: folder.map(|folder| (folder, &name as _)),
            cancel: self.cancel,
            ..Sweep::new(&new, &runner)
        };
        let (mut found, mut first) = (Vec::new(), None);
        let today = self.today.as_ref();
        let ended = sweep.run_into(|position, record: Record| {
            found.push(Tried::of(space, goal, &new[position], &record, today));
            first.get_or_insert(record);
        });
        let complete = found.len() == new.len() && !self.cancel.load(Ordering::Relaxed);
        if let Some(error) = ended.unwritten {
            return Err(error.into());
        }
        // What was running when somebody had enough is no whole run.
        if complete || self.today.is_some() {
            let whole = |tried: &Tried| !tried.outcome.starts_with("interrupted");
            self.known.extend(found.into_iter().filter(whole).map(|tried| (tried.place.clone(), tried)));
        }
        if self.today.is_none() && complete {
            self.today = first;
            self.settle_today();
        }
        Ok(complete)
    }

    /// The point as it is beside itself: the limits that are about a difference know it now.
    fn settle_today(&mut self) {
        let Search { space, goal, .. } = *self.search;
        let (place, today) = (space.today(), self.today.as_ref());
        if let Some(record) = today {
            self.known.insert(place.clone(), Tried::of(space, goal, &place, record, today));
        }
    }

    fn at(&self, place: &Place) -> Option<Point> {
        combined(self.plan, self.point, &self.search.space.changes(place))
    }

    /// Record of the point at `place`; of one that is impossible, or that a limit forbids, one that says so.
    fn record(&self, place: &Place) -> Record {
        let none = |why: &str| Record { outcome: format!("{IMPOSSIBLE}{why}"), ..Record::default() };
        let Some(point) = self.at(place) else { return none("these values do not go together") };
        match self.search.goal.forbids(&*point.scenario.link) {
            Some(limit) => none(&format!("{limit} does not hold")),
            None => (self.runner)(self.plan, &point),
        }
    }

    fn name(&self, place: &Place) -> Digest {
        match self.at(place) {
            Some(point) => Digest::of_point(self.plan, &point),
            None => {
                let changes = self.search.space.changes(place);
                let set: Vec<String> = changes.into_iter().map(|(name, value)| format!("{name}={value}")).collect();
                Digest::of([self.plan.name.as_str(), IMPOSSIBLE, &set.join(" ")])
            }
        }
    }

    /// Descends from the point as it is, and from places that are drawn.
    fn descend_all(&mut self) -> Result<bool, NotTuned> {
        let space = self.search.space;
        let mut stream = stream(SEED, "tune/starts");
        for start in 0..=self.search.restarts {
            let place = if start == 0 { space.today() } else { drawn(space, &mut stream) };
            let order = shuffled(space.axes.len(), &mut stream);
            if self.search.shard.holds(start) && !self.descend(place, &order)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Takes one axis after the other to its best value until a whole round gains nothing.
    fn descend(&mut self, mut at: Place, order: &[usize]) -> Result<bool, NotTuned> {
        if !self.run(vec![at.clone()])? {
            return Ok(false);
        }
        for _ in 0..ROUNDS_MAX {
            let before = at.clone();
            for axis in order {
                let values = 0..self.search.space.axes[*axis].values.len();
                let line: Vec<Place> = values
                    .map(|value| {
                        let mut place = at.clone();
                        place[*axis] = value;
                        place
                    })
                    .collect();
                if !self.run(line.clone())? {
                    return Ok(false);
                }
                let best = line.iter().filter_map(|place| self.known.get(place));
                let best = best.min_by(|one, other| self.search.goal.order(self.search.space, one, other));
                // Where nothing on the line may be chosen, it is left where it is.
                if let Some(best) = best.filter(|best| best.is_allowed()) {
                    at = best.place.clone();
                }
            }
            if at == before {
                break;
            }
        }
        Ok(true)
    }

    /// Runs the points a step away from the best, which are told with it.
    fn look_around(&mut self) -> Result<bool, NotTuned> {
        let Search { space, goal, .. } = *self.search;
        let allowed = self.known.values().filter(|tried| tried.is_allowed());
        let best = allowed.min_by(|one, other| goal.order(space, one, other)).map(|best| best.place.clone());
        let Some(best) = best else { return Ok(true) };
        self.run(space.around(&best).into_iter().map(|(_, place)| place).collect())
    }
}

fn drawn(space: &Space, stream: &mut Stream) -> Place {
    space.axes.iter().map(|axis| stream.below(axis.values.len() as u64) as usize).collect()
}

/// The numbers below `count` in an order of chance. R. Durstenfeld, Algorithm 235, 1964.
pub(crate) fn shuffled(count: usize, stream: &mut Stream) -> Vec<usize> {
    let mut order: Vec<usize> = (0..count).collect();
    for last in (1..count).rev() {
        order.swap(last, stream.below(last as u64 + 1) as usize);
    }
    order
}
