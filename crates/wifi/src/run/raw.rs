//! The raw test of the transport: frames of the test interface between host and co-processor, and nothing by air.

use alloc::format;

use airtime_core::event_loop::Stop;
use airtime_core::ledger::{Account as _, Ledger};
use airtime_core::{Duration, EventLoop, Instant, Pool};
use airtime_link::figures::kbps;
use airtime_link::{Carried, Ran, booked};
use airtime_net::traffic::{Direction, Transport};

use crate::cell::Cell;
use crate::ledger::{Account, Books, Direction as Booked};
use crate::network::{Network, RawTest};
use crate::plan::Scenario;

use super::config;

/// Octets that arrived, and the books of a channel on which nothing was sent.
struct Arrived {
    octets: u64,
    /// Time in which they did.
    time: Duration,
    ledger: Ledger<Account>,
    steps: u64,
}

/// Runs the test. Nothing in it is drawn, so one run is all of them.
pub fn ran(scenario: &Scenario, stop: Stop<'_>) -> Ran {
    let to_host = scenario.traffic.direction == Direction::Down;
    let Transport::Udp { payload: octets, .. } = scenario.traffic.transport() else {
        unreachable!("a plan of the raw test resolves to payloads");
    };
    let ran = run(scenario, to_host, octets, stop);
    let rate = kbps(ran.octets, ran.time);
    let (from, to) = if to_host { ("co-processor", "host") } else { ("host", "co-processor") };
    let says = format!(
        "The bus alone, from {from} to {to}: {:.1} us a frame, wire and the tasks at both ends.",
        octets as f64 * 8e3 / rate.max(0.1)
    );
    let arrived = if ran.octets > 0 { "ok" } else { "nothing arrived" };
    Ran {
        carried: Some(Carried { octets: ran.octets, time: ran.time }),
        elapsed: ran.ledger.elapsed(),
        books: booked(&ran.ledger),
        bottleneck: Account::IdleBus.name(),
        says,
        counters: [("frames_octets", u64::from(octets)), ("loop_steps", ran.steps)].into_iter().collect(),
        outcome: arrived.into(),
        ..Ran::default()
    }
}

fn run(scenario: &Scenario, to_host: bool, octets: u16, stop: Stop<'_>) -> Arrived {
    let pool = Pool::new();
    let cell = Cell::new(config::cell(scenario), pool.clone(), scenario.run.seed);
    let chain = scenario.chips().map(|hosted| config::chain(scenario, hosted, &pool));
    let test = RawTest::new(&pool, octets.into(), to_host);
    let mut network = Network::controlled(&pool, scenario.path(), cell, chain, (), (), (), test);
    network.start(Instant::ZERO);
    let mut events = EventLoop::new(Instant::ZERO, &network);
    let arrived = |network: &Network<(), (), (), RawTest>| match (to_host, &network.chain) {
        (true, _) => network.control.received(),
        (false, Some(chain)) => chain.coprocessor.counters().test_octets,
        (false, None) => 0,
    };
    let warm = events.run_unless(&mut network, Instant::ZERO + scenario.run.warmup, stop);
    let (from, before) = (events.now(), arrived(&network));
    let end = Instant::ZERO + scenario.run.duration;
    let end = if warm && events.run_unless(&mut network, end, stop) { end } else { events.now() };
    // Nothing is sent by air.
    let ledger = Books::new(Instant::ZERO, if to_host { Booked::Down } else { Booked::Up }).ledger_at(end);
    Arrived { octets: arrived(&network) - before, time: end - from, ledger, steps: events.steps() }
}
