//! Rules between keys of IP over Wi-Fi.

use alloc::format;

use airtime_keys::{Fault, Words};
use airtime_net::traffic::{Direction, Traffic, Transport};

use super::context::Test;
use super::{
    Access, Band, Board, Bus, Cell, Coordination, EspNow, Hosted, PowerSave, Radio, RateControl, Receiver, Scenario,
};
use crate::air::{Guard, Preamble, Responses, Standard, Width, mpdu_overhead};

/// Octets of payload that fit an Ethernet frame. RFC 791, 3.1; RFC 768; RFC 894.
pub(super) const PAYLOAD_MAX: u16 = 1_500 - 20 - 8;

/// Octets of an MPDU within an A-MPDU of HT. IEEE Std 802.11-2020, 9.7.1.
const MPDU_MAX: u32 = 4_095;

/// Channels of 2.4 GHz. IEEE Std 802.11-2020, 15.4.4.3.
const CHANNELS_2GHZ: core::ops::RangeInclusive<u8> = 1..=14;

/// Messages of the raw-frame set, each of which takes a handler on the host, and what the published firmware sets.
const RAW_HANDLERS: u8 = 8;

type Rule = fn(&Scenario) -> Result<(), Fault>;

const RULES: &[Rule] = &[
    width, guard, preamble, mcs, dsss, chip, slave, channel, windows, throttle, exchanges, update, bus, mode, doze,
    linux, test, raw_frames, image, amsdu, txop, native, body, payload, traffic, run,
];

/// Refuses a scenario with the first rule that it breaks.
pub fn check(scenario: &Scenario) -> Result<(), Fault> {
    RULES.iter().try_for_each(|rule| rule(scenario))
}

fn width(scenario: &Scenario) -> Result<(), Fault> {
    let phy = scenario.phy();
    if phy.width == Width::Mhz20 || matches!(phy.standard, Standard::N | Standard::Ax) {
        return Ok(());
    }
    let fault = Fault::new(format!("`wifi.width`: {} has no 40 MHz", phy.standard.word()));
    Err(fault.near(Width::Mhz20.word()).about([Radio::WIDTH, Radio::STANDARD]))
}

fn guard(scenario: &Scenario) -> Result<(), Fault> {
    let phy = scenario.phy();
    let (allowed, words): (&[Guard], _) = match phy.standard {
        Standard::B | Standard::G => (&[Guard::Ns800], "800ns"),
        Standard::N => (&[Guard::Ns400, Guard::Ns800], "400ns, 800ns"),
        Standard::Ax => (&[Guard::Ns800, Guard::Ns1600, Guard::Ns3200], "800ns, 1600ns, 3200ns"),
    };
    if allowed.contains(&phy.guard) {
        return Ok(());
    }
    let fault = Fault::new(format!("`wifi.guard_interval`: {} has no such one", phy.standard.word()));
    Err(fault.allowing(words).about([Radio::GUARD_INTERVAL, Radio::STANDARD]))
}

fn preamble(scenario: &Scenario) -> Result<(), Fault> {
    let phy = scenario.phy();
    if phy.standard == Standard::B || phy.preamble == Preamble::Long {
        return Ok(());
    }
    let fault = Fault::new(format!("`wifi.preamble`: {} has one of its own", phy.standard.word()));
    Err(fault.allowing("wifi.standard = \"b\"").about([Radio::PREAMBLE, Radio::STANDARD]))
}

fn mcs(scenario: &Scenario) -> Result<(), Fault> {
    let phy = scenario.phy();
    let max = phy.rates() - 1;
    if phy.mcs <= max {
        return Ok(());
    }
    let what = format!("`wifi.mcs`: {} has no {} with one stream", phy.standard.word(), phy.mcs);
    Err(Fault::new(what).allowing(format!("0 to {max}")).about([Radio::MCS, Radio::STANDARD]))
}

