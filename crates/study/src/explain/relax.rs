//! Relaxation of a mechanism: all of its keys together at the best that their owners could set, in real runs.

use airtime_lab::explain::lever::is_worded;
use airtime_lab::explain::{Lever, Way, combined, levers as all_levers};
use serde_json::Value;

use super::stage::{Changes, Stage, Tried, Wish, with};
use super::unit::Unit;

/// Part of the goodput that a relaxed run may lose and still be where the search goes on, *assumed*: what is relaxed without effect
/// ends a packet earlier or later.
const HELD: f64 = 0.995;
/// Factor above which a value of a key is better than the one before it, *assumed*: less is a packet more at the end.
const BETTER: f64 = 1.002;
/// Loss in percent behind which a better value between two that lose may still hide, *assumed*.
const HOPE_PCT: f64 = 0.5;
/// Difference in percent below which a key makes none, *assumed*.
const DULL_PCT: f64 = 0.5;

/// Keys none of whose values gained anything at a point before: they are not tried again until all else is eased.
pub type Dull = Vec<&'static str>;

/// `units`, each relaxed alone at the point of `stage`.
pub fn relax_all(stage: &mut Stage<'_, '_>, units: &[Unit], dull: &mut Dull) -> Option<Vec<Tried>> {
    let jumps: Vec<Changes> = units.iter().map(|unit| stage.fitted(&wishes(&unit.levers))).collect();
    let runs = stage.run(jumps.iter().filter(|jump| !jump.is_empty()).cloned().collect())?;
    let jumped = |jump: Changes| runs.iter().find(|run| !jump.is_empty() && run.changes == jump).cloned();
    let jumped: Vec<Option<Tried>> = jumps.into_iter().map(jumped).collect();
    units.iter().zip(jumped).map(|(unit, jumped)| relaxed(stage, &unit.levers, jumped, dull)).collect()
}

/// `levers` relaxed together.
pub fn relax(stage: &mut Stage<'_, '_>, levers: &[Lever]) -> Option<Tried> {
    let jump = stage.fitted(&wishes(levers));
    let jumped = if jump.is_empty() { None } else { stage.run(vec![jump])?.pop() };
    relaxed(stage, levers, jumped, &mut Dull::new())
}

/// `levers` relaxed from where all that more or less of it eases was `jumped` to at once.
fn relaxed(stage: &mut Stage<'_, '_>, levers: &[Lever], jumped: Option<Tried>, dull: &mut Dull) -> Option<Tried> {
    let mut from = match jumped {
        Some(tried) if holds(stage, &tried) => tried,
        Some(_) => added(stage, wishes(levers))?,
        None => stage.nothing(),
    };
    if levers.iter().any(|lever| lever.is_touched() && lever.eases.way == Way::Either) {
        let back = restored(stage, levers)?;
        if back.worth.kbps > from.worth.kbps * BETTER {
            from = back;
        }
    }
    if let Some(fitting) = refitted(stage, levers, &from)?
        && fitting.worth.keeps(&stage.base)
        && fitting.worth.kbps > from.worth.kbps * BETTER
    {
        from = fitting;
    }
    searched(stage, levers, from, dull)
}

/// `from` with every other lever at the nearest larger value that fits the rest of the scenario there: an MTU, a K-frame and a buffer that
/// fill longer packets gain nothing one by one. None where nothing more fits.
fn refitted(stage: &mut Stage<'_, '_>, levers: &[Lever], from: &Tried) -> Option<Option<Tried>> {
    let Some(point) = combined(stage.bench.plan, &stage.at, &from.changes).filter(|_| !from.changes.is_empty()) else {
        return Some(None);
    };
    let mut changes = from.changes.clone();
    for lever in all_levers(stage.bench.plan, &point, &[]) {
        let is_ours = levers.iter().any(|own| own.key.name == lever.key.name && own.eases.way == Way::Either);
        let number = |value: &Value| lever.key.kind.number(value);
        let now = number(&lever.now);
        let larger = lever.natural.iter().filter(|value| now.is_some() && number(value) > now);
        if let Some(nearest) = larger.min_by_key(|value| number(value)).filter(|_| is_ours && !is_worded(lever.key)) {
            changes.retain(|(name, _)| name != lever.key.name);
            changes.push((lever.key.name.to_owned(), nearest.clone()));
        }
    }
    let sets = if changes == from.changes { Vec::new() } else { vec![changes] };
    Some(stage.run(sets)?.pop())
}

/// `levers` set back to what they have by themselves, as far as somebody touched them and nothing is lost.
pub fn restored(stage: &mut Stage<'_, '_>, levers: &[Lever]) -> Option<Tried> {
    let back = levers.iter().filter_map(|lever| Some((lever, vec![lever.back()?.clone()])));
    added(stage, back.collect())
}

/// Each lever that more or less of it eases, with the values that it may take in a jump, the last of them first.
fn wishes(levers: &[Lever]) -> Vec<Wish<'_>> {
    levers.iter().map(|lever| (lever, lever.reach().to_vec())).filter(|(_, values)| !values.is_empty()).collect()
}

