//! One run of a scenario with traffic, and what has come of it.

use alloc::borrow::ToOwned;
use alloc::format;
use alloc::rc::Rc;
use alloc::vec;
use alloc::vec::Vec;
use core::cell::RefCell;

use airtime_core::event_loop::Stop;
use airtime_core::{Duration, EventLoop, Instant};
use airtime_link::Ordered;
use airtime_net::measure::{self, Measuring, Tally};
use airtime_net::{Watch, linux, lwip};

use super::busy;
use super::config::is_random;
use super::doze;
use super::ends::HostEnd;
use super::network::{Built, build};
use super::observe::Recorder;
use crate::cell::Dozed;
use crate::ledger::{Account, Books};
use crate::network::{Chain, Observer};
use crate::plan::Scenario;

/// Start of the traffic: chips and association are up. Any instant will do; lwIP's timers tick from zero on.
pub const START: Instant = Instant::from_nanos(100_000_000);

/// Counter of whether the steady state ended with the host throttled for good.
pub const STUCK: &str = "throttled_for_good";

/// Outcome of one run.
pub type Outcome = measure::Outcome<Account, Counted>;

/// Counts of a run, by name.
#[derive(Clone, Debug, Default)]
pub struct Counted {
    /// Counters of chips, air and path in the steady state, drops by name among them, and the deepest that queues were.
    pub link: Ordered<u64>,
    /// Counters of the host's stack in it.
    pub stack: Ordered<u64>,
    /// Counters of the far end's stack in it.
    pub far: Ordered<u64>,
    /// Rate index of most PPDUs of data of the link in it, if there were any.
    pub mcs: Option<u8>,
}

impl Counted {
    /// A count of the chips, the air or the path.
    pub fn of(&self, name: &str) -> u64 {
        self.link.get(name).copied().unwrap_or(0)
    }

    /// A count of the host's stack.
    pub fn of_stack(&self, name: &str) -> u64 {
        self.stack.get(name).copied().unwrap_or(0)
    }
}

/// Runs `scenario` with `seed`.
pub fn run(scenario: &Scenario, seed: u64) -> Outcome {
    run_watched(scenario, seed, (), [(), ()], &|| false).0
}

/// Runs `scenario` with `seed` under the eyes of `observer`, which is given back, and of `watches` above both stacks;
/// to its end, or until `stop` says that nobody wants the rest.
pub fn run_watched<O: Observer, W: Watch>(
    scenario: &Scenario,
    seed: u64,
    observer: O,
    watches: [W; 2],
    stop: Stop<'_>,
) -> (Outcome, O) {
    let tally = Rc::new(RefCell::new(Tally::new(START)));
    let recorder = Recorder::new(scenario, START, Rc::clone(&tally));
    let mut network = build(scenario, seed, START, (recorder, observer), &tally, watches);
    network.start(Instant::ZERO);
    let mut events = EventLoop::new(Instant::ZERO, &network);

    let measuring = Measuring::new(&scenario.run, &scenario.traffic, START, &tally, stop);
    let steady = measuring.steady(&mut events, &mut network, |network, from| {
        let (counts, busy) = (counts(network, from), busy_until(network, from));
        (counts, busy, network.observer.0.begin_measuring(from))
    });
    let (counts_before, busy_before, before) = &steady.before;
    let until = steady.until;

    let busy = busy_until(&network, until);
    let ledger = network.observer.0.ledger_at(until);
    let recorder = &network.observer.0;
    let [mut counted, stack, far] = since(counts(&network, until), counts_before);
    for (queue, depth) in crate::trace::Queue::ALL.iter().zip(recorder.deepest) {
        counted.set(format!("{}.deepest", queue.name()), depth.into());
    }
    recorder.books().counts().named().for_each(|(name, count)| counted.set(name, count));
    let steady_ledger = ledger.since(before);
    counted.set(busy::AIR, busy::air(&steady_ledger).as_nanos());
    for ((name, now), (_, before)) in busy.into_iter().zip(busy_before) {
        counted.set(name, now.saturating_sub(*before).as_nanos());
    }
    let stuck = network.chain.as_ref().is_some_and(Chain::is_stuck);
    counted.set(STUCK, stuck.into());
    let counted = Counted { link: counted, stack, far, mcs: recorder.mcs() };
    let mut outcome = measuring.outcome(&steady, [&ledger, before], recorder.latencies.percentiles(), counted);
    if scenario.traffic.drain {
        outcome.overrun = Some(measuring.drain(&mut events, &mut network));
    }
    outcome.random_draws = u64::from(is_random(scenario));
    outcome.steps = events.steps();
    (outcome, network.observer.1)
}

