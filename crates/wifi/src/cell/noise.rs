//! Bit errors behind the decoder by signal-to-noise ratio: closed forms for white noise.
//!
//! Modulation: the error rates of BPSK and of square QAM with Gray labels. Decoder: the union bound over the weights of the code of
//! 17.3.5.6 and its punctured forms (P. Frenger, P. Orten and T. Ottosson, Multi-rate convolutional codes, Chalmers 1998, tables 3.1.1
//! and 3.1.2) with hard decisions. Both together are the error rate model of G. Pei and T. Henderson, Validation of OFDM error rate model
//! in ns-3, Boeing 2010, which ns-3 calls NIST's. It knows no fading, and no receiver that is better or worse than the textbook's.

use crate::air::{Phy, Standard};

/// Constellation of a rate, as bits of a subcarrier's symbol, and its code.
type Rate = (u32, Code);

/// Code of a rate: the weight of its lightest paths, and bits in error on all paths of that weight and of each one above it.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Code {
    /// Bits that go in for every word that comes out.
    bits: u32,
    lightest: i32,
    /// Steps between two weights.
    step: i32,
    errors: &'static [f64],
}

const HALF: Code = Code {
    bits: 1,
    lightest: 10,
    step: 2,
    errors: &[36.0, 211.0, 1_404.0, 11_633.0, 77_433.0, 502_690.0, 3_322_763.0, 21_292_910.0, 134_365_911.0],
};

const TWO_THIRDS: Code = Code {
    bits: 2,
    lightest: 6,
    step: 1,
    errors: &[3.0, 70.0, 285.0, 1_276.0, 6_160.0, 27_128.0, 117_019.0, 498_860.0, 2_103_891.0, 8_784_123.0],
};

const THREE_QUARTERS: Code = Code {
    bits: 3,
    lightest: 5,
    step: 1,
    errors: &[
        42.0,
        201.0,
        1_492.0,
        10_469.0,
        62_935.0,
        379_644.0,
        2_253_373.0,
        13_073_811.0,
        75_152_755.0,
        428_005_675.0,
    ],
};

const FIVE_SIXTHS: Code = Code {
    bits: 5,
    lightest: 4,
    step: 1,
    errors: &[
        92.0,
        528.0,
        8_694.0,
        79_453.0,
        792_114.0,
        7_375_573.0,
        67_884_974.0,
        610_875_423.0,
        5_427_275_376.0,
        47_664_215_639.0,
    ],
};

/// 6 to 54 Mbit/s. Table 17-4.
const OFDM: [Rate; 8] = [
    (1, HALF),
    (1, THREE_QUARTERS),
    (2, HALF),
    (2, THREE_QUARTERS),
    (4, HALF),
    (4, THREE_QUARTERS),
    (6, TWO_THIRDS),
    (6, THREE_QUARTERS),
];

/// MCS 0 to 7 of HT and 0 to 11 of HE. Table 19-27; 802.11ax-2021, Table 27-79.
const MCS: [Rate; 12] = [
    (1, HALF),
    (2, HALF),
    (2, THREE_QUARTERS),
    (4, HALF),
    (4, THREE_QUARTERS),
    (6, TWO_THIRDS),
    (6, THREE_QUARTERS),
    (6, FIVE_SIXTHS),
    (8, THREE_QUARTERS),
    (8, FIVE_SIXTHS),
    (10, THREE_QUARTERS),
    (10, FIVE_SIXTHS),
];

/// Width of a channel of DSSS in MHz, over which its noise is counted. 15.4.4.
const DSSS_MHZ: f64 = 22.0;

/// Rate of bits that are wrong behind the decoder when a signal at `phy` is `snr_db` above the noise of its channel. DSSS at 1 Mbit/s is
/// differential BPSK; its other rates are taken as the same with less energy for each bit, which is *assumed*.
pub(super) fn bit_error_rate(phy: Phy, snr_db: f64) -> f64 {
    let snr = libm::pow(10.0, snr_db / 10.0);
    let (bits, code) = match phy.standard {
        Standard::B => {
            let mbps = f64::from(phy.rate_kbps()) / 1_000.0;
            return libm::exp(-snr * DSSS_MHZ / mbps) / 2.0;
        }
        Standard::G => OFDM[usize::from(phy.mcs)],
        Standard::N | Standard::Ax => MCS[usize::from(phy.mcs)],
    };
    code.decoded(demodulated(bits, snr))
}

