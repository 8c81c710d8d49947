//! The loop that reads a serial port and sends a frame once its octets are there.

use airtime_core::Duration;
use airtime_core::loss::Loss;
use airtime_nrf24::air::Rate;
use airtime_nrf24::rf24::{Source, Write};

use super::rig::Link;

const SPAN: Duration = Duration::from_millis(400);

#[test]
fn a_port_slower_than_the_link_is_its_rate() {
    for (baud, octet) in [(100_000, 100_000), (250_000, 40_000), (1_000_000, 10_000)] {
        for write in [Write::Fast, Write::Blocking] {
            let link = Link { auto_ack: true, source: Source::Serial(baud), write, ..Link::gapless(Rate::M2) };
            // At a megabaud a frame comes each 320 us, and its cycle is longer.
            let seen = link.run(SPAN);
            if baud == 1_000_000 {
                assert!(seen.overrun > 0, "{baud} {write:?}: nothing was lost");
                continue;
            }
            let (first, last) = (seen.arrivals[0], seen.arrivals[seen.arrivals.len() - 1]);
            let frames = seen.arrivals.len() as u64 - 1;
            // The loop looks where an octet ends, and its frame leaves then.
            assert_eq!((last - first).as_nanos(), frames * 32 * octet, "{baud} {write:?}");
            assert_eq!(seen.overrun, 0, "{baud} {write:?}");
        }
    }
}

#[test]
fn octets_are_lost_while_the_loop_waits_for_a_frame_that_nobody_acknowledges() {
    let link =
        Link { auto_ack: true, source: Source::Serial(115_200), write: Write::Blocking, ..Link::gapless(Rate::M1) };
    assert_eq!(link.run(SPAN).overrun, 0);
    // 15 retransmissions of 1500 us each are 25 ms, and the buffer holds 5.5 ms of the port.
    let seen = Link { loss: Loss::Packet { per: 1.0 }, ..link }.run(SPAN);
    assert!(seen.overrun > 2_000, "{} octets of 4608", seen.overrun);
}
