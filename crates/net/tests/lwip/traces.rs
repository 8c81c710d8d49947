//! Small connections, segment by segment.

use std::fmt::Write;

use airtime_core::{Duration, Instant};
use airtime_net::linux;
use airtime_net::lwip::{Config, TcpSender};
use airtime_net::segment::flags;

use super::link::{FAR, Fate, Link, Seen, Way, at, ms};

const FLOW: u16 = 5_001;

/// One line a segment, with numbers from the start of each stream: time in ms, direction, what it is.
fn text(seen: &[Seen]) -> String {
    let mut text = String::new();
    for (now, ours, head, len) in seen {
        let (first, other) = if *ours { (6_510, 1_000_000) } else { (1_000_000, 6_510) };
        let kinds = [(flags::SYN, "syn "), (flags::FIN, "fin "), (flags::RST, "rst ")];
        let kinds: String = kinds.iter().filter(|(bit, _)| head.has(*bit)).map(|(_, name)| *name).collect();
        let ms = now.as_nanos() / 1_000_000;
        let direction = if *ours { ">" } else { "<" };
        write!(text, "{ms:>4} {direction} {kinds}{}", head.seq - first).unwrap();
        if *len > 0 {
            write!(text, "+{len}").unwrap();
        }
        if head.has(flags::ACK) {
            write!(text, " ack {}", head.ack - other).unwrap();
        }
        for range in head.ranges() {
            write!(text, " sack {}..{}", range.start - other, range.end - other).unwrap();
        }
        text.push('\n');
    }
    text
}

fn sender(write: usize, octets: u64, nodelay: bool) -> TcpSender {
    let (start, duration) = (Instant::ZERO, Duration::from_secs(3_600));
    TcpSender { flow: FLOW, write, nodelay, octets: Some(octets), start, duration }
}

fn run(config: Config, far: linux::Config, up: Way, sender: TcpSender) -> (String, Link) {
    let mut link = Link::new(config, far, up, Way::new(None, ms(5), 100));
    link.seen = Some(Vec::new());
    link.far.read_stream(FLOW);
    link.host.write_stream(FAR, sender);
    link.run(at(60_000));
    let text = text(link.seen.as_ref().unwrap());
    (text, link)
}

fn way() -> Way {
    Way::new(None, ms(5), 100)
}

/// The n-th packets are lost; the SYN is packet 0, its acknowledgement leaves with the first octets.
fn losing(lost: &'static [u64]) -> Way {
    way().fated(|n, _| if lost.contains(&n) { Fate::Lost } else { Fate::Arrives })
}

