//! Interval of the difference between two means: by bootstrap over pairs of runs with the same seed.

use airtime_core::random::{Stream, stream};

/// Chance that the interval of one look does not hold the difference. Looks are ten at most, so all of them together
/// raise no more than [`LEVEL`] false alarms. C. E. Bonferroni, 1936.
const LEVEL_OF_LOOK: f64 = 0.001;
/// Chance that a difference is told where there is none, over all looks at a figure.
pub const LEVEL: f64 = 0.01;
/// Looks at most.
pub const LOOKS_MAX: u32 = 10;
const _: () = assert!(LEVEL_OF_LOOK * LOOKS_MAX as f64 <= LEVEL);
/// Quantile of the normal distribution that half of [`LEVEL_OF_LOOK`] lies beyond.
const NORMAL: f64 = 3.290_526_7;
/// Resamples, *assumed*: the second of two thousand is the half of a thousandth at either end.
const RESAMPLES: usize = 2_000;
/// Position of either end among the sorted resamples.
const END: usize = 1;
/// Seed of the resamples: the same figures have the same interval.
const SEED: u64 = 1;

/// Means of two sets of runs, and what is known of their difference and of their ratio.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Estimate {
    /// Mean of the first.
    pub a: f64,
    /// Mean of the second.
    pub b: f64,
    /// Interval of `b - a`.
    pub difference: [f64; 2],
    /// Interval of `b / a`; none where a mean of the first may be nothing.
    pub ratio: Option<[f64; 2]>,
}

impl Estimate {
    /// Two figures between which nothing is left to chance.
    pub fn exact(a: f64, b: f64) -> Self {
        let ratio = (a != 0.0).then(|| [b / a; 2]);
        Self { a, b, difference: [b - a; 2], ratio }
    }

    /// Two figures of which only ranges are known.
    pub fn of_ranges(a: [f64; 3], b: [f64; 3]) -> Self {
        let ([a, a_low, a_high], [b, b_low, b_high]) = (a, b);
        let ratio = (a_low > 0.0).then(|| [b_low / a_high, b_high / a_low]);
        Self { a, b, difference: [b_low - a_high, b_high - a_low], ratio }
    }

    /// Pairs of figures, each of two runs with the same seed.
    ///
    /// The interval is the wider of the percentile interval and of Student's with the standard error of the resamples: few pairs
    /// make the first too narrow, skewed ones the second. B. Efron, R. Tibshirani: An Introduction to the Bootstrap, 1993,
    /// chapters 12 and 13.
    ///
    /// # Panics
    /// When there are no pairs, or not as many of the one as of the other.
    pub fn of_pairs(a: &[f64], b: &[f64]) -> Self {
        assert!(!a.is_empty() && a.len() == b.len(), "a pair is of two");
        let draw = |stream: &mut Stream| {
            let (mut sum_a, mut sum_b) = (0.0, 0.0);
            for _ in 0..a.len() {
                let pair = stream.below(a.len() as u64) as usize;
                sum_a += a[pair];
                sum_b += b[pair];
            }
            [sum_a / a.len() as f64, sum_b / a.len() as f64]
        };
        Self::resampled(a, b, draw)
    }

    /// Figures of runs that have no seed in common.
    ///
    /// # Panics
    /// When there are none of one of them.
    pub fn of_apart(a: &[f64], b: &[f64]) -> Self {
        assert!(!a.is_empty() && !b.is_empty(), "a mean is of something");
        let drawn = |of: &[f64], stream: &mut Stream| {
            let sum: f64 = (0..of.len()).map(|_| of[stream.below(of.len() as u64) as usize]).sum();
            sum / of.len() as f64
        };
        Self::resampled(a, b, |stream| [drawn(a, stream), drawn(b, stream)])
    }

    fn resampled(a: &[f64], b: &[f64], draw: impl Fn(&mut Stream) -> [f64; 2]) -> Self {
        let mean = |of: &[f64]| of.iter().sum::<f64>() / of.len() as f64;
        let (mean_a, mean_b) = (mean(a), mean(b));
        let mut stream = stream(SEED, "compare/bootstrap");
        let means: Vec<[f64; 2]> = (0..RESAMPLES).map(|_| draw(&mut stream)).collect();
        let free = a.len().min(b.len()).saturating_sub(1);
        let of = |statistic: &dyn Fn(f64, f64) -> f64| {
            interval(statistic(mean_a, mean_b), means.iter().map(|[a, b]| statistic(*a, *b)).collect(), free)
        };
        let has_ratio = mean_a > 0.0 && means.iter().all(|[a, _]| *a > 0.0);
        let ratio = has_ratio.then(|| of(&|a, b| b / a));
        Self { a: mean_a, b: mean_b, difference: of(&|a, b| b - a), ratio }
    }
}

