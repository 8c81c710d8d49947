//! Either host at either end of a plan.

use airtime_ble_link::run::{Outcome, run};
use airtime_lab::{Plan, Point};

use crate::support;

/// Whose host an end has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    Model,
    Trouble,
}

pub use Kind::{Model, Trouble};

impl Kind {
    const fn name(self) -> &'static str {
        match self {
            Self::Model => "model",
            Self::Trouble => "trouble",
        }
    }
}

/// The plan with these hosts, central first, and these keys.
pub fn plan([central, peripheral]: [Kind; 2], set: &[(&str, &str)]) -> (Plan, Point) {
    let hosts = [("central.host", central.name()), ("peripheral.host", peripheral.name())];
    support::plan(&[&hosts, set].concat())
}

/// One run of that plan, with its own seed.
pub fn outcome(kinds: [Kind; 2], set: &[(&str, &str)]) -> Outcome {
    let (_, point) = plan(kinds, set);
    run(support::ble(&point), point.scenario.run().seed)
}

/// Whether every link of the run streams to its end: without a stream there is no steady state.
pub fn streams(outcome: &Outcome) -> bool {
    outcome.ended.is_none() && !outcome.steady.is_zero()
}

/// SDUs that arrived in the steady state on all links: from the central, and from the peripherals.
pub fn sdus(outcome: &Outcome) -> [u64; 2] {
    [0, 1].map(|way| outcome.traffic.iter().map(|link| link[way].sdus).sum())
}

/// SDUs that did not arrive in turn, on all links.
pub fn gaps(outcome: &Outcome) -> u64 {
    outcome.traffic.iter().flatten().map(|traffic| traffic.gaps).sum()
}
