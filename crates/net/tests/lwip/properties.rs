//! Whatever a path does, every octet arrives once and in order, and no stream hangs.

use airtime_core::random::stream;
use airtime_core::{Duration, Instant};
use airtime_net::lwip::{Config, Outcome, TcpSender, TcpSink};
use airtime_net::tcp::Stream;
use airtime_net::{Event, linux};
use proptest::prelude::*;

use super::link::{FAR, Fate, HOST, Link, Way, at, ms};

const UP: u16 = 5_001;
const DOWN: u16 = 5_002;

/// Per mille of packets lost, doubled, late.
type Odds = (u64, u64, u64);

fn way(rate: u64, queue: usize, odds: Odds, seed: u64, name: &str) -> Way {
    let mut draws = stream(seed, name);
    Way::new(Some(rate), ms(3), queue).fated(move |_, _| {
        let (lost, twice, late) = odds;
        match draws.below(1_000) {
            n if n < lost => Fate::Lost,
            n if n < lost + twice => Fate::Twice,
            n if n < lost + twice + late => Fate::Later(Duration::from_micros(draws.below(20_000))),
            _ => Fate::Arrives,
        }
    })
}

fn odds() -> impl Strategy<Value = Odds> {
    (0u64..80, 0u64..50, 0u64..100)
}

fn config() -> impl Strategy<Value = Config> {
    let buffers = prop::sample::select(vec![2_880u32, 5_760, 11_520, 65_534]);
    let rto = prop::sample::select(vec![300u64, 1_000, 1_500, 3_000]);
    (buffers.clone(), buffers, rto, any::<bool>(), 0u16..9, 1u16..8).prop_map(
        |(snd_buf, wnd, rto, sack_out, ooseq_max_pbufs, tcp_recvmbox)| Config {
            snd_buf,
            wnd,
            rto_time: ms(rto),
            sack_out,
            ooseq_max_pbufs,
            tcp_recvmbox,
            ..Config::default()
        },
    )
}

/// Octets read of a flow, and whether its end was.
fn read(log: &[(Instant, Event)], port: u16) -> (u64, bool) {
    let (mut octets, mut finished) = (0, false);
    for (_, event) in log {
        match event {
            Event::Read { flow, octets: n } if *flow == port => octets += *n as u64,
            Event::Finished { flow } if *flow == port => finished = true,
            _ => {}
        }
    }
    (octets, finished)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn every_octet_arrives_once_and_in_order(
        config in config(), sack in any::<bool>(), up in odds(), down in odds(), queue in 3usize..60, seed in any::<u64>(),
        write in 1usize..20_000, nodelay in any::<bool>(), refused in 0u64..100,
    ) {
        let far = linux::Config { sack, ..linux::Config::default() };
        let mut link =
            Link::new(config, far, way(20_000_000, queue, up, seed, "up"), way(20_000_000, queue, down, seed, "down"));
        let mut draws = stream(seed, "interface");
        link.interface = Box::new(move |_| match draws.below(1_000) {
            n if n < refused => Outcome::Refused,
            n if n < 2 * refused => Outcome::Blocked,
            _ => Outcome::Taken,
        });
        let (octets, start, duration) = (Some(60_000), Instant::ZERO, Duration::from_secs(1_000_000));
        link.far.read_stream(UP);
        link.host.write_stream(FAR, TcpSender { flow: UP, write, nodelay, octets, start, duration });
        link.host.read_stream(TcpSink { flow: DOWN, read: write });
        link.far.write_stream(HOST, Stream { flow: DOWN, write, window: 65_535, octets, start, duration });
        link.run(at(10_000_000));
        let (up, down) = (read(&link.logs[1].borrow().0, UP), read(&link.logs[0].borrow().0, DOWN));
        prop_assert_eq!((link.host.counters().damaged, link.far.counters().damaged), (0, 0));
        prop_assert_eq!(down, (60_000, true));
        let counters = link.host.counters();
        if counters.aborted > 0 {
            // See `calls::a_refused_fast_retransmission_can_end_the_stream`.
            prop_assert!(refused > 0 && counters.fast_retransmits > 0 && counters.timeouts > 0, "{:?}", counters);
        } else {
            prop_assert_eq!(up, (60_000, true));
        }
    }

    #[test]
    fn no_octets_panic(
        protocol in prop::sample::select(vec![1u8, 6, 17]), body in prop::collection::vec(any::<u8>(), 0..100),
        port in prop::sample::select(vec![UP, DOWN, 0xc000]),
    ) {
        let way = || Way::new(None, ms(1), 100);
        let mut link = Link::new(Config::default(), linux::Config::default(), way(), way());
        let (start, duration) = (Instant::ZERO, Duration::from_secs(1));
        link.far.read_stream(UP);
        link.host.write_stream(FAR, TcpSender { flow: UP, write: 1_000, nodelay: true, octets: None, start, duration });
        link.host.read_stream(TcpSink { flow: DOWN, read: 1_000 });
        link.host.take_datagrams(DOWN);
        link.run(at(10));
        for (to, from) in [(HOST, FAR), (FAR, HOST)] {
            let mut packet = vec![0x45, 0, 0, 0, 0, 0, 0, 0, 64, protocol, 0, 0];
            packet.extend_from_slice(&from.octets());
            packet.extend_from_slice(&to.octets());
            packet.extend_from_slice(&body);
            let len = (packet.len() as u16).to_be_bytes();
            packet[2..4].copy_from_slice(&len);
            if let Some(place) = packet.get_mut(22..24) {
                place.copy_from_slice(&port.to_be_bytes());
            }
            seal(&mut packet, protocol);
            if to == HOST {
                link.host.packet(at(10), &packet);
            } else {
                link.far.packet(at(10), &packet);
            }
        }
        link.run(at(2_000));
    }
}

/// Makes the checksums right, so that the rest is looked at.
fn seal(packet: &mut [u8], protocol: u8) {
    packet[10..12].fill(0);
    let check = !fold(sum(&packet[..20]));
    packet[10..12].copy_from_slice(&check.to_be_bytes());
    let place = match protocol {
        6 => 36,
        17 => 26,
        _ => 22,
    };
    if packet.len() < place + 2 {
        return;
    }
    packet[place..place + 2].fill(0);
    let pseudo =
        if protocol == 1 { 0 } else { sum(&packet[12..20]) + u32::from(protocol) + (packet.len() - 20) as u32 };
    let check = !fold(sum(&packet[20..]) + pseudo);
    packet[place..place + 2].copy_from_slice(&check.to_be_bytes());
}

fn sum(octets: &[u8]) -> u32 {
    octets.chunks(2).map(|pair| u32::from(pair[0]) << 8 | u32::from(pair.get(1).copied().unwrap_or(0))).sum()
}

fn fold(sum: u32) -> u16 {
    ((sum & 0xffff) + (sum >> 16)) as u16
}
