//! What keeps frames from their application.

use airtime_core::Duration;
use airtime_core::loss::Loss;
use airtime_nrf24::air::Rate;
use airtime_nrf24::host::Cost;
use airtime_nrf24::rf24::{Length, Write};
use airtime_nrf24::trace::Lint;

use super::rig::{FREE, Link};

const SPAN: Duration = Duration::from_millis(100);

#[test]
fn dynamic_length_without_acknowledgement_brings_nothing_of_another_length_than_the_static_one() {
    let dynamic = |payload| Link { length: Length::Dynamic, payload, ..Link::gapless(Rate::M2) }.run(SPAN);
    for (payload, comes) in [(8, false), (31, false), (32, true)] {
        let seen = dynamic(payload);
        assert!(seen.lints.contains(&(1, Lint::DynamicLengthWithoutAck)), "{payload}: {:?}", seen.lints);
        assert!(seen.written > 100, "{payload}: {}", seen.written);
        assert_eq!(!seen.taken.is_empty(), comes, "{payload}");
    }
    let seen = Link { payload: 8, ..Link::gapless(Rate::M2) }.run(SPAN);
    assert!(seen.taken.len() > 100, "of static length they come: {}", seen.taken.len());
}

#[test]
fn frames_that_are_given_up_are_thrown_away_and_the_program_goes_on() {
    for (write, thrown) in [(Write::Fast, 3), (Write::Blocking, 1)] {
        let loss = Loss::Packet { per: 1.0 };
        let seen = Link { auto_ack: true, write, loss, ..Link::gapless(Rate::M2) }.run(Duration::from_millis(400));
        assert_eq!(seen.arrivals, [], "{write:?}");
        assert!(seen.given_up > 5, "{write:?}: {}", seen.given_up);
        assert!(seen.written.abs_diff(seen.given_up * thrown) <= 3, "{write:?}: {} of {}", seen.written, seen.given_up);
    }
}

#[test]
fn a_receiver_slower_than_the_air_finds_its_fifo_full() {
    let slow = Cost { transaction: Duration::from_micros(100), ..FREE };
    let fast = Link::gapless(Rate::M2).run(SPAN);
    let seen = Link { cost: slow, ..Link::gapless(Rate::M2) }.run(SPAN);
    assert!(fast.taken.len().abs_diff(fast.written) <= 4, "{} of {}", fast.taken.len(), fast.written);
    // Three transactions a frame at the receiver, two at the sender.
    assert!(seen.taken.len() * 10 < seen.written * 8, "{} of {}", seen.taken.len(), seen.written);
}
