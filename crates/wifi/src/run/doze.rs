//! Clause on power save: what the access point held, for how long, and what ends that.

use alloc::format;
use alloc::string::String;

use airtime_core::Duration;

use super::outcome::Outcome;
use crate::plan::{PowerSave, Saving, Scenario};

/// Counter of the frames that the access point held.
pub const HELD: &str = "doze.held";
/// Counter of the time for which it held them.
pub const HELD_NS: &str = "doze.held_ns";
/// Counter of the time for which the station dozed.
pub const ASLEEP_NS: &str = "doze.asleep_ns";

/// Clause on frames that were held, and the remedy; empty if none was.
pub fn held(outcome: &Outcome, scenario: &Scenario) -> String {
    let frames = outcome.counted.of(HELD);
    if frames == 0 {
        return String::new();
    }
    let each = Duration::from_nanos(outcome.counted.of(HELD_NS) / frames);
    let shorter = match scenario.power_save {
        PowerSave { power_save: Some(Saving::MaxModem), listen_interval: Some(2..), .. } => PowerSave::LISTEN_INTERVAL,
        PowerSave { power_save: Some(Saving::MinModem), dtim_period: Some(2..), .. } => PowerSave::DTIM_PERIOD,
        _ => return format!("; {}", remedy(frames, each)),
    };
    format!("; {}, or a shorter {}", remedy(frames, each), shorter.name)
}

fn remedy(frames: u64, each: Duration) -> String {
    format!(
        "the access point held {frames} frames for the station while it dozed, {:.1} ms each, until a beacon that it woke for: \
         wifi.power_save=none",
        each.as_millis_f64()
    )
}
