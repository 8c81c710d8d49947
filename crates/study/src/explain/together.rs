//! Changes of several keys together: what one hides another may need.

use airtime_lab::Point;
use airtime_lab::explain::{Candidate, GAIN_MIN_PCT, TOGETHER_MAX, Worth, candidates, combined, set_arguments};
use serde_json::Value;

use super::bench::{Bench, Job};
use super::search::{Lengths, NEXT, promising, screen};

/// Combinations that are run as long as the plan says.
const FINALISTS: usize = 2;

/// Several changes, each with its value.
pub type Changes = Vec<(String, Value)>;

/// The changes that gain most together, with the worth of a run with all of them; nothing when they gain no more than the best of
/// `singles` alone.
///
/// From the best change on, the search begins anew at the point that it leads to: one buffer hides what a longer packet would gain.
/// Pairs and triples of what gains alone are tried beside that.
pub fn together(
    bench: &mut Bench<'_>,
    point: &Point,
    base: &Worth,
    singles: &[(Candidate, Worth)],
) -> Option<Option<(Changes, Worth)>> {
    let Some((first, alone)) = singles.first() else { return Some(None) };
    // More may happen in a run with the change than in one without, and then less of it tells as much.
    let lengths = Lengths::of(bench, &first.point)?;
    let mut options = climbed(bench, lengths, point, first)?;
    options.extend(pairs_and_triples(singles));
    let mut points: Vec<(Changes, Point)> = Vec::new();
    for changes in options {
        let new = !points.iter().any(|(other, _)| *other == changes);
        points.extend(combined(bench.plan, point, &changes).filter(|_| new).map(|point| (changes, point)));
    }
    let short = lengths.0[1];
    let mut plain = |point: &Point| bench.run(&[Job { point: short.cut(bench.plan, point), set: "" }], None, false);
    let (base_short, alone_short) = (plain(point)?.remove(0).worth, plain(&first.point)?.remove(0).worth);
    let cut: Vec<(String, Point)> =
        points.iter().map(|(changes, point)| (set_arguments(changes), short.cut(bench.plan, point))).collect();
    let jobs: Vec<Job<'_>> = cut.iter().map(|(set, point)| Job { point: point.clone(), set }).collect();
    let outcomes = bench.run(&jobs, Some(&base_short), false)?;
    let mut ranked: Vec<(f64, (Changes, Point))> = outcomes.iter().map(|one| one.worth.kbps).zip(points).collect();
    // Fewer changes come first where they are as good, for the sort is stable.
    ranked.sort_by(|a, b| b.0.total_cmp(&a.0));
    ranked.truncate(FINALISTS);
    ranked.retain(|(kbps, _)| *kbps >= alone_short.kbps * (1.0 + GAIN_MIN_PCT / 200.0));
    let jobs: Vec<Job<'_>> = ranked.iter().map(|(_, (_, point))| Job { point: point.clone(), set: "" }).collect();
    let outcomes = bench.run(&jobs, None, false)?;
    let better = |worth: &Worth| worth.keeps(base) && worth.gain_pct(alone) >= GAIN_MIN_PCT;
    let whole = ranked.into_iter().map(|(_, (changes, _))| changes).zip(outcomes.into_iter().map(|one| one.worth));
    Some(whole.filter(|(_, worth)| better(worth)).max_by(|a, b| a.1.kbps.total_cmp(&b.1.kbps)))
}

/// Two, three, … changes, each the best after those before it.
fn climbed(bench: &mut Bench<'_>, lengths: Lengths, point: &Point, first: &Candidate) -> Option<Vec<Changes>> {
    let mut found: Vec<Changes> = Vec::new();
    let (mut at, mut changes) = (first.point.clone(), first.changes.clone());
    for _ in 1..TOGETHER_MAX {
        let set = |candidate: &Candidate| changes.iter().any(|(name, _)| name == candidate.key);
        let others = candidates(bench.plan, &at).into_iter().filter(|candidate| !set(candidate)).collect();
        let tried = screen(bench, lengths, &at, others, NEXT)?;
        let best = promising(bench, lengths, &at, &tried, NEXT)?.into_iter().next();
        let Some(best) = best.filter(|best| best.gain >= GAIN_MIN_PCT) else { break };
        changes.extend(best.candidate.changes);
        let Some(next) = combined(bench.plan, point, &changes) else { break };
        at = next;
        found.push(changes.clone());
    }
    Some(found)
}

/// Every two, and every three, of what gains alone.
fn pairs_and_triples(singles: &[(Candidate, Worth)]) -> Vec<Changes> {
    let subsets = 1_usize..1 << singles.len().min(TOGETHER_MAX);
    let several = subsets.filter(|subset| subset.count_ones() > 1);
    let of = |subset: usize| {
        let chosen = singles.iter().enumerate().filter(|(index, _)| subset >> index & 1 == 1);
        chosen.flat_map(|(_, (candidate, _))| candidate.changes.clone()).collect()
    };
    several.map(of).collect()
}
