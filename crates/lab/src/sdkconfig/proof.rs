//! A hazard shown by two short runs: as configured, and with the one change.

use airtime_keys::Key;
use airtime_wifi::plan::Lwip;

use super::finding::Finding;
use super::overrides;
use super::parse::Sdkconfig;
use crate::plan::Plan;
use crate::{Library, Record, run};

/// A stream up through the published chain; what the configuration sets goes above it.
const PLAN: &str = "\
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
const SILENT: [(&Key, &str); 5] = [
    (Lwip::SND_BUF, "5760"),
    (Lwip::WND, "5760"),
    (Lwip::TCP_RECVMBOX, "6"),
    (Lwip::UDP_RECVMBOX, "6"),
    (Lwip::CORE_LOCKING, "false"),
];

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

/// The keys of what is built from `config`: its lines, and Kconfig's defaults where it has none.
fn built(config: &Sdkconfig) -> Vec<(String, String)> {
    let mut keys = overrides(config);
    for (key, value) in SILENT {
        if !keys.iter().any(|(said, _)| said == key.name) {
            keys.push((key.name.to_owned(), value.to_owned()));
        }
    }
    keys
}

fn record(overrides: &[(String, String)]) -> Option<Record> {
    let plan = Plan::parse("check", PLAN, &Library::builtin(), overrides).ok()?;
    plan.points().first().map(|point| run::record(&plan, point))
}