fn holds(stage: &Stage<'_, '_>, tried: &Tried) -> bool {
    tried.worth.keeps(&stage.base) && tried.worth.kbps >= stage.base.kbps * HELD
}

/// As many of `wishes` together as lose nothing: all of them that lose nothing alone, or else one added to the other.
fn added(stage: &mut Stage<'_, '_>, wishes: Vec<Wish<'_>>) -> Option<Tried> {
    let alone: Vec<Changes> = wishes.iter().map(|wish| stage.fitted(std::slice::from_ref(wish))).collect();
    let mut alone = stage.run(alone.into_iter().filter(|changes| !changes.is_empty()).collect())?;
    alone.retain(|tried| holds(stage, tried));
    alone.sort_by(|a, b| b.worth.kbps.total_cmp(&a.worth.kbps));
    let Some(first) = alone.first().cloned() else { return Some(stage.nothing()) };
    let union = |sets: &[&Changes]| -> Changes { sets.iter().flat_map(|set| (*set).clone()).collect() };
    if let Some(all) = stage.run(vec![union(&alone.iter().map(|tried| &tried.changes).collect::<Vec<_>>())])?.pop()
        && all.worth.keeps(&stage.base)
        && all.worth.kbps >= first.worth.kbps * HELD
    {
        return Some(all);
    }
    let mut best = first;
    for tried in alone.iter().skip(1) {
        let Some(both) = stage.run(vec![union(&[&best.changes, &tried.changes])])?.pop() else { continue };
        if both.worth.keeps(&stage.base) && both.worth.kbps >= best.worth.kbps * HELD {
            best = both;
        }
    }
    Some(best)
}

/// The best values, one key after the other, of what neither more nor less of it eases, on top of `from`.
pub fn searched(stage: &mut Stage<'_, '_>, levers: &[Lever], from: Tried, dull: &mut Dull) -> Option<Tried> {
    let mut best = from;
    let mut either: Vec<&Lever> = levers.iter().filter(|lever| lever.eases.way == Way::Either).collect();
    either.sort_by_key(|lever| !lever.is_touched());
    either.retain(|lever| !dull.contains(&lever.key.name));
    for lever in either {
        let (probes, between) = parted(lever);
        let mut found = valued(stage, lever, &probes, &best)?;
        let hopeful = |tried: &Tried| {
            tried.worth.keeps(&stage.base) && tried.worth.gain_pct(&best.worth) > -HOPE_PCT && tried.worth != best.worth
        };
        if !between.is_empty() && found.iter().any(hopeful) {
            found.extend(valued(stage, lever, &between, &best)?);
        }
        if found.iter().all(|tried| tried.worth.gain_pct(&best.worth) < DULL_PCT) {
            dull.push(lever.key.name);
        }
        let kept = found.into_iter().filter(|tried| tried.worth.keeps(&stage.base));
        // Of several that come to the same, the first: the key's own value, or else the nearest.
        let most = kept.reduce(|a, b| if b.worth.kbps > a.worth.kbps * BETTER { b } else { a });
        if let Some(most) = most.filter(|most| most.worth.kbps > best.worth.kbps * BETTER) {
            best = most;
        }
    }
    Some(best)
}

/// Runs of the values of `lever` on top of `best`.
fn valued(stage: &mut Stage<'_, '_>, lever: &Lever, values: &[Value], best: &Tried) -> Option<Vec<Tried>> {
    let plan = stage.bench.plan;
    let possible = |value: &Value| {
        let sets = with(&best.changes, lever, value.clone(), &stage.at);
        sets.into_iter().find(|changes| airtime_lab::explain::combined(plan, &stage.at, changes).is_some())
    };
    let sets = values.iter().filter_map(possible).collect();
    stage.run(sets)
}

/// Values of a key that are tried first, and those between them: of numbers the nearest, the farthest and the middle of either side.
fn parted(lever: &Lever) -> (Vec<Value>, Vec<Value>) {
    if is_worded(lever.key) || lever.values.len() <= 6 {
        return (lever.values.clone(), Vec::new());
    }
    let number = |value: &Value| lever.key.kind.number(value);
    let now = number(&lever.now);
    let is_own = |value: &&Value| lever.own.as_ref() == Some(*value);
    let (below, above): (Vec<&Value>, Vec<&Value>) =
        lever.values.iter().filter(|value| !is_own(value)).partition(|value| number(value) < now);
    let probes = |side: &[&Value]| -> Vec<Value> {
        let mut places = vec![0, side.len() / 2, side.len().saturating_sub(1)];
        places.dedup();
        places.into_iter().filter_map(|place| side.get(place).map(|value| (*value).clone())).collect()
    };
    let first: Vec<Value> = lever.own.clone().into_iter().chain(probes(&below)).chain(probes(&above)).collect();
    let between = lever.values.iter().filter(|value| !first.contains(value)).cloned().collect();
    (first, between)
}
