//! Folding: a rung that only sets anew what one before it has set becomes part of that one, and one whose gain those after it make up for is
//! left out, where the ladder is as good without it. Nobody turns a key twice, or for nothing.

use airtime_lab::explain::{GAIN_MIN_PCT, Length, Worth, combined};

use super::bench::Bench;
use super::climb::Step;
use super::stage::Changes;

/// Part of the goodput at the end that a shorter ladder may lose, *assumed*: a nearer value of a rung between may come to a packet less.
const HELD: f64 = 0.998;
/// Part of its goodput that a rung may lose to a value that a later one likes better, *assumed*: it is advice for whoever stops there.
const RUNG_HELD: f64 = 0.95;
/// The same in a short run, in which a packet more or less counts for more, *assumed*.
const NEARLY_HELD: f64 = 0.99;
/// Gain in percent below which a rung may be for nothing, *assumed*: what gains more is advice for whoever stops there.
const SMALL_PCT: f64 = 5.0;

/// `steps`, with every later value of a key in the rung that turned it first, as far as each rung that is left gains there.
///
/// Nothing when it was stopped before.
pub fn folded(bench: &mut Bench<'_>, steps: &[Step]) -> Option<Vec<Step>> {
    let mut best = steps.to_vec();
    let mut later = 1;
    while later < best.len() {
        let shorter = match earlier(&best, later) {
            Some(first) => without(bench, &best, first, later)?,
            None => None,
        };
        match shorter {
            Some(shorter) => best = shorter,
            None => later += 1,
        }
    }
    Some(best)
}

/// The step before `later` that turned all of its keys, if nothing that nobody can turn lies between: what stands on that is no advice
/// without it.
fn earlier(steps: &[Step], later: usize) -> Option<usize> {
    let last = steps.get(later).filter(|last| last.is_applied && !last.is_environment)?;
    let turns_all = |step: &Step| last.changes.iter().all(|(name, _)| step.changes.iter().any(|(own, _)| own == name));
    let since = steps[..later].iter().rposition(|step| step.is_applied && step.is_environment).map_or(0, |at| at + 1);
    (since..later).find(|first| steps[*first].is_applied && turns_all(&steps[*first]))
}

/// `steps` with the changes of `later` in `first`; none where one of them gains too little then, or less is reached.
fn without(bench: &mut Bench<'_>, steps: &[Step], first: usize, later: usize) -> Option<Option<Vec<Step>>> {
    let mut rest = steps[first..].to_vec();
    rest[0].changes = set_anew(&steps[first].changes, &steps[later].changes);
    rest.remove(later - first);
    climbed(bench, steps, first, &rest)
}

/// `steps` without those of small gain that change nothing of where the ladder ends; the first is the cause, and stays.
///
/// Nothing when it was stopped before.
pub fn pruned(bench: &mut Bench<'_>, steps: &[Step]) -> Option<Vec<Step>> {
    let mut best = steps.to_vec();
    let Some(first) = best.iter().position(|step| step.is_applied) else { return Some(best) };
    let mut index = first + 1;
    while index + 1 < best.len() {
        let is_candidate = best[index].is_applied && !best[index].is_environment && is_small(&best, index);
        let shorter = if is_candidate && is_spare(bench, &best, index)? {
            climbed(bench, &best, index, &best[index + 1..])?
        } else {
            None
        };
        match shorter {
            Some(shorter) => best = shorter,
            None => index += 1,
        }
    }
    Some(best)
}

/// Tells if the step of this index gains little over the one that it stands on.
fn is_small(steps: &[Step], index: usize) -> bool {
    let was = steps[..index].iter().rfind(|step| step.is_applied).map(|step| Worth::of(&step.record));
    was.is_some_and(|was| (0.0..SMALL_PCT).contains(&Worth::of(&steps[index].record).gain_pct(&was)))
}

/// Tells if short runs of the end of the ladder with and without the step of this index come to the same.
fn is_spare(bench: &mut Bench<'_>, steps: &[Step], index: usize) -> Option<bool> {
    let Some(last) = steps.iter().rfind(|step| step.is_applied) else { return Some(false) };
    let after = steps[index + 1..].iter().filter(|step| step.is_applied);
    let changes: Changes = after.flat_map(|step| step.changes.clone()).collect();
    let Some(without) = combined(bench.plan, &steps[index].before, &changes) else { return Some(false) };
    let [_, length] = Length::of(&last.record);
    let worths = bench.worths(&[last.point.clone(), without], length)?;
    Some(worths[1].kbps >= worths[0].kbps * NEARLY_HELD)
}

/// The first `kept` of `steps`, and the `rest` on top of them; none where one of those gains too little there, or less is reached.
fn climbed(bench: &mut Bench<'_>, steps: &[Step], kept: usize, rest: &[Step]) -> Option<Option<Vec<Step>>> {
    let mut found: Vec<Step> = steps[..kept].to_vec();
    let (mut point, mut before) = (steps[kept].before.clone(), None);
    for step in rest {
        let Some(after) = combined(bench.plan, &point, &step.changes) else { return Some(None) };
        let was = match before.take() {
            Some(worth) => worth,
            None => Worth::of(&bench.whole(&point)?),
        };
        let record = bench.whole(&after)?;
        let worth = Worth::of(&record);
        let gains = worth.keeps(&was) && worth.gain_pct(&was) >= GAIN_MIN_PCT || worth.evens_out(&was);
        if !gains || worth.kbps < Worth::of(&step.record).kbps * RUNG_HELD {
            return Some(None);
        }
        found.push(Step { before: point.clone(), point: after.clone(), record, ..step.clone() });
        if step.is_applied {
            (point, before) = (after, Some(worth));
        } else {
            before = Some(was);
        }
    }
    let end = |steps: &[Step]| steps.iter().rev().find(|step| step.is_applied).map(|step| Worth::of(&step.record).kbps);
    Some((end(&found) >= end(steps).map(|kbps| kbps * HELD)).then_some(found))
}

/// `changes` with the values of `anew`.
fn set_anew(changes: &Changes, anew: &Changes) -> Changes {
    let value = |name: &str| anew.iter().find(|(other, _)| other == name).map(|(_, value)| value.clone());
    changes.iter().map(|(name, old)| (name.clone(), value(name).unwrap_or_else(|| old.clone()))).collect()
}
