//! What calls, copies and a refusing interface do to a stream, and what the host says of it.

use airtime_core::{Duration, Instant};
use airtime_net::linux;
use airtime_net::lwip::{Config, Costs, Outcome, TcpSender, Waits};

use super::link::{FAR, Fate, Link, Way, at, ms};

const FLOW: u16 = 5_001;

fn link(config: Config, up: Way, write: usize) -> Link {
    let mut link = Link::new(config, linux::Config::default(), up, Way::new(None, ms(1), 1_000));
    link.far.read_stream(FLOW);
    let (start, duration) = (Instant::ZERO, Duration::from_secs(60));
    link.host.write_stream(FAR, TcpSender { flow: FLOW, write, nodelay: true, octets: None, start, duration });
    link
}

fn wide() -> Way {
    Way::new(None, ms(1), 10_000)
}

fn goodput(config: Config, write: usize) -> f64 {
    let mut link = link(config, wide(), write);
    link.run(at(5_000));
    let read = link.logs[1].borrow().read();
    read as f64 * 8.0 / 5e6
}

#[test]
fn short_writes_pay_for_their_calls() {
    let us = Duration::from_micros;
    let costs = Costs { call: us(120), kilooctet: us(10), segment: us(50), input: us(20), switch: us(5) };
    let config = Config { snd_buf: 65_534, wnd: 65_534, core_locking: true, costs, ..Config::default() };
    let (short, long) = (goodput(config, 1_400), goodput(config, 16_384));
    assert!(short < 0.9 * long, "{short:.2} against {long:.2} Mbit/s");
    // 14 + 50 µs a segment of the stack, and half an acknowledgement: no faster than that.
    assert!(long < 1_440.0 * 8.0 / 74.0, "{long:.2}");
    let locked = Config { core_locking: false, ..config };
    assert!(goodput(locked, 1_400) < short);
    let shared = Config { shared_core: true, ..config };
    assert!(goodput(shared, 1_400) < short);
}

#[test]
fn a_refused_segment_waits_for_the_next_acknowledgement() {
    let config = Config { snd_buf: 11_520, ..Config::default() };
    let mut link = link(config, Way::new(Some(20_000_000), ms(1), 1_000), 16_384);
    link.interface = Box::new(|n| if n % 50 == 30 { Outcome::Refused } else { Outcome::Taken });
    link.run(at(5_000));
    let counters = link.host.counters();
    assert!(counters.refused > 20, "{counters:?}");
    assert_eq!((counters.retransmissions, counters.timeouts), (0, 0), "it was never sent");
    assert!(link.logs[1].borrow().read() > 5_000_000);
}

#[test]
fn with_nothing_in_flight_a_refused_segment_waits_for_a_timer() {
    let config = Config::default();
    let mut link = link(config, wide(), 16_384);
    // SYN, then the whole first flight is refused until 600 ms.
    link.interface = Box::new(|n| if (2..5).contains(&n) { Outcome::Refused } else { Outcome::Taken });
    link.run(at(200));
    assert_eq!(link.host.waits(), Waits::Refused);
    assert_eq!(link.logs[1].borrow().read(), 0);
    link.run(at(4_000));
    assert!(link.logs[1].borrow().read() > 100_000);
}

#[test]
fn a_host_says_which_window_limits() {
    let waits = |snd_buf| {
        let config = Config { snd_buf, ..Config::default() };
        let mut link = link(config, Way::new(Some(40_000_000), ms(20), 1_000), 1 << 40);
        link.run(at(2_000));
        link.host.waits()
    };
    assert_eq!(waits(5_760), Waits::Window, "all of the send buffer is in flight");
    assert_eq!(waits(65_534), Waits::Window);
    let mut link = link(Config { snd_buf: 65_534, ..Config::default() }, Way::new(None, ms(50), 1_000), 1 << 40);
    link.run(at(60));
    assert_eq!(link.host.waits(), Waits::Cwnd, "three segments to begin with");
}

#[test]
fn a_host_says_when_only_the_timer_helps() {
    // Everything is lost from the 200th packet on.
    let config = Config { snd_buf: 11_520, ..Config::default() };
    let up = Way::new(Some(20_000_000), ms(1), 1_000).fated(|n, _| if n > 200 { Fate::Lost } else { Fate::Arrives });
    let mut link = link(config, up, 16_384);
    link.run(at(1_000));
    assert_eq!(link.host.waits(), Waits::Rto);
    assert!(link.host.cwnd().is_some() && link.host.flight().unwrap() > 0 && link.host.ssthresh().is_some());
}

#[test]
fn a_peer_that_is_gone_ends_the_stream() {
    let up = Way::new(None, ms(1), 1_000).fated(|n, _| if n > 20 { Fate::Lost } else { Fate::Arrives });
    let mut link = link(Config::default(), up, 16_384);
    link.run(at(3_600_000));
    assert_eq!(link.host.counters().aborted, 1);
    assert_eq!(link.host.counters().timeouts, 12, "TCP_MAXRTX");
    assert_eq!(link.host.deadline(), None);
    let ticks = (link.now - Instant::ZERO) / ms(250);
    assert!(link.wakes < ticks + 50, "{} wakes in {ticks} ticks: the timers and nothing else", link.wakes);
}

#[test]
fn a_refused_fast_retransmission_can_end_the_stream() {
    // The segment sent again is refused and stays among those that have not left. No acknowledgement follows, so the slow timer
    // comes: it puts what is in flight in front of that segment (src/core/tcp_out.c, `tcp_rexmit_rto_prepare` does not sort), the
    // head of the queue is beyond a window of one segment, and nothing ever leaves again.
    let config = Config { snd_buf: 8_640, rto_time: ms(300), ..Config::default() };
    let up = Way::new(None, ms(1), 1_000).fated(|n, _| if n == 40 { Fate::Lost } else { Fate::Arrives });
    let mut link = link(config, up, 1 << 40);
    // The third, fourth and fifth duplicate each try.
    link.interface = Box::new(|n| if (46..49).contains(&n) { Outcome::Refused } else { Outcome::Taken });
    link.run(at(60_000));
    let counters = link.host.counters();
    assert_eq!((counters.refused, counters.fast_retransmits, counters.timeouts, counters.aborted), (3, 1, 1, 1));
    assert_eq!(link.logs[1].borrow().read(), 54_720, "and not an octet more");
}
