//! lwIP as the receiver of a stream.

use airtime_core::{Duration, Instant};
use airtime_net::lwip::{Config, Costs, TcpSink};
use airtime_net::tcp::{Stream, WINDOW};
use airtime_net::{Event, linux};

use super::link::{Fate, HOST, Link, Way, at, ms};

const FLOW: u16 = 5_002;

fn stream(octets: Option<u64>, seconds: u64) -> Stream {
    let duration = Duration::from_secs(seconds);
    Stream { flow: FLOW, write: 16_384, window: 4 * WINDOW, octets, start: Instant::ZERO, duration }
}

fn link(config: Config, down: Way, stream: Stream) -> Link {
    let mut link = Link::new(config, linux::Config::default(), Way::new(None, ms(5), 1_000), down);
    link.host.read_stream(TcpSink { flow: FLOW, read: 16_384 });
    link.far.write_stream(HOST, stream);
    link
}

fn goodput(config: Config, rate: u64) -> (f64, Link) {
    let mut link = link(config, Way::new(Some(rate), ms(5), 1_000), stream(None, 60));
    link.run(at(10_000));
    let read = link.logs[0].borrow().read();
    (read as f64 * 8.0 / 10e6, link)
}

#[test]
fn the_window_per_round_trip_is_the_limit() {
    for wnd in [5_760, 23_040, 46_080] {
        let (rate, link) = goodput(Config { wnd, ..Config::default() }, 100_000_000);
        // Two segments are waited for, and the round trip is a little more than the path's.
        let ceiling = f64::from(wnd) * 8.0 / 10e3;
        assert!((0.85..=1.0).contains(&(rate / ceiling)), "window {wnd}: {rate:.2} of {ceiling:.2} Mbit/s");
        assert_eq!(link.far.counters().retransmissions, 0);
    }
}

#[test]
fn with_the_default_window_every_segment_read_is_a_window_update() {
    // A quarter of 5760 octets is one segment, and that is what moves the window (TCP_WND_UPDATE_THRESHOLD).
    let (_, link) = goodput(Config::default(), 100_000_000);
    let (segments, acks) = (link.far.counters().segments, link.host.counters().acks);
    assert!(acks.abs_diff(segments) <= segments / 20, "{acks} acknowledgements of {segments} segments");
}

#[test]
fn every_second_segment_is_acknowledged() {
    let (_, link) = goodput(Config { wnd: 65_534, ..Config::default() }, 20_000_000);
    let (segments, acks) = (link.far.counters().segments, link.host.counters().acks);
    assert!(acks.abs_diff(segments / 2) <= segments / 20, "{acks} acknowledgements of {segments} segments");
}

#[test]
fn a_single_segment_waits_for_the_fast_timer() {
    let mut link = link(Config::default(), Way::new(None, ms(5), 100), stream(Some(100), 60));
    link.seen = Some(Vec::new());
    link.run(at(5_000));
    // The SYN came at 5 ms, so that the fast timer runs at 255 ms; the FIN, which came with the octets, is acknowledged at once.
    assert!(link.logs[0].borrow().finished());
    let mut link = self::link(Config::default(), Way::new(None, ms(5), 100), stream(Some(1_540), 60));
    link.run(at(5_000));
    assert_eq!(link.logs[0].borrow().read(), 1_540);
}

#[test]
fn a_stream_under_way_is_acknowledged_by_the_fast_timer_at_most() {
    // A stream whose program goes on writing later: its first octets wait alone.
    let config = Config { wnd: 11_520, ..Config::default() };
    let lost = Way::new(None, ms(5), 100).fated(|n, _| if n > 1 { Fate::Lost } else { Fate::Arrives });
    let mut link = link(config, lost, stream(None, 60));
    link.seen = Some(Vec::new());
    link.run(at(300));
    assert_eq!(link.host.counters().delayed_acks, 1);
    let acks = link.seen.as_ref().unwrap().iter().filter(|(now, ours, head, _)| *ours && *now > at(20) && head.ack > 0);
    let times: Vec<_> = acks.map(|(now, ..)| *now).collect();
    assert_eq!(times, [at(255)]);
}

#[test]
fn a_slow_reader_closes_the_window_and_opens_it_by_steps() {
    let costs = Costs { kilooctet: ms(1), ..Costs::NONE };
    let config = Config { wnd: 11_520, tcp_recvmbox: 64, costs, ..Config::default() };
    let mut link = link(config, Way::new(Some(50_000_000), ms(1), 1_000), stream(None, 2));
    link.run(at(60_000));
    let log = link.logs[0].borrow();
    let last = log.0.iter().rev().find(|(_, event)| matches!(event, Event::Finished { .. })).unwrap().0;
    assert!(log.read() > 1_500_000, "{} octets at 1 ms for 1000", log.read());
    assert!(last > at(2_000));
    assert_eq!(link.host.counters().damaged, 0);
}

#[test]
fn a_full_mailbox_drops_segments_and_the_stream_goes_on() {
    let costs = Costs { call: ms(20), ..Costs::NONE };
    let config = Config { wnd: 65_534, tcp_recvmbox: 2, costs, ..Config::default() };
    let mut link = link(config, Way::new(Some(50_000_000), ms(1), 1_000), stream(Some(500_000), 60));
    link.run(at(600_000));
    assert_eq!(link.logs[0].borrow().read(), 500_000);
    assert!(link.logs[0].borrow().finished());
    assert!(link.host.counters().drops_tcp_recvmbox > 0);
}

#[test]
fn gaps_are_kept_up_to_the_limit_and_named_in_selective_acknowledgements() {
    let lossy = || {
        let fate = |n: u64, _: &[u8]| if n % 37 == 11 { Fate::Lost } else { Fate::Arrives };
        Way::new(Some(20_000_000), ms(5), 1_000).fated(fate)
    };
    let run = |sack_out, limit| {
        let config = Config { wnd: 65_534, sack_out, ooseq_max_pbufs: limit, ..Config::default() };
        let mut link = link(config, lossy(), stream(Some(2_000_000), 60));
        link.seen = Some(Vec::new());
        link.run(at(600_000));
        assert_eq!(link.logs[0].borrow().read(), 2_000_000);
        let seen = link.seen.take().unwrap();
        let ranges = seen.iter().filter(|(_, ours, head, _)| *ours && !head.ranges().is_empty()).count();
        (link, ranges)
    };
    let (with, ranges) = run(true, 0);
    assert!(ranges > 50 && with.host.counters().drops_ooseq == 0);
    let (without, none) = run(false, 4);
    assert_eq!(none, 0);
    assert!(without.host.counters().drops_ooseq > 0);
    assert!(with.far.counters().retransmissions < without.far.counters().retransmissions);
}
