//! Points of plans as one grid: named in a run folder, run, and remarked on.

use std::borrow::Cow;
use std::sync::atomic::{AtomicBool, Ordering};

use airtime_lab::links::Scenario;
use airtime_lab::plan::CHECKED_MAX;
use airtime_lab::run::{self, Repeats};
use airtime_lab::{Plan, Point, Record, limiting_default};

use super::Selected;
use crate::{Digest, KeptRecord, Memo, Part, Shard};

/// Points of plans, in the order of their records.
#[derive(Clone, Copy, Debug)]
pub struct Grid<'a> {
    /// Plans that the points are of.
    pub plans: &'a [Plan],
    /// The points.
    pub points: &'a [Selected],
}

impl Grid<'_> {
    /// Record of a point: of one that cannot be run, one that says why. Equal scenarios are run once where there is a `memo`; a set `cancel`
    /// ends it early.
    pub fn record(&self, selected: Selected, memo: Option<&Memo>, cancel: &AtomicBool) -> Record {
        let stop = || cancel.load(Ordering::Relaxed);
        let runs = |scenario: &dyn Scenario| match memo {
            Some(memo) => memo.ran(scenario, &stop),
            None => Repeats::of(scenario, &stop),
        };
        let plan = &self.plans[selected.plan];
        match selected.point(self.plans) {
            Ok(point) => run::record_of(plan, &point, &runs),
            Err(error) => run::impossible(plan, selected.index, &error),
        }
    }

    /// Digest that names a point in a run folder, one that cannot be run too.
    pub fn digest(&self, selected: Selected) -> Digest {
        let plan = &self.plans[selected.plan];
        match selected.point(self.plans) {
            Ok(point) => Digest::of_point(plan, &point),
            Err(error) => Digest::of_impossible(plan, selected.index, &error),
        }
    }

    /// Part of the grid that a run folder is for, with what tells the grid from any other; nothing where it is for the whole.
    pub fn part(&self, shard: Shard) -> Option<Part> {
        if shard == Shard::WHOLE {
            return None;
        }
        let grid = if self.is_small() { self.digest_of_all() } else { self.digest_of_names() };
        Some(Part { shard: shard.to_string(), points: self.points.len() as u64, grid, search: false })
    }

    fn digest_of_all(&self) -> Digest {
        let all: Vec<String> = self.points.iter().map(|selected| self.digest(*selected).to_string()).collect();
        Digest::of(all.iter().map(String::as_str))
    }

    /// Digest of what the ids of the points follow from, and of the first and the last of them, which say the rest of the plan: a part
    /// of a large grid does not look at all of it.
    fn digest_of_names(&self) -> Digest {
        let ends = self.points.first().into_iter().chain(self.points.last());
        let mut all: Vec<String> = ends.map(|selected| self.digest(*selected).to_string()).collect();
        for points in self.points.chunk_by(|one, next| one.plan == next.plan && one.index + 1 == next.index) {
            let Selected { plan, index } = points[0];
            all.extend(self.plans[plan].coordinates_by_name());
            all.push(format!("{index}+{}", points.len()));
        }
        Digest::of(all.iter().map(String::as_str))
    }

    /// True if `kept` is of the point at `position`, as far as a part of the grid tells it from others.
    pub fn is_of(&self, position: usize, kept: &KeptRecord<'_>) -> bool {
        let same = |selected: &Selected| match self.is_made(position) {
            true => kept.point == self.digest(*selected),
            false => kept.record.id == selected.id(self.plans),
        };
        self.points.get(position).is_some_and(same)
    }

    /// Set for a point that is made to tell grids apart. Of a large grid what lies between the first and the last follows from the ids: a
    /// point of it is made when it is run.
    fn is_made(&self, position: usize) -> bool {
        self.is_small() || position == 0 || position + 1 == self.points.len()
    }

    const fn is_small(&self) -> bool {
        self.points.len() <= CHECKED_MAX
    }
}

/// Name of `plan` with the link of `point`: what a run folder of points around it is of.
pub fn named_link(plan: &Plan, point: &Point) -> String {
    format!("{} ({})", plan.name, point.scenario.link.link())
}

/// Names of `plans`, each with its link: what a run folder is of.
pub fn named(plans: &[Plan]) -> String {
    let link = |plan: &Plan| plan.point(0).map_or("", |point| point.scenario.link.link());
    plans.iter().map(|plan| format!("{} ({})", plan.name, link(plan))).collect::<Vec<_>>().join(", ")
}

/// Remark on what the first of the records of a plan that a default limits comes to without it: `origins` are their points.
pub fn remark<'a>(
    plans: &[Plan],
    plan: usize,
    origins: &[Selected],
    records: impl IntoIterator<Item = Cow<'a, Record>>,
    cancel: &AtomicBool,
) -> Option<String> {
    let stop = || cancel.load(Ordering::Relaxed);
    let runs = origins.iter().map(|origin| move || origin.point(plans).ok()).zip(records);
    limiting_default::remark(&plans[plan], runs, &stop)
}
