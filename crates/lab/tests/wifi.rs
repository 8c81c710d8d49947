//! Whole runs of IP over Wi-Fi through an ESP-hosted co-processor: what the chain carries, what published figures come out,
//! what stays whole.

mod access_point;
mod books;
mod espnow;
mod grid;
mod linux;
mod mechanisms;
mod power_save;
mod published;
mod ram;

use airtime_lab::record::Record;
use airtime_lab::run::record;
use airtime_wifi::run::{Outcome, run};

use crate::support;

/// The record of a plan with these keys.
fn recorded(set: &[(&str, &str)]) -> Record {
    let (plan, point) = support::plan(&[&[("link", "wifi-hosted")], set].concat());
    record(&plan, &point)
}

/// What one run of the plan with these keys comes to, with the plan's own seed.
fn outcome(set: &[(&str, &str)]) -> Outcome {
    let (_, point) = support::plan(&[&[("link", "wifi-hosted")], set].concat());
    let scenario = point.scenario.of::<airtime_wifi::plan::Scenario>().expect("it is a link of Wi-Fi");
    run(scenario, scenario.run.seed)
}

/// Goodput of that run, kbit/s.
fn kbps(set: &[(&str, &str)]) -> f64 {
    let outcome = outcome(set);
    airtime_lab::record::kbps(outcome.octets(), outcome.steady)
}

/// Short runs are enough where nothing is random.
const SHORT: [(&str, &str); 2] = [("run.duration", "3s"), ("run.warmup", "1s")];
