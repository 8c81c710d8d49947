//! Facts about a run: frames on the air, and packets through the tunnel.

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use airtime_link::{Delivery, Told};
use airtime_net::traffic::Traffic;

use super::Radio;

/// A line for everything that was counted and explains the goodput.
pub fn facts(told: &Told<'_>) -> Vec<String> {
    [frames(told), packets(told)].into_iter().flatten().collect()
}

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
