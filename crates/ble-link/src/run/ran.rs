//! Figures of a run.

use crate::plan::{Rpc, Scenario, Transport};
use airtime_ble::ledger::{Account, Books};
use airtime_core::Duration;
use airtime_core::event_loop::Stop;
use airtime_core::ledger::{Account as _, Ledger};
use airtime_keys::Words;
use airtime_link::figures::{CallFigures, DataLength, Negotiated};
use airtime_link::{Booked, Carried, Figure, Ordered, Ran, booked};

use super::bottleneck::says;
use super::cpu::{self, Cpu};
use super::granted::granted;
use super::links::links;
use super::outcome::{Outcome, run_watched};
use super::rpc;
use super::stop::StopWatcher;

/// Runs `scenario` with `seed`, to its end or until `stop` says that nobody wants the rest.
pub fn ran(scenario: &Scenario, seed: u64, stop: Stop<'_>) -> Ran {
    let (outcome, _) = run_watched(scenario, seed, StopWatcher::new(stop));
    let stream = of_link(scenario, &outcome);
    match &scenario.rpc {
        None => stream,
        Some(calls) => with_calls(stream, &outcome, calls, scenario),
    }
}

/// Figures of what the link carried.
fn of_link(scenario: &Scenario, outcome: &Outcome) -> Ran {
    let steady_books = outcome.steady_ledger.as_ref();
    let (account, says) = says(steady_books.map_or(Account::Setup, Books::bottleneck), outcome, scenario);
    Ran {
        carried: Some(Carried { octets: outcome.octets(0), time: outcome.steady }),
        elapsed: length(outcome.ledger.as_ref()),
        setup: outcome.setup,
        steady: length(steady_books),
        books: books(outcome.ledger.as_ref()),
        steady_books: books(steady_books),
        per_second: outcome.series.clone(),
        latency: outcome.latency,
        bottleneck: account.name(),
        says,
        counters: counters(outcome),
        outcome: outcome_text(outcome, scenario),
        random_draws: outcome.random_draws,
        negotiated: negotiated(scenario, outcome),
        granted: granted(scenario, outcome),
        links: links(scenario, outcome),
        ..Ran::default()
    }
}

/// `ran` with payload of calls instead of frames, and with what became of the calls.
fn with_calls(mut ran: Ran, outcome: &Outcome, calls: &Rpc, scenario: &Scenario) -> Ran {
    let benches = &outcome.calls.benches;
    let figures = rpc::calls(&outcome.calls, calls);
    let interval = ran.negotiated.as_ref().map_or_else(String::new, |terms| terms.conn_interval.clone());
    let link = says(outcome.steady_ledger.as_ref().map_or(Account::Setup, Books::bottleneck), outcome, scenario);
    let (account, says) = rpc::says(&figures, benches, scenario, &interval, link);
    ran.carried = Some(Carried {
        octets: benches.iter().map(|bench| bench.octets).sum(),
        time: benches.iter().map(rpc::BenchOutcome::took).sum::<Duration>(),
    });
    // The books of the same time, in which no warm-up is.
    let measured = benches.iter().filter_map(rpc::BenchOutcome::standing).reduce(|all, one| all.joined(&one));
    if let Some(measured) = measured {
        (ran.steady, ran.steady_books) = (measured.elapsed(), booked(&measured));
    }
    ran.per_second = benches.first().map(|bench| bench.series.clone()).unwrap_or_default();
    ran.latency = benches.first().and_then(rpc::BenchOutcome::latency);
    (ran.bottleneck, ran.says) = (account.name(), says);
    rpc::counters(&outcome.calls).into_iter().for_each(|(name, count)| ran.counters.set(name, count));
    if ran.outcome == "ok" {
        ran.outcome = rpc::outcome(&outcome.calls, &figures, calls);
    }
    ran.figures = published(&figures, calls);
    ran.calls = Some(figures);
    ran
}

