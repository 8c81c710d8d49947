//! Folding: a rung that only sets anew what one before it has set becomes part of that one, where the ladder is as good without it.
//! Nobody turns a key twice.

use airtime_lab::explain::{GAIN_MIN_PCT, Worth, combined};

use super::bench::Bench;
use super::climb::Step;
use super::stage::Changes;

/// Part of the goodput at the end that a shorter ladder may lose, *assumed*: a nearer value of a rung between may come to a packet less.
const HELD: f64 = 0.998;
/// Part of its goodput that a rung may lose to a value that a later one likes better, *assumed*: it is advice for whoever stops there.
const RUNG_HELD: f64 = 0.95;

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
    let mut found: Vec<Step> = steps[..first].to_vec();
    let (mut point, mut before) = (steps[first].before.clone(), None);
    for (index, step) in steps.iter().enumerate().skip(first).filter(|(index, _)| *index != later) {
        let changes =
            if index == first { set_anew(&step.changes, &steps[later].changes) } else { step.changes.clone() };
        let Some(after) = combined(bench.plan, &point, &changes) else { return Some(None) };
        let was = match before.take() {
            Some(worth) => worth,
            None => Worth::of(&bench.whole(&point)?),
        };
        let record = bench.whole(&after)?;
        let worth = Worth::of(&record);
        let held = Worth::of(&step.record).kbps * RUNG_HELD;
        if !worth.keeps(&was) || worth.gain_pct(&was) < GAIN_MIN_PCT || worth.kbps < held {
            return Some(None);
        }
        found.push(Step { changes, before: point.clone(), point: after.clone(), record, ..step.clone() });
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
