//! The profile of remote calls: its service, and octets that arrive whole.

use alloc::vec::Vec;

use super::pipe::{CENTRAL, CONN, PERIPHERAL, PLENTY, PSM, Pair, personality};
use crate::host::{ATT_CHANNEL, ChannelEnd, HostEvent, Profile, Refused, Request, Violation};
use crate::personality::{CreditPolicy, Host};

/// Handle of the frames' value, and of its configuration.
const FRAMES: u8 = 8;
const CONFIGURATION: u8 = 9;

/// 12340001-… and 12340002-0000-1000-8000-00805f9b34fb, least significant octet first.
const fn published(number: u8) -> [u8; 16] {
    [0xfb, 0x34, 0x9b, 0x5f, 0x80, 0, 0, 0x80, 0, 0x10, 0, 0, number, 0, 0x34, 0x12]
}

fn connected(host: Host) -> Pair {
    Pair::of(Profile::Rpc, host, host).connect()
}

fn subscribed() -> Pair {
    let mut pair = connected(personality(PLENTY));
    pair.request(CENTRAL, Request::ExchangeMtu { conn: CONN });
    pair.request(CENTRAL, Request::Discover { conn: CONN });
    pair.request(CENTRAL, Request::Subscribe { conn: CONN });
    pair.settle();
    pair
}

fn octets(count: usize) -> Vec<u8> {
    (0..count).map(|at| (at * 7) as u8).collect()
}

/// The answer of the peripheral to one ATT PDU.
fn answer(pair: &mut Pair, request: &[u8]) -> Vec<u8> {
    let from = pair.sent[PERIPHERAL].len();
    pair.inject(PERIPHERAL, ATT_CHANNEL, request);
    pair.settle();
    pair.acl_sent(PERIPHERAL, from)[0][4..].to_vec()
}

#[test]
fn the_service_is_found_by_its_uuid_and_configured() {
    let mut pair = connected(personality(PLENTY));
    let find = [&[0x06, 1, 0, 0xff, 0xff, 0, 0x28][..], &published(1)].concat();
    assert_eq!(answer(&mut pair, &find), [0x07, 6, 0, CONFIGURATION, 0]);
    // Its only characteristic: write without response and notify, and no read.
    let characteristic = [&[0x09, 21, 7, 0, 0x14, FRAMES, 0][..], &published(2)].concat();
    assert_eq!(answer(&mut pair, &[0x08, 6, 0, CONFIGURATION, 0, 3, 0x28]), characteristic);
    assert_eq!(answer(&mut pair, &[0x0a, FRAMES, 0]), [0x01, 0x0a, FRAMES, 0, 0x02]);
    assert_eq!(answer(&mut pair, &[0x04, 9, 0, 9, 0]), [0x05, 1, CONFIGURATION, 0, 2, 0x29]);
    assert_eq!(answer(&mut pair, &[0x12, CONFIGURATION, 0, 1, 0]), [0x13]);
    assert_eq!(pair.events[PERIPHERAL].last(), Some(&HostEvent::Subscribed { conn: CONN }));
    assert_eq!(answer(&mut pair, &[0x0a, CONFIGURATION, 0]), [0x0b, 1, 0]);
}

#[test]
fn it_is_advertised_and_a_long_name_goes_to_the_scan_response() {
    let pair = connected(personality(PLENTY));
    let data = pair.sent[PERIPHERAL].iter().find(|packet| packet[..3] == [1, 0x08, 0x20]).expect("advertising data");
    let expected = [&[21, 2, 1, 6, 17, 7][..], &published(1)].concat();
    assert_eq!(data[4..4 + expected.len()], expected);
    let response = pair.sent[PERIPHERAL].iter().find(|packet| packet[..3] == [1, 0x09, 0x20]).expect("a scan response");
    assert_eq!(response[4..8], [15, 14, 9, b'n']);
}

