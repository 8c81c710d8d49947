//! Reduction of a relaxation: the fewest keys, and the nearest values of them, that keep what it gains.

use airtime_lab::explain::Lever;
use airtime_lab::explain::Way;
use airtime_lab::explain::lever::is_worded;
use serde_json::Value;

use super::stage::{Changes, Stage, Tried, with};

/// Part of a gain that fewer changes have to keep.
pub const KEPT: f64 = 0.98;
/// Part of the goodput that a nearer value may lose, *assumed*: less than one percent of it is worth no longer interval and no more buffers.
const NEAR: f64 = 0.008;
/// Values of a key between the one in effect and the one that was found that are tried, *assumed*.
const BETWEEN_MAX: usize = 8;

/// `relaxed` with as few changes and as near values as keep its gain over the point of `stage`.
pub fn reduced(stage: &mut Stage<'_, '_>, relaxed: &Changes, levers: &[Lever]) -> Option<Tried> {
    let Some(mut best) = stage.run(vec![relaxed.clone()])?.pop() else { return Some(stage.nothing()) };
    let least = stage.base.kbps + KEPT * (best.worth.kbps - stage.base.kbps);
    best = fewest(stage, best, levers, least)?;
    let several = best.changes.len() > 1;
    let least_of_values = best.worth.kbps - (best.worth.kbps - least).max(NEAR * best.worth.kbps);
    for name in best.changes.iter().map(|(name, _)| name.clone()).collect::<Vec<_>>() {
        if let Some(lever) = levers.iter().find(|lever| lever.key.name == name) {
            best = nearest(stage, best, lever, least_of_values)?;
        }
    }
    // A nearer value may do without what a farther one needs.
    if several { fewest(stage, best, levers, least_of_values) } else { Some(best) }
}

fn without(changes: &Changes, name: &str) -> Changes {
    changes.iter().filter(|(other, _)| other != name).cloned().collect()
}

/// Changes are taken back one by one, those first that are farthest from what somebody set: of keys that nobody speaks of, and then of those
/// whose way back leads nowhere.
fn fewest(stage: &mut Stage<'_, '_>, from: Tried, levers: &[Lever], least: f64) -> Option<Tried> {
    let mut best = from;
    let set = |name: &str| {
        let lever = levers.iter().find(|lever| lever.key.name == name);
        lever.map(|lever| (lever.is_touched(), lever.said))
    };
    let mut names: Vec<String> = best.changes.iter().map(|(name, _)| name.clone()).collect();
    // The sort is stable: the last of the schema, which are farthest from the packet, go first.
    names.reverse();
    names.sort_by_key(|name| set(name));
    let alone = stage.run(names.iter().map(|name| without(&best.changes, name)).collect())?;
    let spare: Vec<String> = names
        .into_iter()
        .filter(|name| {
            let less = without(&best.changes, name);
            // Where one is impossible without the other nothing is known yet.
            alone.iter().find(|tried| tried.changes == less).is_none_or(|tried| keeps(stage, tried, least))
        })
        .collect();
    let all = spare.iter().fold(best.changes.clone(), |changes, name| without(&changes, name));
    if let Some(tried) =
        stage.run(vec![all])?.pop().filter(|tried| !tried.changes.is_empty() && keeps(stage, tried, least))
    {
        return Some(tried);
    }
    for name in spare {
        let Some(tried) = stage.run(vec![without(&best.changes, &name)])?.pop() else { continue };
        if !tried.changes.is_empty() && keeps(stage, &tried, least) {
            best = tried;
        }
    }
    Some(best)
}

fn keeps(stage: &Stage<'_, '_>, tried: &Tried, least: f64) -> bool {
    tried.worth.kbps >= least && tried.worth.keeps(&stage.base)
}

