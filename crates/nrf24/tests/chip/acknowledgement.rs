//! Retransmission: ARD, ARC, the window, MAX_RT, duplicates, and a receiver that has no room.

use airtime_core::Duration;
use airtime_nrf24::air::{Crc, Framing, Rate};
use airtime_nrf24::trace::{Reception, Trace};
use airtime_nrf24::wire::command::{
    FLUSH_TX, R_RX_PL_WID, REUSE_TX_PL, W_ACK_PAYLOAD, W_TX_PAYLOAD, W_TX_PAYLOAD_NOACK,
};
use airtime_nrf24::wire::frame::{Address, Control, Frame};

use super::air::{Air, Fate, pair, set_up, us};

/// A transmitter whom nobody hears.
fn alone(rate: Rate, width: u8, ard_arc: u8) -> Air {
    let mut air = Air::new(1);
    set_up(&mut air, Framing::enhanced(rate, width), ard_arc);
    air
}

#[test]
fn repetitions_start_ard_after_the_end_of_a_frame() {
    for rate in Rate::ALL {
        for ard in 0..=15u8 {
            for arc in [1, 2, 15] {
                let mut air = alone(rate, 5, ard << 4 | arc);
                air.upload(0, W_TX_PAYLOAD, &[7; 32]);
                air.pulse(0);
                air.run(us(100_000));
                assert_eq!(air.sent.len(), usize::from(arc) + 1, "{rate} ARD {ard} ARC {arc}");
                let delay = us(250) * u64::from(ard + 1);
                assert!(air.sent.windows(2).all(|pair| pair[1].on_air.start - pair[0].on_air.end == delay));
                assert!(air.sent.iter().all(|sent| sent.frame == air.sent[0].frame), "the same PID, the same bits");
            }
        }
    }
}

#[test]
fn max_rt_keeps_the_payload_and_blocks_until_it_is_cleared() {
    let mut air = alone(Rate::M2, 5, 0x03);
    air.upload(0, W_TX_PAYLOAD, &[7; 32]);
    air.ce(0, true);
    air.run(us(10_000));
    assert_eq!((air.sent.len(), air.status(0) & 0x70), (4, 0x10));
    assert_eq!(air.read(0, 0x08), 0x13, "one packet lost, three repetitions");
    assert_eq!(air.read(0, 0x17) & 0x10, 0, "the payload stays");
    assert!(air.chips[0].irq() && air.traced(0, Trace::MaxRt { upload: 0 }));
    air.ce(0, false);
    air.pulse(0);
    air.run(us(10_000));
    assert_eq!(air.sent.len(), 4, "it waits to be cleared");
    air.write(0, 0x07, &[0x10]);
    assert!(!air.chips[0].irq());
    air.pulse(0);
    air.run(us(10_000));
    assert_eq!(air.sent.len(), 8, "the same once more");
    assert_eq!(air.sent[7].frame, air.sent[0].frame);
    assert_eq!(air.read(0, 0x08), 0x23);
    air.write(0, 0x05, &[2]);
    assert_eq!(air.read(0, 0x08), 0x03, "the channel was written");
}

#[test]
fn lost_packets_are_counted_to_fifteen() {
    let mut air = alone(Rate::M2, 3, 0x01);
    air.upload(0, W_TX_PAYLOAD, &[7]);
    for _ in 0..20 {
        air.write(0, 0x07, &[0x10]);
        air.pulse(0);
        air.run(us(2_000));
    }
    assert_eq!(air.read(0, 0x08), 0xF1);
}

#[test]
fn without_retransmission_nobody_waits() {
    let mut air = alone(Rate::M2, 5, 0x00);
    air.upload(0, W_TX_PAYLOAD, &[7; 32]);
    air.pulse(0);
    air.run(us(1_000));
    assert_eq!((air.sent.len(), air.status(0) & 0x70), (1, 0x20));
}

/// The acknowledgement that the reset address would send.
fn ack() -> Frame {
    Frame::enhanced(Address { value: 0xE7_E7_E7_E7_E7, width: 5 }, Control::default(), &[], Crc::Two)
}

/// Sends a frame of 32 octets and lets a foreign acknowledgement begin so long after its end; true if it counted.
fn answered_at(rate: Rate, ard_arc: u8, after: Duration, ack: &Frame) -> bool {
    let answers = [false, true].map(|wakes_first| answered(rate, ard_arc, after, ack, wakes_first));
    assert_eq!(answers[0], answers[1], "who is asked first at one instant makes no difference");
    answers[0]
}

