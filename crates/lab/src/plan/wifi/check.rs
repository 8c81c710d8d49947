//! What holds between keys of IP over Wi-Fi.

use airtime_net::traffic::{Direction, Transport};
use airtime_wifi::air::{Guard, Preamble, Standard, Width};

use super::scenario::{Band, ControlRate, Scenario, Test};
use crate::plan::resolve::Resolver;
use crate::toml::error::{Fault, PlanError};

/// Octets of payload that fit an Ethernet frame. RFC 791, 3.1; RFC 768; RFC 894.
const PAYLOAD_MAX: u16 = 1_500 - 20 - 8;

/// Channels of 2.4 GHz. IEEE Std 802.11-2020, 15.4.4.3.
const CHANNELS_2GHZ: std::ops::RangeInclusive<u8> = 1..=14;

/// Messages of the raw-frame set, each of which takes a handler on the host, and what the published firmware sets.
const RAW_HANDLERS: u8 = 8;

/// What is wrong, and the keys it is about, the likeliest culprit first.
type Broken = (&'static [&'static str], Fault);

type Rule = fn(&Resolver<'_>, &Scenario) -> Result<(), Broken>;

const RULES: &[Rule] =
    &[width, guard, preamble, mcs, dsss, chip, channel, windows, throttle, bus, test, raw_frames, image, payload];

/// The first rule that `scenario` breaks.
pub fn check(resolver: &Resolver<'_>, scenario: &Scenario) -> Result<(), PlanError> {
    RULES.iter().try_for_each(|rule| rule(resolver, scenario).map_err(|(keys, fault)| resolver.error(keys, fault)))?;
    scenario.traffic.check().map_err(|fault| resolver.placed(fault))?;
    scenario.run.check().map_err(|fault| resolver.placed(fault))
}

fn name(standard: Standard) -> &'static str {
    match standard {
        Standard::B => "b",
        Standard::G => "g",
        Standard::N => "n",
        Standard::Ax => "ax",
    }
}

fn width(_: &Resolver<'_>, scenario: &Scenario) -> Result<(), Broken> {
    let phy = scenario.air.phy;
    if phy.width == Width::Mhz20 || matches!(phy.standard, Standard::N | Standard::Ax) {
        return Ok(());
    }
    let what = format!("`wifi.width`: {} has no 40 MHz", name(phy.standard));
    Err((&["wifi.width", "wifi.standard"], Fault { nearest: Some("20MHz".into()), ..Fault::new(what) }))
}

fn guard(_: &Resolver<'_>, scenario: &Scenario) -> Result<(), Broken> {
    let phy = scenario.air.phy;
    let (allowed, words): (&[Guard], _) = match phy.standard {
        Standard::B | Standard::G => (&[Guard::Ns800], "800ns"),
        Standard::N => (&[Guard::Ns400, Guard::Ns800], "400ns, 800ns"),
        Standard::Ax => (&[Guard::Ns800, Guard::Ns1600, Guard::Ns3200], "800ns, 1600ns, 3200ns"),
    };
    if allowed.contains(&phy.guard) {
        return Ok(());
    }
    let what = format!("`wifi.guard_interval`: {} has no such one", name(phy.standard));
    Err((&["wifi.guard_interval", "wifi.standard"], Fault::new(what).allowing(words)))
}

fn preamble(_: &Resolver<'_>, scenario: &Scenario) -> Result<(), Broken> {
    let phy = scenario.air.phy;
    if phy.standard == Standard::B || phy.preamble == Preamble::Long {
        return Ok(());
    }
    let what = format!("`wifi.preamble`: {} has one of its own", name(phy.standard));
    Err((&["wifi.preamble", "wifi.standard"], Fault::new(what).allowing("wifi.standard = \"b\"")))
}

