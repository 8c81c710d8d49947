//! Figures of a run.

use alloc::borrow::ToOwned;
use alloc::format;
use alloc::string::String;

use airtime_core::event_loop::Stop;
use airtime_link::{Ordered, Ran};

use super::bottleneck::says;
use super::granted::granted;
use super::outcome::{Outcome, bottleneck, run_watched};
use super::{capture, espnow, ota, raw};
use crate::plan::{Scenario, Test};

/// Runs `scenario` with `seed`: its traffic, or the test in its place; to its end or until `stop` says that nobody wants the rest. An
/// update is short, and always ends.
pub fn ran(scenario: &Scenario, seed: u64, stop: Stop<'_>) -> Ran {
    match scenario.test() {
        Test::Traffic => traffic(scenario, seed, stop),
        Test::Raw => raw::ran(scenario, stop),
        Test::Capture => capture::ran(scenario, stop),
        Test::Ota => ota::ran(scenario),
        Test::EspNow => espnow::ran(scenario, seed, stop),
    }
}

fn traffic(scenario: &Scenario, seed: u64, stop: Stop<'_>) -> Ran {
    let (outcome, ()) = run_watched(scenario, seed, (), [(), ()], stop);
    let account = bottleneck(&outcome);
    let ran = outcome.ran(account, says(account, &outcome, scenario), counters(&outcome, scenario));
    Ran { granted: granted(scenario, &outcome), ..ran }
}

fn counters(outcome: &Outcome, scenario: &Scenario) -> Ordered<u64> {
    let mut counters = Ordered::new();
    let mut put = |name: String, value: u64| counters.set(name, value);
    for (direction, name) in ["up", "down"].into_iter().enumerate() {
        let flow = &outcome.flows[direction];
        if flow.taken > 0 || flow.octets > 0 {
            put(format!("octets.{name}"), flow.octets);
            put(format!("accepted_octets.{name}"), flow.taken);
        }
        if flow.sent > 0 || flow.datagrams > 0 {
            put(format!("datagrams_sent.{name}"), flow.sent);
            put(format!("datagrams.{name}"), flow.datagrams);
            put(format!("datagrams_late.{name}"), flow.late);
        }
        if flow.again > 0 || flow.damaged > 0 {
            put(format!("datagrams_again.{name}"), flow.again);
            put(format!("octets_damaged.{name}"), flow.damaged);
        }
    }
    for counted in [&outcome.counted.link, &outcome.counted.stack, &outcome.counted.far] {
        counted.iter().for_each(|(name, count)| put(name.to_owned(), *count));
    }
    outcome.round_trips_into(&mut counters);
    let mut put = |name: &str, value: u64| counters.set(name, value);
    put("phy_kbps", u64::from(scenario.phy().rate_kbps()));
    if let Some(overrun) = outcome.overrun {
        put("overrun_ns", overrun.as_nanos());
    }
    put("loop_steps", outcome.steps);
    counters
}