/// Figures of calls as publications have them: times of the one benchmark, and the one check.
fn published(figures: &CallFigures, calls: &Rpc) -> Vec<Figure> {
    let bench = figures.bench();
    let per_call = bench.map(|bench| ("ms/call", "calls.ms_per_call", bench.ms_per_call));
    let per_item = bench.and_then(|bench| Some(("ms/item", "calls.ms_per_item", bench.ms_per_item?)));
    let check = calls.check.and_then(|check| figures.check(check.word()));
    let passed = check.map(|check| ("PASS", "calls.checks", f64::from(u8::from(check.passed))));
    let found = [per_call, per_item, passed].into_iter().flatten();
    found.map(|(unit, field, value)| Figure { unit, field, value }).collect()
}

fn length(ledger: Option<&Ledger<Account>>) -> Duration {
    ledger.map_or(Duration::ZERO, Ledger::elapsed)
}

fn books(ledger: Option<&Ledger<Account>>) -> Vec<Booked> {
    ledger.map(booked).unwrap_or_default()
}

fn negotiated(scenario: &Scenario, outcome: &Outcome) -> Option<Negotiated> {
    let (central, peripheral) = outcome.negotiated?;
    let sender = if scenario.connection.direction.peripheral_sends() { peripheral } else { central };
    let terms = sender.channel;
    Some(Negotiated {
        conn_interval: central.interval.to_string(),
        phy: central.phy.name().into(),
        dle: DataLength { c2p: central.tx_octets, p2c: peripheral.tx_octets },
        mtu: match scenario.transport() {
            Transport::Coc => terms.map(|t| t.peer_mtu),
            Transport::Gatt => Some(central.att_mtu),
        },
        mps: terms.map(|t| t.peer_mps),
        initial_credits: terms.map(|t| t.initial_credits),
        frame_space: central.frame_space.to_string(),
        encrypted: central.encrypted,
    })
}

fn counters(outcome: &Outcome) -> Ordered<u64> {
    let mut counters = Ordered::new();
    let mut put = |name: &str, value: u64| counters.set(name, value);
    outcome.counts.named().into_iter().for_each(|(name, count)| put(name, count));
    for (index, traffic) in outcome.traffic.iter().enumerate() {
        let link = if outcome.traffic.len() > 1 { format!(".link{index}") } else { String::new() };
        for (direction, traffic) in ["c2p", "p2c"].into_iter().zip(traffic) {
            if traffic.dropped > 0 {
                put(&format!("dropped.{direction}{link}"), traffic.dropped);
            }
            if traffic.submitted > 0 || traffic.sdus > 0 {
                put(&format!("octets.{direction}{link}"), traffic.octets);
                put(&format!("sdus.{direction}{link}"), traffic.sdus);
                put(&format!("sdu_gaps.{direction}{link}"), traffic.gaps);
            }
        }
    }
    put("random_draws", outcome.random_draws);
    put("loop_steps", outcome.steps);
    if outcome.rests > 0 {
        put("host_rests", outcome.rests);
    }
    outcome.cpus.iter().flat_map(Cpu::named).for_each(|(name, count)| put(&name, count));
    if let Some((central, peripheral)) = &outcome.negotiated {
        let refused = central.interval_refused.or(peripheral.interval_refused);
        put("interval_refused", refused.map_or(0, |status| status.0.into()));
    }
    for reason in &outcome.lost {
        let name = format!("disconnected.0x{:02X}", reason.0);
        let before = counters.get(&name).copied().unwrap_or(0);
        counters.set(name, before + 1);
    }
    counters
}

fn outcome_text(outcome: &Outcome, scenario: &Scenario) -> String {
    if let Some(trouble) = cpu::trouble(outcome, scenario) {
        return trouble;
    }
    match (outcome.ended, outcome.lost.last()) {
        (None, None) if outcome.counts.events == 0 && outcome.octets(0) == 0 => "the stream never started".into(),
        (None, None) => "ok".into(),
        (Some(airtime_app::Outcome::Disconnected { .. } | airtime_app::Outcome::NotConnected { .. }), Some(reason)) => {
            reason.to_string()
        }
        (Some(ended), _) => ended.to_string(),
        (None, Some(reason)) => match outcome.links.iter().filter(|link| link.lost.is_some() && !link.open).count() {
            0 => format!("ok after {reason}"),
            gone => format!("{reason}: {gone} of {} links", outcome.links.len()),
        },
    }
}
