//! One run of a scenario: power on, traffic, and what has come of it.

use std::cell::RefCell;
use std::rc::Rc;

use airtime_core::ledger::Ledger;
use airtime_core::{Duration, EventLoop, Instant};
use airtime_net::Watch;
use airtime_nrf24::ledger::{Account, Books};
use airtime_nrf24::network::Observer;

use super::network::{Built, build};
use super::observe::{Counted, Recorder};
use crate::plan::nrf24::{Scenario, Transport};
use crate::record::Latency;
use crate::run::tally::{Flow, Tally};

/// From power on to the traffic: two starts of a crystal (`Tpd2stby`, at most 4.5 ms) and the greetings of both ends are
/// through by then. *Assumed*.
const START: Instant = Instant::from_nanos(100_000_000);

/// A run that waits for the rest of its traffic ends when nothing has arrived for this long: longer than a TCP timeout
/// after two losses (RFC 6298, 2.4 and 5.5). *Assumed*.
const QUIET: Duration = Duration::from_secs(5);

/// What one run came to.
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
    /// What was counted in the steady state.
    pub counted: Counted,
    /// By how much the last arrival came after the end of the senders, when the run has waited for it.
    pub overrun: Option<Duration>,
    /// Whether a transfer that has a size is through.
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

    let end = START + scenario.run.duration;
    let steady_from = START + scenario.run.warmup;
    events.run_until(&mut network, steady_from);
    let flows_before = tally.borrow().flows;
    let before = network.observer.0.books_mut().begin_measuring(steady_from);
    network.observer.0.restart_counts();
    tally.borrow_mut().restart_counts();
    let transfers = transfers(scenario);
    while !is_through(&tally, transfers) && events.step(&mut network, end) {}
    let until = if is_through(&tally, transfers) { events.now() } else { end };
    events.run_until(&mut network, until);

    let recorder = &network.observer.0;
    let ledger = recorder.books().ledger_at(until);
    assert!(ledger.balances(), "the books of a link balance");
    let counted = recorder.counted.clone();
    let tcp_latency = recorder.latencies.percentiles();
    let mut outcome = {
        let tally = tally.borrow();
        let since = |direction: usize| tally.flows[direction].since(&flows_before[direction]);
        Outcome {
            steady_ledger: ledger.since(&before),
            ledger,
            setup: tally.first_arrival.map(|first| first.saturating_since(START)),
            steady: until.saturating_since(steady_from),
            flows: [since(0), since(1)],
            series: tally.series.clone(),
            latency: tally.delays.percentiles().or(tcp_latency),
            round_trips: tally.round_trips.percentiles(),
            counted,
            overrun: None,
            finished: transfers.is_none_or(|n| tally.finished >= n),
            random_draws: 0,
            steps: 0,
        }
    };
    if scenario.traffic.drain {
        outcome.overrun = Some(drain(&mut events, &mut network, &tally, end));
    }
    // When hosts stall is drawn too.
    let stalls = u64::from(scenario.stall.is_some());
    outcome.random_draws = network.medium.random_draws() + stalls;
    outcome.steps = events.steps();
    outcome
}

/// Runs on until nothing arrives any more: from the end of the senders to the last arrival.
fn drain<O: Observer, W: Watch>(
    events: &mut EventLoop,
    network: &mut Built<W, O>,
    tally: &RefCell<Tally>,
    end: Instant,
) -> Duration {
    loop {
        let last = tally.borrow().last_arrival.unwrap_or(end).max(end);
        if events.now() >= last + QUIET {
            return last - end;
        }
        events.run_until(network, last + QUIET);
    }
}

/// Transfers that have a size, when they do.
fn transfers(scenario: &Scenario) -> Option<usize> {
    let traffic = &scenario.traffic;
    let senders = (0..2).filter(|end| traffic.direction.sends(*end)).count();
    match traffic.transport {
        Transport::Tcp { size: Some(_), .. } => Some(senders * usize::from(traffic.flows)),
        _ => None,
    }
}

fn is_through(tally: &RefCell<Tally>, transfers: Option<usize>) -> bool {
    transfers.is_some_and(|transfers| tally.borrow().finished >= transfers)
}

/// The account outside the payload that cost most of the steady state.
pub fn bottleneck(outcome: &Outcome) -> Account {
    Books::bottleneck(&outcome.steady_ledger)
}