/// DSSS and CCK are of 2.4 GHz, and answered in kind.
fn dsss(_: &Resolver<'_>, scenario: &Scenario) -> Result<(), Broken> {
    let air = &scenario.air;
    let dsss = air.phy.standard == Standard::B;
    if dsss && air.band == Band::Ghz5 {
        let fault = Fault::new("`wifi.standard`: there is no b in 5 GHz");
        return Err((&["wifi.standard", "wifi.band"], fault.allowing("\"2.4GHz\"")));
    }
    match air.ba_rate {
        ControlRate::Fixed(phy) if (phy.standard == Standard::B) != dsss => {
            let what = format!("`wifi.ba_rate`: {} is not answered at such a rate", name(air.phy.standard));
            let allowed = if dsss { "1M, 2M, 5.5M, 11M, mandatory" } else { "6M, 12M, 24M, mandatory" };
            Err((&["wifi.ba_rate", "wifi.standard"], Fault::new(what).allowing(allowed)))
        }
        _ => Ok(()),
    }
}

fn mcs(_: &Resolver<'_>, scenario: &Scenario) -> Result<(), Broken> {
    let phy = scenario.air.phy;
    let max = phy.rates() - 1;
    if phy.mcs <= max {
        return Ok(());
    }
    let what = format!("`wifi.mcs`: {} has no {} with one stream", name(phy.standard), phy.mcs);
    Err((&["wifi.mcs", "wifi.standard"], Fault::new(what).allowing(format!("0 to {max}"))))
}

/// What the radio of the chain cannot do; the air alone has no radio.
fn chip(_: &Resolver<'_>, scenario: &Scenario) -> Result<(), Broken> {
    let (air, chain) = (&scenario.air, &scenario.chain);
    if scenario.hosted.is_none() {
        return Ok(());
    }
    if air.phy.standard == Standard::Ax && air.phy.mcs > chain.he_mcs_max {
        let (mcs, max, who) = (air.phy.mcs, chain.he_mcs_max, &scenario.personality);
        let what = format!("`wifi.mcs`: {mcs} is beyond the radio of `{who}`, which has HE MCS 0 to {max}");
        let fault = Fault { nearest: Some(max.to_string()), ..Fault::new(what) };
        return Err((
            &["wifi.mcs", "wifi.personality"],
            fault.allowing(format!("0 to {max}, or hosted.bus = \"none\"")),
        ));
    }
    if air.phy.standard == Standard::Ax && air.phy.width == Width::Mhz40 && !chain.he_40mhz {
        let what = format!("`wifi.width`: the radio of `{}` has ax in 20 MHz only", scenario.personality);
        let fault = Fault::new(what).allowing("\"20MHz\", or hosted.bus = \"none\"");
        return Err((&["wifi.width", "wifi.standard"], fault));
    }
    if air.band == Band::Ghz5 && !chain.band_5ghz {
        let what = format!("`wifi.band`: the radio of `{}` has no 5 GHz", scenario.personality);
        let fault = Fault::new(what).allowing("\"2.4GHz\", or hosted.bus = \"none\"");
        return Err((&["wifi.band", "wifi.personality"], fault));
    }
    Ok(())
}

fn channel(_: &Resolver<'_>, scenario: &Scenario) -> Result<(), Broken> {
    let air = &scenario.air;
    let (fits, allowed) = match air.band {
        Band::Ghz2 => (CHANNELS_2GHZ.contains(&air.channel), "1 to 14"),
        Band::Ghz5 => (air.channel >= 36, "36 to 177"),
    };
    if fits {
        return Ok(());
    }
    let what = format!("`wifi.channel`: {} is in the other band", air.channel);
    Err((&["wifi.channel", "wifi.band"], Fault::new(what).allowing(allowed)))
}

/// Contention windows are powers of two less one. IEEE Std 802.11-2020, 10.3.3.
fn windows(_: &Resolver<'_>, scenario: &Scenario) -> Result<(), Broken> {
    let (min, max) = (scenario.air.cw_min, scenario.air.cw_max);
    for (keys, value) in [(&["wifi.cw_min"][..], min), (&["wifi.cw_max"], max)] {
        if !(value + 1).is_power_of_two() {
            let what = format!("`{}`: {value} is not a power of two less one", keys[0]);
            let fault = Fault { nearest: Some(((value + 1).next_power_of_two() - 1).to_string()), ..Fault::new(what) };
            return Err((keys, fault.allowing("0, 1, 3, 7, 15, ... 1023")));
        }
    }
    if min <= max {
        return Ok(());
    }
    Err((&["wifi.cw_min", "wifi.cw_max"], Fault::new(format!("`wifi.cw_min`: {min} is above `wifi.cw_max`, {max}"))))
}

