//! MTU exchange, discovery, notifications and write commands.

use super::pipe::{CENTRAL, CONN, PERIPHERAL, PLENTY, PSM, Pair, personality};
use crate::host::{ATT_CHANNEL, HostEvent, ReceivedSdu, Refused, Request};
use crate::personality::Host;

fn last(pair: &Pair, host: usize) -> &HostEvent {
    pair.events[host].last().expect("an event")
}

#[test]
fn the_smaller_mtu_is_agreed() {
    let mut pair = Pair::new(personality(PLENTY), Host { att_mtu: 100, ..personality(PLENTY) });
    pair.settle();
    pair.request(CENTRAL, super::pipe::connect(pair.address(PERIPHERAL)));
    pair.settle();
    pair.request(CENTRAL, Request::ExchangeMtu { conn: CONN });
    pair.settle();
    for host in [CENTRAL, PERIPHERAL] {
        assert_eq!(last(&pair, host), &HostEvent::MtuExchanged { conn: CONN, mtu: 100 });
    }
}

#[test]
fn the_psm_is_discovered_at_any_mtu() {
    for exchange in [false, true] {
        let mut pair = Pair::connected(personality(PLENTY));
        pair.request(PERIPHERAL, Request::Listen { psm: PSM });
        if exchange {
            pair.request(CENTRAL, Request::ExchangeMtu { conn: CONN });
        }
        pair.request(CENTRAL, Request::Discover { conn: CONN });
        pair.settle();
        assert_eq!(last(&pair, CENTRAL), &HostEvent::Discovered { conn: CONN, psm: Some(PSM), stream: true });
    }
}

#[test]
fn without_a_listener_there_is_no_psm() {
    let mut pair = Pair::connected(personality(PLENTY));
    pair.request(CENTRAL, Request::Discover { conn: CONN });
    pair.settle();
    assert_eq!(last(&pair, CENTRAL), &HostEvent::Discovered { conn: CONN, psm: None, stream: true });
}

#[test]
fn values_flow_both_ways() {
    let mut pair = Pair::connected(personality(PLENTY));
    let notify = |pair: &mut Pair, value| {
        let now = pair.now;
        pair.hosts[PERIPHERAL].request(now, Request::SendValue { conn: CONN, value })
    };
    assert_eq!(notify(&mut pair, &[1]), Err(Refused::NotSubscribed));
    let early = pair.hosts[CENTRAL].request(pair.now, Request::Subscribe { conn: CONN });
    assert_eq!(early, Err(Refused::NotDiscovered));
    pair.request(CENTRAL, Request::Discover { conn: CONN });
    pair.request(CENTRAL, Request::Subscribe { conn: CONN });
    pair.settle();
    assert_eq!(last(&pair, CENTRAL), &HostEvent::Subscribed { conn: CONN });
    assert_eq!(last(&pair, PERIPHERAL), &HostEvent::Subscribed { conn: CONN });
    assert_eq!(notify(&mut pair, &[1; 21]), Err(Refused::TooLong), "the MTU is still 23");

    let received = |head| HostEvent::Received { conn: CONN, channel: ATT_CHANNEL, sdu: ReceivedSdu { len: 20, head } };
    for (from, to, opcode) in [(PERIPHERAL, CENTRAL, 0x1b), (CENTRAL, PERIPHERAL, 0x52)] {
        let start = pair.sent[from].len();
        pair.request(from, Request::SendValue { conn: CONN, value: &[opcode; 20] });
        pair.settle();
        assert_eq!(last(&pair, to), &received([opcode; 8]));
        assert_eq!(last(&pair, from), &HostEvent::Sent { conn: CONN, channel: ATT_CHANNEL });
        assert_eq!(pair.acl_sent(from, start)[0][..7], [23, 0, 4, 0, opcode, 10, 0]);
    }
}

/// What the server answers to a request; all of it with the default MTU of 23.
#[test]
fn the_server_answers_every_request() {
    let mut pair = Pair::connected(personality(PLENTY));
    pair.request(PERIPHERAL, Request::Listen { psm: PSM });
    let table: [(&[u8], &[u8]); 13] = [
        // Primary services: one per response, as the lengths differ.
        (&[0x10, 1, 0, 0xff, 0xff, 0, 0x28], &[0x11, 6, 1, 0, 5, 0, 0, 0x18]),
        (&[0x10, 7, 0, 0xff, 0xff, 0, 0x28], &[0x01, 0x10, 7, 0, 0x0a]),
        (&[0x10, 1, 0, 0xff, 0xff, 1, 0x28], &[0x01, 0x10, 1, 0, 0x10]),
        (&[0x06, 1, 0, 0xff, 0xff, 0, 0x28, 0, 0x18], &[0x07, 1, 0, 5, 0]),
        (&[0x08, 1, 0, 6, 0, 3, 0x28], &[0x09, 7, 2, 0, 2, 3, 0, 0, 0x2a, 4, 0, 2, 5, 0, 1, 0x2a]),
        (
            &[0x08, 1, 0, 0xff, 0xff, 0, 0x2a],
            &[0x09, 15, 3, 0, b'n', b'R', b'F', b'5', b'4', b'L', b'1', b'5', b'_', b'T', b'e', b's', b't'],
        ),
        (&[0x04, 11, 0, 11, 0], &[0x05, 1, 11, 0, 2, 0x29]),
        (&[0x0a, 8, 0], &[0x0b, 0x80, 0]),
        (&[0x0a, 10, 0], &[0x01, 0x0a, 10, 0, 0x02]),
        (&[0x0a, 99, 0], &[0x01, 0x0a, 99, 0, 0x01]),
        (&[0x12, 8, 0, 1, 0], &[0x01, 0x12, 8, 0, 0x03]),
        (&[0x16, 8, 0, 1, 0], &[0x01, 0x16, 0, 0, 0x06]),
        (&[0x0a, 8], &[0x01, 0x0a, 0, 0, 0x04]),
    ];
    for (request, response) in table {
        let from = pair.sent[PERIPHERAL].len();
        pair.inject(PERIPHERAL, ATT_CHANNEL, request);
        pair.settle();
        assert_eq!(&pair.acl_sent(PERIPHERAL, from)[0][4..], response, "{request:02x?}");
    }
    let from = pair.sent[PERIPHERAL].len();
    pair.inject(PERIPHERAL, ATT_CHANNEL, &[0xd2, 10, 0, 1]);
    pair.settle();
    assert!(pair.acl_sent(PERIPHERAL, from).is_empty(), "a command is never answered");
}
