//! Datagrams and echo requests through a pipe.

use airtime_core::units::Bitrate;
use airtime_core::{Duration, Instant};
use airtime_net::Event;
use airtime_net::pace::Pace;
use airtime_net::ping::Ping;
use airtime_net::tally::Order;
use airtime_net::udp::Datagrams;
use proptest::prelude::*;

use super::pipe::{B, Fate, Pair, Way, at, ms};

const FLOW: u16 = 5_201;

fn flow(payload: usize, rate: u64, duration: Duration) -> Datagrams {
    Datagrams { flow: FLOW, payload, rate: Bitrate(rate), pace: Pace::Constant, start: at(10), duration }
}

fn pair(up: Way, config: Datagrams) -> Pair {
    let mut pair = Pair::new(up, Way::new(None, ms(1), 1_000));
    pair.ends[0].send_datagrams(B, config);
    pair.ends[1].take_datagrams(FLOW);
    pair
}

/// When datagrams arrived, with what they were.
fn arrivals(pair: &Pair) -> Vec<(Instant, u64, Duration, Order)> {
    let log = pair.logs[1].borrow();
    let arrival = |(now, event): &(Instant, Event)| match event {
        Event::Arrived { sequence, delay, order, .. } => Some((*now, *sequence, *delay, *order)),
        _ => None,
    };
    log.events.iter().filter_map(arrival).collect()
}

#[test]
fn an_idle_link_delays_by_its_own_time_and_nothing_else() {
    // 32 octets of payload are 60 octets of IP: 480 bits at 480 kbit/s take 1 ms, and 2 ms under way.
    let mut pair = pair(Way::new(Some(480_000), ms(2), 10), flow(32, 64_000, ms(40)));
    pair.run(at(1_000));
    let expected: Vec<_> = (0..10).map(|n| (at(10 + 4 * n) + ms(3), n, ms(3), Order::Next)).collect();
    assert_eq!(arrivals(&pair), expected);
    assert_eq!(pair.ends[0].sources()[0].sent(), 10);
    assert_eq!(pair.ends[1].sinks()[0].octets(), 320);
}

#[test]
fn losses_repetitions_and_reordering_are_booked() {
    let up = Way::new(None, ms(2), 1_000).fated(|n| match n {
        3 | 4 => Fate::Lost,
        6 => Fate::Twice,
        8 => Fate::Later(ms(9)),
        _ => Fate::Arrives,
    });
    let mut pair = pair(up, flow(100, 200_000, ms(80)));
    pair.run(at(1_000));
    let sink = &pair.ends[1].sinks()[0];
    let tally = sink.tally();
    assert_eq!((tally.arrived, tally.missing(), tally.again, tally.late), (18, 2, 1, 1));
    assert_eq!((sink.octets(), sink.damaged()), (1_800, 0), "a repetition is no goodput");
    let orders: Vec<_> = arrivals(&pair).iter().map(|(_, sequence, _, order)| (*sequence, *order)).collect();
    assert_eq!(
        orders[4..9],
        [(6, Order::Next), (6, Order::Again), (7, Order::Next), (9, Order::Next), (10, Order::Next)]
    );
    assert_eq!(orders[9], (8, Order::Late));
}

/// The test of the published report: an unbounded queue in front of a server of rate ρ runs over by T(λ/ρ − 1).
#[test]
fn an_unbounded_queue_runs_over_by_what_it_holds() {
    let duration = Duration::from_secs(5);
    // ρ = 191 kbit/s of payload: 358.125 kbit/s of IP packets.
    for (offered, pace) in [200_000, 250_000, 300_000, 400_000, 500_000, 600_000]
        .into_iter()
        .flat_map(|offered| [(offered, Pace::Constant), (offered, Pace::Iperf3)])
    {
        let config = Datagrams { pace, ..flow(32, offered, duration) };
        let mut pair = pair(Way::new(Some(358_125), Duration::ZERO, usize::MAX), config);
        pair.run(at(60_000));
        let end = pair.ends[0].sources()[0].end();
        let overrun = pair.ends[1].sinks()[0].last_arrival().unwrap() - end;
        let identity = 5.0 * (offered as f64 / 191e3 - 1.0);
        assert!((overrun.as_secs_f64() - identity).abs() < 0.005, "{offered} {pace:?}: {overrun} against {identity} s");
        assert_eq!(pair.ends[1].sinks()[0].tally().arrived, pair.ends[0].sources()[0].sent());
    }
}

