//! Prices of a change that only Bluetooth LE has: the wait for an event, and a confirmation that is given up.

use crate::plan::{Gatt, Method};
use airtime_core::Duration;
use airtime_keys::Words;
use airtime_link::Told;

/// Prices that two runs tell of, a phrase each.
pub fn prices(before: &Told<'_>, after: &Told<'_>) -> Vec<String> {
    wait(before, after).into_iter().chain(unconfirmed(before, after)).collect()
}

/// Wait for the next connection event, where it gets longer: a stream that never ends shows nothing of it, and a single packet does.
fn wait(before: &Told<'_>, after: &Told<'_>) -> Option<String> {
    let interval = |told: &Told<'_>| -> Option<Duration> { told.negotiated?.conn_interval.parse().ok() };
    let (was, is) = (interval(before)?, interval(after)?);
    (is > was).then(|| format!("a packet between two events waits up to {is}, not {was}"))
}

/// Confirmation of values that is given up: of notifications and write commands nobody tells the application that they have arrived.
fn unconfirmed(before: &Told<'_>, after: &Told<'_>) -> Option<String> {
    let method = |told: &Told<'_>| Method::from_word(told.text(Gatt::METHOD)?);
    let (was, is) = (method(before)?, method(after)?);
    (was.unanswered() == Some(is)).then(|| format!("no {} says that a value has arrived", was.exchange()[1]))
}
