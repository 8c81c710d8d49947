//! Streams of SDUs: every credit policy, several channels, violations, and the causes of a stall.

use alloc::vec::Vec;

use airtime_core::{Duration, Instant};

use super::pipe::{CENTRAL, CONN, HOP, PERIPHERAL, PLENTY, Pair, personality};
use crate::hci::event;
use crate::host::{ChannelEnd, ChannelId, HostEvent, HostInput, Refused, Request, Starved, Violation};
use crate::personality::{CreditPolicy, Host, TaskPriority};

const IN_FLIGHT: u32 = 6;

fn sdu(number: u32, octets: usize) -> Vec<u8> {
    let mut sdu: Vec<u8> = (0..octets).map(|at| (at as u32 + number) as u8).collect();
    sdu[..4].copy_from_slice(&number.to_le_bytes());
    sdu
}

/// Streams `sdus` from the peripheral with [`IN_FLIGHT`] of them under way, as firmware does, and
/// returns the L2CAP PDUs that were sent on the channel.
fn stream(pair: &mut Pair, channel: ChannelId, sdus: u32, octets: usize) -> usize {
    let (sent_from, got_from) = (pair.sent[PERIPHERAL].len(), pair.events[CENTRAL].len());
    let told_from = pair.events[PERIPHERAL].len();
    let mut next = 0;
    loop {
        let sent = |event: &&HostEvent| matches!(event, HostEvent::Sent { channel: c, .. } if *c == channel);
        let done = pair.events[PERIPHERAL][told_from..].iter().filter(sent).count() as u32;
        while next < sdus && next - done < IN_FLIGHT {
            pair.request(PERIPHERAL, Request::SendSdu { conn: CONN, channel, sdu: &sdu(next, octets) });
            next += 1;
        }
        if !pair.step(Instant::FAR_FUTURE) {
            break;
        }
    }
    let received: Vec<(u16, u32)> = pair.events[CENTRAL][got_from..]
        .iter()
        .filter_map(|event| match event {
            HostEvent::Received { channel: c, sdu, .. } if *c == channel => {
                Some((sdu.len, u32::from_le_bytes([sdu.head[0], sdu.head[1], sdu.head[2], sdu.head[3]])))
            }
            _ => None,
        })
        .collect();
    let expected: Vec<(u16, u32)> = (0..sdus).map(|number| (octets as u16, number)).collect();
    assert_eq!(received, expected);
    let acl = pair.acl_sent(PERIPHERAL, sent_from);
    acl.iter().filter(|data| data[2..4] == channel.to_le_bytes()).count()
}

#[test]
fn every_policy_carries_every_sdu_whole_and_in_order() {
    let policies = [
        CreditPolicy::ZephyrRecv,
        PLENTY,
        CreditPolicy::PerFrames { initial: 0, on_connect: 4, grant: 3, every: 3 },
        CreditPolicy::RefillAtHalf { max: 8 },
        CreditPolicy::RefillBelow { initial: 9, below: 3 },
        CreditPolicy::SocketBuffer { octets: 2000 },
        CreditPolicy::ZephyrAllocBuf { init_credits: 0 },
    ];
    // SDU octets and its K-frames of 247 octets: ceil((octets + 2) / 247).
    for (octets, k_frames) in [(20, 1), (245, 1), (246, 2), (492, 2), (493, 3), (2000, 9)] {
        for policy in policies {
            let mut pair = Pair::with_channel(personality(policy));
            assert_eq!(stream(&mut pair, 0x40, 20, octets), 20 * k_frames, "{octets} {policy:?}");
            assert_eq!(pair.hosts[PERIPHERAL].free_l2cap_buffers(), 6);
            assert_eq!(pair.hosts[PERIPHERAL].queued(CONN, 0x40), 0);
        }
    }
}

#[test]
fn credit_indications_of_zephyr_recv_on_the_wire() {
    let mut pair = Pair::with_channel(personality(CreditPolicy::ZephyrRecv));
    let from = pair.sent[CENTRAL].len();
    stream(&mut pair, 0x40, 1, 740);
    // 740 octets: 245 in the first K-frame, then credits for 495 octets, then one for the next SDU.
    let credits = |identifier, credits| [8, 0, 5, 0, 0x16, identifier, 4, 0, 0x40, 0, credits, 0];
    assert_eq!(pair.acl_sent(CENTRAL, from), [credits(2, 3), credits(3, 1)]);
    assert_eq!(pair.hosts[PERIPHERAL].credits(CONN, 0x40), Some((1, 1)));
}