/// Interval around `value`, of which these are resamples.
fn interval(value: f64, mut resamples: Vec<f64>, free: usize) -> [f64; 2] {
    // One run says nothing of the next one.
    if free == 0 {
        return [f64::NEG_INFINITY, f64::INFINITY];
    }
    resamples.sort_by(f64::total_cmp);
    let last = resamples.len() - 1;
    let mean = resamples.iter().sum::<f64>() / resamples.len() as f64;
    let square: f64 = resamples.iter().map(|one| (one - mean) * (one - mean)).sum();
    let wide = student(free) * (square / last as f64).sqrt();
    [resamples[END].min(value - wide), resamples[last - END].max(value + wide)]
}

/// Quantile of Student's distribution with so many degrees of freedom that half of [`LEVEL_OF_LOOK`] lies beyond, with a standard error
/// that is not corrected for its bias. The expansion is that of E. A. Cornish and R. A. Fisher, 1938; below nine degrees it is too small,
/// and nothing is told.
fn student(free: usize) -> f64 {
    let (z, n) = (NORMAL, free as f64);
    let [z3, z5, z7] = [z.powi(3), z.powi(5), z.powi(7)];
    let terms = [
        z,
        (z3 + z) / (4.0 * n),
        (5.0 * z5 + 16.0 * z3 + 3.0 * z) / (96.0 * n * n),
        (3.0 * z7 + 19.0 * z5 + 17.0 * z3 - 15.0 * z) / (384.0 * n.powi(3)),
    ];
    let unbiased = ((n + 1.0) / n).sqrt();
    terms.iter().sum::<f64>() * unbiased
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quantiles_of_student_are_those_of_the_tables() {
        // Two-sided 0.1 %: 4.781 at 9 degrees, 3.883 at 19, 3.460 at 60 (table of Student's t in Owen, 1965).
        for (free, expected) in [(9, 4.781), (19, 3.883), (60, 3.460)] {
            let unbiased = ((free as f64 + 1.0) / free as f64).sqrt();
            assert!((student(free) / unbiased / expected - 1.0).abs() < 0.005, "{free}: {}", student(free));
        }
    }

    #[test]
    fn what_pairs_have_in_common_is_no_part_of_the_interval() {
        let a: Vec<f64> = (0..20).map(|n| 100.0 + f64::from(n * 7 % 20)).collect();
        let b: Vec<f64> = a.iter().enumerate().map(|(n, a)| a * 1.1 + (n % 2) as f64 * 0.1).collect();
        let paired = Estimate::of_pairs(&a, &b);
        let [low, high] = paired.ratio.unwrap();
        assert!(low > 1.1 && high < 1.102, "{paired:?}");
        let apart = Estimate::of_apart(&a, &b);
        assert!(apart.difference[0] < paired.difference[0] - 2.0, "{apart:?}");
        assert_eq!(Estimate::of_pairs(&a, &b), paired, "the same figures have the same interval");
        let [low, high] = paired.difference;
        assert!(low <= paired.b - paired.a && paired.b - paired.a <= high);
    }

    #[test]
    fn one_pair_tells_nothing() {
        let one = Estimate::of_pairs(&[1.0], &[2.0]);
        assert_eq!((one.a, one.b, one.difference), (1.0, 2.0, [f64::NEG_INFINITY, f64::INFINITY]));
    }

    #[test]
    fn nothing_is_no_part_of_anything() {
        let none = Estimate::exact(0.0, 5.0);
        assert_eq!((none.ratio, none.difference), (None, [5.0, 5.0]));
        assert_eq!(Estimate::of_pairs(&[0.0, 0.0], &[0.0, 0.0]).ratio, None);
        assert_eq!(Estimate::of_ranges([10.0, 8.0, 12.0], [20.0, 18.0, 24.0]).ratio, Some([1.5, 3.0]));
    }
}
