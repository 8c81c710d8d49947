//! Known devices by their errors.

use airtime_lab::Personality;
use airtime_lab::fit::Device;
use serde::Serialize;

use super::NotFitted;
use super::bench::{Bench, Told};

/// A known device beside the figures.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Ranked {
    /// Name of its personality.
    pub device: String,
    /// Rank of it, from 1; those that no point tells apart share one.
    pub rank: usize,
    /// Set if its errors are what the repeatability alone brings about.
    pub fits: bool,
    /// Root of the mean square of the errors, in per cent; the rank is by it.
    pub rms_pct: f64,
    /// Median of the absolute errors, in per cent.
    pub median_abs_error_pct: f64,
    /// Largest absolute error, in per cent.
    pub worst_abs_error_pct: f64,
    /// Error at every point, in per cent, in their order; -100 where it cannot be.
    pub errors_pct: Vec<f64>,
    /// Reason that it cannot be at some point: the first of them.
    pub impossible: Option<String>,
}

/// Ranks `known` devices.
pub fn ranked(bench: &mut Bench<'_>, known: &[Personality], noise_pct: f64) -> Result<Vec<Ranked>, NotFitted> {
    let device = |personality: &Personality| Device {
        base: personality.name.clone(),
        kind: personality.kind.link,
        values: Vec::new(),
    };
    let candidates: Vec<Device> = known.iter().map(device).collect();
    let told = bench.figures(&candidates).ok_or(NotFitted::Stopped)?;
    let mut found: Vec<Ranked> = candidates
        .iter()
        .zip(&told)
        .map(|(device, told)| Ranked::of(&device.base, &bench.errors(told), first_impossible(told), noise_pct))
        .collect();
    if let Some(why) = told.iter().find_map(|told| first_impossible(told))
        && found.iter().all(|one| one.errors_pct.iter().all(|error| *error == super::bench::NOTHING_PCT))
    {
        return Err(NotFitted::Impossible(why));
    }
    found.sort_by(|one, other| one.rms_pct.total_cmp(&other.rms_pct));
    for place in 0..found.len() {
        let shares = place > 0 && found[place].errors_pct == found[place - 1].errors_pct;
        found[place].rank = if shares { found[place - 1].rank } else { place + 1 };
    }
    Ok(found)
}

fn first_impossible(told: &[Told]) -> Option<String> {
    told.iter().find_map(|told| match told {
        Told::Impossible(why) => Some(why.clone()),
        Told::Figure(_) => None,
    })
}

impl Ranked {
    pub(super) fn of(device: &str, errors: &[f64], impossible: Option<String>, noise_pct: f64) -> Self {
        let mut sorted: Vec<f64> = errors.iter().map(|error| error.abs()).collect();
        sorted.sort_by(f64::total_cmp);
        let middle = |at: usize| sorted.get(at).copied().unwrap_or_default();
        let rms = rms(errors);
        Self {
            device: device.to_owned(),
            rank: 0,
            fits: impossible.is_none() && rms <= noise_pct * bound(errors.len()),
            rms_pct: rounded(rms),
            median_abs_error_pct: rounded(
                (middle(sorted.len() / 2) + middle(sorted.len().saturating_sub(1) / 2)) / 2.0,
            ),
            worst_abs_error_pct: rounded(sorted.last().copied().unwrap_or_default()),
            errors_pct: errors.iter().copied().map(rounded).collect(),
            impossible,
        }
    }
}

/// Root of the mean square.
pub fn rms(errors: &[f64]) -> f64 {
    (errors.iter().map(|error| error * error).sum::<f64>() / errors.len().max(1) as f64).sqrt()
}

/// Times the repeatability that the root mean square of `count` errors stays below in 99 of 100 cases where nothing but it is wrong: the
/// quantile of the chi-square distribution by E. B. Wilson and M. M. Hilferty, 1931.
pub fn bound(count: usize) -> f64 {
    const QUANTILE: f64 = 2.326;
    let part = 2.0 / (9.0 * count.max(1) as f64);
    (1.0 - part + QUANTILE * part.sqrt()).powi(3).sqrt()
}

/// To a hundredth of a per cent.
pub fn rounded(pct: f64) -> f64 {
    (pct * 100.0).round() / 100.0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_bound_is_that_of_tables() {
        // Quantiles 0.99 of chi-square: 6.635 of one, 15.086 of five, 23.209 of ten.
        for (count, quantile) in [(1, 6.635_f64), (5, 15.086), (10, 23.209)] {
            let expected = (quantile / count as f64).sqrt();
            assert!((bound(count) / expected - 1.0).abs() < 0.02, "{count}: {} {expected}", bound(count));
        }
    }

    #[test]
    fn errors_come_to_a_few_figures() {
        let one = Ranked::of("x", &[1.0, -3.0, 2.0, -0.5], None, 1.0);
        assert_eq!((one.median_abs_error_pct, one.worst_abs_error_pct, one.rms_pct, one.fits), (1.5, 3.0, 1.89, false));
        assert!(Ranked::of("x", &[1.0, -1.0, 0.5, -0.5], None, 1.0).fits);
    }
}