#[test]
fn a_bounded_queue_loses_instead() {
    let mut pair = pair(Way::new(Some(480_000), ms(1), 4), flow(32, 512_000, Duration::from_secs(2)));
    pair.run(at(60_000));
    let sent = pair.ends[0].sources()[0].sent();
    let arrived = pair.ends[1].sinks()[0].tally().arrived;
    assert_eq!(arrived + pair.ways[0].dropped, sent);
    assert!(arrived.abs_diff(sent / 2) <= 4, "{arrived} of {sent} through a link of half the rate");
    assert!(arrivals(&pair).iter().all(|(_, _, delay, _)| *delay <= ms(5)));
}

#[test]
fn echo_requests_come_back() {
    let up = Way::new(None, ms(2), 1_000).fated(|n| if n == 2 { Fate::Lost } else { Fate::Arrives });
    let mut pair = Pair::new(up, Way::new(None, ms(5), 1_000));
    pair.ends[0].ping(B, Ping { payload: 56, interval: ms(50), start: at(3), duration: ms(200) });
    pair.run(at(10_000));
    let log = pair.logs[0].borrow();
    let echoes: Vec<_> = log
        .events
        .iter()
        .map(|(now, event)| match event {
            Event::Echo { sequence, sent_at, round_trip } => (*now, *sequence, *sent_at, *round_trip),
            other => panic!("{other:?}"),
        })
        .collect();
    assert_eq!(echoes, [0, 1, 3].map(|n| (at(10 + 50 * n), n, at(3 + 50 * n), ms(7))));
    let pinger = pair.ends[0].pinger().unwrap();
    assert_eq!((pinger.sent(), pinger.answered()), (4, 3));
}

#[test]
fn foreign_packets_are_told_and_do_no_harm() {
    let mut pair = pair(Way::new(None, ms(1), 10), flow(32, 64_000, ms(1)));
    pair.ends[1].packet(at(1), &[0x60; 40]);
    pair.ends[1].packet(at(1), &[]);
    assert_eq!(pair.ends[1].poll(at(1)).map(|packet| packet.len()), None);
    let log = pair.logs[1].borrow();
    assert_eq!(log.events, [40, 0].map(|octets| (at(1), Event::Foreign { octets })));
}

proptest! {
    /// Whatever comes out of a tunnel, a host with everything on it neither panics nor answers more than once.
    #[test]
    fn no_packets_panic_a_host(
        protocol in prop::sample::select(vec![1u8, 6, 17]),
        body in prop::collection::vec(any::<u8>(), 0..100),
        port in prop::sample::select(vec![FLOW, FLOW + 1, 9]),
    ) {
        let mut pair = Pair::new(Way::new(None, ms(1), 10), Way::new(None, ms(1), 10));
        let host = &mut pair.ends[1];
        host.take_datagrams(FLOW);
        host.read_stream(FLOW + 1, 4_096);
        let mut packet = vec![0x45, 0, 0, 0, 0, 0, 0, 0, 64, protocol, 0, 0, 10, 0, 0, 1, 10, 0, 0, 2];
        packet.extend_from_slice(&body);
        let len = (packet.len() as u16).to_be_bytes();
        packet[2..4].copy_from_slice(&len);
        if let Some(place) = packet.get_mut(22..24) {
            place.copy_from_slice(&port.to_be_bytes());
        }
        let sum = !checksum(&packet[..20]);
        packet[10..12].copy_from_slice(&sum.to_be_bytes());
        host.packet(at(1), &packet);
        let answers = std::iter::from_fn(|| host.poll(at(1))).count();
        prop_assert!(answers <= 1);
    }
}

/// The sum of RFC 1071 over an even number of octets, not yet complemented.
fn checksum(octets: &[u8]) -> u16 {
    let sum: u32 = octets.chunks(2).map(|pair| u32::from(pair[0]) << 8 | u32::from(pair[1])).sum();
    ((sum & 0xffff) + (sum >> 16)) as u16
}
