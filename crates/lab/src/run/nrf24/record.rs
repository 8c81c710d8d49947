//! The part of a record that is the link's own.

use airtime_core::Duration;
use airtime_nrf24::ledger::Account;

use super::outcome::{Outcome, bottleneck, run};
use super::says::says;
use crate::ordered::Ordered;
use crate::record::{Goodput, Latency, Record, kbps};
use crate::run::record::{accounts, repeated, series};
use airtime_nrf24::plan::Scenario;

/// Runs `scenario` with every repeat and fills in what came out; what was asked is left empty.
pub fn record(scenario: &Scenario) -> Record {
    let runs = repeated(&scenario.run, |seed| run(scenario, seed), |outcome| outcome.random_draws);
    let first = &runs[0];
    let rates: Vec<f64> = runs.iter().map(|o| kbps(o.octets(), o.steady)).collect();
    let accepted = kbps(first.taken(), first.steady);
    Record {
        goodput_kbps: Goodput::of(&rates),
        latency_ms: first.latency,
        accepted_kbps: (accepted - rates[0]).abs().gt(&0.05).then_some(accepted),
        delivered_bytes: first.octets(),
        elapsed_ns: first.ledger.elapsed().as_nanos(),
        ledger_ns: accounts(Some(&first.ledger)),
        series_kbps: series(&first.series),
        bottleneck: says(bottleneck(first), first, scenario),
        counters: counters(first),
        outcome: outcome_text(first),
        setup_ns: first.setup.unwrap_or(first.ledger.elapsed()).as_nanos(),
        steady_ns: first.steady_ledger.elapsed().as_nanos(),
        steady_ledger_ns: accounts(Some(&first.steady_ledger)),
        ..Record::default()
    }
}

fn counters(outcome: &Outcome) -> Ordered<u64> {
    let mut counters = Ordered::new();
    let mut put = |name: String, value: u64| counters.set(name, value);
    let counted = &outcome.counted;
    for (direction, name) in ["up", "down"].into_iter().enumerate() {
        let flow = &outcome.flows[direction];
        if flow.taken > 0 || flow.octets > 0 {
            put(format!("octets.{name}"), flow.octets);
            put(format!("accepted_octets.{name}"), flow.taken);
        }
        if flow.sent > 0 || flow.datagrams > 0 {
            put(format!("datagrams_sent.{name}"), flow.sent);
            put(format!("datagrams.{name}"), flow.datagrams);
        }
        if counted.packets_in[direction] > 0 || counted.packets_out[direction] > 0 {
            put(format!("ip_packets_in.{name}"), counted.packets_in[direction]);
            put(format!("ip_packets_carried.{name}"), counted.packets_carried[direction]);
            put(format!("ip_packets_out.{name}"), counted.packets_out[direction]);
        }
        put(format!("frames.{name}"), counted.frames[direction]);
        put(format!("frames_lost.{name}"), counted.frames_lost[direction]);
    }
    let of_both = |read: fn(&super::Flow) -> u64| read(&outcome.flows[0]) + read(&outcome.flows[1]);
    put("datagrams_late".into(), of_both(|flow| flow.late));
    put("datagrams_again".into(), of_both(|flow| flow.again));
    put("octets_damaged".into(), of_both(|flow| flow.damaged));
    put("fifo_full".into(), counted.fifo_full);
    put("resyncs".into(), counted.resyncs);
    put("octets_thrown".into(), counted.thrown);
    put("air_busy_ns".into(), busy(outcome).as_nanos());
    counted.named.iter().for_each(|(name, count)| put(name.to_owned(), *count));
    if let Some(Latency { p50, p95, p99 }) = outcome.round_trips {
        for (name, ms) in [("p50", p50), ("p95", p95), ("p99", p99)] {
            put(format!("round_trip_ns.{name}"), (ms * 1e6).round() as u64);
        }
    }
    if let Some(overrun) = outcome.overrun {
        put("overrun_ns".into(), overrun.as_nanos());
    }
    put("random_draws".into(), outcome.random_draws);
    put("loop_steps".into(), outcome.steps);
    counters
}

/// Time of the steady state in which the radio that the books are about did something.
fn busy(outcome: &Outcome) -> Duration {
    const IDLE: [Account; 10] = [
        Account::IdleSpi,
        Account::IdleCpu,
        Account::IdleSleep,
        Account::IdleWake,
        Account::IdleWindow,
        Account::IdleDelay,
        Account::IdleStalled,
        Account::IdleMaxRt,
        Account::IdleApp,
        Account::Setup,
    ];
    let ledger = &outcome.steady_ledger;
    ledger.elapsed() - IDLE.into_iter().map(|account| ledger.of(account)).sum::<Duration>()
}

fn outcome_text(outcome: &Outcome) -> String {
    match (outcome.octets(), outcome.finished) {
        (0, _) => "nothing arrived".into(),
        (_, false) => "the transfer did not end in time".into(),
        _ => "ok".into(),
    }
}
