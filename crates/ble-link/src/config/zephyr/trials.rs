//! Trials of a `prj.conf`: both ways of a board beside another one whose build leaves nothing out.

use airtime_link::config::{Build, Configuration, End, Finding, Trial, TrialRun, Weight};

use super::rules::controller;
use crate::config::personality;

/// Both ways: what is shown, and the plan of it.
type Ways = [(&'static str, &'static str); 2];

/// Those of a peripheral.
const PERIPHERAL: Ways = [
    ("5 s of notifications sent at 15 ms", "check/notifications"),
    ("5 s of a channel received at 15 ms", "check/channel-to-peripheral"),
];

/// Those of a central.
const CENTRAL: Ways = [
    ("5 s of write commands sent at 15 ms", "check/write-commands"),
    ("5 s of a channel received at 15 ms", "check/channel-to-central"),
];

/// Trials of the advice of `finding` about `config`.
pub fn of_finding(config: &Configuration, finding: &Finding, end: Option<End>) -> Vec<Trial> {
    let Some(advice) = finding.advice.as_deref().filter(|_| finding.weight == Weight::Hazard) else {
        return Vec::new();
    };
    both_ways(config, &config.with(advice), end)
}

/// Trials of `config` of the board at `end` beside `after`.
pub fn both_ways(config: &Configuration, after: &Configuration, end: Option<End>) -> Vec<Trial> {
    let end = end.unwrap_or(End::Peripheral);
    let ways = if end == End::Central { CENTRAL } else { PERIPHERAL };
    let (key, side) = (personality(end).name, end.name());
    let trial = |(of, plan): (&str, &'static str)| {
        let run = |config: &Configuration| TrialRun {
            plan,
            set: vec![(key.to_owned(), controller(config).to_owned())],
            config: Some(config.clone()),
        };
        let (own, option) = (controller(config), Build::Zephyr.argument());
        let explain = format!("{plan} --set {key}={own} --board {side} {option}");
        Trial { of: of.to_owned(), explain, before: run(config), after: run(after), counter: None }
    };
    ways.into_iter().map(trial).collect()
}
