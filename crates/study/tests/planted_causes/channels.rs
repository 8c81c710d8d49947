//! Causes of streams over credit-based channels.

use airtime_core::random::Stream;

use super::{Cause, Settings, check, pick, set};

const LINK: &str = "ble-coc";

/// A plan in which nothing but the radio limits the stream, at an interval long enough that the tail is small.
fn healthy(random: &mut Stream) -> Settings {
    let mut settings = set(&[
        ("run.duration", "3s"),
        ("run.warmup", "500ms"),
        ("coc.in_flight", "16"),
        ("coc.tx_buffers", "16"),
        ("acl.count", "16"),
        ("coc.credits", "{ initial = 200, on_connect = 0, grant = 10, every = 10 }"),
        ("host.packet_time", "0us"),
        ("host.sdu_time", "0us"),
        ("peer_host.packet_time", "0us"),
    ]);
    let rest = [
        ("central.personality", pick(random, &["zephyr-ll", "nordic-sdc", "bluez"])),
        ("peripheral.personality", pick(random, &["zephyr-ll", "nordic-sdc"])),
        ("ble.phy", "2M"),
        ("ble.conn_interval", pick(random, &["50ms", "80ms", "100ms"])),
        ("coc.mps", "247"),
        ("coc.mtu", "2000"),
        ("coc.sdu", pick(random, &["245", "492", "739", "986"])),
    ];
    settings.extend(set(&rest));
    settings
}

planted! {
    late_host_refill = Cause {
        link: LINK,
        name: "late host refill",
        plant: |random| {
            let late = pick(random, &["8ms", "12ms", "20ms"]);
            (healthy(random), set(&[("host.latency", late), ("acl.count", "3")]))
        },
        account: "idle.host",
        remedies: &["host.latency", "acl.count"],
        leads: true,
    };
    one_credit = Cause {
        link: LINK,
        name: "one credit",
        plant: |random| (healthy(random), set(&[("coc.credits", "zephyr-recv"), ("coc.sdu", "492")])),
        account: "idle.credits",
        remedies: &["coc.credits"],
        leads: true,
    };
    spilling_sdu = Cause {
        link: LINK,
        name: "spilling SDU",
        plant: |random| {
            let (fits, spills) = [("245", "247"), ("492", "495"), ("739", "741")][random.below(3) as usize];
            let mut base = healthy(random);
            base.extend(set(&[("coc.sdu", fits)]));
            (base, set(&[("coc.sdu", spills)]))
        },
        account: "ifs",
        remedies: &["coc.sdu", "coc.mps"],
        leads: false,
    };
    event_tail = Cause {
        link: LINK,
        name: "event tail",
        plant: |random| {
            let mut base = healthy(random);
            base.extend(set(&[("ble.conn_interval", "8.75ms"), ("central.personality", "zephyr-ll")]));
            base.extend(set(&[("peripheral.personality", "zephyr-ll"), ("coc.sdu", "492")]));
            (base, set(&[("ble.conn_interval", "10ms")]))
        },
        account: "tail",
        remedies: &["ble.conn_interval", "ble.request_interval"],
        leads: false,
    };
    short_data_length = Cause {
        link: LINK,
        name: "short data length",
        plant: |random| (healthy(random), set(&[("ble.data_length", "27")])),
        account: "ifs",
        remedies: &["ble.data_length"],
        leads: false,
    };
    one_megasymbol = Cause {
        link: LINK,
        name: "1M",
        plant: |random| (healthy(random), set(&[("ble.phy", "1M")])),
        account: "payload.p2c",
        remedies: &["ble.phy"],
        leads: false,
    };
    mic = Cause {
        link: LINK,
        name: "MIC",
        plant: |random| {
            let mut base = healthy(random);
            base.extend(set(&[("ble.conn_interval", "400ms"), ("run.duration", "30s"), ("coc.sdu", "492")]));
            base.extend(set(&[("acl.count", "60"), ("coc.tx_buffers", "60"), ("coc.in_flight", "60")]));
            (base, set(&[("ble.encrypted", "true")]))
        },
        account: "ll_header_mic",
        remedies: &["ble.encrypted"],
        leads: false,
    };
    loss = Cause {
        link: LINK,
        name: "loss",
        plant: |random| {
            let per = pick(random, &["0.1", "0.15", "0.2"]);
            (healthy(random), set(&[("ble.loss", &format!("{{ per = {per} }}"))]))
        },
        account: "loss",
        remedies: &["ble.conn_interval", "ble.request_interval"],
        leads: true,
    };
    two_links_on_one_central = Cause {
        link: LINK,
        name: "two links on one central",
        plant: |random| (healthy(random), set(&[("ble.peripherals", "2")])),
        account: "other_link",
        remedies: &[],
        leads: true,
    };
    refused_interval = Cause {
        link: LINK,
        name: "refused interval",
        plant: |random| {
            let refused = pick(random, &["11.25ms", "12.5ms", "7.5ms"]);
            let base = set(&[
                ("run.duration", "3s"),
                ("run.warmup", "500ms"),
                ("central.personality", "macos"),
                ("ble.conn_interval", "15ms"),
                ("coc.sdu", pick(random, &["245", "492"])),
            ]);
            (base, set(&[("ble.conn_interval", refused)]))
        },
        account: "cap",
        remedies: &["ble.conn_interval"],
        leads: true,
    };
    a_sleeping_application = Cause {
        link: LINK,
        name: "application that sleeps",
        plant: |random| {
            let sleep = pick(random, &["sleep:20ms", "sleep:50ms"]);
            (healthy(random), set(&[("coc.pacing", sleep)]))
        },
        account: "idle.sleep",
        remedies: &["coc.pacing"],
        leads: true,
    };
    one_sdu_at_a_time = Cause {
        link: LINK,
        name: "one SDU at a time",
        plant: |random| {
            (healthy(random), set(&[("coc.in_flight", "1")]))
        },
        account: "idle.window",
        remedies: &["coc.in_flight", "coc.sdu"],
        leads: true,
    };
    one_buffer_of_the_stack = Cause {
        link: LINK,
        name: "one buffer of the stack",
        plant: |random| {
            (healthy(random), set(&[("coc.tx_buffers", "1")]))
        },
        account: "idle.pool",
        remedies: &["coc.tx_buffers"],
        leads: true,
    };
    one_buffer_of_the_controller = Cause {
        link: LINK,
        name: "one buffer of the controller",
        plant: |random| {
            (healthy(random), set(&[("acl.count", "1")]))
        },
        account: "idle.buffers",
        remedies: &["acl.count"],
        leads: true,
    };
    a_slow_task = Cause {
        link: LINK,
        name: "slow task of the sender",
        plant: |random| {
            let time = pick(random, &["5ms", "8ms"]);
            (healthy(random), set(&[("host.sdu_time", time)]))
        },
        account: "idle.host",
        remedies: &["host.sdu_time"],
        leads: true,
    };
    a_slow_receiver = Cause {
        link: LINK,
        name: "slow host of the receiver",
        plant: |random| {
            let time = pick(random, &["5ms", "8ms"]);
            (healthy(random), set(&[("peer_host.packet_time", time), ("central.personality", "zephyr-ll")]))
        },
        account: "idle.peer",
        remedies: &["peer_host.packet_time"],
        leads: true,
    };
}
