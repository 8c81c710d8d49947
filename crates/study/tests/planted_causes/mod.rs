//! Causes planted in random plans: the right account must grow, and a change must be found that works.

use std::sync::atomic::AtomicBool;

use airtime_core::random::{Stream, stream};
use airtime_lab::explain::Worth;
use airtime_lab::{Library, Plan, Record, explain, run};

/// One thing that goes wrong.
struct Cause {
    name: &'static str,
    /// The healthy plan, drawn at random, and what is planted in it.
    plant: fn(&mut Stream) -> (Settings, Settings),
    /// The account whose cost per octet delivered must grow most.
    account: &'static str,
    /// Keys whose steps or alternatives must be able to help.
    remedies: &'static [&'static str],
}

type Settings = Vec<(String, String)>;

const PLANS_PER_CAUSE: u64 = 2;

fn set(pairs: &[(&str, &str)]) -> Settings {
    pairs.iter().map(|(key, value)| ((*key).to_owned(), (*value).to_owned())).collect()
}

fn pick<'a>(random: &mut Stream, choices: &[&'a str]) -> &'a str {
    choices[random.below(choices.len() as u64) as usize]
}

/// A plan in which nothing but the radio limits the stream, at an interval long enough that the tail is small.
fn healthy(random: &mut Stream) -> Settings {
    let mut settings = set(&[
        ("run.duration", "6s"),
        ("run.warmup", "1s"),
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
        ("ble.conn_interval", pick(random, &["50ms", "80ms", "100ms"])),
        ("coc.mps", "247"),
        ("coc.mtu", "2000"),
        ("coc.sdu", pick(random, &["245", "492", "739", "986"])),
    ];
    settings.extend(set(&rest));
    settings
}

const CAUSES: [Cause; 10] = [
    Cause {
        name: "late host refill",
        plant: |random| {
            let late = pick(random, &["8ms", "12ms", "20ms"]);
            (healthy(random), set(&[("host.latency", late), ("acl.count", "3")]))
        },
        account: "idle.",
        remedies: &["host.latency", "acl.count"],
    },
    Cause {
        name: "one credit",
        plant: |random| (healthy(random), set(&[("coc.credits", "zephyr-recv"), ("coc.sdu", "492")])),
        account: "idle.credits",
        remedies: &["coc.credits"],
    },
    Cause {
        name: "spilling SDU",
        plant: |random| {
            let (fits, spills) = [("245", "247"), ("492", "495"), ("739", "741")][random.below(3) as usize];
            let mut base = healthy(random);
            base.extend(set(&[("coc.sdu", fits)]));
            (base, set(&[("coc.sdu", spills)]))
        },
        account: "ifs",
        remedies: &["coc.sdu", "coc.mps"],
    },
    Cause {
        name: "event tail",
        plant: |random| {
            let mut base = healthy(random);
            base.extend(set(&[("ble.conn_interval", "8.75ms"), ("central.personality", "zephyr-ll")]));
            base.extend(set(&[("peripheral.personality", "zephyr-ll"), ("coc.sdu", "492")]));
            (base, set(&[("ble.conn_interval", "10ms")]))
        },
        account: "tail",
        remedies: &["ble.conn_interval", "ble.request_interval"],
    },
    Cause {
        name: "short data length",
        plant: |random| (healthy(random), set(&[("ble.data_length", "27")])),
        account: "ifs",
        remedies: &["ble.data_length"],
    },
    Cause {
        name: "1M",
        plant: |random| (healthy(random), set(&[("ble.phy", "1M")])),
        account: "payload.p2c",
        remedies: &["ble.phy"],
    },
    Cause {
        name: "MIC",
        plant: |random| {
            let mut base = healthy(random);
            base.extend(set(&[("ble.conn_interval", "400ms"), ("run.duration", "30s"), ("coc.sdu", "492")]));
            base.extend(set(&[("acl.count", "60"), ("coc.tx_buffers", "60"), ("coc.in_flight", "60")]));
            (base, set(&[("ble.encrypted", "true")]))
        },
        account: "ll_header_mic",
        remedies: &["ble.encrypted"],
    },
    Cause {
        name: "loss",
        plant: |random| {
            let per = pick(random, &["0.1", "0.15", "0.2"]);
            (healthy(random), set(&[("ble.loss", &format!("{{ per = {per} }}"))]))
        },
        account: "loss",
        remedies: &["ble.conn_interval", "ble.request_interval"],
    },
    Cause {
        name: "two links on one central",
        plant: |random| (healthy(random), set(&[("ble.peripherals", "2")])),
        account: "other_link",
        remedies: &["ble.peripherals"],
    },
    Cause {
        name: "refused interval",
        plant: |random| {
            let refused = pick(random, &["11.25ms", "12.5ms", "7.5ms"]);
            let base = set(&[
                ("run.duration", "6s"),
                ("run.warmup", "1s"),
                ("central.personality", "macos"),
                ("ble.conn_interval", "15ms"),
                ("coc.sdu", pick(random, &["245", "492"])),
            ]);
            (base, set(&[("ble.conn_interval", refused)]))
        },
        account: "cap",
        remedies: &["ble.conn_interval"],
    },
];

fn plan(settings: &[(String, String)]) -> Plan {
    let text = "name = \"planted\"\nlink = \"ble-coc\"\n";
    Plan::parse("planted", text, &Library::builtin(), settings).unwrap_or_else(|error| panic!("{error}\n{settings:?}"))
}

fn record(plan: &Plan) -> Record {
    run::record(plan, &plan.point(0).expect("a plan has a point"))
}

/// Air of each account per octet delivered, in ns; accounts that begin alike with `prefix` are one.
fn costs(record: &Record, prefix: &str) -> Vec<(String, f64)> {
    let octets = record.delivered_bytes.max(1) as f64;
    let mut costs: Vec<(String, f64)> = Vec::new();
    for (account, ns) in record.steady_ledger_ns.iter() {
        let name = if prefix.ends_with('.') && account.starts_with(prefix) { prefix } else { account };
        match costs.iter_mut().find(|(n, _)| n == name) {
            Some((_, cost)) => *cost += *ns as f64 / octets,
            None => costs.push((name.to_owned(), *ns as f64 / octets)),
        }
    }
    costs
}

/// The account whose cost grew most from `healthy` to `ill`.
fn grew_most(healthy: &Record, ill: &Record, prefix: &str) -> String {
    let before = costs(healthy, prefix);
    let growth = |(name, cost): &(String, f64)| cost - before.iter().find(|(n, _)| n == name).map_or(0.0, |(_, c)| *c);
    let after = costs(ill, prefix);
    let most = after.iter().max_by(|a, b| growth(a).total_cmp(&growth(b)));
    most.map(|(name, _)| name.clone()).unwrap_or_default()
}

fn check(cause: &Cause, seed: u64) {
    let (base, planted) = (cause.plant)(&mut stream(seed, cause.name));
    let healthy_plan = plan(&base);
    let ill_plan = plan(&[base.clone(), planted.clone()].concat());
    let (healthy, ill) = (record(&healthy_plan), record(&ill_plan));
    let context = format!("{} {seed}: {base:?} with {planted:?}", cause.name);
    assert_eq!(healthy.outcome, "ok", "{context}");
    assert_eq!(grew_most(&healthy, &ill, cause.account), cause.account, "{context}");
    assert!(ill.goodput_kbps.median < healthy.goodput_kbps.median, "{context}");

    let explained = airtime_study::explain(
        &ill_plan,
        &ill_plan.point(0).expect("a plan has a point"),
        &run::record,
        &|_| {},
        &AtomicBool::new(false),
    );
    assert!(!explained.changes.is_empty(), "no change helps: {context}");
    assert!(explained.changes.iter().all(|change| change.gain_pct >= explain::GAIN_MIN_PCT), "{context}");
    // The change that is shown works: the plan with it, read and run afresh, gives its figure, and loses nothing.
    let before = Worth::of(&ill);
    for change in &explained.changes {
        let (key, value) = change.set.split_once('=').expect("a change is key=value");
        let changed = plan(&[base.clone(), planted.clone(), set(&[(key, value)])].concat());
        let again = Worth::of(&record(&changed));
        assert!((again.kbps - change.goodput_kbps).abs() < 0.05, "{}: {} {context}", change.set, again.kbps);
        assert!(again.keeps(&before), "{}: {context}", change.set);
    }
    // Among all that was tried, what was planted can be undone or worked around at its own key.
    let point = ill_plan.point(0).expect("a plan has a point");
    let helps = explain::candidates(&ill_plan, &point)
        .iter()
        .filter(|candidate| cause.remedies.contains(&candidate.key))
        .any(|candidate| {
            let after = run::record(&ill_plan, &candidate.point).goodput_kbps.median;
            after >= ill.goodput_kbps.median * (1.0 + explain::GAIN_MIN_PCT / 100.0)
        });
    assert!(helps, "none of {:?} helps: {context}", cause.remedies);
}

macro_rules! planted {
    ($($test:ident = $index:literal;)*) => {
        $(#[test]
        fn $test() {
            for seed in 1..=PLANS_PER_CAUSE {
                check(&CAUSES[$index], seed);
            }
        })*
    };
}

planted! {
    late_host_refill = 0;
    one_credit = 1;
    spilling_sdu = 2;
    event_tail = 3;
    short_data_length = 4;
    one_megasymbol = 5;
    mic = 6;
    loss = 7;
    two_links_on_one_central = 8;
    refused_interval = 9;
}
