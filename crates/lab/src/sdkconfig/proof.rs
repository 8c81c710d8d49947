//! A hazard shown by two short runs: as configured, and with the one change.

use airtime_keys::Key;
use airtime_wifi::plan::Hosted;
use serde_json::Value;

use super::built::silent;
use super::finding::Finding;
use super::fix::Gain;
use super::overrides;
use super::parse::Sdkconfig;
use crate::plan::Plan;
use crate::{Library, Record, run};

/// Plan of a stream up through the published chain; what the configuration sets goes above it.
const UP: &str = "check/tcp-up";
/// Plan of the same stream down.
const DOWN: &str = "check/tcp-down";

/// Text of the plan that findings about a host are shown by.
pub(crate) fn plan() -> &'static str {
    shipped(UP)
}

/// Text of a plan that findings are shown by, which ship with the program so that `airtime explain` starts from the same run.
pub(crate) fn shipped(name: &str) -> &'static str {
    airtime_plans::ALL.iter().find(|(known, _)| *known == name).expect("the plans of checks ship").1
}

/// Proof of a finding: the results of both runs.
#[derive(Clone, Debug, PartialEq)]
pub struct Proof {
    /// Traffic of the runs.
    pub of: &'static str,
    /// Goodput as configured, in 10³ bit/s.
    pub before_kbps: f64,
    /// Goodput with the change.
    pub after_kbps: f64,
    /// Retransmission timeouts as configured.
    pub timeouts_before: u64,
    /// Retransmission timeouts with the change.
    pub timeouts_after: u64,
}

/// Runs `config` with and without the change that `finding` advises; none where no run shows it, or the plan's keys do not
/// take what the file says.
pub fn prove(config: &Sdkconfig, finding: &Finding) -> Option<Proof> {
    if finding.change.is_empty() {
        return None;
    }
    let as_is = built(config);
    let mut changed = as_is.clone();
    for (key, value) in &finding.change {
        changed.retain(|(known, _)| known != key);
        changed.push(((*key).to_owned(), value.clone()));
    }
    // What the co-processor receives into shows in what comes down.
    let receives = [Hosted::WIFI_STATIC_RX, Hosted::WIFI_DYNAMIC_RX];
    let down = finding.change.iter().any(|(key, _)| receives.iter().any(|of| of.name == *key));
    let plan = if down { DOWN } else { UP };
    let (before, after) = (record(plan, &as_is)?, record(plan, &changed)?);
    let timeouts = |record: &Record| record.counters.get("timeouts").copied().unwrap_or(0);
    let proof = Proof {
        of: if down { "TCP down at 2 ms" } else { "TCP up at 4 ms" },
        before_kbps: before.goodput_kbps.median,
        after_kbps: after.goodput_kbps.median,
        timeouts_before: timeouts(&before),
        timeouts_after: timeouts(&after),
    };
    // Two runs that are the same show nothing.
    let same =
        (proof.before_kbps - proof.after_kbps).abs() < f64::EPSILON && proof.timeouts_before == proof.timeouts_after;
    (!same).then_some(proof)
}

/// Value of `key` in the run that findings are shown by, with the published configuration.
pub(super) fn in_effect(key: &Key) -> Option<Value> {
    let plan = Plan::parse("check", plan(), &Library::builtin(), &[]).ok()?;
    plan.point(0)?.scenario.params.get(key.name).cloned()
}

/// Runs `config` before and after, where all of the `block` is in it.
pub(super) fn prove_block(before: &Sdkconfig, after: &Sdkconfig) -> Option<Gain> {
    let kbps = |config: &Sdkconfig| Some(record(UP, &built(config))?.goodput_kbps.median);
    let (before_kbps, after_kbps) = (kbps(before)?, kbps(after)?);
    Some(Gain { of: "5 s of TCP up at 4 ms".to_owned(), explain: explain(UP), before_kbps, after_kbps })
}

fn explain(plan: &str) -> String {
    format!("{plan} --sdkconfig")
}

/// The keys of what is built from `config`: its lines, and Kconfig's defaults where it has none.
fn built(config: &Sdkconfig) -> Vec<(String, String)> {
    let mut keys = overrides(config);
    for (silent, value) in silent(config) {
        if !keys.iter().any(|(said, _)| said == silent.key.name) {
            let value = if value == "n" { "false" } else { value };
            keys.push((silent.key.name.to_owned(), value.to_owned()));
        }
    }
    keys
}

fn record(plan: &str, overrides: &[(String, String)]) -> Option<Record> {
    let plan = Plan::parse("check", shipped(plan), &Library::builtin(), overrides).ok()?;
    plan.points().first().map(|point| run::record(&plan, point))
}