/// `from` with the value of `lever` that is natural: its own where that keeps the gain, or else the nearest to the one in effect.
fn nearest(stage: &mut Stage<'_, '_>, from: Tried, lever: &Lever, least: f64) -> Option<Tried> {
    let value = from.changes.iter().find(|(name, _)| name == lever.key.name).map(|(_, value)| value.clone());
    let Some(value) = value.filter(|value| lever.back() != Some(value)) else { return Some(from) };
    let mut tried = |value: &Value| -> Option<Option<Tried>> {
        let sets = with(&from.changes, lever, value.clone(), &stage.at);
        let run = stage.run(sets.into_iter().take(1).collect())?.pop();
        Some(run.filter(|run| keeps(stage, run, least)))
    };
    if let Some(own) = lever.back()
        && let Some(found) = tried(own)?
    {
        return Some(found);
    }
    if is_worded(lever.key) {
        // The first of the words that do, in the order of the key.
        for word in lever.values.iter().take_while(|word| **word != value) {
            if let Some(found) = tried(word)? {
                return Some(found);
            }
        }
        return Some(from);
    }
    let mut between = between(lever, &value);
    if lever.natural.iter().any(|natural| *natural == value || between.contains(natural)) {
        let natural = between.iter().chain([&value]).filter(|value| lever.natural.contains(value));
        let natural: Vec<Value> = natural.cloned().collect();
        // What is suggested comes before a mere multiple, where it does as well.
        if natural.contains(&value) || tried(natural.last().unwrap_or(&value))?.is_some() {
            between = natural;
        }
    }
    // The nearer one is, the less it gains: the search halves what is between.
    let (mut low, mut high, mut best) = (0, between.len(), from.clone());
    while low < high {
        let middle = usize::midpoint(low, high);
        match tried(&between[middle])? {
            Some(found) => (best, high) = (found, middle),
            None => low = middle + 1,
        }
    }
    if is_worth_the_wait(stage, &best) { Some(best) } else { sooner(stage, &best, lever, &between) }
}

fn is_worth_the_wait(stage: &Stage<'_, '_>, tried: &Tried) -> bool {
    stage.gain(tried) >= tried.worth.wait_pct(&stage.base)
}

/// `from` with the value of `lever` that gains most beyond what the wait for it is worth, among those `between` the one in effect and its
/// own, or without it; `from` where none is worth it, or another lever makes the wait.
fn sooner(stage: &mut Stage<'_, '_>, from: &Tried, lever: &Lever, between: &[Value]) -> Option<Tried> {
    let mut found = stage.run(vec![without(&from.changes, lever.key.name)])?;
    let wait = |stage: &Stage<'_, '_>, tried: &Tried| tried.worth.wait_pct(&stage.base);
    if found.iter().all(|less| wait(stage, less) >= wait(stage, from)) {
        return Some(from.clone());
    }
    let values =
        between.iter().flat_map(|value| with(&from.changes, lever, value.clone(), &stage.at).into_iter().take(1));
    let sets: Vec<Changes> = values.collect();
    found.extend(stage.run(sets)?);
    found.retain(|tried| tried.worth.keeps(&stage.base) && is_worth_the_wait(stage, tried));
    let left = |tried: &Tried| stage.gain(tried) - wait(stage, tried);
    Some(found.into_iter().max_by(|a, b| left(a).total_cmp(&left(b))).unwrap_or_else(|| from.clone()))
}

/// Values of a number between the one in effect and `value`, the nearest to the former first.
fn between(lever: &Lever, value: &Value) -> Vec<Value> {
    let number = |value: &Value| lever.key.kind.number(value);
    let (Some(now), Some(far)) = (number(&lever.now).or((lever.eases.way == Way::More).then_some(0)), number(value))
    else {
        return Vec::new();
    };
    let (low, high) = (now.min(far), now.max(far));
    let mut found: Vec<(u64, &Value)> = lever.values.iter().filter_map(|value| Some((number(value)?, value))).collect();
    found.retain(|(number, _)| low < *number && *number < high);
    found.sort_by_key(|(number, _)| number.abs_diff(now));
    let every = found.len().div_ceil(BETWEEN_MAX).max(1);
    found.into_iter().step_by(every).map(|(_, value)| value.clone()).collect()
}
