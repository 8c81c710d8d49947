//! Causes of IP over the nRF24L01+.

use airtime_core::random::Stream;

use super::{Cause, Settings, check, pick, set};

const LINK: &str = "nrf24-ip";

/// A tunnel whose air is full.
fn healthy(random: &mut Stream) -> Settings {
    let mut settings = set(&[("run.duration", "1s"), ("run.warmup", "100ms"), ("run.repeat", "1")]);
    settings.extend(set(&[
        ("traffic.payload", pick(random, &["700", "1400"])),
        ("nrf24.address_width", pick(random, &["3", "5"])),
    ]));
    settings
}

planted! {
    a_window_of_one = Cause {
        link: LINK,
        name: "window of one chunk",
        plant: |random| {
            (healthy(random), set(&[("nrf24.window", "1")]))
        },
        account: "idle.window",
        remedies: &["nrf24.window", "nrf24.ack_every"],
        leads: true,
    };
    a_slow_bus = Cause {
        link: LINK,
        name: "slow SPI",
        plant: |random| {
            let clock = pick(random, &["300kHz", "500kHz"]);
            (healthy(random), set(&[("nrf24.spi_clock", clock)]))
        },
        account: "idle.spi",
        remedies: &["nrf24.spi_clock"],
        leads: true,
    };
    acknowledged_frames = Cause {
        link: LINK,
        name: "every frame acknowledged",
        plant: |random| {
            (healthy(random), set(&[("nrf24.mode", "auto-ack")]))
        },
        account: "ack",
        remedies: &["nrf24.mode"],
        leads: true,
    };
    small_datagrams = Cause {
        link: LINK,
        name: "small datagrams",
        plant: |random| {
            let octets = pick(random, &["16", "24"]);
            (healthy(random), set(&[("traffic.payload", octets)]))
        },
        account: "headers",
        remedies: &["traffic.payload"],
        leads: false,
    };
    the_lowest_rate = Cause {
        link: LINK,
        name: "lowest rate",
        plant: |random| {
            (healthy(random), set(&[("nrf24.rate", "250k")]))
        },
        account: "payload.up",
        remedies: &["nrf24.rate"],
        leads: false,
    };
    a_delay_between_batches = Cause {
        link: LINK,
        name: "delay between batches",
        plant: |random| {
            let delay = pick(random, &["2ms", "5ms"]);
            ([healthy(random), set(&[("nrf24.mode", "legacy")])].concat(), set(&[("nrf24.delay", delay)]))
        },
        account: "idle.delay",
        remedies: &["nrf24.delay"],
        leads: true,
    };
}
