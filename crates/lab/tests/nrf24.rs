//! Whole runs of IP over the nRF24L01+: what tunnels carry, what published figures come out, what stays whole.

mod books;
mod grid;
mod losses;
mod published;
mod stream;

use airtime_lab::Point;
use airtime_nrf24::plan::Scenario;
use airtime_nrf24::run::{Outcome, run};

use crate::support;

/// The link of a point.
fn link(point: &Point) -> &Scenario {
    point.scenario.of::<airtime_nrf24::plan::Scenario>().expect("it is a link of the nRF24L01+")
}

/// What one run of the plan with these keys comes to, with the plan's own seed.
fn outcome(set: &[(&str, &str)]) -> Outcome {
    let (_, point) = support::plan(&[&[("link", "nrf24-ip")], set].concat());
    run(link(&point), point.scenario.run().seed)
}

/// Goodput of that run, kbit/s.
fn kbps(set: &[(&str, &str)]) -> f64 {
    let outcome = outcome(set);
    airtime_lab::record::kbps(outcome.octets(), outcome.steady)
}
