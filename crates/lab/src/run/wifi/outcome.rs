//! One run of a scenario with traffic, and what has come of it.

use std::cell::RefCell;
use std::rc::Rc;

use airtime_core::ledger::Ledger;
use airtime_core::{Duration, EventLoop, Instant};
use airtime_net::{Watch, linux, lwip};
use airtime_wifi::ledger::{Account, Books};
use airtime_wifi::network::Observer;
use airtime_wifi::plan::Scenario;

use super::busy;
use super::config::is_random;
use super::network::{Built, build};
use super::observe::Recorder;
use crate::ordered::Ordered;
use crate::record::Latency;
use crate::run::measuring::Measuring;
use crate::run::tally::{Flow, Tally};

/// Start of the traffic: chips and association are up. Any instant will do; lwIP's timers tick from zero on.
pub const START: Instant = Instant::from_nanos(100_000_000);

/// Outcome of one run.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// Books of the channel from the start of the traffic to its end.
    pub ledger: Ledger<Account>,
    /// Books of the channel since the warm-up.
    pub steady_ledger: Ledger<Account>,
    /// From the start of the traffic to the first payload that arrived.
    pub setup: Option<Duration>,
    /// Length of the steady state.
    pub steady: Duration,
    /// Traffic of the steady state, up and down.
    pub flows: [Flow; 2],
    /// Octets of goodput per second since the start of the traffic.
    pub series: Vec<u64>,
    /// Delays of IP packets one way, in the steady state.
    pub latency: Option<Latency>,
    /// Round trips of echo requests in the steady state.
    pub round_trips: Option<Latency>,
    /// Counters of chips, air and path in the steady state, drops by name among them, and the deepest that queues were.
    pub counted: Ordered<u64>,
    /// Counters of the host's stack in the steady state, by name.
    pub stack: Ordered<u64>,
    /// Counters of the far end's stack in it.
    pub far: Ordered<u64>,
    /// Time from the end of the senders to the last arrival, when the run has waited for it.
    pub overrun: Option<Duration>,
    /// Set if a transfer that has a size is through.
    pub finished: bool,
    /// Set if random numbers were drawn.
    pub random: bool,
    /// Steps of the event loop.
    pub steps: u64,
}

impl Outcome {
    /// Octets of goodput in the steady state: both directions.
    pub fn octets(&self) -> u64 {
        self.flows[0].octets + self.flows[1].octets
    }

    /// Octets of payload that the senders' stacks took in the steady state.
    pub fn taken(&self) -> u64 {
        self.flows[0].taken + self.flows[1].taken
    }

    /// A count of the chips, the air or the path.
    pub fn count(&self, name: &str) -> u64 {
        self.counted.get(name).copied().unwrap_or(0)
    }

    /// A count of the host's stack.
    pub fn stack(&self, name: &str) -> u64 {
        self.stack.get(name).copied().unwrap_or(0)
    }
}

/// Runs `scenario` with `seed`.
pub fn run(scenario: &Scenario, seed: u64) -> Outcome {
    run_watched(scenario, seed, (), [(), ()]).0
}

/// Runs `scenario` with `seed` under the eyes of `observer`, which is given back, and of `watches` above both stacks.
pub fn run_watched<O: Observer, W: Watch>(
    scenario: &Scenario,
    seed: u64,
    observer: O,
    watches: [W; 2],
) -> (Outcome, O) {
    let tally = Rc::new(RefCell::new(Tally::new(START)));
    let recorder = Recorder::new(scenario, START);
    let mut network = build(scenario, seed, START, (recorder, observer), &tally, watches);
    network.start(Instant::ZERO);
    let mut events = EventLoop::new(Instant::ZERO, &network);

    let measuring = Measuring::new(&scenario.run, &scenario.traffic, START, &tally);
    let steady = measuring.steady(&mut events, &mut network, |network, from| {
        let (counts, busy) = (counts(network), busy_until(network, from));
        let before = network.observer.0.books_mut().begin_measuring(from);
        network.observer.0.restart_counts();
        (counts, busy, before)
    });
    let (counts_before, busy_before, before) = steady.before;
    let until = steady.until;

    let busy = busy_until(&network, until);
    let recorder = &network.observer.0;
    let ledger = recorder.books().ledger_at(until);
    assert!(ledger.balances(), "the books of a channel balance");
    let [mut counted, stack, far] = since(counts(&network), &counts_before);
    for (queue, depth) in airtime_wifi::trace::Queue::ALL.iter().zip(recorder.deepest) {
        counted.set(format!("{}.deepest", queue.name()), depth.into());
    }
    recorder.books().counts().named().into_iter().for_each(|(name, count)| counted.set(name, count));
    let steady_ledger = ledger.since(&before);
    counted.set(busy::AIR, busy::air(&steady_ledger).as_nanos());
    for ((name, now), (_, before)) in busy.into_iter().zip(busy_before) {
        counted.set(name, now.saturating_sub(before).as_nanos());
    }
    let tcp_latency = recorder.latencies.percentiles();
    let mut outcome = {
        let tally = tally.borrow();
        Outcome {
            steady_ledger,
            ledger,
            setup: tally.first_arrival.map(|first| first.saturating_since(START)),
            steady: steady.length,
            flows: steady.flows,
            series: tally.series.clone(),
            latency: tally.delays.percentiles().or(tcp_latency),
            round_trips: tally.round_trips.percentiles(),
            counted,
            stack,
            far,
            overrun: None,
            finished: measuring.is_finished(),
            random: is_random(scenario),
            steps: 0,
        }
    };
    if scenario.traffic.drain {
        outcome.overrun = Some(measuring.drain(&mut events, &mut network));
    }
    outcome.steps = events.steps();
    (outcome, network.observer.1)
}

/// Counters so far: chips, air and path; the host's stack; the far end's.
fn counts<W: Watch, O: Observer>(network: &Built<W, O>) -> [Ordered<u64>; 3] {
    let stack = stack_counts(network.above.0.counters());
    let far = far_counts(network.far.0.counters());
    [network.counts().named().collect(), stack.into_iter().collect(), far.into_iter().collect()]
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