#[test]
fn long_k_frames_are_fragments_of_the_controllers_size() {
    let host = Host { coc_mps: 1251, coc_mtu: 1251, ..personality(PLENTY) };
    let mut pair = Pair::connected(host).open_channel();
    let from = pair.sent[PERIPHERAL].len();
    pair.request(PERIPHERAL, Request::SendSdu { conn: CONN, channel: 0x40, sdu: &sdu(0, 741) });
    pair.settle();
    let lengths: Vec<usize> = pair.acl_sent(PERIPHERAL, from).iter().map(|data| data.len()).collect();
    assert_eq!(lengths, [251, 251, 4 + 2 + 741 - 502]);
    let small = Pair::connected_with(host, (27, 2));
    assert_eq!(stream(&mut small.open_channel(), 0x40, 1, 21), 1, "27 octets of ACL data");
}

#[test]
fn channels_take_turns() {
    let mut pair = Pair::with_channel(personality(PLENTY)).open_channel();
    let from = pair.sent[PERIPHERAL].len();
    for channel in [0x40, 0x41] {
        for number in 0..5 {
            pair.request(PERIPHERAL, Request::SendSdu { conn: CONN, channel, sdu: &sdu(number, 245) });
        }
    }
    pair.settle();
    let data = pair.acl_sent(PERIPHERAL, from);
    let channels: Vec<u8> = data.iter().map(|pdu| pdu[2]).collect();
    // Three ACL buffers are taken before the second channel has anything.
    assert_eq!(channels, [0x40, 0x40, 0x40, 0x41, 0x40, 0x41, 0x40, 0x41, 0x41, 0x41]);
    assert_eq!(stream(&mut pair, 0x41, 10, 492), 20);
}

#[test]
fn l2cap_buffers_bound_the_k_frames_under_way() {
    let mut pair = Pair::with_channel(Host { l2cap_tx_buffers: 2, ..personality(PLENTY) });
    pair.request(PERIPHERAL, Request::SendSdu { conn: CONN, channel: 0x40, sdu: &sdu(0, 2000) });
    assert_eq!((pair.hosts[PERIPHERAL].free_l2cap_buffers(), pair.hosts[PERIPHERAL].free_acl_buffers()), (0, 1));
    assert_eq!(pair.hosts[PERIPHERAL].starved(CONN), Starved::Pool);
    pair.settle();
    assert_eq!(pair.hosts[PERIPHERAL].starved(CONN), Starved::Application);
}

/// Zephyr v3.2: a transmit buffer is free once the controller has its K-frame, a context once the controller has reported it.
#[test]
fn contexts_bound_what_is_not_reported_and_buffers_what_is_not_given() {
    // Transmit buffers, contexts, the controller's buffers; K-frames under way, and the transmit buffers that are free then.
    let table = [
        (2, None, 3, 2, 0),
        (2, Some(2), 3, 2, 2),
        (2, Some(5), 3, 3, 2),
        (2, Some(9), 8, 8, 2),
        (2, Some(5), 8, 5, 2),
        (3, Some(1), 3, 1, 3),
    ];
    for (l2cap_tx_buffers, conn_tx_max, acl_count, under_way, free) in table {
        let host = Host { l2cap_tx_buffers, conn_tx_max, ..personality(PLENTY) };
        let mut pair = Pair::connected_with(host, (251, acl_count)).open_channel();
        let from = pair.sent[PERIPHERAL].len();
        pair.request(PERIPHERAL, Request::SendSdu { conn: CONN, channel: 0x40, sdu: &sdu(0, 2000) });
        let case = (l2cap_tx_buffers, conn_tx_max, acl_count);
        assert_eq!(pair.acl_sent(PERIPHERAL, from).len(), under_way, "{case:?}");
        assert_eq!(pair.hosts[PERIPHERAL].free_l2cap_buffers(), free, "{case:?}");
        pair.settle();
        assert_eq!(pair.acl_sent(PERIPHERAL, from).len(), 9, "{case:?}: all of the SDU");
        assert_eq!(stream(&mut pair, 0x40, 10, 492), 20, "{case:?}: and nothing is lost of either");
    }
}

#[test]
fn a_queue_has_an_end() {
    let mut pair = Pair::with_channel(personality(PLENTY));
    let mut taken = 0;
    let send = Request::SendSdu { conn: CONN, channel: 0x40, sdu: &[0; 245] };
    while pair.hosts[PERIPHERAL].request(pair.now, send.clone()).is_ok() {
        taken += 1;
    }
    assert_eq!(taken, 255 + 3, "three are with the controller");
    assert_eq!(pair.hosts[PERIPHERAL].request(pair.now, send), Err(Refused::Busy));
    let long = Request::SendSdu { conn: CONN, channel: 0x40, sdu: &[0; 2001] };
    assert_eq!(pair.hosts[PERIPHERAL].request(pair.now, long), Err(Refused::TooLong));
}