fn throttle(_: &Resolver<'_>, scenario: &Scenario) -> Result<(), Broken> {
    match &scenario.hosted {
        Some(hosted) if hosted.throttle.1 >= hosted.throttle.0 => {
            let (high, low) = hosted.throttle;
            let what = format!("`hosted.throttle_low`: {low} is not below `hosted.throttle_high`, {high}");
            Err((&["hosted.throttle_low", "hosted.throttle_high"], Fault::new(what)))
        }
        _ => Ok(()),
    }
}

/// A station that is always fed sends datagrams up.
fn bus(_: &Resolver<'_>, scenario: &Scenario) -> Result<(), Broken> {
    let traffic = &scenario.traffic;
    let datagrams = matches!(traffic.transport(), Transport::Udp { offered: None, .. });
    let fed = scenario.test == Test::Traffic && datagrams && traffic.direction == Direction::Up;
    if scenario.hosted.is_some() || fed {
        return Ok(());
    }
    let what = "`hosted.bus`: without chips there is only a station that is always fed with datagrams up";
    let keys = &["hosted.bus", "traffic.kind", "traffic.direction", "traffic.offered"];
    Err((keys, Fault::new(what).allowing("traffic.kind = \"udp\", traffic.direction = \"up\", no traffic.offered")))
}

fn test(_: &Resolver<'_>, scenario: &Scenario) -> Result<(), Broken> {
    if scenario.test == Test::Raw && scenario.traffic.direction == Direction::Both {
        let fault = Fault::new("`traffic.direction`: the test interface is measured one way at a time");
        return Err((&["traffic.direction", "traffic.kind"], fault.allowing("\"up\", \"down\"")));
    }
    Ok(())
}

/// What the host needs for raw frames; whether the co-processor has them is found by asking it.
fn raw_frames(_: &Resolver<'_>, scenario: &Scenario) -> Result<(), Broken> {
    let Some(hosted) = scenario.hosted.as_ref().filter(|_| scenario.test == Test::Capture) else { return Ok(()) };
    if !hosted.peer_data {
        let fault = Fault::new("`hosted.peer_data`: raw frames are custom messages, which this host has not built in");
        let fault = fault.allowing("true (CONFIG_ESP_HOSTED_ENABLE_PEER_DATA_TRANSFER=y)");
        return Err((&["hosted.peer_data", "traffic.kind"], fault));
    }
    if hosted.handlers < RAW_HANDLERS {
        let what = format!("`hosted.handlers`: raw frames take {RAW_HANDLERS} handlers, not {}", hosted.handlers);
        let fault = Fault { nearest: Some(RAW_HANDLERS.to_string()), ..Fault::new(what) };
        let fault = fault.allowing("8 to 32 (CONFIG_ESP_HOSTED_MAX_CUSTOM_MSG_HANDLERS=8)");
        return Err((&["hosted.handlers", "traffic.kind"], fault));
    }
    Ok(())
}

/// The parts of an image come in blocks of 16 octets. ESP-IDF, `esp_image_format`.
fn image(_: &Resolver<'_>, scenario: &Scenario) -> Result<(), Broken> {
    let image = scenario.hosted.as_ref().map_or(0, |hosted| hosted.image);
    if image.is_multiple_of(16) {
        return Ok(());
    }
    let nearest = format!("{}B", image.next_multiple_of(16));
    let fault = Fault::new(format!("`hosted.image`: an image of {image} octets is not in blocks of 16"));
    Err((&["hosted.image"], Fault { nearest: Some(nearest), ..fault }))
}

fn payload(_: &Resolver<'_>, scenario: &Scenario) -> Result<(), Broken> {
    match scenario.traffic.transport() {
        Transport::Udp { payload, .. } if payload > PAYLOAD_MAX => {
            let what = format!("`traffic.payload`: {payload} does not fit a packet of 1500 octets");
            Err((&["traffic.payload"], Fault::new(what).allowing(format!("16 to {PAYLOAD_MAX}"))))
        }
        _ => Ok(()),
    }
}
