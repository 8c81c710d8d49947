//! Figures of a run.

use alloc::borrow::ToOwned;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use airtime_core::event_loop::Stop;
use airtime_core::ledger::Account as _;
use airtime_core::{Duration, Ledger};
use airtime_link::{Carried, Figure, LinkRan, Ordered, Ran, booked};
use airtime_net::measure::Flow;

use super::bottleneck::{says, says_of};
use super::granted::granted;
use super::outcome::{Outcome, bottleneck, run_watched};
use crate::ledger::{Account, Books};
use crate::plan::Scenario;

/// Runs `scenario` with `seed`, to its end or until `stop` says that nobody wants the rest.
pub fn ran(scenario: &Scenario, seed: u64, stop: Stop<'_>) -> Ran {
    let outcome = run_watched(scenario, seed, (), [(), ()], stop);
    let account = bottleneck(&outcome);
    let mut ran = outcome.ran(account, says(account, &outcome, scenario), counters(&outcome));
    ran.figures.extend(per_batch(&outcome, scenario));
    ran.granted = granted(scenario);
    ran.links = links(&outcome, scenario);
    ran
}

/// The channels of a link whose directions have one each, if both carry payload: each is limited by itself.
fn links(outcome: &Outcome, scenario: &Scenario) -> Vec<LinkRan> {
    let channels = &outcome.counted.channels;
    if channels.len() < 2 {
        return Vec::new();
    }
    let of = |((name, ledger), flow): ((&str, &Ledger<Account>), &Flow)| {
        let account = Books::bottleneck(ledger);
        LinkRan {
            name: name.to_owned(),
            carried: Carried { octets: flow.octets, time: outcome.steady },
            steady_books: booked(ledger),
            bottleneck: Some((account.name(), says_of(account, ledger, flow, outcome, scenario))),
            outcome: if flow.octets == 0 { "nothing arrived" } else { "ok" }.to_owned(),
            ..LinkRan::default()
        }
    };
    ["up", "down"].into_iter().zip(channels).zip(&outcome.flows).map(of).collect()
}

/// Time on the air of a batch of frames up, if there were any.
fn per_batch(outcome: &Outcome, scenario: &Scenario) -> Option<Figure> {
    let frames = if scenario.is_raw() { 0 } else { outcome.counted.frames[0] };
    let batch = f64::from(scenario.tunnel.batch);
    (frames > 0).then(|| {
        let value = batch * busy(outcome).as_nanos() as f64 / frames as f64 / 1e6;
        Figure { unit: "ms/batch", field: "air_busy_ms_per_batch", value }
    })
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
        if counted.taken[direction] > 0 {
            put(format!("frames_taken.{name}"), counted.taken[direction]);
        }
        put(format!("frames.{name}"), counted.frames[direction]);
        put(format!("frames_lost.{name}"), counted.frames_lost[direction]);
        put(format!("frames_missed.{name}"), counted.frames_missed[direction]);
        put(format!("frames_damaged.{name}"), counted.frames_damaged[direction]);
        // What answers frames up goes down.
        let answers = 1 - direction;
        if counted.acks[answers] > 0 {
            put(format!("acks.{name}"), counted.acks[answers]);
            put(format!("acks_lost.{name}"), counted.acks_lost[answers]);
            put(format!("acks_missed.{name}"), counted.acks_missed[answers]);
            put(format!("acks_damaged.{name}"), counted.acks_damaged[answers]);
        }
    }
    let of_both = |read: fn(&Flow) -> u64| read(&outcome.flows[0]) + read(&outcome.flows[1]);
    put("datagrams_late".into(), of_both(|flow| flow.late));
    put("datagrams_again".into(), of_both(|flow| flow.again));
    put("octets_damaged".into(), of_both(|flow| flow.damaged));
    put("fifo_full".into(), counted.fifo_full);
    put("resyncs".into(), counted.resyncs);
    put("octets_thrown".into(), counted.thrown);
    put("air_busy_ns".into(), busy(outcome).as_nanos());
    counted.named.iter().for_each(|(name, count)| put(name.to_owned(), *count));
    outcome.round_trips_into(&mut counters);
    let mut put = |name: &str, value: u64| counters.set(name, value);
    if let Some(overrun) = outcome.overrun {
        put("overrun_ns", overrun.as_nanos());
    }
    put("random_draws", outcome.random_draws);
    put("loop_steps", outcome.steps);
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