/// DSSS and CCK are of 2.4 GHz, and answered in kind.
fn dsss(scenario: &Scenario) -> Result<(), Fault> {
    let standard = scenario.radio.standard();
    let dsss = standard == Standard::B;
    if dsss && scenario.radio.band == Band::Ghz5 {
        let fault = Fault::new("`wifi.standard`: there is no b in 5 GHz");
        return Err(fault.allowing("\"2.4GHz\"").about([Radio::STANDARD, Radio::BAND]));
    }
    match scenario.timing().responses {
        Responses::Fixed(phy) if (phy.standard == Standard::B) != dsss => {
            let what = format!("`wifi.ba_rate`: {} is not answered at such a rate", standard.word());
            let allowed = if dsss { "1M, 2M, 5.5M, 11M, mandatory" } else { "6M, 12M, 24M, mandatory" };
            Err(Fault::new(what).allowing(allowed).about([Access::BA_RATE, Radio::STANDARD]))
        }
        Responses::Fixed(_) | Responses::Mandatory => Ok(()),
    }
}

/// The radio of the chain has its limits; the air alone has no radio.
fn chip(scenario: &Scenario) -> Result<(), Fault> {
    let (phy, chip, who) = (scenario.phy(), &scenario.chain.coprocessor, &scenario.board.personality);
    if scenario.chips().is_none() {
        return Ok(());
    }
    if phy.standard == Standard::Ax && !chip.limits.he {
        let fault = Fault::new(format!("`wifi.standard`: the radio of `{who}` has no ax"));
        return Err(fault
            .allowing("\"b\", \"g\", \"n\", or hosted.bus = \"none\"")
            .about([Radio::STANDARD, Board::PERSONALITY]));
    }
    if phy.standard == Standard::Ax && phy.mcs > chip.he_mcs_max {
        let (mcs, max) = (phy.mcs, chip.he_mcs_max);
        let what = format!("`wifi.mcs`: {mcs} is beyond the radio of `{who}`, which has HE MCS 0 to {max}");
        let fault = Fault::new(what).near(format!("{max}"));
        return Err(fault
            .allowing(format!("0 to {max}, or hosted.bus = \"none\""))
            .about([Radio::MCS, Board::PERSONALITY]));
    }
    if phy.standard == Standard::Ax && phy.width == Width::Mhz40 && !chip.he_40mhz {
        let fault = Fault::new(format!("`wifi.width`: the radio of `{who}` has ax in 20 MHz only"));
        return Err(fault.allowing("\"20MHz\", or hosted.bus = \"none\"").about([Radio::WIDTH, Radio::STANDARD]));
    }
    if scenario.radio.band == Band::Ghz5 && !chip.band_5ghz {
        let fault = Fault::new(format!("`wifi.band`: the radio of `{who}` has no 5 GHz"));
        return Err(fault.allowing("\"2.4GHz\", or hosted.bus = \"none\"").about([Radio::BAND, Board::PERSONALITY]));
    }
    Ok(())
}

/// Limits of the co-processor as a slave of SPI.
fn slave(scenario: &Scenario) -> Result<(), Fault> {
    let (limits, who) = (&scenario.chain.coprocessor.limits, &scenario.board.personality);
    if scenario.is_half_duplex() && !limits.spi_half_duplex {
        let fault = Fault::new(format!("`hosted.bus`: the co-processor of `{who}` has no SPI in half duplex"));
        return Err(fault.allowing("\"sdio\", \"spi\"").about([Bus::BUS, Board::PERSONALITY]));
    }
    let (clock, max) = (scenario.hosted.spi_clock, limits.spi_clock_max);
    if (scenario.is_spi() || scenario.is_half_duplex()) && clock.0 > max.0 {
        let mhz = max.0 / 1_000_000;
        let fault = Fault::new(format!("`hosted.spi_clock`: the co-processor of `{who}` takes {mhz} MHz at most"));
        return Err(fault.near(format!("{mhz}MHz")).about([Hosted::SPI_CLOCK, Bus::BUS, Board::PERSONALITY]));
    }
    Ok(())
}

