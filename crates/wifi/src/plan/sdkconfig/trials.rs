//! Trials of an `sdkconfig`: short runs of TCP over the published chain, as configured and with a change.

use alloc::borrow::ToOwned;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use airtime_link::config::{Configuration, Finding, Trial, TrialRun};

use super::defaults::silent;
use super::options::overrides;
use crate::plan::Hosted;

/// Plan of a stream up through the published chain; what the configuration sets goes above it.
pub const UP: &str = "check/tcp-up";
/// Plan of the same stream down.
const DOWN: &str = "check/tcp-down";

/// Trial of the change that `finding` about `config` advises; none where no run shows it.
pub fn of_finding(config: &Configuration, finding: &Finding) -> Option<Trial> {
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
    let of = if down { "TCP down at 2 ms" } else { "TCP up at 4 ms" };
    let run = |set| TrialRun { plan, set, config: None };
    let (before, after) = (run(as_is), run(changed));
    Some(Trial { of: of.to_owned(), explain: String::new(), before, after, counter: Some("timeouts") })
}

/// Trial of all of a block, which is in `after`.
pub fn of_block(before: &Configuration, after: &Configuration) -> Trial {
    let run = |config| TrialRun { plan: UP, set: built(config), config: None };
    let (before, after) = (run(before), run(after));
    let explain = format!("{UP} --sdkconfig");
    Trial { of: "5 s of TCP up at 4 ms".to_owned(), explain, before, after, counter: None }
}

/// The keys of what is built from `config`: its lines, and Kconfig's defaults where it has none.
fn built(config: &Configuration) -> Vec<(String, String)> {
    let mut keys = overrides(config);
    for (silent, value) in silent(config) {
        if !keys.iter().any(|(said, _)| said == silent.key.name) {
            let value = if value == "n" { "false" } else { value };
            keys.push((silent.key.name.to_owned(), value.to_owned()));
        }
    }
    keys
}
