//! Mixed calls over a link that loses bursts of packets and, with them, connections, between hosts that stall: no call is lost,
//! none is run twice, and nothing grows.
//!
//! The hour is ignored where tests are many: it asks how much memory the program holds.

mod counted;
mod end;
mod link;
mod mixed;
mod task;

use airtime_core::{Duration, Instant};
use airtime_rpc::CALLS_MAX;
use airtime_rpc::suite::Script as _;
use airtime_testing::whole_or_tenth;
use link::Link;
use mixed::Tally;
use task::OCTETS_MAX;

use crate::held;

/// Between two looks at what both ends hold.
const LOOK: Duration = Duration::from_millis(100);

/// Longest time that calls may take to end once no more begin: their deadline, and some links until then.
const PATIENCE: Duration = Duration::from_secs(90);

/// Most frames of both ends together: 64 with a host are as many as it queues of a channel.
const FRAMES_MAX: usize = 2 * 64;

/// What has been seen of a run.
#[derive(Clone, Copy, Debug)]
struct Seen {
    tally: Tally,
    /// Connections that were lost by supervision timeout.
    links: u32,
    /// Calls of those that did not end well which were run all the same.
    run_in_vain: usize,
    /// Most packets that waited for a host that stalled, and most that were in nobody's hands.
    stalled: usize,
    packets: usize,
}

impl Seen {
    /// Hosts stalled and queues filled, but no further than they may; some calls were done that nobody knows the end of.
    fn has_bounds(&self) {
        assert!((1..=FRAMES_MAX).contains(&self.stalled) && (1..=FRAMES_MAX).contains(&self.packets), "{self:?}");
        assert!(self.run_in_vain > 0, "{self:?}");
    }
}

/// The link of all runs: every two seconds or so nearly nothing gets through, at times for longer than either end waits.
fn keys<'a>(transport: &'a str, mode: &'a str, sealed: &'a str) -> Vec<(&'a str, &'a str)> {
    vec![
        ("central.personality", "zephyr-ll"),
        ("peripheral.personality", "zephyr-ll"),
        ("rpc.transport", transport),
        ("rpc.mode", mode),
        ("rpc.encrypted", sealed),
        ("ble.conn_interval", "15ms"),
        ("ble.supervision_timeout", "200ms"),
        ("ble.loss", "{ good = 0.01, bad = 0.98, every = \"2s\", burst = \"300ms\" }"),
    ]
}

/// Calls for `span`, waits until all have ended, and looks every now and then; `look` is told the time that has passed.
fn soak(keys: &[(&str, &str)], seed: u64, span: Duration, mut look: impl FnMut(Duration)) -> Seen {
    let end = Instant::ZERO + span;
    let mut link = Link::new(keys, seed, end);
    let mut packets = 0;
    while !link.calling().application().is_over() {
        link.run(LOOK);
        assert!(link.now() <= end + PATIENCE, "calls that never end: {:?}", link.calling().application().script());
        assert!(link.called().application().service().standing() <= CALLS_MAX);
        packets = packets.max(link.idle_packets());
        look(link.now().saturating_since(Instant::ZERO));
    }
    let (application, service) = (link.calling().application(), link.called().application().service());
    let (script, ended) = (application.script(), application.script().ended());
    assert!(script.is_over(), "given up after {}: {:?}, {script:?}", link.now(), application.outcome());
    assert!(script.most() <= CALLS_MAX);
    assert_eq!(script.tally().ended() as usize, ended.len(), "every call ends");
    let mut run_in_vain = 0;
    for (number, ended) in (0..).zip(ended) {
        let runs = service.runs(number);
        match ended.expect("it ended") {
            true => assert_eq!(runs, 1, "call {number} ended well"),
            false => run_in_vain += usize::from(runs),
        }
    }
    let (ends, lost) = (&link.network.observer, script.tally().lost as usize);
    assert!(lost <= ends.timeouts as usize * script.most(), "{lost} calls lost with {} connections", ends.timeouts);
    assert!(ends.others.is_empty(), "{:?}", ends.others);
    let stalled = link.network.devices.iter().map(|device| device.station.most()).max();
    let stalled = stalled.expect("two devices");
    Seen { tally: script.tally(), links: ends.timeouts, run_in_vain, stalled, packets }
}

#[test]
fn a_minute_of_mixed_calls_over_a_bad_link() {
    for (transport, sealed) in [("gatt", "false"), ("coc", "false"), ("gatt", "true"), ("coc", "true")] {
        for (mode, least) in [("extended", 2_000), ("compatible", 500)] {
            let seen = soak(&keys(transport, mode, sealed), 1, Duration::from_secs(60), |_| {});
            println!("{transport}, {mode}, sealed {sealed}: {seen:?}");
            let Seen { tally, links, .. } = seen;
            seen.has_bounds();
            assert!(tally.well > least && links > 2 && tally.lost > 2 && tally.cancelled > 10, "{seen:?}");
            assert_eq!(tally.late > 0, mode == "extended", "{seen:?}");
        }
    }
}

#[test]
#[ignore = "a soak: run it on one thread"]
fn an_hour_of_mixed_calls_over_a_bad_link() {
    let hour = Duration::from_secs(whole_or_tenth(3_600));
    let runs = [
        ("gatt", "compatible", "true", 30_000),
        ("coc", "compatible", "false", 30_000),
        ("gatt", "extended", "false", 100_000),
        ("coc", "extended", "true", 100_000),
    ];
    for (transport, mode, sealed, least) in runs {
        // Most that was held in each tenth of the hour.
        let mut most = [0; 10];
        let seen = soak(&keys(transport, mode, sealed), 2, hour, |passed| {
            let tenth = (passed / (hour / 10)).min(9) as usize;
            most[tenth] = most[tenth].max(held());
        });
        println!("{transport}, {mode}, sealed {sealed}: {seen:?}, octets held at most in each tenth: {most:?}");
        seen.has_bounds();
        assert!(
            u64::from(seen.tally.well) > whole_or_tenth(least) && u64::from(seen.links) > whole_or_tenth(300),
            "{seen:?}"
        );
        // Nothing is left behind: what differs are the calls that were under way when it was looked.
        let (first, rest) = most.split_first().expect("ten tenths");
        assert!(rest.iter().all(|most| *most <= first + CALLS_MAX * OCTETS_MAX), "{most:?}");
    }
}
