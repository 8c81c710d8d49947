//! No bytes make a host panic, and none make it lose count of its buffers.

use alloc::vec::Vec;

use proptest::prelude::*;

use super::pipe::{CENTRAL, CONN, PERIPHERAL, PLENTY, Pair, personality};
use crate::host::{ATT_CHANNEL as ATT, HostInput, Request};

fn bytes(most: usize) -> impl Strategy<Value = Vec<u8>> {
    proptest::collection::vec(any::<u8>(), 0..most)
}

/// Events with a true code and length, so that their parameters are reached.
fn event() -> impl Strategy<Value = Vec<u8>> {
    let codes = prop_oneof![Just(0x05u8), Just(0x08), Just(0x0e), Just(0x0f), Just(0x13), Just(0x3e), any::<u8>()];
    (codes, bytes(40)).prop_map(|(code, params)| [&[4, code, params.len() as u8], &params[..]].concat())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_hci_bytes(packets in proptest::collection::vec(prop_oneof![bytes(60), event()], 1..30)) {
        let mut pair = Pair::with_channel(personality(PLENTY));
        pair.request(CENTRAL, Request::SendSdu { conn: CONN, channel: 0x40, sdu: &[1; 2000] });
        for packet in packets {
            let now = pair.now;
            pair.hosts[CENTRAL].handle(now, HostInput::Hci(&packet));
            while pair.hosts[CENTRAL].poll(pair.now).is_some() {}
            prop_assert!(pair.hosts[CENTRAL].free_acl_buffers() <= 3);
            prop_assert!(pair.hosts[CENTRAL].free_l2cap_buffers() <= 6);
        }
    }

    #[test]
    fn any_l2cap_pdus(pdus in proptest::collection::vec((prop_oneof![Just(ATT), Just(5), Just(6), Just(0x40)], bytes(60)), 1..40)) {
        let mut pair = Pair::with_channel(personality(PLENTY));
        pair.request(CENTRAL, Request::Discover { conn: CONN });
        for (cid, payload) in pdus {
            pair.inject(CENTRAL, cid, &payload);
            pair.inject(PERIPHERAL, cid, &payload);
        }
        pair.settle();
        for host in [CENTRAL, PERIPHERAL] {
            prop_assert_eq!(pair.hosts[host].free_acl_buffers(), 3);
            prop_assert_eq!(pair.hosts[host].free_l2cap_buffers(), 6);
        }
    }

    /// Signalling and ATT PDUs that begin as they should.
    #[test]
    fn likely_l2cap_pdus(codes in proptest::collection::vec((0u8..0x20, bytes(12)), 1..40)) {
        let mut pair = Pair::with_channel(personality(PLENTY));
        pair.request(CENTRAL, Request::Discover { conn: CONN });
        for (code, data) in codes {
            let signal = [&[code, 1, data.len() as u8, 0], &data[..]].concat();
            pair.inject(CENTRAL, 5, &signal);
            let att = [&[code], &data[..]].concat();
            pair.inject(CENTRAL, ATT, &att);
            pair.inject(PERIPHERAL, ATT, &att);
        }
        pair.settle();
        prop_assert_eq!(pair.hosts[CENTRAL].free_acl_buffers(), 3);
    }
}
