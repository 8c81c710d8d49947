//! Facts about a run: frames on the air, and packets through the tunnel.

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use airtime_keys::Value;
use airtime_link::{Delivery, Told};
use airtime_net::traffic::Traffic;

use super::Radio;

/// A line for everything that was counted and explains the goodput.
pub fn facts(told: &Told<'_>) -> Vec<String> {
    [refused(told), frames(told), packets(told)].into_iter().flatten().collect()
}

/// Reason that no frame is taken, where the settings are that.
pub fn refused(told: &Told<'_>) -> Option<String> {
    let arrived: u64 = told.counted("octets.").map(|(_, octets)| octets).sum();
    let acknowledged = told.params.get(Radio::AUTO_ACK.name)? != &Value::Bool(false);
    let why = match (told.text(Traffic::KIND), told.text(Radio::MODE)) {
        _ if arrived > 0 || acknowledged => return None,
        (Some("raw"), _) if told.text(Radio::PAYLOAD_LENGTH) == Some("dynamic") => DYNAMIC_RAW,
        (_, Some("legacy")) => DYNAMIC_TUNNEL,
        _ => return None,
    };
    Some(format!("nothing arrived: {why}"))
}

/// Reason that no frame of dynamic length arrives without acknowledgement. Product Specification 1.0, 7.3.4.
pub const DYNAMIC_RAW: &str = "auto-acknowledgement is off and dynamic payload length, which needs it, is on \
    (lint.dynamic_length_without_ack): the receiver falls back to the static length of its pipe, 32 octets, and no frame of another \
    length passes its check; nrf24.payload_length=static is what the driver begins with";

/// The same in the published tunnel.
pub const DYNAMIC_TUNNEL: &str = "auto-acknowledgement is off and dynamic payload length, which needs it, is on \
    (lint.dynamic_length_without_ack): the receiver falls back to the static length of its pipe, which nobody wrote and is zero, and \
    takes no frame";

/// Bits per millisecond. Product Specification 1.0, 6.2.
pub fn phy_kbps(told: &Told<'_>) -> f64 {
    match told.text(Radio::RATE) {
        Some("2M") => 2000.0,
        Some("1M") => 1000.0,
        Some("250k") => 250.0,
        _ => 0.0,
    }
}

/// IP packets through the tunnel, or raw frames. What the queue in front of it turned away has never left; what a stream of TCP sends again is
/// not lost.
pub fn delivery(told: &Told<'_>) -> Delivery {
    let total = |prefix: &str| told.counted(prefix).map(|(_, count)| count).sum::<u64>();
    if told.text(Traffic::KIND) == Some("raw") {
        let acknowledged = total("acks.") > 0;
        let lost = if acknowledged { total("dropped.") } else { total("frames_lost.") };
        return Delivery::of_streams(told).with(total("frames_taken."), lost);
    }
    let lost = match told.text(Traffic::KIND) {
        Some("tcp") => 0,
        _ => total("dropped.") - told.count("dropped.queue"),
    };
    Delivery::of_streams(told).with(total("ip_packets_out."), lost)
}

/// Price of a mode that needs more radios than the one before it.
pub fn prices(before: &Told<'_>, after: &Told<'_>) -> Vec<String> {
    let radios = |told: &Told<'_>| told.params.get(Radio::RADIOS.name).and_then(Value::as_u64);
    let more = radios(before).zip(radios(after)).is_some_and(|(before, after)| before < after);
    more.then(|| "a second radio at each end".into()).into_iter().collect()
}

/// Frames of the busier direction, and the time of each.
fn frames(told: &Told<'_>) -> Option<String> {
    let (direction, frames) = most(told, "frames.")?;
    let lost = told.count(&format!("frames_lost.{direction}"));
    let each = told.steady.as_nanos() as f64 / frames as f64 / 1e3;
    Some(format!("frames {direction}: {frames}, one every {each:.0} us, {lost} of them for nobody"))
}

/// IP packets through the tunnel, and where they were dropped.
fn packets(told: &Told<'_>) -> Option<String> {
    let (direction, offered) = most(told, "ip_packets_in.")?;
    let through = told.count(&format!("ip_packets_out.{direction}"));
    let drops: Vec<String> =
        told.counted("dropped.").map(|(name, count)| format!(", dropped.{name} {count}")).collect();
    Some(format!("IP packets {direction}: {through} of {offered} came through{}", drops.concat()))
}

/// The direction with the largest of the counters called `prefix` and a direction, if any counts.
fn most<'a>(told: &'a Told<'_>, prefix: &'a str) -> Option<(&'a str, u64)> {
    told.counted(prefix).max_by_key(|(_, count)| *count)
}
