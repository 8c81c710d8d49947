//! Bit errors of O-QPSK at 2.4 GHz by the level at a receiver: a closed form for white noise.

use airtime_core::level::Level;

/// Share of frames of [`SENSITIVITY_OCTETS`] that a receiver loses at its sensitivity. IEEE Std 802.15.4-2020, 10.1.7.
const SENSITIVITY_ERRORS: f64 = 0.01;

/// Octets of the PSDU of those frames. 10.1.7.
const SENSITIVITY_OCTETS: u32 = 20;

/// Binomial coefficients of 16 over 2 to 16.
const OF_16: [f64; 15] = [
    120.0, 560.0, 1_820.0, 4_368.0, 8_008.0, 11_440.0, 12_870.0, 11_440.0, 8_008.0, 4_368.0, 1_820.0, 560.0, 120.0,
    16.0, 1.0,
];

/// Share of wrong bits of a receiver at `level`, when it loses one frame of a hundred at `sensitivity`: the noise that makes it lose
/// those is its own.
pub fn bit_errors(level: Level, sensitivity: Level) -> f64 {
    by_ratio(at_sensitivity() * level.above(sensitivity))
}

/// Share of wrong bits by the ratio of signal to noise, of 16 symbols that are nearly orthogonal. IEEE Std 802.15.4-2006, E.4.1.8.
fn by_ratio(ratio: f64) -> f64 {
    let term = |(k, choices): (u32, f64)| {
        let sign = if k % 2 == 0 { 1.0 } else { -1.0 };
        sign * choices * libm::exp(20.0 * ratio * (1.0 / f64::from(k) - 1.0))
    };
    let sum: f64 = (2..).zip(OF_16).map(term).sum();
    (8.0 / 15.0 / 16.0 * sum).clamp(0.0, 0.5)
}

/// Ratio of signal to noise at the sensitivity: what loses the frames of its definition.
fn at_sensitivity() -> f64 {
    // 1 − (1 − p)^bits = errors, for p.
    let bits = f64::from(8 * SENSITIVITY_OCTETS);
    let wanted = -libm::expm1(libm::log1p(-SENSITIVITY_ERRORS) / bits);
    // Errors fall with the ratio, and are ½ and next to nothing at these ends.
    let (mut low, mut high) = (0.0, 10.0);
    for _ in 0..60 {
        let middle = (low + high) / 2.0;
        *(if by_ratio(middle) > wanted { &mut low } else { &mut high }) = middle;
    }
    high
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_frame_of_a_hundred_is_lost_at_the_sensitivity() {
        let errors = bit_errors(Level(-100), Level(-100));
        let lost = 1.0 - (1.0 - errors).powi(160);
        assert!((lost - 0.01).abs() < 1e-6, "{lost}");
        // The first term alone, 4 · e^(−10 · ratio), is 6.3e-5 at 0.44 dB.
        let ratio = 10.0 * at_sensitivity().log10();
        assert!((0.40..0.50).contains(&ratio), "{ratio}");
    }

    #[test]
    fn wrong_bits_fall_steeply_with_the_level() {
        let errors = |above: i16| bit_errors(Level(-100 + above), Level(-100));
        // 4 · (6.3e-5 / 4)^1.26 and, three decibels below, about one bit of fifty.
        assert!((3.0e-6..4.5e-6).contains(&errors(1)), "{}", errors(1));
        assert!((0.005..0.02).contains(&errors(-3)), "{}", errors(-3));
        assert!(errors(10) < 1e-40 && errors(-30) > 0.45, "{} {}", errors(10), errors(-30));
    }
}
