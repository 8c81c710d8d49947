//! Causes of streams of notifications.

use airtime_core::random::Stream;

use super::{Cause, Settings, check, pick, set};

const LINK: &str = "ble-gatt";

/// A plan in which nothing but the radio limits the stream.
fn healthy(random: &mut Stream) -> Settings {
    let mut settings =
        set(&[("run.duration", "5s"), ("gatt.in_flight", "16"), ("gatt.tx_buffers", "16"), ("acl.count", "16")]);
    settings.extend(set(&[
        ("ble.conn_interval", pick(random, &["30ms", "50ms", "80ms"])),
        ("peripheral.personality", pick(random, &["zephyr-ll", "nordic-sdc"])),
    ]));
    settings
}

planted! {
    one_value_at_a_time = Cause {
        link: LINK,
        name: "one value at a time",
        plant: |random| {
            (healthy(random), set(&[("gatt.in_flight", "1")]))
        },
        account: "idle.window",
        remedies: &["gatt.in_flight"],
        leads: true,
    };
    one_buffer = Cause {
        link: LINK,
        name: "one buffer of the stack",
        plant: |random| {
            (healthy(random), set(&[("gatt.tx_buffers", "1")]))
        },
        account: "idle.pool",
        remedies: &["gatt.tx_buffers"],
        leads: true,
    };
    the_smallest_mtu = Cause {
        link: LINK,
        name: "smallest MTU",
        plant: |random| {
            let mtu = pick(random, &["23", "48"]);
            (healthy(random), set(&[("gatt.mtu", mtu)]))
        },
        account: "ifs",
        remedies: &["gatt.mtu"],
        leads: true,
    };
    a_slow_receiver = Cause {
        link: LINK,
        name: "slow receiver",
        plant: |random| {
            let time = pick(random, &["4ms", "8ms"]);
            (healthy(random), set(&[("peer_host.packet_time", time)]))
        },
        account: "undelivered",
        remedies: &["peer_host.packet_time"],
        leads: true,
    };
    a_sleeping_application = Cause {
        link: LINK,
        name: "application that sleeps",
        plant: |random| {
            let sleep = pick(random, &["sleep:20ms", "sleep:40ms"]);
            (healthy(random), set(&[("gatt.pacing", sleep)]))
        },
        account: "idle.sleep",
        remedies: &["gatt.pacing"],
        leads: true,
    };
}
