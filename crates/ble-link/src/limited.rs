//! Clauses on how a mechanism limited a run, with what its link counted.

use airtime_core::Duration;
use airtime_keys::{Key, Mechanism};
use airtime_link::{DefaultLimit, Told};

use crate::plan::{Advertiser, Coc, Connection, Initiator, Intervals, PeerHost, Rpc};

/// Account of the time in which the sender waited for credits.
const IDLE_CREDITS: &str = "idle.credits";

/// Limit by the receiver's credits, which its device hands out as it does by default, where most of the time went to `account`.
pub fn by_default(account: &str, told: &Told<'_>) -> Option<DefaultLimit> {
    if account != IDLE_CREDITS {
        return None;
    }
    let receiver = match told.text(Connection::DIRECTION) {
        Some("c2p") => Advertiser::PERSONALITY,
        _ => Initiator::PERSONALITY,
    };
    let default = told.text(Coc::CREDITS).unwrap_or("the credits").to_owned();
    let device = told.text(receiver).unwrap_or("the receiver").to_owned();
    let count = |name: &str| told.count(name);
    // K-frames for each time that the receiver handed out credits.
    let at_a_time = match (count("k_frames") / count("credit_indications").max(1)).max(1) {
        1 => "one credit".to_owned(),
        frames => format!("{frames} credits"),
    };
    let cause = format!("{default} of {device} hands out {at_a_time} at a time, and the sender waits for the next");
    Some(DefaultLimit { default, device, cause })
}

/// Clause on how `mechanism` limited the run `before`, beside the one `after`; none where nothing counted says more than its keys.
pub fn limited(mechanism: Mechanism, before: &Told<'_>, after: &Told<'_>) -> Option<String> {
    match mechanism {
        Mechanism::Packet => {
            let (was, is) = (octets_a_packet(before)?, octets_a_packet(after)?);
            (is > was + 1.0).then(|| format!("each packet carries {was:.0} octets of payload, and {is:.0} fit"))
        }
        Mechanism::Interval => {
            let (interval, exchanges) = (interval(before)?, exchanges_an_event(before)?);
            Some(format!("an event comes every {interval} and carries {exchanges:.1} exchanges"))
        }
        Mechanism::Gaps => {
            let (was, is) = (before.text(Connection::FRAME_SPACE)?, after.text(Connection::FRAME_SPACE)?);
            Some(format!("every exchange has two gaps of {was}, and {is} are possible"))
        }
        Mechanism::Rate => {
            let (was, is) = (before.text(Connection::PHY)?, after.text(Connection::PHY)?);
            Some(format!("packets are sent at {was}, and both ends have {is}"))
        }
        Mechanism::Answers => late(before, after),
        Mechanism::Losses => {
            let (lost, missed) = (before.count("pdus.lost"), before.count("pdus.missed"));
            let exchanges = before.count("exchanges");
            (lost > 0).then(|| {
                format!(
                    "in {exchanges} exchanges {lost} packets were lost, {missed} of them missed, which ends an event"
                )
            })
        }
        _ => None,
    }
}

/// Clause on a receiver of a stream whose host is late. A call's ends are both.
fn late(before: &Told<'_>, after: &Told<'_>) -> Option<String> {
    let eased = |key: &Key| before.text(key).filter(|was| after.text(key) != Some(was));
    if before.text(Rpc::MODE).is_some() {
        return None;
    }
    if let Some(time) = eased(PeerHost::PACKET_TIME) {
        let packets = 1e9 / time.parse::<Duration>().ok().filter(|time| !time.is_zero())?.as_nanos() as f64;
        return Some(format!(
            "the receiver's host takes {time} for a packet, which is {packets:.0} a second, and the link brings more"
        ));
    }
    let latency = eased(PeerHost::LATENCY).or_else(|| eased(PeerHost::LATENCY_P99))?;
    Some(format!("the receiver's host turns to what has come {latency} late"))
}

/// Octets of payload that arrived for each data packet; of several links those of the first, as the packets are.
fn octets_a_packet(told: &Told<'_>) -> Option<f64> {
    let is_first = |name: &str| name.split_once('.').is_none_or(|(_, link)| link == "link0");
    let octets: u64 = told.counted("octets.").filter(|(name, _)| is_first(name)).map(|(_, octets)| octets).sum();
    let packets = told.count("pdus.data");
    (packets > 0).then(|| octets as f64 / packets as f64)
}

fn exchanges_an_event(told: &Told<'_>) -> Option<f64> {
    let events = told.count("events");
    (events > 0).then(|| told.count("exchanges") as f64 / events as f64)
}

/// The interval that was granted, or else asked for.
fn interval<'a>(told: &'a Told<'_>) -> Option<&'a str> {
    let granted = told.negotiated.map(|negotiated| negotiated.conn_interval.as_str());
    granted.or_else(|| told.text(Intervals::CONN_INTERVAL))
}

#[cfg(test)]
mod tests {
    use airtime_link::Ordered;

    use super::*;

    #[test]
    fn packets_of_a_link_carry_its_own_octets() {
        let counters: Ordered<u64> =
            [("pdus.data", 10), ("octets.p2c.link0", 2_000), ("octets.p2c.link1", 90_000)].into_iter().collect();
        let told = Told {
            counters: &counters,
            steady: airtime_core::Duration::from_secs(1),
            accepted_kbps: None,
            negotiated: None,
            params: &Ordered::default(),
        };
        assert_eq!(octets_a_packet(&told).map(f64::to_bits), Some(200.0_f64.to_bits()));
    }
}