/// Counters up to `now`: chips, air and path; the host's stack; the far end's.
fn counts<W: Watch, O: Observer>(network: &Built<W, O>, now: Instant) -> [Ordered<u64>; 3] {
    let stack = match &network.above {
        HostEnd::Lwip(host) => stack_counts(host.counters()),
        HostEnd::Linux(host) => linux_counts(host.counters()),
    };
    let far = far_counts(network.far.0.counters());
    let dozed = network.cell.dozed(now).into_iter().flat_map(dozed_counts);
    [network.counts().named().chain(dozed).collect(), stack.into_iter().collect(), far.into_iter().collect()]
}

/// Busy time of the stages of the chain up to `now`; nothing for the air alone.
fn busy_until<W: Watch, O: Observer>(network: &Built<W, (Recorder, O)>, now: Instant) -> Vec<(&'static str, Duration)> {
    let Some(chain) = &network.chain else { return Vec::new() };
    let mut busy = vec![(busy::COPROCESSOR, chain.coprocessor_busy(now))];
    busy.extend(network.observer.0.busy.until(now));
    busy
}

/// Parts that came after `earlier`.
fn since(now: [Ordered<u64>; 3], earlier: &[Ordered<u64>; 3]) -> [Ordered<u64>; 3] {
    let mut before = earlier.iter();
    now.map(|now| {
        let before = before.next();
        let earlier = |name: &str| before.and_then(|before| before.get(name)).copied().unwrap_or(0);
        now.iter().map(|(name, count)| (name.to_owned(), count - earlier(name))).collect()
    })
}

/// The counts of power save by the names that records give them.
fn dozed_counts(dozed: Dozed) -> [(&'static str, u64); 5] {
    [
        ("doze.times", dozed.dozes),
        ("doze.fetches", dozed.fetches),
        (doze::HELD, dozed.held),
        (doze::HELD_NS, dozed.held_for.as_nanos()),
        (doze::ASLEEP_NS, dozed.asleep.as_nanos()),
    ]
}

/// The counters of lwIP by the names that records give them.
fn stack_counts(counters: lwip::Counters) -> [(&'static str, u64); 16] {
    [
        ("calls", counters.calls),
        ("call_errors", counters.call_errors),
        ("refused", counters.refused),
        ("segments", counters.segments),
        ("retransmissions", counters.retransmissions),
        ("timeouts", counters.timeouts),
        ("cwnd_collapses", counters.cwnd_collapses),
        ("fast_retransmits", counters.fast_retransmits),
        ("dup_acks", counters.dup_acks),
        ("delayed_acks", counters.delayed_acks),
        ("window_probes", counters.window_probes),
        ("drops.ooseq", counters.drops_ooseq),
        ("drops.tcpip_mbox", counters.drops_tcpip_mbox),
        ("drops.udp_recvmbox", counters.drops_udp_recvmbox),
        ("drops.tcp_recvmbox", counters.drops_tcp_recvmbox),
        ("streams_aborted", counters.aborted),
    ]
}

/// The counters of a Linux host by the names that lwIP's have in records.
fn linux_counts(counters: linux::Counters) -> [(&'static str, u64); 16] {
    stack_counts(lwip::Counters {
        segments: counters.segments,
        retransmissions: counters.retransmissions,
        timeouts: counters.timeouts,
        fast_retransmits: counters.recoveries,
        delayed_acks: counters.delayed_acks,
        aborted: counters.aborted,
        ..lwip::Counters::default()
    })
}

/// Counters of the far end, by name.
fn far_counts(counters: linux::Counters) -> [(&'static str, u64); 6] {
    [
        ("far.segments", counters.segments),
        ("far.retransmissions", counters.retransmissions),
        ("far.timeouts", counters.timeouts),
        ("far.recoveries", counters.recoveries),
        ("far.delayed_acks", counters.delayed_acks),
        ("far.out_of_order", counters.out_of_order),
    ]
}

/// The account outside the payload that cost most of the steady state.
pub fn bottleneck(outcome: &Outcome) -> Account {
    Books::bottleneck(&outcome.steady_ledger)
}
