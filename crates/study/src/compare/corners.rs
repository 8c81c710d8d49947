//! Both ends of what is assumed: does a verdict hold at each of them?

use airtime_lab::compare::ends::{Unknown, assumed, of_ranges};
use airtime_lab::compare::{Dependence, Ends, Estimate, Verdict, is_exact, middle_change, verdict};
use airtime_lab::explain::Length;
use airtime_lab::{Figure, Plan, Point, Record};

use super::runs::{Bench, Pairs, seeded};
use super::{NotCompared, Question, same};

/// Seeds of a corner where something is drawn at random, *assumed*: as many as at the first look.
const SEEDS: u64 = super::REPEATS_MIN as u64;

/// Two points that are compared at one corner.
struct Corner {
    on: String,
    at: String,
    points: [(Plan, Point); 2],
}

/// Runs the corners of both in a part of the time, and those that seem to turn the verdict as long as their plans say.
pub fn ends(
    bench: &Bench<'_>,
    points: [&(Plan, Point); 2],
    pairs: &Pairs,
    figure: &Figure,
    question: &Question,
    found: Verdict,
) -> Result<Ends, NotCompared> {
    let corners = corners(points);
    let seeds = if pairs.is_exact() { 1 } else { SEEDS };
    let [_, length] = Length::of(pairs.first()[0]);
    let turned = |estimate: &Estimate| {
        let there = verdict(figure, estimate, question.threshold);
        // Chance alone turns nothing.
        Some(there).filter(|there| *there != found && *there != Verdict::Depends)
    };
    let all: Vec<&Corner> = corners.iter().collect();
    let short = estimates(bench, &all, length, seeds, figure)?;
    let doubtful: Vec<&Corner> = all
        .iter()
        .zip(&short)
        .filter(|(_, estimate)| estimate.as_ref().is_none_or(|estimate| turned(estimate).is_some()))
        .map(|(corner, _)| *corner)
        .collect();
    let whole = estimates(bench, &doubtful, Length::WHOLE, seeds, figure)?;
    let mut depends_on = Vec::new();
    for (corner, estimate) in doubtful.iter().zip(whole) {
        let Some(estimate) = estimate else { continue };
        if let Some(verdict) = turned(&estimate) {
            let change_pct = middle_change(figure, &estimate);
            depends_on.push(Dependence { on: corner.on.clone(), at: corner.at.clone(), change_pct, verdict });
        }
    }
    Ok(Ends { run: corners.len(), depends_on })
}

/// Estimates of `figure` at corners, in runs of a `length` with so many seeds.
fn estimates(
    bench: &Bench<'_>,
    corners: &[&Corner],
    length: Length,
    seeds: u64,
    figure: &Figure,
) -> Result<Vec<Option<Estimate>>, NotCompared> {
    let mut runs: Vec<(&Plan, Point)> = Vec::new();
    for corner in corners {
        for number in 0..seeds {
            for (plan, point) in &corner.points {
                let cut = length.cut(plan, point);
                runs.push((plan, seeded(plan, &cut, point.scenario.run().seed + number)));
            }
        }
    }
    let records = bench.records(&runs)?;
    let of_corner = |records: &[Record]| {
        let exact = is_exact(records);
        let (a, b): (Vec<f64>, Vec<f64>) = records
            .chunks_exact(2)
            .map(|pair| Some((figure.of(&pair[0])?, figure.of(&pair[1])?)))
            .collect::<Option<Vec<_>>>()?
            .into_iter()
            .unzip();
        Some(if exact { Estimate::exact(a[0], b[0]) } else { Estimate::of_pairs(&a, &b) })
    };
    Ok(records.chunks(2 * seeds as usize).map(of_corner).collect())
}

/// Every corner of the ranges of both plans, and both ends of each value that a device of either assumes.
fn corners([a, b]: [&(Plan, Point); 2]) -> Vec<Corner> {
    let mut found: Vec<Corner> = Vec::new();
    // Where both have ranges, they are those of the same keys, or each stands for itself.
    for (which, (_, point)) in [a, b].into_iter().enumerate() {
        for (at, (_, set)) in of_ranges(point) {
            let own = |(_, point): &(Plan, Point), (key, _): &(String, serde_json::Value)| {
                point.unlogged.iter().any(|range| range.key == key)
            };
            let there = |of: &(Plan, Point)| {
                let set: Vec<_> = set.iter().filter(|one| own(of, one)).cloned().collect();
                let (plan, point) = of;
                Some((plan.clone(), if set.is_empty() { point.clone() } else { plan.vary(point, &set).ok()? }))
            };
            let is_known = which == 1 && found.iter().any(|corner| corner.at == at);
            if let (false, Some(first), Some(second)) = (is_known, there(a), there(b)) {
                let on = set.iter().map(|(key, _)| key.as_str()).collect::<Vec<_>>().join(" and ");
                found.push(Corner { on, at, points: [first, second] });
            }
        }
    }
    let mut unknowns: Vec<Unknown> = assumed(&a.0, &a.1);
    for unknown in assumed(&b.0, &b.1) {
        if !unknowns.iter().any(|known| known.name == unknown.name) {
            unknowns.push(unknown);
        }
    }
    for unknown in &unknowns {
        for end in 0..unknown.ends.len() {
            let there = |of: &(Plan, Point)| {
                if unknown.concerns(&of.1) { unknown.at(&of.0, &of.1, end) } else { Some(of.clone()) }
            };
            let Some(points) = there(a).zip(there(b)) else { continue };
            let (first, second) = points;
            if same(&first.1, &a.1) && same(&second.1, &b.1) {
                continue;
            }
            let at = unknown.ends[end].as_str().map_or_else(|| unknown.ends[end].to_string(), str::to_owned);
            found.push(Corner { on: unknown.name.clone(), at, points: [first, second] });
        }
    }
    found
}