fn answered(rate: Rate, ard_arc: u8, after: Duration, ack: &Frame, wakes_first: bool) -> bool {
    let mut air = alone(rate, 5, ard_arc);
    air.wakes_first = wakes_first;
    air.upload(0, W_TX_PAYLOAD, &[7; 32]);
    air.pulse(0);
    air.run(us(120) + Framing::enhanced(rate, 5).time(32));
    assert_eq!(air.now, air.sent[0].on_air.end);
    air.run(after);
    air.foreign(0, ack);
    air.run(us(20_000));
    air.status(0) & 0x20 != 0 && air.starts(0).len() == 1
}

#[test]
fn the_address_of_an_acknowledgement_must_come_within_the_window() {
    let ns = Duration::from_nanos;
    // Preamble and address of five octets are 48 bits: 24, 48 and 192 µs.
    for (rate, window, address) in [(Rate::M2, 250, 24), (Rate::M1, 250, 48), (Rate::K250, 500, 192)] {
        let latest = us(window - address);
        assert!(answered_at(rate, 0x71, us(130), &ack()), "{rate}: as soon as it listens");
        assert!(!answered_at(rate, 0x71, us(130) - ns(1), &ack()), "{rate}: too soon");
        assert!(answered_at(rate, 0x71, latest, &ack()), "{rate}: the end may come later");
        assert!(!answered_at(rate, 0x71, latest + ns(1), &ack()), "{rate}: too late");
    }
}

#[test]
fn ard_cuts_an_acknowledgement_short() {
    // 250 µs at 2 Mbit/s: 130 µs to turn around, and 36.5 µs of an empty acknowledgement.
    let ns = Duration::from_nanos;
    assert!(answered_at(Rate::M2, 0x01, ns(250_000 - 36_500), &ack()), "ends with ARD");
    assert!(!answered_at(Rate::M2, 0x01, ns(250_001 - 36_500), &ack()));
    for (ard, arrives) in [(0x0F, false), (0x1F, true)] {
        let mut air = pair(Framing::enhanced(Rate::M2, 5), ard);
        air.upload(1, W_ACK_PAYLOAD, &[9; 32]);
        air.upload(0, W_TX_PAYLOAD, &[7; 32]);
        air.pulse(0);
        air.run(us(20_000));
        assert_eq!(air.status(0) & 0x70, if arrives { 0x60 } else { 0x10 }, "ACK of 32 octets, ARD {ard:#x}");
    }
}

#[test]
fn the_window_closes_on_a_frame_with_a_wrong_check() {
    let mut damaged = ack();
    damaged.flip(60);
    assert!(!answered_at(Rate::M2, 0x71, us(130), &damaged));
    let stranger = Frame::enhanced(Address { value: 0xC2_C2_C2_C2_C2, width: 5 }, Control::default(), &[], Crc::Two);
    assert!(!answered_at(Rate::M2, 0x71, us(130), &stranger));
}

#[test]
fn a_lost_acknowledgement_makes_a_duplicate_that_is_acknowledged_again() {
    let mut air = pair(Framing::enhanced(Rate::M2, 5), 0x1F);
    air.fates = vec![Fate::Arrives, Fate::Lost];
    air.upload(0, W_TX_PAYLOAD, &[7; 32]);
    air.pulse(0);
    air.run(us(5_000));
    assert_eq!(air.receptions(1), [Reception::New, Reception::Duplicate]);
    assert_eq!((air.payload(1, 32), air.read(1, 0x17) & 1), (vec![7; 32], 1), "once only");
    assert_eq!((air.starts(1).len(), air.read(0, 0x08)), (2, 0x01));
    assert!(air.traced(0, Trace::Sent { upload: 0, retries: 1, acked: true }));
}

/// The receiver listens again 130 + 36.5 + 130 µs after the frame, and the repetition starts after 250 µs: it goes
/// unheard, and only the next one is answered.
#[test]
fn with_an_ard_of_250_us_a_lost_acknowledgement_costs_two_repetitions() {
    let mut air = pair(Framing::enhanced(Rate::M2, 5), 0x0F);
    air.fates = vec![Fate::Arrives, Fate::Lost];
    air.upload(0, W_TX_PAYLOAD, &[7; 32]);
    air.pulse(0);
    air.run(us(5_000));
    assert_eq!((air.starts(0).len(), air.starts(1).len(), air.read(0, 0x08)), (3, 2, 0x02));
    assert_eq!(air.receptions(1), [Reception::New, Reception::Duplicate]);
}

#[test]
fn the_same_payload_uploaded_twice_is_new_twice() {
    let mut air = pair(Framing::enhanced(Rate::M2, 5), 0x0F);
    for _ in 0..2 {
        air.upload(0, W_TX_PAYLOAD, &[7; 32]);
    }
    air.ce(0, true);
    air.run(us(5_000));
    assert_eq!(air.receptions(1), [Reception::New, Reception::New]);
}

