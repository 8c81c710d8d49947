//! Steps of the keys of IP over the nRF24L01+.

use airtime_core::Duration;

use super::halved_and_doubled;
use crate::plan::nrf24::Scenario;

/// What IPv4 without options and UDP put in front of a payload. RFC 791, 3.1; RFC 768.
const IP_UDP: u64 = 20 + 8;

/// Counts near `now`.
pub fn counts(name: &str, now: u64, scenario: &Scenario) -> Vec<u64> {
    let (below, above) = (now.saturating_sub(1), now.saturating_add(1));
    match name {
        // What fills the MTU, and half and twice as much.
        "traffic.payload" => {
            vec![now / 2, now.saturating_mul(2), u64::from(scenario.tunnel.mtu).saturating_sub(IP_UDP)]
        }
        "nrf24.mtu" => vec![576, now / 2, now.saturating_mul(2).min(1_500)],
        "nrf24.arc" => vec![0, below, above, 15],
        // Two channels up and down stay clear of each other at every rate.
        "nrf24.channel_a" | "nrf24.channel_b" => vec![now.saturating_sub(2), now + 2],
        _ => vec![below, above],
    }
}

/// Times near `now`.
pub fn spans(name: &str, now: Duration) -> Vec<Duration> {
    let step = Duration::from_micros(250);
    match name {
        "nrf24.ard" => vec![now.max(step * 2) - step, now + step],
        // A host without this cost at all shows what it costs.
        "nrf24_host.transaction"
        | "nrf24_host.pin"
        | "nrf24_host.wake"
        | "nrf24_host.sleep_slack"
        | "nrf24_host.tun" => {
            vec![Duration::ZERO, now / 2, now * 2]
        }
        _ => halved_and_doubled(now),
    }
}
