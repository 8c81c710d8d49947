//! One run of a scenario: power on, traffic, and what has come of it.

use alloc::rc::Rc;
use core::cell::RefCell;

use airtime_core::event_loop::Stop;
use airtime_core::{EventLoop, Instant};
use airtime_net::Watch;
use airtime_net::measure::{self, Measuring, Tally};

use super::network::build;
use super::observe::{Counted, Recorder};
use crate::ledger::{Account, Books};
use crate::network::Observer;
use crate::plan::Scenario;

/// From power on to the traffic: two starts of a crystal (`Tpd2stby`, at most 4.5 ms) and the greetings of both ends are
/// through by then. *Assumed*.
pub const START: Instant = Instant::from_nanos(100_000_000);

/// Outcome of one run.
pub type Outcome = measure::Outcome<Account, Counted>;

/// Runs `scenario` with `seed`.
pub fn run(scenario: &Scenario, seed: u64) -> Outcome {
    run_watched(scenario, seed, (), [(), ()], &|| false)
}

/// Runs `scenario` with `seed` under the eyes of `observer`, and of `watches` above the TUN devices of `a` and `b`;
/// to its end, or until `stop` says that nobody wants the rest.
pub fn run_watched<O: Observer, W: Watch>(
    scenario: &Scenario,
    seed: u64,
    observer: O,
    watches: [W; 2],
    stop: Stop<'_>,
) -> Outcome {
    let tally = Rc::new(RefCell::new(Tally::new(START)));
    let recorder = Recorder::new(scenario, START, Rc::clone(&tally));
    let mut network = build(scenario, seed, START, (recorder, observer), &tally, watches);
    network.start(Instant::ZERO);
    let mut events = EventLoop::new(Instant::ZERO, &network);

    let measuring = Measuring::new(&scenario.run, &scenario.traffic, START, &tally, stop);
    let steady = measuring.steady(&mut events, &mut network, |network, from| network.observer.0.begin_measuring(from));

    let recorder = &mut network.observer.0;
    let ledgers = recorder.ledgers_at(steady.until);
    let (delays, counted) = (recorder.latencies.percentiles(), recorder.counted.clone());
    let channels = ledgers.iter().zip(&steady.before).map(|(ledger, before)| ledger.since(before)).collect();
    let counted = Counted { channels, ..counted };
    let mut outcome = measuring.outcome(&steady, [&ledgers[0], &steady.before[0]], delays, counted);
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
