//! Clauses on how a mechanism limited a run, with what its link counted.

use alloc::format;
use alloc::string::String;

use airtime_keys::{Key, Mechanism};
use airtime_link::Told;

use super::keys::Sender;

/// Clause on how `mechanism` limited the run `before`, beside the one `after`; none where nothing counted says more than its keys.
pub fn limited(mechanism: Mechanism, before: &Told<'_>, after: &Told<'_>) -> Option<String> {
    match mechanism {
        Mechanism::Packet => {
            if before.count("datagrams.sent") > 0 {
                return fragments(before, after);
            }
            let carried = |told: &Told<'_>| ratio(told.count("payload_octets"), told.count("units.arrived"));
            let (was, is) = (carried(before)?, carried(after)?);
            (is > was).then(|| format!("each frame carries {was:.0} octets of payload, and {is:.0} fit"))
        }
        Mechanism::Contention => {
            let (collided, refused) = (before.count("data.collided"), before.count("drops.channel_access"));
            let sent = before.count("data.sent");
            Some(match (collided, refused) {
                (0, 0) => "every frame waits for its backoff before it may look at the channel".into(),
                _ => format!("of {sent} frames {collided} collided, and {refused} more found no free channel"),
            })
        }
        Mechanism::Losses => {
            let (missed, damaged) = (before.count("data.missed"), before.count("data.damaged"));
            let (sent, given_up) = (before.count("data.sent"), before.count("drops.no_ack"));
            (missed + damaged > 0).then(|| {
                format!("of {sent} frames {missed} were missed and {damaged} damaged, and {given_up} were given up")
            })
        }
        Mechanism::Bus | Mechanism::Underway if before.count("drops.rcp_buffer") > 0 => {
            let lost = before.count("drops.rcp_buffer");
            Some(format!("the receiver's co-processor had no room for {lost} frames that it acknowledged"))
        }
        Mechanism::Bus => {
            let octets = ratio(before.count("uart.octets.senders"), before.count("data.handed"))?;
            let carried = ratio(before.count("payload_octets"), before.count("data.handed"))?;
            (octets > 0.0).then(|| {
                format!("a frame and its confirmation take {octets:.0} octets on the UART, for {carried:.0} of payload, one after the other")
            })
        }
        Mechanism::Neighbours if before.count("routers.data.sent") > 0 && !changed(Sender::STATIONS, before, after) => {
            let (sent, again) = (before.count("data.sent"), before.count("routers.data.sent"));
            let collided = before.count("data.collided") + before.count("routers.data.collided");
            let full = before.count("routers.drops.queue");
            let mut clause = format!(
                "routers sent {again} frames again on the channel of the senders' {sent}, {collided} of all collided"
            );
            if full > 0 {
                clause += &format!(", and {full} found a router's queue full");
            }
            Some(clause)
        }
        Mechanism::Neighbours => {
            let (collided, sent) = (before.count("data.collided"), before.count("data.sent"));
            Some(format!("of {sent} frames {collided} collided with those of other stations"))
        }
        _ => None,
    }
}

/// Clause on what frames of datagrams carry, whether they arrive or not.
fn fragments(before: &Told<'_>, after: &Told<'_>) -> Option<String> {
    let octets = |told: &Told<'_>| ratio(told.count("payload_octets"), told.count("units.arrived"));
    let frames = |told: &Told<'_>| ratio(told.count("data.handed"), told.count("datagrams.sent"));
    let (octets, frames, is) = (octets(before)?, frames(before)?, octets(after)? / frames(after)?);
    let was = octets / frames;
    (is > was).then(|| {
        format!("a datagram of {octets:.0} octets takes {frames:.1} frames, {was:.0} octets each, and {is:.0} fit")
    })
}

/// Flag: `key` is another one now.
fn changed(key: &Key, before: &Told<'_>, after: &Told<'_>) -> bool {
    before.params.get(key.name) != after.params.get(key.name)
}

fn ratio(of: u64, by: u64) -> Option<f64> {
    (by > 0).then(|| of as f64 / by as f64)
}
