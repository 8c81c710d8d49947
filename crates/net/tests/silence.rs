//! How long the far end waits for a peer that has fallen silent, to the nanosecond: net/ipv4/tcp_timer.c and
//! Documentation/networking/ip-sysctl.rst of Linux.

use std::net::Ipv4Addr;

use airtime_core::{Duration, Instant, Packet, Pool};
use airtime_net::linux::{Config, Host};
use airtime_net::segment::{self, Head, flags};
use airtime_net::tcp::Stream;
use airtime_net::wire::Route;

const FAR: Ipv4Addr = Ipv4Addr::new(10, 0, 0, 2);
const PEER: Ipv4Addr = Ipv4Addr::new(10, 0, 0, 1);
const FLOW: u16 = 5_001;
/// The number of the peer's SYN.
const ISS: u32 = 7_000;
/// Longer than anything is waited for.
const DAY: Duration = Duration::from_secs(86_400);

fn at(ms: u64) -> Instant {
    Instant::ZERO + Duration::from_millis(ms)
}

/// The far end, and a peer that says what the test makes it say.
struct Far {
    host: Host<()>,
    pool: Pool,
    now: Instant,
    /// When something left.
    left: Vec<Instant>,
}

impl Far {
    fn new() -> Self {
        let pool = Pool::new();
        Self { host: Host::new(pool.clone(), FAR, Config::default(), ()), pool, now: Instant::ZERO, left: Vec::new() }
    }

    /// The far end writes `octets`, or without an end, to a peer that opens with `window`.
    fn writes(octets: Option<u64>, window: u16) -> Self {
        let mut far = Self::new();
        let (start, duration) = (Instant::ZERO, DAY);
        far.host.write_stream(PEER, Stream { flow: FLOW, write: 1_000, window: 1_000, octets, start, duration });
        far.host.wake(far.now);
        let syn = far.next().expect("a SYN");
        let (_, syn, _) = segment::read(&syn).expect("a segment");
        far.say(Head { flags: flags::SYN | flags::ACK, seq: ISS, ack: syn.seq + 1, window, ..to(syn.from_port) });
        far
    }

    fn next(&mut self) -> Option<Packet> {
        self.host.poll(self.now)
    }

    fn say(&mut self, head: Head) {
        let route = Route { from: PEER, to: FAR };
        self.host.packet(self.now, &segment::emit(&self.pool, route, 1, &head, 0, 0));
    }

    /// Everything that leaves now is acknowledged `later`, with `window`.
    fn acknowledges(&mut self, later: Duration, window: u16) {
        let last = core::iter::from_fn(|| self.next()).last().expect("a segment leaves");
        self.now += later;
        let (_, head, payload) = segment::read(&last).expect("a segment");
        let ack = head.seq + payload.len() as u32;
        self.say(Head { flags: flags::ACK, seq: ISS + 1, ack, window, ..to(head.from_port) });
    }

    /// Time goes by up to `end` while `answer` looks at every segment; returns when the far end waits for nothing any more.
    fn alone(&mut self, end: Instant, mut answer: impl FnMut(&mut Self, &Head)) -> Option<Instant> {
        loop {
            while let Some(packet) = self.next() {
                self.left.push(self.now);
                let (_, head, _) = segment::read(&packet).expect("a segment");
                answer(self, &head);
            }
            let Some(next) = self.host.deadline() else { return Some(self.now) };
            if next > end {
                return None;
            }
            self.now = next;
            self.host.wake(next);
        }
    }

    /// When it gives up, how many segments have left by then, and how many streams were given up.
    fn gives_up(&mut self) -> (Option<Instant>, usize, u64) {
        let end = self.alone(Instant::ZERO + DAY, |_, _| ());
        (end, self.left.len(), self.host.counters().aborted)
    }
}

fn to(port: u16) -> Head {
    Head { from_port: FLOW, to_port: port, ..Head::default() }
}

#[test]
fn a_stream_is_given_up_after_fifteen_retransmissions() {
    // A timeout of 204 ms: 204.6 s of doublings become 208.692 s, and six of 120 s follow (`tcp_retries2`). The sixteenth timeout is
    // the first one later than 924.6 s behind the first retransmission.
    let mut far = Far::writes(None, 60_000);
    far.acknowledges(Duration::from_millis(4), 60_000);
    assert_eq!(far.gives_up(), (Some(at(4 + 208_692 + 720_000)), 1 + 15, 1));
    assert_eq!(far.host.counters().timeouts, 15);
}

#[test]
fn a_program_that_has_closed_waits_less() {
    // Timeouts of 1 s, 2 s and on: the one after 127 s is the first one later than 102.2 s behind the first retransmission.
    let mut far = Far::writes(Some(500), 60_000);
    assert_eq!(far.gives_up(), (Some(at(127_000)), 1 + 6, 1));
}

#[test]
fn a_window_that_stays_closed_is_probed_fifteen_times() {
    // 204 ms doubled nine times, and seven times 120 s; the sixteenth timeout finds fifteen probes without an answer.
    let mut far = Far::writes(None, 60_000);
    far.acknowledges(Duration::from_millis(4), 0);
    assert_eq!(far.gives_up(), (Some(at(4 + 208_692 + 720_000)), 15, 1));
}

/// The peer says again and again that its window is closed.
fn closed(far: &mut Far, head: &Head) {
    let ack = Head { flags: flags::ACK, seq: ISS + 1, ack: head.seq + 1, window: 0, ..to(head.from_port) };
    far.say(ack);
}

#[test]
fn a_peer_that_says_its_window_is_closed_is_probed_for_ever() {
    // RFC 1122, 4.2.2.17.
    let mut far = Far::writes(None, 60_000);
    far.acknowledges(Duration::from_millis(4), 0);
    assert_eq!(far.alone(Instant::ZERO + DAY, closed), None);
    assert!(far.left.len() > 700, "a probe every two minutes: {}", far.left.len());
    assert_eq!(far.host.counters().aborted, 0);
}

#[test]
fn nobody_is_left_who_would_wait_for_a_closed_window() {
    // The program has closed: it ends when the timeout has reached its most, ten doublings of 204 ms.
    let mut far = Far::writes(Some(1_000), 536);
    far.acknowledges(Duration::from_millis(4), 0);
    assert_eq!(far.alone(Instant::ZERO + DAY, closed), Some(at(4 + 208_692 + 120_000)));
    assert_eq!(far.host.counters().aborted, 1);
}

#[test]
fn an_opening_is_tried_seven_times() {
    let mut far = Far::new();
    let (start, duration) = (Instant::ZERO, DAY);
    far.host.write_stream(PEER, Stream { flow: FLOW, write: 1_000, window: 1_000, octets: None, start, duration });
    assert_eq!(far.gives_up(), (Some(at(127_000)), 1 + 6, 1), "`tcp_syn_retries`");
}

#[test]
fn an_opening_is_answered_six_times() {
    let mut far = Far::new();
    far.host.read_stream(FLOW);
    far.say(Head { from_port: 40_000, to_port: FLOW, flags: flags::SYN, seq: ISS, window: 60_000, ..Head::default() });
    assert_eq!(far.gives_up(), (Some(at(63_000)), 1 + 5, 1), "`tcp_synack_retries`");
}
