//! Evening out: what shares the radio of one end out among several links alike, where one of them gets next to nothing of the sum.

use airtime_lab::explain::{Lever, Mechanism, Worth, combined};
use serde_json::Value;

use super::bench::Bench;
use super::climb::{Reached, Step};
use super::stage::{Changes, with};

/// Part of the best that a worst link may get with a nearer value, *assumed*.
const NEARLY: f64 = 0.95;

/// The step to the value of one key with which the worst link gets most, while the sum is nearly the same; none where the links share
/// alike, or nobody can make them.
pub fn evened(bench: &mut Bench<'_>, at: &Reached) -> Option<Option<Step>> {
    let before = Worth::of(&at.record);
    if !before.is_uneven() {
        return Some(None);
    }
    let is_ours = |lever: &&Lever| lever.eases.mechanism == Mechanism::Neighbours && !lever.is_environment();
    let mut stage = at.close_stage(bench, 0.0)?;
    let base = stage.base.clone();
    let mut best: Option<(f64, Changes)> = None;
    for lever in at.levers.iter().filter(is_ours) {
        // What fits the rest comes before a mere multiple that does as well.
        let (natural, others): (Vec<&Value>, Vec<&Value>) =
            lever.values.iter().partition(|value| lever.natural.contains(value));
        let sets = natural
            .into_iter()
            .chain(others)
            .filter_map(|value| with(&Changes::new(), lever, value.clone(), &at.point).into_iter().next());
        for tried in stage.run(sets.collect())? {
            let Some(worst) = tried.worth.worst_kbps.filter(|_| tried.worth.evens_out(&base)) else { continue };
            if best.as_ref().is_none_or(|(known, _)| worst * NEARLY > *known) {
                best = Some((worst, tried.changes));
            }
        }
    }
    let Some((_, changes)) = best else { return Some(None) };
    let Some(point) = combined(bench.plan, &at.point, &changes) else { return Some(None) };
    let record = bench.whole(&point)?;
    if !Worth::of(&record).evens_out(&before) {
        return Some(None);
    }
    let mechanisms = vec![Mechanism::Neighbours];
    let before = at.point.clone();
    Some(Some(Step { mechanisms, is_environment: false, is_applied: true, changes, before, point, record }))
}
