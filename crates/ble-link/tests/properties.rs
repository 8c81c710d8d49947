//! What holds in every run, whatever the plan.

mod ceiling;
mod plans;

use airtime_ble_link::plan::{Direction, Scenario};
use airtime_ble_link::run::{Outcome, run};
use airtime_core::Duration;
use airtime_core::ledger::Ledger;
use airtime_core::loss::Loss;
use airtime_lab::run::record;
use proptest::prelude::*;
use proptest::test_runner::TestCaseError;

use crate::support;

/// The entries sum to what has elapsed.
fn balances<A: airtime_core::ledger::Account>(books: &Ledger<A>) -> Result<(), TestCaseError> {
    let sum: u64 = books.entries().map(|(_, time)| time.as_nanos()).sum();
    prop_assert_eq!(sum, books.elapsed().as_nanos());
    Ok(())
}

/// The books cover the run from connect to end, save what the last events have not settled yet.
fn covers(scenario: &Scenario, outcome: &Outcome) -> Result<(), TestCaseError> {
    let Some(books) = &outcome.ledger else { return Ok(()) };
    balances(books)?;
    if let Some(steady) = &outcome.steady_ledger {
        balances(steady)?;
        prop_assert!(steady.elapsed() <= scenario.run.duration);
    }
    let alive = outcome.ended.is_none() && outcome.lost.is_empty() && outcome.setup < scenario.run.duration;
    if alive {
        let interval = outcome.negotiated.map_or(Duration::ZERO, |(c, p)| c.interval.max(p.interval));
        let unsettled = (scenario.run.duration - books.elapsed().min(scenario.run.duration)).as_nanos();
        // The last anchor that was reached, and with many lost packets, skipped events or lost anchors a few more.
        let controller = &scenario.peripheral.controller;
        let keeps_anchors = controller.prepare_lead.is_none() || controller.drift_skip;
        let whole = scenario.connection.loss == Loss::None && scenario.connection.peripherals == 1 && keeps_anchors;
        let slack = if whole { 1 } else { 40 };
        let latest = interval * (u64::from(scenario.connection.latency) + 1) * slack + Duration::from_micros(50);
        prop_assert!(unsettled <= latest.as_nanos(), "{unsettled} ns of the run are not in the books");
    }
    Ok(())
}

/// Nothing is lost, doubled or out of order above a reliable link.
fn in_turn(outcome: &Outcome) -> Result<(), TestCaseError> {
    for traffic in outcome.traffic.iter().flatten() {
        prop_assert_eq!(traffic.gaps, 0);
    }
    Ok(())
}

/// No link carries more than the closed form, and a part of one SDU per lane at the window's edge.
fn below_ceiling(scenario: &Scenario, outcome: &Outcome) -> Result<(), TestCaseError> {
    let Some((central, peripheral)) = &outcome.negotiated else { return Ok(()) };
    let lanes = u64::from(scenario.channels()) * if scenario.connection.direction == Direction::Both { 2 } else { 1 };
    let edge = lanes * u64::from(scenario.payload());
    let ceiling = ceiling::octets_per_us(scenario, central, peripheral);
    let most = ceiling * outcome.steady.as_nanos() as f64 / 1e3 + edge as f64;
    prop_assert!(outcome.octets(0) as f64 <= most, "{} octets, at most {most:.1}", outcome.octets(0));
    Ok(())
}

/// No bus carries more than its own closed form, and what the controllers' buffers held when the count began.
fn below_bus(scenario: &Scenario, outcome: &Outcome) -> Result<(), TestCaseError> {
    let ends = [&scenario.central, &scenario.peripheral];
    let ways = if scenario.connection.direction == Direction::Both { 2.0 } else { 1.0 };
    let slowest = ends.map(ceiling::bus_octets_per_us).into_iter().fold(f64::INFINITY, f64::min);
    if slowest.is_infinite() {
        return Ok(());
    }
    let held = ends.map(|end| u64::from(end.controller.acl_count) * u64::from(end.controller.acl_size));
    let edge = held.iter().sum::<u64>() + 12 * u64::from(scenario.payload());
    let most = ways * slowest * outcome.steady.as_nanos() as f64 / 1e3 + edge as f64;
    prop_assert!(outcome.octets(0) as f64 <= most, "{} octets over a bus, at most {most:.1}", outcome.octets(0));
    Ok(())
}

/// The ceiling is no idle bound: a long interval without margins comes within half a percent.
#[test]
fn the_ceiling_is_near() {
    for (phy, sdu) in [("2M", "492"), ("1M", "741"), ("S2", "245")] {
        let outcome_of = |direction| {
            let (_, point) = support::plan(&[
                ("central.personality", "ideal"),
                ("peripheral.personality", "ideal"),
                ("ble.conn_interval", "2s"),
                ("ble.phy", phy),
                ("ble.direction", direction),
                ("coc.sdu", sdu),
                ("coc.in_flight", "64"),
                ("run.duration", "40s"),
                ("run.warmup", "4s"),
            ]);
            let scenario = support::ble(&point).clone();
            (run(&scenario, 1), scenario)
        };
        for direction in ["p2c", "c2p", "both"] {
            let (outcome, scenario) = outcome_of(direction);
            let (central, peripheral) = outcome.negotiated.as_ref().expect("they connect");
            let most = ceiling::octets_per_us(&scenario, central, peripheral) * outcome.steady.as_nanos() as f64 / 1e3;
            let share = outcome.octets(0) as f64 / most;
            assert!((0.995..1.001).contains(&share), "{phy} {sdu} {direction}: {share}");
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn every_run((plan, point) in plans::any(), seed in 0u64..1_000) {
        let point = plan.vary(&point, &[("run.seed".to_owned(), seed.into())]).expect("any seed is possible");
        let scenario = support::ble(&point);
        let outcome = run(scenario, seed);
        covers(scenario, &outcome)?;
        in_turn(&outcome)?;
        below_ceiling(scenario, &outcome)?;
        below_bus(scenario, &outcome)?;

        let said = record(&plan, &point);
        let text = serde_json::to_string(&said).expect("a record has a text");
        prop_assert_eq!(&text, &serde_json::to_string(&record(&plan, &point)).expect("a record has a text"));
        prop_assert_eq!(said.delivered_bytes, outcome.octets(0));
        let failed = outcome.ended.is_some() || said.negotiated.is_none();
        prop_assert!(!failed || said.outcome != "ok", "a run that failed says so");
        prop_assert!(said.negotiated.is_some() || said.delivered_bytes == 0);
    }
}
