//! Payloads on acknowledgements.

use airtime_nrf24::air::{Framing, Rate};
use airtime_nrf24::trace::{Reception, Sent, Trace};
use airtime_nrf24::wire::command::{W_ACK_PAYLOAD, W_TX_PAYLOAD, W_TX_PAYLOAD_NOACK};

use super::air::{Air, Fate, pair, us};

fn send(air: &mut Air, octet: u8) {
    air.upload(0, W_TX_PAYLOAD, &[octet; 4]);
    air.pulse(0);
    air.run(us(3_000));
}

#[test]
fn a_payload_rides_and_is_known_to_have_arrived_with_the_next_new_packet() {
    let mut air = pair(Framing::enhanced(Rate::M2, 5), 0x1F);
    air.upload(1, W_ACK_PAYLOAD, &[9, 8, 7]);
    send(&mut air, 1);
    assert_eq!(air.status(0) & 0x70, 0x60, "RX_DR and TX_DS together");
    assert_eq!((air.status(0) >> 1 & 7, air.payload(0, 3)), (0, vec![9, 8, 7]));
    assert_eq!(air.status(1) & 0x70, 0x40, "nothing is known yet");
    assert_eq!(air.read(1, 0x17) & 0x10, 0, "and the payload stays");
    assert!(air.sent.iter().any(|s| s.on_air.sent == Sent::Ack { upload: Some(0) }));
    air.write(1, 0x07, &[0x70]);
    send(&mut air, 2);
    assert_eq!((air.status(1) & 0x70, air.read(1, 0x17) & 0x10), (0x60, 0x10));
    assert!(air.traced(1, Trace::Sent { upload: 0, retries: 0, acked: true }));
    assert!(air.sent.iter().any(|s| s.on_air.sent == Sent::Ack { upload: None }), "the second is empty");
}

#[test]
fn a_lost_acknowledgement_brings_its_payload_again() {
    let mut air = pair(Framing::enhanced(Rate::M2, 5), 0x1F);
    air.fates = vec![Fate::Arrives, Fate::Lost];
    air.upload(1, W_ACK_PAYLOAD, &[1; 4]);
    air.upload(1, W_ACK_PAYLOAD, &[2; 4]);
    send(&mut air, 1);
    assert_eq!(air.receptions(1), [Reception::New, Reception::Duplicate]);
    assert_eq!(air.status(1) & 0x20, 0, "a duplicate says nothing about the acknowledgement");
    send(&mut air, 2);
    assert_eq!((air.payload(0, 4), air.payload(0, 4)), (vec![1; 4], vec![2; 4]), "each once, in order");
}

#[test]
fn each_pipe_has_its_own_and_a_dead_pipe_blocks_all() {
    let mut air = pair(Framing::enhanced(Rate::M2, 5), 0x1F);
    for octet in 1..=3 {
        air.upload(1, W_ACK_PAYLOAD | 3, &[octet]);
    }
    assert_eq!(air.status(1) & 1, 1, "TX_FULL");
    air.upload(1, W_ACK_PAYLOAD, &[4]);
    send(&mut air, 1);
    assert_eq!(air.status(0) & 0x70, 0x20, "acknowledged, but with nothing on it");
    assert!(air.traced(1, Trace::Flushed { first: 3, last: 3 }), "the fourth was never taken");
}

#[test]
fn a_payload_leaves_from_between_others() {
    let mut air = pair(Framing::enhanced(Rate::M2, 5), 0x1F);
    for (pipe, octet) in [(1, 1), (0, 2), (1, 3)] {
        air.upload(1, W_ACK_PAYLOAD | pipe, &[octet]);
    }
    send(&mut air, 1);
    send(&mut air, 2);
    assert_eq!(air.payload(0, 1), [2]);
    assert!(air.traced(1, Trace::Sent { upload: 1, retries: 0, acked: true }));
    air.upload(1, W_ACK_PAYLOAD | 1, &[4]);
    assert_eq!(air.status(1) & 1, 1, "full again");
    for chip in [0x10, 0x0A] {
        air.write(0, chip, &[0xC2; 5]);
    }
    for octet in [1, 3, 4] {
        air.payload(1, 4);
        send(&mut air, octet);
        assert_eq!(air.payload(0, 1), [octet], "pipe 1 in its order");
    }
}

#[test]
fn what_is_written_after_the_packet_rides_on_the_next_acknowledgement() {
    let mut air = pair(Framing::enhanced(Rate::M2, 5), 0x1F);
    air.upload(0, W_TX_PAYLOAD, &[1; 4]);
    air.pulse(0);
    air.run(us(120) + Framing::enhanced(Rate::M2, 5).time(4) + us(50));
    air.upload(1, W_ACK_PAYLOAD, &[5]);
    air.run(us(2_000));
    assert_eq!(air.status(0) & 0x70, 0x20);
    send(&mut air, 2);
    assert_eq!(air.payload(0, 1), [5]);
}

#[test]
fn nothing_rides_without_the_feature_or_without_an_acknowledgement() {
    let mut air = pair(Framing::enhanced(Rate::M2, 5), 0x1F);
    air.write(1, 0x1D, &[0x05]);
    air.upload(1, W_ACK_PAYLOAD, &[5]);
    assert_eq!(air.read(1, 0x17) & 0x10, 0x10, "not taken");
    air.write(1, 0x1D, &[0x07]);
    air.upload(1, W_ACK_PAYLOAD, &[6]);
    air.upload(0, W_TX_PAYLOAD_NOACK, &[1]);
    air.pulse(0);
    air.run(us(1_000));
    assert_eq!((air.starts(1).len(), air.read(1, 0x17) & 0x10), (0, 0));
}

#[test]
fn a_transmitter_without_room_does_not_take_a_payload_for_an_answer() {
    let mut air = pair(Framing::enhanced(Rate::M2, 5), 0x12);
    for octet in 1..=4 {
        if octet == 4 {
            air.payload(1, 4);
        }
        air.upload(1, W_ACK_PAYLOAD, &[octet; 4]);
        send(&mut air, octet);
    }
    assert_eq!(air.receptions(0)[..4], [Reception::Ack, Reception::Ack, Reception::Ack, Reception::FifoFull]);
    assert_eq!(air.status(0) & 0x10, 0x10, "MAX_RT");
}

#[test]
fn a_transmitter_sends_what_was_written_for_acknowledgements_too() {
    let mut air = pair(Framing::enhanced(Rate::M2, 5), 0x1F);
    air.upload(0, W_ACK_PAYLOAD | 1, &[3; 3]);
    air.pulse(0);
    air.run(us(1_000));
    assert_eq!(air.payload(1, 3), [3; 3], "the TX FIFO is one");
}