#[test]
fn discovery_tells_the_stream_and_the_psm() {
    for listens in [false, true] {
        let mut pair = connected(personality(PLENTY));
        if listens {
            pair.request(PERIPHERAL, Request::Listen { psm: PSM });
        }
        pair.request(CENTRAL, Request::Discover { conn: CONN });
        pair.settle();
        let psm = listens.then_some(PSM);
        assert_eq!(pair.events[CENTRAL].last(), Some(&HostEvent::Discovered { conn: CONN, psm, stream: true }));
    }
}

#[test]
fn a_peer_without_the_service_is_told_so() {
    let mut pair = connected(personality(PLENTY));
    pair.hosts[PERIPHERAL] = {
        let other = Pair::new(personality(PLENTY), personality(PLENTY)).connect();
        let [_, peripheral] = other.hosts;
        peripheral
    };
    pair.request(CENTRAL, Request::Discover { conn: CONN });
    pair.settle();
    let discovered = HostEvent::Discovered { conn: CONN, psm: None, stream: false };
    assert_eq!(pair.events[CENTRAL].last(), Some(&discovered));
    assert_eq!(pair.hosts[CENTRAL].request(pair.now, Request::Subscribe { conn: CONN }), Err(Refused::NotDiscovered));
}

#[test]
fn values_arrive_whole_both_ways_and_nothing_longer_is_taken() {
    let mut pair = subscribed();
    for (from, to, opcode) in [(CENTRAL, PERIPHERAL, 0x52), (PERIPHERAL, CENTRAL, 0x1b)] {
        let start = pair.sent[from].len();
        for count in [0, 1, 9, 244] {
            pair.request(from, Request::SendValue { conn: CONN, value: &octets(count) });
            pair.settle();
            assert_eq!(pair.octets[to].last(), Some(&(ATT_CHANNEL, octets(count))));
            assert_eq!(pair.events[from].last(), Some(&HostEvent::Sent { conn: CONN, channel: ATT_CHANNEL }));
        }
        assert_eq!(pair.acl_sent(from, start)[1][4..], [opcode, FRAMES, 0, 0]);
        let long = Request::SendValue { conn: CONN, value: &octets(245) };
        assert_eq!(pair.hosts[from].request(pair.now, long), Err(Refused::TooLong));
        pair.inject(to, ATT_CHANNEL, &[&[opcode, FRAMES, 0][..], &octets(245)].concat());
        pair.inject(to, ATT_CHANNEL, &[opcode, FRAMES + 1, 0, 1]);
        pair.settle();
        assert_eq!(pair.octets[to].len(), 4, "neither what is too long nor what is for another handle");
    }
    let counted = |event: &HostEvent| matches!(event, HostEvent::Received { .. });
    assert!(!pair.events.iter().flatten().any(counted));
}

#[test]
fn sdus_arrive_whole_however_they_were_cut() {
    for policy in [PLENTY, CreditPolicy::ZephyrRecv] {
        let mut pair = connected(personality(policy)).open_channel();
        for (from, to) in [(CENTRAL, PERIPHERAL), (PERIPHERAL, CENTRAL)] {
            let counts = [0, 1, 245, 246, 492, 493, 2000];
            for count in counts {
                pair.request(from, Request::SendSdu { conn: CONN, channel: 0x40, sdu: &octets(count) });
            }
            pair.settle();
            let expected: Vec<_> = counts.iter().map(|count| (0x40, octets(*count))).collect();
            assert_eq!(pair.octets[to], expected, "{policy:?}");
        }
    }
}

#[test]
fn an_sdu_above_the_mtu_ends_its_channel_and_nothing_of_it_is_given() {
    let mut pair = connected(personality(PLENTY)).open_channel();
    pair.inject(CENTRAL, 0x40, &[0xd1, 0x07, 1, 2]);
    pair.settle();
    let reason = ChannelEnd::Violation(Violation::AboveMtu);
    assert_eq!(pair.events[CENTRAL].last(), Some(&HostEvent::ChannelClosed { conn: CONN, channel: 0x40, reason }));
    assert!(pair.octets[CENTRAL].is_empty());
}
