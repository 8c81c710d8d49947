//! Times of power-up, settling and cycles, to the nanosecond.

use airtime_core::Instant;
use airtime_nrf24::air::{Framing, Rate};
use airtime_nrf24::wire::command::{W_ACK_PAYLOAD, W_TX_PAYLOAD, W_TX_PAYLOAD_NOACK};

use super::air::{Air, pair, us};

/// Rate, address width, frame of 32 octets, empty acknowledgement, acknowledged cycle; ns. From the reference table.
const TABLE: [(Rate, u8, u64, u64, u64); 6] = [
    (Rate::K250, 3, 1_252_000, 228_000, 1_740_000),
    (Rate::K250, 5, 1_316_000, 292_000, 1_868_000),
    (Rate::M1, 3, 313_000, 57_000, 630_000),
    (Rate::M1, 5, 329_000, 73_000, 662_000),
    (Rate::M2, 3, 156_500, 28_500, 445_000),
    (Rate::M2, 5, 164_500, 36_500, 461_000),
];

/// Three payloads, not yet sent. ARD is long enough for any acknowledgement.
fn three(rate: Rate, width: u8, command: u8) -> Air {
    let mut air = pair(Framing::enhanced(rate, width), 0x6F);
    for octet in 1..=3 {
        air.upload(0, command, &[octet; 32]);
    }
    air
}

fn gaps(starts: &[u64]) -> Vec<u64> {
    starts.windows(2).map(|pair| pair[1] - pair[0]).collect()
}

#[test]
fn acknowledged_cycles_under_a_high_ce() {
    for wakes_first in [false, true] {
        for (rate, width, frame, ack, cycle) in TABLE {
            let mut air = three(rate, width, W_TX_PAYLOAD);
            air.wakes_first = wakes_first;
            let raised = air.now.as_nanos();
            air.ce(0, true);
            air.run(us(7_000));
            for octet in 1..=3 {
                assert_eq!(air.payload(1, 32), [octet; 32], "{rate} AW{width}");
            }
            let starts = air.starts(0);
            assert_eq!(starts[0] - raised, 130_000);
            assert_eq!(gaps(&starts), [cycle, cycle], "{rate} AW{width}");
            let acks = air.starts(1);
            assert!(starts.iter().zip(&acks).all(|(start, ack)| ack - start == frame + 130_000));
            assert!(air.sent.iter().all(|s| s.on_air.time().as_nanos() == if s.from == 0 { frame } else { ack }));
            assert_eq!(air.read(0, 0x17) & 0x10, 0x10, "all are gone");
        }
    }
}

#[test]
fn cycles_with_full_acknowledgements() {
    for (rate, width, frame, ..) in TABLE {
        let mut air = pair(Framing::enhanced(rate, width), 0x6F);
        for octet in 1..=3 {
            air.upload(0, W_TX_PAYLOAD, &[octet; 32]);
            air.upload(1, W_ACK_PAYLOAD, &[octet + 100; 32]);
        }
        air.ce(0, true);
        air.run(us(9_000));
        let cycle = 260_000 + 2 * frame;
        assert_eq!(gaps(&air.starts(0)), [cycle, cycle], "{rate} AW{width}");
        for octet in 1..=3 {
            assert_eq!(air.payload(1, 32), [octet; 32]);
            assert_eq!(air.payload(0, 32), [octet + 100; 32]);
        }
    }
}

#[test]
fn frames_without_acknowledgement_follow_one_another_without_a_gap() {
    for (rate, width, frame, ..) in TABLE {
        let mut air = three(rate, width, W_TX_PAYLOAD_NOACK);
        air.ce(0, true);
        air.run(us(5_000));
        assert_eq!(gaps(&air.starts(0)), [frame, frame], "{rate} AW{width}");
        assert!(air.starts(1).is_empty(), "nothing is acknowledged");
        for octet in 1..=3 {
            assert_eq!(air.payload(1, 32), [octet; 32]);
        }
    }
}

#[test]
fn a_pulse_sends_one_frame() {
    for (rate, width, frame, ..) in TABLE {
        let mut air = three(rate, width, W_TX_PAYLOAD_NOACK);
        for n in 1..=3u64 {
            let raised = air.now;
            air.pulse(0);
            air.run(us(2_000));
            let sent = air.sent.last().expect("a frame");
            assert_eq!(sent.on_air.end - raised, us(130) + sent.on_air.time());
            assert_eq!((air.sent.len() as u64, sent.on_air.time().as_nanos()), (n, frame));
        }
        air.pulse(0);
        air.run(us(2_000));
        assert_eq!(air.sent.len(), 3, "nothing is left");
    }
}

#[test]
fn after_a_gapless_frame_an_acknowledged_one_follows_at_once_but_not_the_other_way() {
    let mut air = pair(Framing::enhanced(Rate::M2, 3), 0x1F);
    air.upload(0, W_TX_PAYLOAD_NOACK, &[1; 32]);
    air.upload(0, W_TX_PAYLOAD, &[2; 32]);
    air.upload(0, W_TX_PAYLOAD_NOACK, &[3; 32]);
    air.ce(0, true);
    air.run(us(2_000));
    assert_eq!(gaps(&air.starts(0)), [156_500, 445_000]);
}

#[test]
fn in_standby_ii_an_upload_settles_from_the_rise_of_csn() {
    let mut air = pair(Framing::enhanced(Rate::M2, 5), 0x1F);
    air.ce(0, true);
    air.run(us(500));
    let mosi = [W_TX_PAYLOAD_NOACK, 1, 2, 3];
    air.chips[0].select(air.now, &mosi, &mut [0; 4]);
    air.run(us(4));
    let risen = air.now;
    air.chips[0].deselect(risen, &mosi);
    air.run(us(500));
    assert_eq!(air.sent[0].on_air.start, risen + us(130));
}

#[test]
fn power_up_takes_the_crystal_and_then_settles() {
    let mut air = Air::new(1);
    air.write(0, 0x00, &[0x0A]);
    air.upload(0, W_TX_PAYLOAD, &[1]);
    air.ce(0, true);
    air.run(us(10_000));
    assert_eq!(air.starts(0)[0], 1_500_000 + 130_000);
    air.write(0, 0x00, &[0x08]);
    assert_eq!(air.chips[0].deadline(), None, "power down waits for nothing");
}

#[test]
fn a_receiver_listens_from_130_us_on() {
    let mut air = Air::new(1);
    air.write(0, 0x00, &[0x0B]);
    air.run(us(2_000));
    assert_eq!(air.chips[0].listens_since(), None);
    air.ce(0, true);
    assert_eq!(air.chips[0].listens_since(), Some(Instant::from_nanos(2_130_000)));
    air.run(us(200));
    air.write(0, 0x05, &[40]);
    assert_eq!(air.chips[0].listens_since(), Some(Instant::from_nanos(2_330_000)), "another channel, settled anew");
    air.ce(0, false);
    assert_eq!(air.chips[0].listens_since(), None);
}

#[test]
fn ce_low_lets_the_cycle_end() {
    let mut air = three(Rate::M2, 5, W_TX_PAYLOAD);
    air.ce(0, true);
    air.run(us(200));
    air.ce(0, false);
    // The receiver too finishes the acknowledgement that it owes.
    air.run(us(120));
    air.ce(1, false);
    air.run(us(2_000));
    assert_eq!((air.starts(0).len(), air.starts(1).len()), (1, 1));
    assert_eq!(air.status(0) & 0x70, 0x20, "acknowledged");
    assert_eq!(air.chips[1].listens_since(), None, "and then the receiver is in standby");
}
