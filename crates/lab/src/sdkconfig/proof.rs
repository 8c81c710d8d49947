//! A hazard shown by two short runs: as configured, and with the one change.

use airtime_keys::Key;
use airtime_wifi::plan::Lwip;
use serde_json::Value;

use super::finding::Finding;
use super::overrides;
use super::parse::Sdkconfig;
use crate::plan::Plan;
use crate::{Library, Record, run};

/// A stream up through the published chain; what the configuration sets goes above it.
pub(crate) const PLAN: &str = "\
name = \"check\"
link = \"wifi-hosted\"
[traffic]
kind = \"tcp\"
direction = \"up\"
[path]
rtt = \"4ms\"
[run]
duration = \"6s\"
warmup = \"1s\"
";

/// Defaults that ESP-IDF builds where a file is silent, of the options whose absence a rule finds (v5.5.1,
/// `components/lwip/Kconfig`). The plan's own defaults are those of the published configuration, which says them all.
const SILENT: [(&str, &Key, &str); 5] = [
    ("CONFIG_LWIP_TCP_SND_BUF_DEFAULT", Lwip::SND_BUF, "5760"),
    ("CONFIG_LWIP_TCP_WND_DEFAULT", Lwip::WND, "5760"),
    ("CONFIG_LWIP_TCP_RECVMBOX_SIZE", Lwip::TCP_RECVMBOX, "6"),
    ("CONFIG_LWIP_UDP_RECVMBOX_SIZE", Lwip::UDP_RECVMBOX, "6"),
    ("CONFIG_LWIP_TCPIP_CORE_LOCKING", Lwip::CORE_LOCKING, "n"),
];

/// Options of which `config` has no line, each with its key and what is built without one.
pub fn silent(config: &Sdkconfig) -> impl Iterator<Item = (&'static str, &'static Key, &'static str)> {
    SILENT.into_iter().filter(|(name, ..)| config.get(name).is_none())
}

/// Proof of a finding: the results of both runs.
#[derive(Clone, Debug, PartialEq)]
pub struct Proof {
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
        changed.push(((*key).to_owned(), (*value).to_owned()));
    }
    let (before, after) = (record(&as_is)?, record(&changed)?);
    let timeouts = |record: &Record| record.counters.get("timeouts").copied().unwrap_or(0);
    Some(Proof {
        before_kbps: before.goodput_kbps.median,
        after_kbps: after.goodput_kbps.median,
        timeouts_before: timeouts(&before),
        timeouts_after: timeouts(&after),
    })
}

/// Value of `key` in the run that findings are shown by, with the published configuration.
pub(super) fn in_effect(key: &Key) -> Option<Value> {
    let plan = Plan::parse("check", PLAN, &Library::builtin(), &[]).ok()?;
    plan.point(0)?.scenario.params.get(key.name).cloned()
}

/// Runs `config` before and after, where all of the `block` is in it.
pub(super) fn prove_block(before: &Sdkconfig, after: &Sdkconfig) -> Option<(f64, f64)> {
    let (before, after) = (record(&built(before))?, record(&built(after))?);
    Some((before.goodput_kbps.median, after.goodput_kbps.median))
}

/// The keys of what is built from `config`: its lines, and Kconfig's defaults where it has none.
fn built(config: &Sdkconfig) -> Vec<(String, String)> {
    let mut keys = overrides(config);
    for (_, key, value) in SILENT {
        if !keys.iter().any(|(said, _)| said == key.name) {
            let value = if value == "n" { "false" } else { value };
            keys.push((key.name.to_owned(), value.to_owned()));
        }
    }
    keys
}

fn record(overrides: &[(String, String)]) -> Option<Record> {
    let plan = Plan::parse("check", PLAN, &Library::builtin(), overrides).ok()?;
    plan.points().first().map(|point| run::record(&plan, point))
}