fn channel(scenario: &Scenario) -> Result<(), Fault> {
    let channel = scenario.radio.channel();
    let (fits, allowed) = match scenario.radio.band {
        Band::Ghz2 => (CHANNELS_2GHZ.contains(&channel), "1 to 14"),
        Band::Ghz5 => (channel >= 36, "36 to 177"),
    };
    if fits {
        return Ok(());
    }
    let fault = Fault::new(format!("`wifi.channel`: {channel} is in the other band"));
    Err(fault.allowing(allowed).about([Radio::CHANNEL, Radio::BAND]))
}

/// Contention windows are powers of two less one. IEEE Std 802.11-2020, 10.3.3.
fn windows(scenario: &Scenario) -> Result<(), Fault> {
    let (min, max) = (scenario.access.cw_min(scenario.radio.standard()), scenario.access.cw_max);
    for (key, value) in [(Access::CW_MIN, min), (Access::CW_MAX, max)] {
        if !(value + 1).is_power_of_two() {
            let fault = Fault::new(format!("`{}`: {value} is not a power of two less one", key.name));
            let nearest = (value + 1).next_power_of_two() - 1;
            return Err(fault.near(format!("{nearest}")).allowing("0, 1, 3, 7, 15, ... 1023").about([key]));
        }
    }
    if min <= max {
        return Ok(());
    }
    let what = format!("`wifi.cw_min`: {min} is above `wifi.cw_max`, {max}");
    Err(Fault::new(what).about([Access::CW_MIN, Access::CW_MAX]))
}

fn throttle(scenario: &Scenario) -> Result<(), Fault> {
    match scenario.chips().map(Hosted::throttle) {
        Some((high, low)) if high > 0 && low >= high => {
            let what = format!("`hosted.throttle_low`: {low} is not below `hosted.throttle_high`, {high}");
            Err(Fault::new(what).about([Hosted::THROTTLE_LOW, Hosted::THROTTLE_HIGH]))
        }
        _ => Ok(()),
    }
}

/// Times of SPI are those of two chips: a personality has its own, or the plan says some.
fn exchanges(scenario: &Scenario) -> Result<(), Fault> {
    let Some(hosted) = scenario.chips() else { return Ok(()) };
    let (spi, half_duplex) = (scenario.is_spi(), scenario.is_half_duplex());
    let needed = [
        (Hosted::TURN, spi && hosted.turn.is_none()),
        (Hosted::WRITE_FRAME, (spi || half_duplex) && hosted.write_frame.is_none()),
        (Hosted::READ_FRAME, half_duplex && hosted.read_frame.is_none()),
    ];
    for (key, missing) in needed {
        if missing {
            let (who, name) = (&scenario.board.personality, key.name);
            let fault = Fault::new(format!("`hosted.bus`: `{who}` has no times of SPI, and the plan has no `{name}`"));
            return Err(fault.allowing("\"sdio\"").about([Bus::BUS, key, Board::PERSONALITY]));
        }
    }
    Ok(())
}

/// The start of the transport, which an update goes through, is that of SDIO.
fn update(scenario: &Scenario) -> Result<(), Fault> {
    let sdio = !scenario.is_spi() && !scenario.is_half_duplex();
    if sdio || scenario.test() != Test::Ota {
        return Ok(());
    }
    let fault = Fault::new("`hosted.bus`: an update is modelled over SDIO").allowing("\"sdio\"");
    Err(fault.about([Bus::BUS, Traffic::KIND]))
}

/// A station that is always fed sends datagrams up.
fn bus(scenario: &Scenario) -> Result<(), Fault> {
    let traffic = &scenario.traffic;
    let datagrams = matches!(traffic.transport(), Transport::Udp { offered: None, .. });
    let fed = scenario.test() == Test::Traffic && datagrams && traffic.direction == Direction::Up;
    if scenario.chips().is_some() || fed || scenario.test() == Test::EspNow {
        return Ok(());
    }
    let fault = Fault::new("`hosted.bus`: without chips there is only a station that is always fed with datagrams up");
    let fault = fault.allowing("traffic.kind = \"udp\", traffic.direction = \"up\", no traffic.offered");
    Err(fault.about([Bus::BUS, Traffic::KIND, Traffic::DIRECTION, Traffic::OFFERED]))
}

