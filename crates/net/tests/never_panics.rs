//! No packets make the stack of a host panic or stand still: the script of the fuzz target, run on random octets and on the corpus
//! in `fuzz/corpus`.

use airtime_core::{Duration, Instant, Pool};
use airtime_net::lwip::{Config, Host, Outcome, TcpSink};
use airtime_net::segment::{self, Head, flags};
use airtime_net::wire::Route;
use airtime_testing::corpus;
use proptest::prelude::*;
use std::net::Ipv4Addr;

use crate::fuzzing;

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_host_stands_any_script(bytes in proptest::collection::vec(any::<u8>(), 0..1_500)) {
        fuzzing::lwip(&bytes);
    }
}

#[test]
fn the_corpus_of_lwip_segment() {
    corpus("lwip_segment", fuzzing::lwip);
}

/// Ticks were counted in an octet while the answer to a SYN waited for its acknowledgement: 128 s, and twelve retransmissions take
/// longer.
#[test]
fn an_opening_that_is_never_acknowledged_is_given_up() {
    let (host_address, far) = (Ipv4Addr::new(10, 0, 0, 1), Ipv4Addr::new(10, 0, 0, 2));
    let pool = Pool::new();
    let mut host = Host::new(pool.clone(), host_address, Config::default(), ());
    host.read_stream(TcpSink { flow: 5_002, read: 1_000 });
    let syn = Head { from_port: 40_000, to_port: 5_002, flags: flags::SYN, window: 0xffff, ..Head::default() };
    let mut now = Instant::ZERO;
    host.packet(now, &segment::emit(&pool, Route { from: far, to: host_address }, 1, &syn, 0, 0));
    let mut answers = 0;
    loop {
        while host.poll(now).is_some() {
            answers += 1;
            host.outcome(now, Outcome::Taken);
        }
        let Some(next) = host.deadline() else { break };
        now = next;
        host.wake(now);
    }
    assert!(now > Instant::ZERO + Duration::from_secs(128), "{now}");
    assert_eq!((answers, host.counters().aborted), (1 + u64::from(Config::default().max_rtx), 1));
}
