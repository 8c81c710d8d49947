//! One run of a scenario: power on, traffic, and what has come of it.

use std::cell::RefCell;
use std::rc::Rc;

use airtime_core::ledger::Ledger;
use airtime_core::{Duration, EventLoop, Instant};
use airtime_net::Watch;
use airtime_nrf24::ledger::{Account, Books};
use airtime_nrf24::network::Observer;

use super::network::build;
use super::observe::{Counted, Recorder};
use crate::record::Latency;
use crate::run::measuring::Measuring;
use crate::run::tally::{Flow, Tally};
use airtime_nrf24::plan::Scenario;

/// From power on to the traffic: two starts of a crystal (`Tpd2stby`, at most 4.5 ms) and the greetings of both ends are
/// through by then. *Assumed*.
const START: Instant = Instant::from_nanos(100_000_000);

/// Outcome of one run.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// Books of the link from the start of the traffic to its end.
    pub ledger: Ledger<Account>,
    /// Books of the link since the warm-up.
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
    /// Counters of the steady state.
    pub counted: Counted,
    /// Time from the end of the senders to the last arrival, when the run has waited for it.
    pub overrun: Option<Duration>,
    /// Set if a transfer that has a size is through.
    pub finished: bool,
    /// Random numbers drawn from the run's seed.
    pub random_draws: u64,
    /// Steps of the event loop.
    pub steps: u64,
}

impl Outcome {
    /// Octets of goodput in the steady state: both directions.
    pub fn octets(&self) -> u64 {
        self.flows[0].octets + self.flows[1].octets
    }

    /// Octets of payload that the senders' kernels took in the steady state.
    pub fn taken(&self) -> u64 {
        self.flows[0].taken + self.flows[1].taken
    }
}

/// Runs `scenario` with `seed`.
pub fn run(scenario: &Scenario, seed: u64) -> Outcome {
    run_watched(scenario, seed, (), [(), ()])
}

/// Runs `scenario` with `seed` under the eyes of `observer`, and of `watches` above the TUN devices of `a` and `b`.
pub fn run_watched<O: Observer, W: Watch>(scenario: &Scenario, seed: u64, observer: O, watches: [W; 2]) -> Outcome {
    let tally = Rc::new(RefCell::new(Tally::new(START)));
    let recorder = Recorder::new(scenario, START);
    let mut network = build(scenario, seed, START, (recorder, observer), &tally, watches);
    network.start(Instant::ZERO);
    let mut events = EventLoop::new(Instant::ZERO, &network);

    let measuring = Measuring::new(&scenario.run, &scenario.traffic, START, &tally);
    let steady = measuring.steady(&mut events, &mut network, |network, from| {
        let before = network.observer.0.books_mut().begin_measuring(from);
        network.observer.0.restart_counts();
        before
    });

    let recorder = &network.observer.0;
    let ledger = recorder.books().ledger_at(steady.until);
    assert!(ledger.balances(), "the books of a link balance");
    let counted = recorder.counted.clone();
    let tcp_latency = recorder.latencies.percentiles();
    let mut outcome = {
        let tally = tally.borrow();
        Outcome {
            steady_ledger: ledger.since(&steady.before),
            ledger,
            setup: tally.first_arrival.map(|first| first.saturating_since(START)),
            steady: steady.length,
            flows: steady.flows,
            series: tally.series.clone(),
            latency: tally.delays.percentiles().or(tcp_latency),
            round_trips: tally.round_trips.percentiles(),
            counted,
            overrun: None,
            finished: measuring.is_finished(),
            random_draws: 0,
            steps: 0,
        }
    };
    if scenario.traffic.drain {
        outcome.overrun = Some(measuring.drain(&mut events, &mut network));
    }
    // When hosts stall is drawn too.
    let stalls = u64::from(scenario.stall.period().is_some());
    outcome.random_draws = network.medium.random_draws() + stalls;
    outcome.steps = events.steps();
    outcome
}

/// The account outside the payload that cost most of the steady state.
pub fn bottleneck(outcome: &Outcome) -> Account {
    Books::bottleneck(&outcome.steady_ledger)
}
