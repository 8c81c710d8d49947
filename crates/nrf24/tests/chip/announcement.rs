//! A transaction announced ahead is the same as one at its own time, whatever happens to the chip meanwhile.

use airtime_nrf24::air::{Framing, Rate};
use airtime_nrf24::wire::command::{R_RX_PAYLOAD, W_TX_PAYLOAD};
use proptest::prelude::*;

use super::air::{Air, pair, us};

/// How the receiver's host makes its transactions.
#[derive(Clone, Copy, PartialEq)]
enum How {
    AtOnce,
    Ahead,
    AheadInPlace,
}

/// What the receiver reads in transactions of `octets` µs that begin so long after one another, while frames come in.
fn read(gaps: &[(u64, u8)], how: How) -> (Vec<Vec<u8>>, Air) {
    let mut air = pair(Framing::enhanced(Rate::M2, 3), 0x1F);
    air.ce(0, true);
    let mut heard = Vec::new();
    for (index, &(gap, what)) in gaps.iter().enumerate() {
        if air.status(0) & 1 == 0 {
            air.upload(0, W_TX_PAYLOAD, &[index as u8; 7]);
        }
        let mosi: &[u8] = match what {
            0 => &[R_RX_PAYLOAD, 0, 0, 0, 0, 0, 0, 0],
            1 => &[0x17, 0],
            2 => &[0x09, 0],
            _ => &[0x27, 0x70],
        };
        let mut miso = vec![0xEE; mosi.len()];
        let span = us(mosi.len() as u64 * 20);
        if how == How::AtOnce {
            air.run(us(gap));
            air.chips[1].select(air.now, mosi, &mut miso);
            air.run(span);
            air.chips[1].deselect(air.now, mosi);
        } else {
            air.chips[1].select_at(air.now + us(gap), mosi);
            air.run(us(gap) + span);
            if how == How::Ahead {
                air.chips[1].deselect_at(air.now, mosi, &mut miso);
            } else {
                miso.copy_from_slice(mosi);
                air.chips[1].deselect_in_place(air.now, &mut miso);
            }
        }
        heard.push(miso);
    }
    air.run(us(5_000));
    (heard, air)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn announced_transactions_read_and_do_the_same(gaps in proptest::collection::vec((0u64..400, 0u8..4), 1..40)) {
        let (heard, at_once) = read(&gaps, How::AtOnce);
        for how in [How::Ahead, How::AheadInPlace] {
            let (heard_later, later) = read(&gaps, how);
            prop_assert_eq!(&heard, &heard_later);
            // What a read has to say about itself may be drained later; what happens on the air may not.
            let sent = |air: &Air| air.sent.iter().map(|sent| (sent.from, sent.on_air, sent.frame)).collect::<Vec<_>>();
            prop_assert_eq!(sent(&at_once), sent(&later));
            prop_assert_eq!((at_once.receptions(1), at_once.lints(1)), (later.receptions(1), later.lints(1)));
        }
    }
}
