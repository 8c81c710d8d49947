//! The sequence that the image was built with.

use airtime_hosted_ends::host::{Plan, Words};
use log::error;

/// Words of the build's environment.
const WORDS: Words<'static> = Words {
    ssid: option_env!("AIRTIME_SSID"),
    password: option_env!("AIRTIME_PASSWORD"),
    server: option_env!("AIRTIME_SERVER"),
    address: option_env!("AIRTIME_ADDRESS"),
    seconds: option_env!("AIRTIME_SECONDS"),
    kbps: option_env!("AIRTIME_KBPS"),
};

/// The plan of these words; an update goes on without one.
pub fn plan() -> Option<Plan<'static>> {
    Plan::of(&WORDS).unwrap_or_else(|wrong| {
        error!("no sequence: {wrong}");
        None
    })
}