#[test]
fn a_connection_opens_carries_a_segment_and_closes() {
    let (text, _) = run(Config::default(), linux::Config::default(), way(), sender(1_000, 1_000, false));
    insta::assert_snapshot!(text, @r"
     0 > syn 0
     5 < syn 0 ack 1
    10 > 1 ack 1
    10 > 1+1000 ack 1
    10 > fin 1001 ack 1
    15 < 1 ack 1001
    15 < fin 1 ack 1002
    20 > 1002 ack 2
    ");
}

#[test]
fn nagle_joins_what_is_written_while_something_is_in_flight() {
    // The FIN lets the rest go at once.
    let far = linux::Config { quick_acks: 0, ..linux::Config::default() };
    let (text, _) = run(Config::default(), far, way(), sender(500, 1_500, false));
    insta::assert_snapshot!(text, @r"
     0 > syn 0
     5 < syn 0 ack 1
    10 > 1 ack 1
    10 > 1+500 ack 1
    10 > fin 501+1000 ack 1
    15 < fin 1 ack 1502
    20 > 1502 ack 2
    ");
}

#[test]
fn without_nagle_each_write_is_a_segment() {
    let far = linux::Config { quick_acks: 0, ..linux::Config::default() };
    let (text, _) = run(Config::default(), far, way(), sender(500, 1_500, true));
    insta::assert_snapshot!(text, @r"
     0 > syn 0
     5 < syn 0 ack 1
    10 > 1 ack 1
    10 > 1+500 ack 1
    10 > 501+500 ack 1
    10 > 1001+500 ack 1
    10 > fin 1501 ack 1
    15 < 1 ack 1001
    15 < fin 1 ack 1502
    20 > 1502 ack 2
    ");
}

#[test]
fn a_lost_syn_waits_for_whole_ticks() {
    // 1500 ms are three ticks: at 250, 750 and 1250 ms.
    let (text, _) = run(Config::default(), linux::Config::default(), losing(&[0]), sender(100, 100, false));
    insta::assert_snapshot!(text, @r"
       0 > syn 0
    1250 > syn 0
    1255 < syn 0 ack 1
    1260 > 1 ack 1
    1260 > 1+100 ack 1
    1260 > fin 101 ack 1
    1265 < 1 ack 101
    1265 < fin 1 ack 102
    1270 > 102 ack 2
    ");
}

#[test]
fn three_duplicates_send_one_segment_again_and_the_first_new_acknowledgement_ends_it() {
    let config = Config { snd_buf: 17_280, ..Config::default() };
    let (text, link) = run(config, linux::Config::default(), losing(&[7]), sender(100_000, 28_800, false));
    insta::assert_snapshot!(text, @r"
     0 > syn 0
     5 < syn 0 ack 1
    10 > 1 ack 1
    10 > 1+1440 ack 1
    10 > 1441+1440 ack 1
    10 > 2881+1440 ack 1
    15 < 1 ack 1441
    15 < 1 ack 2881
    15 < 1 ack 4321
    20 > 4321+1440 ack 1
    20 > 5761+1440 ack 1
    20 > 7201+1440 ack 1
    20 > 8641+1440 ack 1
    20 > 10081+1440 ack 1
    20 > 11521+1440 ack 1
    25 < 1 ack 5761
    25 < 1 ack 7201
    25 < 1 ack 7201
    25 < 1 ack 7201
    25 < 1 ack 7201
    30 > 12961+1440 ack 1
    30 > 14401+1440 ack 1
    30 > 15841+1440 ack 1
    30 > 17281+1440 ack 1
    30 > 7201+1440 ack 1
    35 < 1 ack 7201
    35 < 1 ack 7201
    35 < 1 ack 7201
    35 < 1 ack 7201
    35 < 1 ack 18721
    40 > 18721+1440 ack 1
    40 > 20161+1440 ack 1
    40 > 21601+1440 ack 1
    40 > 23041+1440 ack 1
    40 > 24481+1440 ack 1
    45 < 1 ack 20161
    45 < 1 ack 21601
    45 < 1 ack 23041
    45 < 1 ack 24481
    45 < 1 ack 25921
    50 > 25921+1440 ack 1
    50 > fin 27361+1440 ack 1
    55 < 1 ack 27361
    55 < fin 1 ack 28802
    60 > 28802 ack 2
    ");
    let counters = link.host.counters();
    assert_eq!((counters.fast_retransmits, counters.timeouts, counters.retransmissions), (1, 0, 1));
}

#[test]
fn after_a_timeout_everything_in_flight_is_sent_again() {
    // The first flight is lost but for its first segment: no duplicates, so the timer it is.
    let config = Config { snd_buf: 8_640, ..Config::default() };
    let (text, link) = run(config, linux::Config::default(), losing(&[4, 5, 6]), sender(100_000, 8_640, false));
    insta::assert_snapshot!(text, @r"
       0 > syn 0
       5 < syn 0 ack 1
      10 > 1 ack 1
      10 > 1+1440 ack 1
      10 > 1441+1440 ack 1
      10 > 2881+1440 ack 1
      15 < 1 ack 1441
      15 < 1 ack 2881
      20 > 4321+1440 ack 1
      20 > 5761+1440 ack 1
      20 > fin 7201+1440 ack 1
      25 < 1 ack 2881
    1250 > 2881+1440 ack 1
    1255 < 1 ack 4321
    1260 > 4321+1440 ack 1
    1260 > 5761+1440 ack 1
    1265 < 1 ack 5761
    1265 < fin 1 ack 8642
    1270 > fin 7201+1440 ack 1
    1270 > 8642 ack 2
    1275 < 2 ack 8642
    ");
    let counters = link.host.counters();
    assert_eq!((counters.timeouts, counters.cwnd_collapses), (1, 1));
}