/// Bits of the PHY header, which a receiver has to read before there is a frame for it: PLCP header of DSSS; L-SIG; L-SIG and HT-SIG;
/// L-SIG and HE-SIG-A. 16.2.2.2, 17.3.4, 19.3.9.4.3; 802.11ax-2021, 27.3.11.7.
pub(super) const fn header_bits(phy: Phy) -> u32 {
    match phy.standard {
        Standard::B => 48,
        Standard::G => 24,
        Standard::N => 24 + 48,
        Standard::Ax => 24 + 52,
    }
}

/// Rate at which the PHY header is sent, taken as that of all of it: BPSK with the code of half, or 1 Mbit/s. 17.3.4, 19.3.9.4.3.
pub(super) const fn header(phy: Phy) -> Phy {
    match phy.standard {
        Standard::B => Phy::dsss1(),
        Standard::G | Standard::N | Standard::Ax => Phy::ofdm6(),
    }
}

/// Probability that at least one of `bits` is wrong, each at `rate`: 1 - (1 - rate)^bits, without cancellation where that is rare.
pub(super) fn any_wrong(rate: f64, bits: u32) -> f64 {
    match rate {
        rate if rate <= 0.0 => 0.0,
        rate if rate >= 1.0 => 1.0,
        rate => -libm::expm1(f64::from(bits) * libm::log1p(-rate)),
    }
}

/// Rate of wrong bits in front of the decoder, of symbols of `bits` each.
fn demodulated(bits: u32, snr: f64) -> f64 {
    if bits == 1 {
        return libm::erfc(libm::sqrt(snr)) / 2.0;
    }
    // Square QAM with 2^bits points: sqrt(2^bits) levels on either axis, half of the bits on each.
    let points = f64::from(1u32 << bits);
    let levels = libm::sqrt(points);
    let inner = (levels - 1.0) / (levels * f64::from(bits / 2));
    inner * libm::erfc(libm::sqrt(1.5 * snr / (points - 1.0)))
}

impl Code {
    /// Rate of wrong bits behind the decoder, at most all of them, when `wrong` of those in front are.
    fn decoded(self, wrong: f64) -> f64 {
        let distance = libm::sqrt(4.0 * wrong * (1.0 - wrong));
        let weights = (self.lightest..).step_by(self.step as usize);
        let bound: f64 = self
            .errors
            .iter()
            .zip(weights)
            .map(|(errors, weight)| errors * libm::pow(distance, f64::from(weight)))
            .sum();
        (bound / f64::from(2 * self.bits)).min(1.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::air::{Guard, Width};

    /// Probability that a frame of `octets` arrives.
    fn arrives(phy: Phy, snr_db: f64, octets: f64) -> f64 {
        libm::pow(1.0 - bit_error_rate(phy, snr_db), octets * 8.0)
    }

    #[test]
    fn half_of_the_frames_arrive_where_the_model_says() {
        // A frame of 1500 octets. The model's own curves pass through one half at these ratios, in dB, to a tenth.
        let mut before = -10.0;
        for mcs in 0..8 {
            let phy = Phy::ht(Width::Mhz20, Guard::Ns800, mcs);
            let half = (-100..400).map(|tenths| f64::from(tenths) / 10.0).find(|&snr| arrives(phy, snr, 1_500.0) > 0.5);
            let half = half.expect("there is one");
            assert!(half > before + 0.5, "a faster rate needs more: {mcs} {half} after {before}");
            before = half;
        }
        assert!((20.0..24.0).contains(&before), "MCS 7 at {before} dB");
    }

    #[test]
    fn bpsk_without_errors_is_decoded_without_any() {
        // erfc(sqrt(10)) / 2 is 3.9e-6: four of a million at 10 dB (any table of BPSK).
        assert!((demodulated(1, 10.0) / 3.87e-6 - 1.0).abs() < 0.01);
        // QPSK needs twice the power for the same, 16-QAM ten times for 0.75 of it.
        assert!((demodulated(2, 20.0) / demodulated(1, 10.0) - 1.0).abs() < 1e-9);
        assert!((demodulated(4, 100.0) / demodulated(1, 10.0) - 0.75).abs() < 1e-9);
        assert!(bit_error_rate(Phy::ofdm6(), 10.0) < 1e-20);
        assert!((bit_error_rate(Phy::ofdm6(), -20.0) - 1.0).abs() < 1e-12, "never more than all");
    }

    #[test]
    fn the_lightest_path_rules_where_errors_are_rare() {
        // 36 bits on paths of weight 10, half of which the decoder gets wrong: (36 / 2) D^10.
        let distance = libm::sqrt(4.0 * 1e-5 * (1.0 - 1e-5));
        assert!((HALF.decoded(1e-5) / (18.0 * libm::pow(distance, 10.0)) - 1.0).abs() < 0.001);
    }
}
