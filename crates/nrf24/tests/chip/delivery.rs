//! Whatever the air does, acknowledged payloads arrive once and in order, both ways, and every upload has one fate.

use airtime_core::Duration;
use airtime_nrf24::air::{Framing, Rate};
use airtime_nrf24::trace::Trace;
use airtime_nrf24::wire::command::{FLUSH_TX, W_ACK_PAYLOAD, W_TX_PAYLOAD, W_TX_PAYLOAD_NOACK};
use proptest::prelude::*;

use super::air::{Air, Fate, pair, us};

/// Payloads of a run, each way.
const PAYLOADS: u8 = 12;

fn fates() -> impl Strategy<Value = Vec<Fate>> {
    let fate = prop_oneof![Just(Fate::Arrives), Just(Fate::Lost), (0u16..340).prop_map(Fate::Flip)];
    proptest::collection::vec(fate, 0..120)
}

/// Takes all payloads out of the RX FIFO of `chip`.
fn take(air: &mut Air, chip: usize, into: &mut Vec<u8>) {
    while air.read(chip, 0x17) & 1 == 0 {
        into.push(air.payload(chip, 5)[4]);
    }
}

/// Runs until everything is across; gives what arrived at the receiver and at the transmitter.
fn exchange(air: &mut Air, with_ack_payloads: bool) -> (Vec<u8>, Vec<u8>) {
    let (mut there, mut back, mut up, mut down) = (Vec::new(), Vec::new(), 0, 0);
    air.ce(0, true);
    for _ in 0..10_000 {
        while with_ack_payloads && down < PAYLOADS && air.status(1) & 1 == 0 {
            air.upload(1, W_ACK_PAYLOAD, &[0xB0, 0, 0, 0, down]);
            down += 1;
        }
        // Polls, payload or not, as long as there is something to be fetched.
        let wanted = up < PAYLOADS || (with_ack_payloads && air.read(1, 0x17) & 0x10 == 0);
        if wanted && air.status(0) & 1 == 0 {
            air.upload(0, W_TX_PAYLOAD, &[0xA0, 0, 0, 0, up]);
            up = up.wrapping_add(1);
        }
        air.run(us(300));
        take(air, 1, &mut there);
        take(air, 0, &mut back);
        for chip in 0..2 {
            air.write(chip, 0x07, &[0x70]);
        }
        if !wanted && air.read(0, 0x17) & 0x10 != 0 {
            air.run(us(2_000));
            take(air, 1, &mut there);
            take(air, 0, &mut back);
            return (there, back);
        }
    }
    panic!("it stands still: {there:?} {back:?}");
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn acknowledged_payloads_arrive_once_and_in_order(
        fates in fates(), ard_arc in prop_oneof![Just(0x0F_u8), Just(0x1F), Just(0x12), Just(0x31)], with in any::<bool>()
    ) {
        let mut air = pair(Framing::enhanced(Rate::M2, 5), ard_arc);
        air.fates = fates;
        let (there, back) = exchange(&mut air, with);
        prop_assert!(there.len() >= usize::from(PAYLOADS));
        prop_assert!(there.iter().enumerate().all(|(index, &octet)| usize::from(octet) == index), "{:?}", there);
        let expected = if with { PAYLOADS } else { 0 };
        prop_assert_eq!(back, (0..expected).collect::<Vec<u8>>());
    }

    /// Sent, flushed or still there: each upload once, whatever the host does.
    #[test]
    fn every_upload_has_one_fate(
        fates in fates(), steps in proptest::collection::vec((0u8..8, 0u64..900), 0..80)
    ) {
        let mut air = pair(Framing::enhanced(Rate::M2, 3), 0x12);
        air.fates = fates;
        let mut uploads = 0;
        for (what, span) in steps {
            match what {
                0 | 1 => air.upload(0, W_TX_PAYLOAD, &[what; 9]),
                2 | 3 => air.upload(0, W_TX_PAYLOAD_NOACK, &[what; 32]),
                4 => { air.spi(0, &[FLUSH_TX]); }
                5 => air.ce(0, false),
                6 => air.ce(0, true),
                _ => air.write(0, 0x07, &[0x70]),
            }
            uploads += u32::from(what < 4);
            air.run(us(span));
            air.payload(1, 9);
        }
        air.run(Duration::from_millis(20));
        air.spi(0, &[FLUSH_TX]);
        let mut fates = vec![0; uploads as usize];
        for (_, chip, trace) in &air.traces {
            match *trace {
                Trace::Sent { upload, .. } if *chip == 0 => fates[upload as usize] += 1,
                Trace::Flushed { first, last } if *chip == 0 => {
                    fates[first as usize..=last as usize].iter_mut().for_each(|fate| *fate += 1);
                }
                _ => {}
            }
        }
        prop_assert!(fates.iter().all(|&fate| fate == 1), "{:?}", fates);
    }
}
