//! Time from one frame to the next.

use airtime_core::Duration;
use airtime_nrf24::air::{Crc, Rate};
use airtime_nrf24::rf24::{Length, Write, is_whole};

use super::rig::Link;

/// Settling. Product Specification 1.0, 6.1.7 [Table 16].
const SETTLING: u64 = 130_000;

/// An octet on SPI at 10 MHz.
const OCTET: u64 = 800;

/// One bit.
const fn bit(rate: Rate) -> u64 {
    match rate {
        Rate::K250 => 4_000,
        Rate::M1 => 1_000,
        Rate::M2 => 500,
    }
}

/// A frame: preamble, address, payload and check, and with acknowledgement nine bits of control. 7.3, 7.9.1.
fn frame(link: &Link, payload: u64) -> u64 {
    let check = if link.crc == Crc::One { 1 } else { 2 };
    let control = if link.auto_ack { 9 } else { 0 };
    (8 * (1 + u64::from(link.address_width) + payload + check) + control) * bit(link.rate)
}

/// Both settlings, the frame and its acknowledgement; without one, the frame and no gap. 7.5.1, Figure 10; 7.7.
fn cycle(link: &Link) -> u64 {
    match link.auto_ack {
        true => 2 * SETTLING + frame(link, link.payload.into()) + frame(link, 0),
        false => frame(link, link.payload.into()),
    }
}

/// From the end of the last bit to TX_DS. Table 19, `T_IRQ`.
const fn irq(rate: Rate) -> u64 {
    match rate {
        Rate::K250 | Rate::M1 => 8_200,
        Rate::M2 => 6_000,
    }
}

/// Every rate, width of addresses, check and acknowledgement.
fn every(test: impl Fn(Link)) {
    for rate in Rate::ALL {
        for address_width in 3..=5 {
            for crc in [Crc::One, Crc::Two] {
                for auto_ack in [false, true] {
                    test(Link { address_width, crc, auto_ack, ..Link::gapless(rate) });
                }
            }
        }
    }
}

fn assert_gaps(link: Link, expected: u64) {
    let seen = link.run(Duration::from_millis(100));
    let gaps = seen.gaps();
    let Link { rate, address_width, auto_ack, payload, .. } = link;
    let what = format!("{rate} AW{address_width}, {payload} octets, acknowledged: {auto_ack}");
    assert!(gaps.len() > 30, "{what}: {} frames came", gaps.len());
    assert!(gaps.iter().all(|&gap| gap == expected), "{what}: {expected} ns expected of {gaps:?}");
    assert!(seen.taken.iter().all(|frame| frame.len() == usize::from(payload) && is_whole(frame)), "{what}");
}

#[test]
fn write_fast_keeps_the_air_without_a_gap_or_with_nothing_but_its_acknowledgement() {
    every(|link| assert_gaps(link, cycle(&link)));
}

#[test]
fn shorter_frames_are_as_much_shorter_in_either_length() {
    for length in [Length::Static, Length::Dynamic] {
        for payload in [1, 8, 31] {
            let link = Link { auto_ack: true, length, payload, ..Link::gapless(Rate::M1) };
            assert_gaps(link, cycle(&link));
        }
    }
    let link = Link { payload: 16, ..Link::gapless(Rate::K250) };
    assert_gaps(link, cycle(&link));
}

#[test]
fn write_pays_for_its_upload_polls_and_settling_with_each_frame() {
    every(|link| {
        let link = Link { write: Write::Blocking, ..link };
        let out = SETTLING + cycle(&link) - if link.auto_ack { SETTLING } else { 0 } + irq(link.rate);
        // The first poll whose CSN falls when TX_DS is there, its octet, STATUS written and the next payload.
        let polled = out.div_ceil(OCTET) * OCTET + OCTET;
        assert_gaps(link, polled + 2 * OCTET + 33 * OCTET);
    });
}

#[test]
fn a_pause_every_four_milliseconds_costs_a_settling_and_what_the_fifo_needs_to_fill() {
    for rate in Rate::ALL {
        let link = Link { pauses: true, ..Link::gapless(rate) };
        let seen = link.run(Duration::from_millis(400));
        let gaps = seen.gaps();
        let longer: Vec<u64> = gaps.iter().copied().filter(|&gap| gap != cycle(&link)).collect();
        // A pause is taken at most once in four of the milliseconds that the program's clock counts.
        assert!((60..=100).contains(&longer.len()), "{rate}: {} pauses in 392 ms", longer.len());
        // FIFO_STATUS of two octets is asked until the FIFO is empty, then comes STATUS of one and the payload of 33.
        let least = cycle(&link) + SETTLING + (2 + 1 + 33) * OCTET;
        let most = least + 2 * 2 * OCTET + 10_000;
        assert!(longer.iter().all(|gap| (least..=most).contains(gap)), "{rate}: {least} to {most} ns, {longer:?}");
    }
}