/// A Linux host is modelled over SDIO, with traffic and with the raw test.
fn linux(scenario: &Scenario) -> Result<(), Fault> {
    let who = &scenario.board.personality;
    if scenario.is_linux() && (scenario.is_spi() || scenario.is_half_duplex()) {
        let fault = Fault::new(format!("`hosted.bus`: the driver of `{who}`, a Linux host, is modelled over SDIO"));
        return Err(fault.allowing("\"sdio\"").about([Bus::BUS, Board::PERSONALITY]));
    }
    if scenario.is_linux() && !matches!(scenario.test(), Test::Traffic | Test::Raw) {
        let fault = Fault::new(format!(
            "`traffic.kind`: raw frames and updates are of a host with ESP-Hosted-MCU, not of `{who}`"
        ));
        return Err(fault.allowing("\"udp\", \"tcp\", \"raw\"").about([Traffic::KIND, Board::PERSONALITY]));
    }
    Ok(())
}

/// An access point is measured with traffic: the other tests have no air, or nobody at its other end.
fn mode(scenario: &Scenario) -> Result<(), Fault> {
    if !scenario.cell.is_access_point() || scenario.test() == Test::Traffic {
        return Ok(());
    }
    let fault = Fault::new("`wifi.mode`: an access point is measured with datagrams or a stream");
    Err(fault.allowing("traffic.kind = \"udp\", \"tcp\"").about([Cell::MODE, Traffic::KIND]))
}

/// A station that dozes wakes for beacons, and is measured with traffic.
fn doze(scenario: &Scenario) -> Result<(), Fault> {
    if !scenario.power_save.dozes() {
        return Ok(());
    }
    if !scenario.cell.beacons() {
        let fault = Fault::new("`wifi.power_save`: a station that dozes wakes for beacons, and there are none");
        return Err(fault.allowing("wifi.beacons = true").about([PowerSave::POWER_SAVE, Cell::BEACONS]));
    }
    if scenario.test() != Test::Traffic {
        let fault = Fault::new("`wifi.power_save`: a station that dozes is measured with datagrams or a stream");
        return Err(fault.allowing("\"none\"").about([PowerSave::POWER_SAVE, Traffic::KIND]));
    }
    Ok(())
}

fn test(scenario: &Scenario) -> Result<(), Fault> {
    if scenario.test() == Test::Raw && scenario.traffic.direction == Direction::Both {
        let fault = Fault::new("`traffic.direction`: the test interface is measured one way at a time");
        return Err(fault.allowing("\"up\", \"down\"").about([Traffic::DIRECTION, Traffic::KIND]));
    }
    Ok(())
}

/// Raw frames need this of the host; whether the co-processor has them is found by asking it.
fn raw_frames(scenario: &Scenario) -> Result<(), Fault> {
    let Some(hosted) = scenario.chips().filter(|_| scenario.test() == Test::Capture) else { return Ok(()) };
    if !hosted.peer_data {
        let fault = Fault::new("`hosted.peer_data`: raw frames are custom messages, which this host has not built in");
        let fault = fault.allowing("true (CONFIG_ESP_HOSTED_ENABLE_PEER_DATA_TRANSFER=y)");
        return Err(fault.about([Hosted::PEER_DATA, Traffic::KIND]));
    }
    if hosted.handlers < RAW_HANDLERS {
        let what = format!("`hosted.handlers`: raw frames take {RAW_HANDLERS} handlers, not {}", hosted.handlers);
        let fault = Fault::new(what).near(format!("{RAW_HANDLERS}"));
        let fault = fault.allowing("8 to 32 (CONFIG_ESP_HOSTED_MAX_CUSTOM_MSG_HANDLERS=8)");
        return Err(fault.about([Hosted::HANDLERS, Traffic::KIND]));
    }
    Ok(())
}