/// The identity has two bits: three losses between two equal payloads, and the second is taken for the first.
#[test]
fn four_uploads_later_the_same_payload_is_taken_for_a_duplicate() {
    let mut air = pair(Framing::enhanced(Rate::M2, 5), 0x0F);
    air.fates = vec![Fate::Arrives, Fate::Lost, Fate::Lost, Fate::Lost, Fate::Arrives];
    air.ce(0, true);
    for _ in 0..5 {
        air.upload(0, W_TX_PAYLOAD_NOACK, &[7; 32]);
        air.run(us(1_000));
    }
    assert_eq!(air.receptions(1), [Reception::New, Reception::Duplicate]);
}

#[test]
fn a_full_receiver_neither_takes_nor_acknowledges() {
    let mut air = pair(Framing::enhanced(Rate::M2, 5), 0x1F);
    air.ce(0, true);
    for octet in 1..=4 {
        air.upload(0, W_TX_PAYLOAD, &[octet; 32]);
        air.run(us(600));
    }
    assert_eq!(air.read(1, 0x17) & 0x02, 0x02);
    assert_eq!(air.receptions(1)[..4], [Reception::New, Reception::New, Reception::New, Reception::FifoFull]);
    air.run(us(1_000));
    assert_eq!((air.starts(1).len(), air.status(0) & 0x10), (3, 0), "it repeats");
    assert_eq!(air.payload(1, 32), [1; 32]);
    air.run(us(2_000));
    assert_eq!(air.starts(1).len(), 4, "room again, and the repetition got through");
    for octet in 2..=4 {
        assert_eq!(air.payload(1, 32), [octet; 32]);
    }
}

#[test]
fn a_receiver_that_stays_full_leads_to_max_rt() {
    let mut air = pair(Framing::enhanced(Rate::M2, 5), 0x13);
    air.ce(0, true);
    for octet in 1..=4 {
        air.upload(0, W_TX_PAYLOAD, &[octet; 32]);
        air.run(us(600));
    }
    air.run(us(10_000));
    assert_eq!(air.status(0) & 0x10, 0x10);
}

#[test]
fn flush_tx_ends_a_cycle() {
    let mut air = alone(Rate::M2, 5, 0x2F);
    for octet in 0..3 {
        air.upload(0, W_TX_PAYLOAD, &[octet; 32]);
    }
    air.ce(0, true);
    air.run(us(600));
    air.spi(0, &[FLUSH_TX]);
    air.run(us(20_000));
    assert_eq!((air.sent.len(), air.status(0) & 0x70), (1, 0));
    assert!(air.traced(0, Trace::Flushed { first: 0, last: 2 }));
    air.upload(0, W_TX_PAYLOAD, &[9; 32]);
    air.run(us(500));
    assert_eq!(air.sent.len(), 2, "in standby-II, and ready");
    // Of a payload that is flushed while it is repeated only the frame comes to its end.
    air.run(us(600));
    assert!(air.chips[0].on_air().is_some());
    air.spi(0, &[FLUSH_TX]);
    air.run(us(20_000));
    assert_eq!((air.sent.len(), air.status(0) & 0x70, air.read(0, 0x17) & 0x10), (3, 0, 0x10));
}

#[test]
fn reuse_sends_the_last_payload_until_another_is_written() {
    let mut air = pair(Framing::enhanced(Rate::M2, 5), 0x1F);
    air.upload(0, W_TX_PAYLOAD_NOACK, &[7; 4]);
    air.pulse(0);
    air.run(us(500));
    air.spi(0, &[REUSE_TX_PL]);
    assert_eq!(air.read(0, 0x17) & 0x40, 0x40);
    for _ in 0..3 {
        air.pulse(0);
        air.run(us(500));
    }
    assert_eq!(air.starts(0).len(), 4);
    assert!(air.sent.iter().all(|sent| sent.frame == air.sent[0].frame), "no new identity");
    assert_eq!(air.receptions(1), [Reception::New, Reception::Duplicate, Reception::Duplicate, Reception::Duplicate]);
    air.upload(0, W_TX_PAYLOAD_NOACK, &[8; 4]);
    assert_eq!(air.read(0, 0x17) & 0x40, 0);
    air.pulse(0);
    air.run(us(500));
    air.pulse(0);
    air.run(us(500));
    assert_eq!(air.starts(0).len(), 5);
    assert_eq!(air.spi(1, &[R_RX_PL_WID, 0])[1], 4);
}
