//! Causes of frames of IEEE 802.15.4.

use airtime_core::random::Stream;

use super::{Cause, Settings, check, pick, set};

const LINK: &str = "ieee802154";

/// A sender that always has a frame.
fn healthy(random: &mut Stream) -> Settings {
    let mut settings = set(&[("run.duration", "3s"), ("run.warmup", "500ms")]);
    settings.extend(set(&[("ieee802154.payload", pick(random, &["60", "90"]))]));
    settings
}

planted! {
    a_slow_host = Cause {
        link: LINK,
        name: "slow host",
        plant: |random| {
            let time = pick(random, &["4ms", "9ms"]);
            (healthy(random), set(&[("ieee802154.load", time)]))
        },
        account: "idle.host",
        remedies: &["ieee802154.load"],
        leads: true,
    };
    short_frames = Cause {
        link: LINK,
        name: "short frames",
        plant: |random| {
            let octets = pick(random, &["5", "10"]);
            (healthy(random), set(&[("ieee802154.payload", octets)]))
        },
        account: "backoff",
        remedies: &["ieee802154.payload"],
        leads: true,
    };
    security = Cause {
        link: LINK,
        name: "security of every frame",
        plant: |random| {
            (healthy(random), set(&[("ieee802154.security", "enc-mic-128")]))
        },
        account: "security",
        remedies: &["ieee802154.security"],
        leads: false,
    };
    an_application_that_offers_little = Cause::beyond(LINK, "application that offers little", "idle.app", |random| {
        let rate = pick(random, &["10kbps", "20kbps"]);
        (healthy(random), set(&[("ieee802154.offered", rate)]))
    });
    other_stations = Cause::beyond(LINK, "other stations", "other_stations", |random| {
        let stations = pick(random, &["3", "5"]);
        (healthy(random), set(&[("ieee802154.stations", stations)]))
    });
}
