//! Causes of Wi-Fi through a co-processor.

use airtime_core::random::Stream;

use super::{Cause, Settings, check, pick, set};

const LINK: &str = "wifi-hosted";

/// A chain that carries all that it can.
fn healthy(random: &mut Stream) -> Settings {
    let mut settings = set(&[("run.duration", "500ms"), ("run.warmup", "100ms"), ("run.repeat", "1")]);
    settings
        .extend(set(&[("wifi.mcs", pick(random, &["6", "7"])), ("traffic.payload", pick(random, &["1200", "1400"]))]));
    settings
}

/// The same with a stream of TCP.
fn stream(random: &mut Stream, direction: &str) -> Settings {
    let mut settings = set(&[("run.duration", "900ms"), ("run.warmup", "200ms"), ("run.repeat", "1")]);
    settings.extend(set(&[("traffic.kind", "tcp"), ("traffic.direction", direction)]));
    settings.extend(set(&[("wifi.mcs", pick(random, &["6", "7"]))]));
    settings
}

planted! {
    one_transmit_buffer = Cause {
        link: LINK,
        name: "one transmit buffer of the co-processor",
        plant: |random| {
            (healthy(random), set(&[("hosted.wifi_tx_buffers", "1")]))
        },
        account: "idle.buffers",
        remedies: &["hosted.wifi_tx_buffers"],
        leads: true,
    };
    one_data_line = Cause {
        link: LINK,
        name: "slow bus",
        plant: |random| {
            (healthy(random), set(&[("hosted.sdio_lines", "1")]))
        },
        account: "idle.bus",
        remedies: &["hosted.sdio_lines", "hosted.sdio_clock"],
        leads: true,
    };
    one_receive_buffer = Cause {
        link: LINK,
        name: "one SDIO buffer",
        plant: |random| {
            (healthy(random), set(&[("hosted.rx_buffers", "1")]))
        },
        account: "idle.credits",
        remedies: &["hosted.rx_buffers"],
        leads: true,
    };
    no_aggregation = Cause {
        link: LINK,
        name: "no aggregation",
        plant: |random| {
            (healthy(random), set(&[("wifi.ampdu_max", "1")]))
        },
        account: "backoff",
        remedies: &["wifi.ampdu_max"],
        leads: true,
    };
    a_small_send_buffer = Cause {
        link: LINK,
        name: "small send buffer",
        plant: |random| {
            let octets = pick(random, &["2440", "2880"]);
            (stream(random, "up"), set(&[("lwip.snd_buf", octets)]))
        },
        account: "idle.window",
        remedies: &["lwip.snd_buf"],
        leads: true,
    };
    a_small_window = Cause {
        link: LINK,
        name: "small receive window",
        plant: |random| {
            let octets = pick(random, &["2440", "2880"]);
            (stream(random, "down"), set(&[("lwip.wnd", octets)]))
        },
        account: "idle.window",
        remedies: &["lwip.wnd"],
        leads: true,
    };
    an_application_that_offers_little = Cause::beyond(LINK, "application that offers little", "idle.app", |random| {
        let rate = pick(random, &["1Mbps", "4Mbps"]);
        (healthy(random), set(&[("traffic.offered", rate)]))
    });
    other_stations = Cause::beyond(LINK, "other stations", "other_stations", |random| {
        let stations = pick(random, &["3", "5"]);
        (healthy(random), set(&[("wifi.stations", stations)]))
    });
}
