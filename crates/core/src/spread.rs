//! Times with a spread: log-normal, by a median and a 99th percentile.

use crate::Duration;
use crate::random::Stream;

/// 99th percentile of the standard normal distribution.
const Z_99: f64 = 2.326_347_874_040_841;

/// A time that is drawn anew each time: its logarithm is normally distributed, so that half of the draws are above the median and one in
/// a hundred is above `p99`. Nothing is drawn where the two are one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Spread {
    /// Time that half of the draws are above.
    pub median: Duration,
    /// Time that one draw in a hundred is above.
    pub p99: Duration,
}

impl Spread {
    /// A time that is always the same.
    pub const fn constant(time: Duration) -> Self {
        Self { median: time, p99: time }
    }

    /// True if there is nothing to draw.
    pub fn is_constant(&self) -> bool {
        self.p99 <= self.median || self.median.is_zero()
    }

    /// The next time, from two numbers of `stream`, or from none where it is constant.
    pub fn draw(&self, stream: &mut Stream) -> Duration {
        if self.is_constant() {
            return self.median;
        }
        let (median, p99) = (self.median.as_nanos() as f64, self.p99.as_nanos() as f64);
        let deviation = libm::log(p99 / median) / Z_99;
        // Nanoseconds of 64 bits are 585 years: a cast that is too large ends there.
        Duration::from_nanos((median * libm::exp(deviation * normal(stream))) as u64)
    }
}

/// A number of the standard normal distribution, by the method of Box and Muller; libm is the same everywhere.
fn normal(stream: &mut Stream) -> f64 {
    // 53 random bits give a uniform number in (0, 1].
    let mut uniform = || ((stream.bits() >> 11) + 1) as f64 / (1u64 << 53) as f64;
    let (radius, turn) = (uniform(), uniform());
    libm::sqrt(-2.0 * libm::log(radius)) * libm::cos(2.0 * core::f64::consts::PI * turn)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::stream;

    #[test]
    fn a_constant_draws_nothing() {
        let mut stream = stream(1, "spread");
        let spread = Spread::constant(Duration::from_micros(30));
        assert_eq!(spread.draw(&mut stream), Duration::from_micros(30));
        let none = Spread { median: Duration::ZERO, p99: Duration::from_millis(1) };
        assert_eq!((none.draw(&mut stream), stream.drawn()), (Duration::ZERO, 0));
    }

    #[test]
    fn quantiles_are_those_of_a_log_normal_distribution() {
        let spread = Spread { median: Duration::from_micros(740), p99: Duration::from_micros(1_800) };
        let mut stream = stream(7, "spread");
        const DRAWS: usize = 100_000;
        let above = |stream: &mut Stream, at: u64| {
            (0..DRAWS).filter(|_| spread.draw(stream) > Duration::from_micros(at)).count() as f64 / DRAWS as f64
        };
        // Each share with its standard error: sqrt(p (1 - p) / draws).
        for (at, share, error) in [(740, 0.5, 0.0016), (1_800, 0.01, 0.000_32), (304, 0.99, 0.000_32)] {
            let seen = above(&mut stream, at);
            assert!((seen - share).abs() < 4.0 * error, "{at} us: {seen}, expected {share}");
        }
    }
}