/// The parts of an image come in blocks of 16 octets. ESP-IDF, `esp_image_format`.
fn image(scenario: &Scenario) -> Result<(), Fault> {
    match scenario.chips().map(Hosted::image_octets) {
        Some(image) if !image.is_multiple_of(16) => {
            let fault = Fault::new(format!("`hosted.image`: an image of {image} octets is not in blocks of 16"));
            Err(fault.near(format!("{}B", image.next_multiple_of(16))).about([Hosted::IMAGE]))
        }
        _ => Ok(()),
    }
}

/// An MPDU of an A-MPDU of HT has 4095 octets at most: so many its delimiter can say (9.7.1).
fn amsdu(scenario: &Scenario) -> Result<(), Fault> {
    let (radio, phy) = (&scenario.radio, scenario.phy());
    let most = MPDU_MAX - mpdu_overhead(radio.encrypted);
    match radio.amsdu() {
        Some(octets) if phy.standard == Standard::N && radio.ampdu_max > 1 && u32::from(octets) > most => {
            let what = format!("`wifi.amsdu`: {octets} octets do not fit an MPDU of an A-MPDU of n");
            let fault = Fault::new(what).near(format!("{most}"));
            Err(fault.allowing(format!("256 to {most}, or wifi.ampdu_max = 1")).about([Radio::AMSDU, Radio::AMPDU_MAX]))
        }
        _ => Ok(()),
    }
}

/// TXOPs are of EDCA. 10.23.2.
fn txop(scenario: &Scenario) -> Result<(), Fault> {
    let dcf = scenario.access.access == Coordination::Dcf;
    if dcf && !scenario.access.txop().is_zero() {
        let fault = Fault::new("`wifi.txop`: the distributed coordination function has no TXOPs");
        return Err(fault.allowing("wifi.access = \"edca\"").about([Access::TXOP, Access::ACCESS]));
    }
    Ok(())
}

/// ESP-NOW is between native chips, and its rate stays.
fn native(scenario: &Scenario) -> Result<(), Fault> {
    if scenario.test() != Test::EspNow {
        return Ok(());
    }
    if scenario.chips().is_some() {
        let fault =
            Fault::new("`traffic.kind`: ESP-NOW is between native chips, with no bus between radio and application");
        return Err(fault.allowing("hosted.bus = \"none\"").about([Bus::BUS, Traffic::KIND]));
    }
    if scenario.radio.rate != RateControl::Fixed {
        let fault = Fault::new("`wifi.rate`: frames of ESP-NOW have one rate");
        return Err(fault.allowing("\"fixed\"").about([Radio::RATE, Traffic::KIND]));
    }
    if scenario.espnow.encrypted && scenario.espnow.to == Receiver::Broadcast {
        let fault = Fault::new("`espnow.encrypted`: ESP-NOW encrypts no broadcast");
        return Err(fault.allowing("false").about([EspNow::ENCRYPTED, EspNow::TO]));
    }
    Ok(())
}

/// A frame of ESP-NOW has so much room.
fn body(scenario: &Scenario) -> Result<(), Fault> {
    let (version, body) = (scenario.espnow.version, scenario.traffic.payload.unwrap_or(0));
    let most = version.body_max();
    if scenario.test() != Test::EspNow || usize::from(body) <= most {
        return Ok(());
    }
    let what = format!("`traffic.payload`: {body} does not fit a frame of ESP-NOW {}", version.word());
    Err(Fault::new(what)
        .near(format!("{most}"))
        .allowing(format!("1 to {most}"))
        .about([Traffic::PAYLOAD, EspNow::VERSION]))
}

fn payload(scenario: &Scenario) -> Result<(), Fault> {
    match scenario.traffic.transport() {
        Transport::Udp { payload, .. } if payload > PAYLOAD_MAX => {
            let what = format!("`traffic.payload`: {payload} does not fit a packet of 1500 octets");
            Err(Fault::new(what).allowing(format!("16 to {PAYLOAD_MAX}")).about([Traffic::PAYLOAD]))
        }
        _ => Ok(()),
    }
}

fn traffic(scenario: &Scenario) -> Result<(), Fault> {
    scenario.traffic.check()
}

fn run(scenario: &Scenario) -> Result<(), Fault> {
    scenario.run.check()
}
