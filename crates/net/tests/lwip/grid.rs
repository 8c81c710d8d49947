//! Goodput by send buffer, loss and queue on a link of 40 Mbit/s, against what real lwIP code did on such a link in 30 s
//! (ESP-IDF's lwIP on a PC, its send buffer always kept full, an acknowledgement for every second segment).

use airtime_core::random::stream;
use airtime_core::{Duration, Instant};
use airtime_net::linux;
use airtime_net::lwip::{Config, Counters, TcpSender};

use super::link::{FAR, Fate, Link, Way, at, ms};

const FLOW: u16 = 5_001;
const RATE: u64 = 40_000_000;
/// One call that never ends keeps the send buffer full.
const ENDLESS: usize = 1 << 40;

#[derive(Clone, Copy)]
struct Case {
    snd_buf: u32,
    rto_ms: u64,
    rtt_ms: u64,
    queue: usize,
    /// Of 100,000 packets.
    lost: u64,
    seed: u64,
    write: usize,
    nodelay: bool,
}

const CASE: Case =
    Case { snd_buf: 65_534, rto_ms: 1_500, rtt_ms: 10, queue: 1_000, lost: 0, seed: 1, write: ENDLESS, nodelay: true };

/// Goodput in Mbit/s, and what the sender met.
fn run(case: Case) -> (f64, Counters) {
    let config = Config { snd_buf: case.snd_buf, wnd: 65_534, rto_time: ms(case.rto_ms), ..Config::default() };
    let mut draws = stream(case.seed, "link/loss");
    let delay = Duration::from_micros(case.rtt_ms * 500);
    let fate =
        move |_, _: &[u8]| if case.lost > 0 && draws.below(100_000) < case.lost { Fate::Lost } else { Fate::Arrives };
    let up = Way::new(Some(RATE), delay, case.queue).fated(fate);
    let far = linux::Config { quick_acks: 0, ..linux::Config::default() };
    let mut link = Link::new(config, far, up, Way::new(Some(RATE), delay, 1_000));
    link.far.read_stream(FLOW);
    let (flow, write, nodelay, duration) = (FLOW, case.write, case.nodelay, Duration::from_secs(60));
    link.host.write_stream(FAR, TcpSender { flow, write, nodelay, octets: None, start: Instant::ZERO, duration });
    link.run(at(30_000));
    assert_eq!(link.far.counters().damaged, 0);
    let read = link.logs[1].borrow().read();
    (read as f64 * 8.0 / 30e6, link.host.counters())
}

fn within(rate: f64, expected: f64, share: f64, what: &str) {
    assert!((rate / expected - 1.0).abs() <= share, "{what}: {rate:.2} against {expected} Mbit/s");
}

#[test]
fn goodput_is_the_send_buffer_per_round_trip_until_the_link_limits() {
    for (snd_buf, rtt_ms, expected) in [
        (5_760, 10, 4.35),
        (11_520, 10, 8.69),
        (23_040, 10, 17.38),
        (46_080, 10, 34.75),
        (65_534, 10, 38.85),
        (5_760, 3, 12.83),
    ] {
        let (rate, counters) = run(Case { snd_buf, rtt_ms, ..CASE });
        within(rate, expected, 0.02, "send buffer");
        assert_eq!((counters.retransmissions, counters.timeouts), (0, 0));
    }
}

#[test]
fn loss_costs_what_reno_without_newreno_pays() {
    for (lost, expected) in [(50, 34.45), (100, 32.51), (200, 28.72), (500, 17.21), (1_000, 9.34)] {
        // Its losses are others, and it is one draw: the mean of a few is compared.
        let rates = [1, 2, 3].map(|seed| run(Case { lost, seed, ..CASE }).0);
        within(rates.iter().sum::<f64>() / 3.0, expected, 0.10, "loss");
    }
}

#[test]
fn a_queue_too_short_for_the_window_costs_most_of_it() {
    let (rate, counters) = run(Case { queue: 10, ..CASE });
    within(rate, 6.30, 0.05, "queue of 10");
    assert!(counters.timeouts > 10, "{counters:?}");
    let (rate, counters) = run(Case { queue: 20, ..CASE });
    within(rate, 38.85, 0.01, "queue of 20");
    assert_eq!(counters.timeouts, 0);
}

#[test]
fn a_timeout_below_two_ticks_fires_at_every_tick() {
    let figures = [300, 500, 999, 1_000, 1_500, 3_000].map(|rto_ms| run(Case { rto_ms, ..CASE }));
    let [(short, fired), .., (long, never)] = figures;
    for (rate, counters) in &figures[..3] {
        assert_eq!((*rate, *counters), (short, fired), "300 = 500 = 999");
    }
    for (rate, counters) in &figures[3..] {
        assert_eq!((*rate, *counters), (long, never), "1000 = 1500 = 3000");
    }
    assert_eq!((fired.timeouts, fired.cwnd_collapses), (60, 60), "two a second for 30 s");
    assert_eq!(never.timeouts, 0);
    assert!(fired.retransmissions > 60 * 20, "what was in flight is sent again: {fired:?}");
    assert!(short < 0.9 * long, "{short} against {long}");
}

#[test]
fn what_an_early_timeout_costs_depends_on_the_path() {
    let cost = |rtt_ms, queue| {
        let rate = |rto_ms| run(Case { rto_ms, rtt_ms, queue, ..CASE }).0;
        1.0 - rate(300) / rate(1_500)
    };
    let (short_deep, long_deep, long_shallow) = (cost(2, 1_000), cost(20, 1_000), cost(20, 15));
    assert!(short_deep < 0.10, "a short path with a deep queue: {short_deep:.2}");
    assert!(long_deep > 2.0 * short_deep, "a longer one: {long_deep:.2}");
    assert!(long_shallow > 0.0, "a shallow queue: {long_shallow:.2}");
}

#[test]
fn the_size_of_writes_hardly_matters_to_tcp_itself() {
    for write in [1_400, 16_384] {
        for nodelay in [true, false] {
            within(run(Case { write, nodelay, ..CASE }).0, 38.85, 0.03, "writes");
        }
    }
}