#[test]
fn a_peer_that_breaks_the_rules_is_disconnected() {
    let one_credit = CreditPolicy::PerFrames { initial: 1, on_connect: 0, grant: 0, every: 1 };
    let too_many: &[u8] = &[0x16, 9, 4, 0, 0x40, 0, 0xff, 0xff];
    let long = [0; 300];
    let table: [(u16, &[&[u8]], Violation); 5] = [
        (0x40, &[&[1, 0, 1], &[1, 0, 1]], Violation::NoCredit),
        (0x40, &[&long[..248]], Violation::AboveMps),
        (0x40, &[&long], Violation::AboveMps),
        (0x40, &[&[0xd1, 0x07]], Violation::AboveMtu),
        (5, &[too_many], Violation::CreditOverflow),
    ];
    for (cid, frames, violation) in table {
        let mut pair = Pair::with_channel(personality(one_credit));
        frames.iter().for_each(|frame| pair.inject(CENTRAL, cid, frame));
        pair.settle();
        let closed = |reason| HostEvent::ChannelClosed { conn: CONN, channel: 0x40, reason };
        assert_eq!(pair.events[CENTRAL].last(), Some(&closed(ChannelEnd::Violation(violation))));
        assert_eq!(pair.events[PERIPHERAL].last(), Some(&closed(ChannelEnd::ByPeer)));
    }
}

#[test]
fn starved_names_the_first_stage_that_is_not() {
    let (packet_time, sdu_time) = (Duration::from_micros(5), Duration::from_micros(50));
    let host =
        Host { packet_time, sdu_time, latency: Duration::from_micros(3), ..personality(CreditPolicy::ZephyrRecv) };
    let mut pair = Pair::with_channel(host);
    let start = pair.now;
    let starved = |pair: &Pair| pair.hosts[PERIPHERAL].starved(CONN);
    assert_eq!(starved(&pair), Starved::Application);
    pair.request(PERIPHERAL, Request::SendSdu { conn: CONN, channel: 0x40, sdu: &sdu(0, 492) });
    assert_eq!(starved(&pair), Starved::LateHost, "the SDU is being made");
    while pair.step(start + sdu_time) {}
    assert_eq!(starved(&pair), Starved::Credits, "one K-frame is out, the next has no credit");
    while pair.step(start + sdu_time + HOP) {}
    assert_eq!(starved(&pair), Starved::LateHost, "the report has come and waits for the CPU");
    while pair.step(start + sdu_time + HOP + Duration::from_micros(3) + packet_time) {}
    assert_eq!(starved(&pair), Starved::Credits);
    pair.settle();
    assert_eq!(starved(&pair), Starved::Application);
}

/// Two reports come together; told of the first SDU, the application makes the next at once. The
/// stream task above makes it before the second report is taken in, below it waits.
#[test]
fn a_stream_task_above_delays_the_reports() {
    for (stream_task, waiting) in [(TaskPriority::Above, 1), (TaskPriority::Below, 0)] {
        let (packet_time, sdu_time) = (Duration::from_micros(20), Duration::from_micros(20));
        let mut pair = Pair::with_channel(Host { stream_task, packet_time, sdu_time, ..personality(PLENTY) });
        let start = pair.now;
        for number in 0..2 {
            let report = event::completed_packets(&pair.pool, CONN, number);
            pair.deliver(PERIPHERAL, report);
        }
        while pair.step(start + HOP + packet_time) {}
        pair.request(PERIPHERAL, Request::SendSdu { conn: CONN, channel: 0x40, sdu: &sdu(0, 20) });
        while pair.step(start + HOP + packet_time + sdu_time) {}
        assert_eq!(pair.hosts[PERIPHERAL].waiting_packets(), waiting, "{stream_task:?}");
        let made = pair.hosts[PERIPHERAL].queued(CONN, 0x40) == 0;
        assert_eq!(made, stream_task == TaskPriority::Above);
    }
}

#[test]
fn host_flow_control_returns_every_buffer() {
    let mut pair = Pair::with_channel(Host { flow_control: Some(2), ..personality(PLENTY) });
    let from = pair.sent[CENTRAL].len();
    let frames = stream(&mut pair, 0x40, 5, 492);
    let returned: &[u8] = &[1, 0x35, 0x0c, 5, 1, 0x40, 0, 1, 0];
    assert_eq!(pair.sent[CENTRAL][from..].iter().filter(|packet| packet[..] == *returned).count(), frames);
}

#[test]
fn steady_streaming_reuses_its_packets() {
    let mut pair = Pair::with_channel(personality(PLENTY));
    stream(&mut pair, 0x40, 20, 492);
    let idle = pair.pool.idle();
    pair.events.iter_mut().for_each(Vec::clear);
    stream(&mut pair, 0x40, 200, 492);
    assert_eq!(pair.pool.idle(), idle);
    pair.hosts[CENTRAL].handle(pair.now, HostInput::Hci(&[]));
    assert_eq!(pair.hosts[CENTRAL].dropped_packets(), (1, 0));
}
