//! Values in effect where the air, the co-processor or lwIP has the last word.

use alloc::format;
use alloc::string::String;
use alloc::vec;
use alloc::vec::Vec;

use airtime_core::Duration;
use airtime_core::units::Size;
use airtime_keys::{Key, Keys, Value, Words};
use airtime_link::Granted;
use airtime_net::traffic::{Direction, Traffic, Transport};

use super::outcome::Outcome;
use crate::air::Msdus;
use crate::plan::{Bus, Hosted, Lwip, Path, PowerSave, Radio, RateControl, Scenario, Test};

/// Octets of an IPv4 header, and of that with one of TCP or UDP. RFC 791, 3.1; RFC 9293, 3.1; RFC 768.
const IP_UDP: u32 = 28;
const IP_TCP: u32 = 40;

/// Octets of an Ethernet II header.
const ETHERNET: u32 = 14;

/// Tick of lwIP's slow timer (`TCP_SLOW_INTERVAL`), in which it counts a timeout.
const TICK: Duration = Duration::from_millis(500);

/// Values in effect that are not what the plan's keys say.
pub fn granted(scenario: &Scenario, outcome: &Outcome) -> Vec<Granted> {
    let mut granted = vec![aggregated(scenario)];
    if let (RateControl::Minstrel, Some(mcs)) = (scenario.radio.rate, outcome.counted.mcs) {
        granted.push(Granted::new(Radio::MCS, mcs, "wifi.rate=minstrel, for most frames"));
    }
    if scenario.traffic.is_tcp() {
        let ticks = scenario.lwip.rto_time / TICK;
        granted.push(Granted::new(Lwip::RTO_TIME, format!("{}", TICK * ticks), "lwIP's ticks of 500ms"));
        let snd_buf = Size(scenario.lwip.snd_buf.into());
        granted.push(Granted::new(Lwip::SO_SNDBUF, format!("{snd_buf}"), "lwIP's sockets"));
    }
    granted
}

/// MPDUs in the longest A-MPDU of the test's frames, and what limits them.
fn aggregated(scenario: &Scenario) -> Granted {
    let (radio, phy) = (&scenario.radio, scenario.phy());
    let of = |count: u32, by: String| Granted::new(Radio::AMPDU_MAX, Value::from(count), by);
    if !phy.aggregates() {
        return of(1, format!("wifi.standard={}", radio.standard().word()));
    }
    let asked = u32::from(radio.ampdu_max);
    let receives = match (scenario.chips(), scenario.traffic.direction) {
        (Some(hosted), Direction::Down) => u32::from(hosted.rx_ba_window),
        _ => asked,
    };
    let packet = match scenario.traffic.transport() {
        Transport::Udp { payload, .. } => u32::from(payload) + IP_UDP,
        Transport::Tcp { .. } => u32::from(scenario.lwip.mss) + IP_TCP,
    };
    let msdus =
        Msdus { ethernet: packet + ETHERNET, encrypted: radio.encrypted, amsdu: radio.amsdu().map_or(0, u32::from) };
    let fit = msdus.fill(&radio.aggregation(), phy, &scenario.timing()).mpdus.min(asked);
    if receives < fit {
        return of(receives, format!("hosted.rx_ba_window={receives}"));
    }
    of(fit, "the longest PPDU".into())
}

/// Name of the key because of which `key` means nothing in `scenario`.
pub fn keeper(key: &Key, scenario: &Scenario) -> String {
    let chain = [Hosted::TX_QUEUE, Lwip::SND_BUF, Path::RTT].iter().any(|own| own.table() == key.table());
    if chain && scenario.chips().is_none() {
        return format!("{}={}", Bus::BUS.name, scenario.bus.bus.word());
    }
    if PowerSave::KEYS.iter().any(|own| own.name == key.name) {
        return format!("{}={}", PowerSave::POWER_SAVE.name, scenario.power_save.saving().word());
    }
    let espnow = scenario.test() == Test::EspNow;
    if key.table() == Radio::STANDARD.table() && !espnow {
        let (standard, width) = (scenario.radio.standard().word(), scenario.radio.width.word());
        return format!("wifi.standard={standard} in {width}");
    }
    format!("{}={}", Traffic::KIND.name, scenario.traffic.kind.word())
}
