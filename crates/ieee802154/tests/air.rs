//! Times and cycles, against arithmetic that takes nothing from the crate: octets of 32 µs, symbols of 16 µs.

use airtime_core::Duration;
use airtime_ieee802154::air::{self, Access, Cycle, mean_backoff};

fn us(us: u64) -> Duration {
    Duration::from_micros(us)
}

#[test]
fn constants_are_those_of_the_standard() {
    assert_eq!([air::SYMBOL, air::OCTET, air::TURNAROUND, air::CCA].map(Duration::as_micros), [16, 32, 192, 128]);
    assert_eq!([air::UNIT_BACKOFF, air::SIFS, air::LIFS, air::ACK_WAIT].map(Duration::as_micros), [320, 192, 640, 864]);
    assert_eq!((air::frequency_mhz(11), air::frequency_mhz(26)), (2_405, 2_480));
}

#[test]
fn a_frame_takes_six_octets_more_than_its_psdu() {
    for (octets, expected) in [(0, 192), (5, 352), (18, 768), (127, 4_256)] {
        assert_eq!(air::frame_time(octets), us(expected));
        assert_eq!(u64::from(air::bits(octets)) * 4, expected);
    }
    assert_eq!(air::ack_time(), us(352));
}

#[test]
fn a_short_space_follows_up_to_18_octets() {
    for (octets, expected) in [(5, 192), (18, 192), (19, 640), (127, 640)] {
        assert_eq!(air::spacing(octets), us(expected), "{octets}");
    }
}

#[test]
fn mean_backoffs_are_exact() {
    let means = [0, 1, 2, 3, 4, 5, 8].map(|exponent| mean_backoff(exponent).as_micros());
    assert_eq!(means, [0, 160, 480, 1_120, 2_400, 4_960, 40_800]);
}

/// Octets of the PSDU, smallest exponent, acknowledged, load; then backoff + CCA + turnaround + frame + turnaround and
/// acknowledgement + space, in µs.
type Row = (usize, Option<u8>, bool, u64, [u64; 6]);

const CYCLES: [Row; 7] = [
    (127, Some(3), true, 0, [1_120, 128, 192, 4_256, 544, 640]),
    (127, Some(3), false, 0, [1_120, 128, 192, 4_256, 0, 640]),
    (127, Some(0), true, 0, [0, 128, 192, 4_256, 544, 640]),
    (127, None, true, 0, [0, 0, 192, 4_256, 544, 640]),
    (127, None, false, 0, [0, 0, 192, 4_256, 0, 640]),
    (18, Some(3), true, 0, [1_120, 128, 192, 768, 544, 192]),
    (18, Some(3), true, 1_500, [1_120, 128, 192, 768, 544, 1_500]),
];

#[test]
fn cycles_are_sums_of_their_parts() {
    for (octets, min_be, ack, load, [backoff, cca, turnaround, frame, answer, spacing]) in CYCLES {
        let cycle = Cycle::new(octets, Access { min_be, ack, load: us(load) });
        let expected = Cycle {
            backoff: us(backoff),
            cca: us(cca),
            turnaround: us(turnaround),
            frame: us(frame),
            ack: us(answer),
            spacing: us(spacing),
        };
        assert_eq!(cycle, expected);
        assert_eq!(cycle.total(), us(backoff + cca + turnaround + frame + answer + spacing));
        let bps = 800_000_000 / (backoff + cca + turnaround + frame + answer + spacing);
        assert_eq!(cycle.goodput_bps(100), bps);
    }
}
