//! STATUS, its delay, the line and its masks; RPD.

use airtime_core::{Duration, Instant};
use airtime_nrf24::air::{Framing, Rate};
use airtime_nrf24::wire::command::{R_RX_PAYLOAD, R_RX_PL_WID, W_TX_PAYLOAD, W_TX_PAYLOAD_NOACK};

use super::air::{Air, pair, us};

#[test]
fn interrupts_come_so_long_after_the_last_bit() {
    for (rate, delay) in [(Rate::K250, 8_200), (Rate::M1, 8_200), (Rate::M2, 6_000)] {
        let mut air = pair(Framing::enhanced(rate, 5), 0x6F);
        air.upload(0, W_TX_PAYLOAD, &[1; 8]);
        air.pulse(0);
        air.run(us(5_000));
        let delay = Duration::from_nanos(delay);
        let (frame_end, ack_end) = (air.sent[0].on_air.end, air.sent[1].on_air.end);
        assert_eq!(air.edges, [(frame_end + delay, 1, true), (ack_end + delay, 0, true)], "{rate}");
    }
}

#[test]
fn a_payload_shows_with_its_interrupt_and_not_before() {
    let mut air = pair(Framing::enhanced(Rate::M2, 5), 0x1F);
    air.upload(0, W_TX_PAYLOAD_NOACK, &[1; 8]);
    air.pulse(0);
    let frame = Framing::enhanced(Rate::M2, 5).time(8);
    air.run(us(120) + frame + us(6) - Duration::from_nanos(1));
    assert_eq!((air.status(1), air.read(1, 0x17), air.spi(1, &[R_RX_PL_WID, 0])[1]), (0x0E, 0x11, 0));
    air.run(Duration::from_nanos(1));
    assert_eq!((air.status(1), air.read(1, 0x17), air.spi(1, &[R_RX_PL_WID, 0])[1]), (0x40, 0x10, 8));
}

#[test]
fn masks_keep_flags_from_the_line_but_not_from_status() {
    for (mask, asserted) in [(0x00, true), (0x20, false), (0x50, true), (0x70, false)] {
        let mut air = pair(Framing::enhanced(Rate::M2, 5), 0x1F);
        air.write(0, 0x00, &[0x0E | mask]);
        air.upload(0, W_TX_PAYLOAD, &[1]);
        air.pulse(0);
        air.run(us(1_000));
        assert_eq!((air.status(0) & 0x70, air.chips[0].irq()), (0x20, asserted), "{mask:#x}");
        air.write(0, 0x00, &[0x0E]);
        assert!(air.chips[0].irq(), "unmasked");
        air.write(0, 0x07, &[0x50]);
        assert!(air.chips[0].irq(), "other flags cleared");
        air.write(0, 0x07, &[0x20]);
        assert!(!air.chips[0].irq());
        assert_eq!(air.edges.iter().filter(|(_, chip, _)| *chip == 0).count(), 2, "down and up once");
    }
}

#[test]
fn reading_everything_leaves_the_flag_to_be_cleared() {
    let mut air = pair(Framing::enhanced(Rate::M2, 5), 0x1F);
    air.upload(0, W_TX_PAYLOAD, &[1; 2]);
    air.pulse(0);
    air.run(us(1_000));
    assert_eq!(air.payload(1, 2), [1; 2]);
    assert_eq!(air.status(1), 0x4E, "RX_DR, and an empty FIFO");
    air.write(1, 0x07, &[0x40]);
    assert_eq!(air.status(1), 0x0E);
}

#[test]
fn only_what_was_read_goes() {
    let mut air = pair(Framing::enhanced(Rate::M2, 5), 0x1F);
    air.upload(0, W_TX_PAYLOAD_NOACK, &[1; 8]);
    air.pulse(0);
    // The payload comes while a transaction reads an empty FIFO.
    let mosi = [R_RX_PAYLOAD, 0, 0];
    air.chips[1].select(air.now, &mosi, &mut [0; 3]);
    air.run(us(1_000));
    air.chips[1].deselect(air.now, &mosi);
    air.spi(1, &[R_RX_PAYLOAD]);
    assert_eq!(air.payload(1, 8), [1; 8]);
    assert_eq!(air.read(1, 0x17) & 1, 1);
}

#[test]
fn the_fifos_are_rings() {
    let mut air = pair(Framing::enhanced(Rate::M2, 5), 0x1F);
    air.ce(0, true);
    for octet in 0..50u8 {
        air.upload(0, W_TX_PAYLOAD, &[octet; 3]);
        if octet % 3 != 0 {
            continue;
        }
        air.run(us(2_000));
        for expected in octet.saturating_sub(2)..=octet {
            assert_eq!(air.payload(1, 3), [expected; 3]);
        }
        assert_eq!(air.read(1, 0x17) & 1, 1);
    }
}

/// A receiver alone, and a carrier of so many microseconds from `start` on; RPD read `after` the start of it.
fn rpd(settle: u64, carrier: u64, after: u64) -> u8 {
    let mut air = Air::new(1);
    air.write(0, 0x00, &[0x0B]);
    air.run(us(2_000));
    air.ce(0, true);
    air.run(us(settle));
    air.carrier(0, us(carrier));
    air.run(us(after));
    air.read(0, 0x09)
}

#[test]
fn rpd_shows_a_carrier_after_40_us() {
    assert_eq!(rpd(130, 100, 39), 0);
    assert_eq!(rpd(130, 100, 40), 1);
    assert_eq!(rpd(130, 100, 100), 1);
    assert_eq!(rpd(130, 100, 101), 0, "gone, and no packet came");
    assert_eq!(rpd(130, 30, 60), 0, "too short");
    assert_eq!(rpd(129, 100, 60), 0, "not settled when it began");
}

#[test]
fn rpd_takes_frames_without_a_gap_for_one_carrier() {
    for (gap, expected) in [(0, 1), (1, 0)] {
        let mut air = Air::new(1);
        air.write(0, 0x00, &[0x0B]);
        air.run(us(2_000));
        air.ce(0, true);
        air.run(us(130));
        air.carrier(0, us(30));
        air.run(us(30 + gap));
        air.carrier(0, us(30));
        air.run(us(20));
        assert_eq!(air.read(0, 0x09), expected, "a gap of {gap} µs");
    }
}

#[test]
fn rpd_is_latched_by_a_packet_and_by_ce() {
    let mut air = pair(Framing::enhanced(Rate::M2, 5), 0x1F);
    air.upload(0, W_TX_PAYLOAD_NOACK, &[1; 32]);
    air.pulse(0);
    air.run(us(1_000));
    assert_eq!(air.read(1, 0x09), 1, "a packet of 164.5 µs");
    air.ce(1, false);
    assert_eq!(air.read(1, 0x09), 1);
    air.ce(1, true);
    assert_eq!(air.read(1, 0x09), 0, "RX begins anew");
    air.run(us(200));
    air.carrier(1, us(500));
    air.run(us(50));
    air.ce(1, false);
    air.run(us(1_000));
    assert_eq!(air.read(1, 0x09), 1, "latched when CE fell");
    assert!(air.now > Instant::ZERO);
}
