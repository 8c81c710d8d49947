//! MTU exchange, discovery, notifications and write commands.

use airtime_core::Duration;
use alloc::vec;
use alloc::vec::Vec;

use super::pipe::{CENTRAL, CONN, PERIPHERAL, PLENTY, PSM, Pair, personality};
use crate::host::{ATT_CHANNEL, HostEvent, HostInput, HostOutput, Profile, ReceivedSdu, Refused, Request, ValueMethod};
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

/// A pair whose values travel by `values`, with the stream discovered and turned on.
fn answering(values: ValueMethod) -> Pair {
    let mut pair = Pair::with(Profile::Test, values, personality(PLENTY), personality(PLENTY)).connect();
    pair.request(CENTRAL, Request::Discover { conn: CONN });
    pair.request(CENTRAL, Request::Subscribe { conn: CONN });
    pair.settle();
    pair
}

#[test]
fn an_answered_value_is_sent_when_its_answer_has_come() {
    for (values, from, opcodes) in
        [(ValueMethod::WriteRequest, CENTRAL, [0x12, 0x13]), (ValueMethod::Indication, PERIPHERAL, [0x1d, 0x1e])]
    {
        let mut pair = answering(values);
        let to = 1 - from;
        let starts = [pair.sent[from].len(), pair.sent[to].len()];
        for number in 1..=3 {
            pair.request(from, Request::SendValue { conn: CONN, value: &[number; 20] });
        }
        pair.settle();
        let sent = HostEvent::Sent { conn: CONN, channel: ATT_CHANNEL };
        assert_eq!(pair.events[from].iter().filter(|event| **event == sent).count(), 3);
        let asked: Vec<u8> = pair.acl_sent(from, starts[0]).iter().map(|pdu| pdu[4]).collect();
        let answered: Vec<u8> = pair.acl_sent(to, starts[1]).iter().map(|pdu| pdu[4]).collect();
        assert_eq!((asked, answered), (vec![opcodes[0]; 3], vec![opcodes[1]; 3]));
        assert!(
            matches!(last(&pair, to), HostEvent::Received { sdu: ReceivedSdu { len: 20, head }, .. } if *head == [3; 8])
        );
    }
}

#[test]
fn a_long_value_goes_in_parts_and_arrives_whole() {
    let mut pair = answering(ValueMethod::LongWrite);
    let start = pair.sent[CENTRAL].len();
    let value: Vec<u8> = (0..40).collect();
    pair.request(CENTRAL, Request::SendValue { conn: CONN, value: &value });
    pair.settle();
    // MTU 23 leaves 18 octets behind opcode, handle and offset.
    let parts: Vec<_> = pair
        .acl_sent(CENTRAL, start)
        .iter()
        .map(|pdu| (pdu[4], pdu.len() - 4, pdu.get(7..9).unwrap_or_default().to_vec()))
        .collect();
    let part = |opcode, octets, offset: u8| (opcode, octets, vec![offset, 0]);
    assert_eq!(parts[..3], [part(0x16, 23, 0), part(0x16, 23, 18), part(0x16, 9, 36)]);
    assert_eq!((parts.len(), parts[3].0), (4, 0x18));
    let head = [0, 1, 2, 3, 4, 5, 6, 7];
    let whole = HostEvent::Received { conn: CONN, channel: ATT_CHANNEL, sdu: ReceivedSdu { len: 40, head } };
    assert_eq!(last(&pair, PERIPHERAL), &whole);
}

#[test]
fn a_value_that_is_refused_is_given_up_and_asked_for_no_more() {
    // Insufficient authorization. Core 6.0, Vol 3, Part F, 3.4.1.1.
    let refused = |opcode| [0x01, opcode, 10, 0, 0x08];
    let opcodes = |pair: &Pair, from| -> Vec<Vec<u8>> {
        pair.acl_sent(CENTRAL, from).iter().map(|pdu| pdu[4..].to_vec()).filter(|pdu| pdu[0] != 0x16).collect()
    };
    let mut pair = answering(ValueMethod::Read);
    let from = pair.sent[CENTRAL].len();
    pair.inject(CENTRAL, ATT_CHANNEL, &refused(0x0a));
    pair.settle();
    assert!(opcodes(&pair, from).is_empty(), "it would be refused again");

    let mut pair = answering(ValueMethod::LongWrite);
    let (host, now) = (&mut pair.hosts[CENTRAL], pair.now);
    host.request(now, Request::SendValue { conn: CONN, value: &[1; 40] }).expect("there is room");
    while host.poll(now).is_some() {}
    let from = pair.sent[CENTRAL].len();
    pair.inject(CENTRAL, ATT_CHANNEL, &refused(0x16));
    pair.settle();
    assert_eq!(opcodes(&pair, from), [[0x18, 0]], "what was prepared of it is cancelled");
    assert_eq!(last(&pair, CENTRAL), &HostEvent::Sent { conn: CONN, channel: ATT_CHANNEL });
}

#[test]
fn a_bearer_without_an_answer_ends_after_thirty_seconds() {
    let mut pair = answering(ValueMethod::WriteRequest);
    let (host, now) = (&mut pair.hosts[CENTRAL], pair.now);
    let asks = |host: &mut crate::host::Host, now| {
        let asked = host.request(now, Request::SendValue { conn: CONN, value: &[1; 20] });
        let sent = core::iter::from_fn(|| host.poll(now)).filter(|out| matches!(out, HostOutput::Hci(_))).count();
        (asked, sent)
    };
    assert_eq!(asks(host, now), (Ok(()), 1), "its packet goes nowhere");
    assert_eq!(host.deadline(), Some(now + Duration::from_secs(30)));
    let late = now + Duration::from_secs(30);
    host.handle(late, HostInput::Wake);
    let told: Vec<_> = core::iter::from_fn(|| host.poll(late)).collect();
    assert!(matches!(told[..], [HostOutput::Event(HostEvent::TransactionTimeout { conn: CONN })]), "{}", told.len());
    assert_eq!(asks(host, late).1, 0, "nothing more goes by ATT");
    assert_eq!(host.deadline(), None);
}
