//! Plans of every kind, as `--set` options.

use airtime_lab::{Library, Plan, Point};
use proptest::prelude::*;
use proptest::sample::select;

type Set = Vec<(String, String)>;

const PERSONALITIES: [&str; 7] = ["zephyr-ll", "nordic-sdc", "ideal", "macos", "iphone", "android-pixel", "bluez"];
const CREDITS: [&str; 8] = [
    "zephyr-recv",
    "zephyr-seg-recv",
    "batched",
    "bumble",
    "android",
    "bluez",
    "{ initial = 1, on_connect = 0, grant = 1, every = 1 }",
    "{ initial = 3, on_connect = 4, grant = 2, every = 2 }",
];
const LOSS: [&str; 7] = [
    "none",
    "none",
    "none",
    "{ per = 0.02 }",
    "{ per = 0.3 }",
    "{ ber = 0.00003 }",
    "{ good = 0.001, bad = 0.6, every = \"150ms\", burst = \"8ms\" }",
];

fn key(name: &'static str, values: &'static [&'static str]) -> impl Strategy<Value = (String, String)> {
    select(values).prop_map(move |value| (name.to_owned(), value.to_owned()))
}

fn count(name: &'static str, values: std::ops::RangeInclusive<u32>) -> impl Strategy<Value = (String, String)> {
    values.prop_map(move |value| (name.to_owned(), value.to_string()))
}

/// The devices and their link.
fn link() -> impl Strategy<Value = Set> {
    let devices = (key("central.personality", &PERSONALITIES), key("peripheral.personality", &PERSONALITIES));
    let phy = prop_oneof![3 => Just("2M"), 2 => Just("1M"), 1 => Just("S2"), 1 => Just("S8")];
    let phy = phy.prop_map(|phy| ("ble.phy".to_owned(), phy.to_owned()));
    let interval = (6u32..=80).prop_map(|units| ("ble.conn_interval".to_owned(), format!("{}us", units * 1_250)));
    let shape = (key("ble.direction", &["p2c", "p2c", "c2p", "both"]), key("ble.encrypted", &["true", "false"]));
    let shape = (shape, key("ble.frame_space", &["150us", "150us", "70us"]), count("ble.data_length", 27..=251));
    let rest = (key("ble.loss", &LOSS), count("ble.peripherals", 1..=3), count("ble.latency", 0..=3));
    (devices, phy, interval, shape, rest).prop_map(|((c, p), phy, interval, ((d, e), f, l), (loss, n, latency))| {
        vec![c, p, phy, interval, d, e, f, l, loss, n, latency]
    })
}

/// A bus of every kind at either end, or none.
fn bus(end: &'static str) -> impl Strategy<Value = Set> {
    let of = move |words: &[(&str, String)]| -> Set {
        words.iter().map(|(word, value)| (format!("{end}.{word}"), value.clone())).collect()
    };
    let kind = move |name: &str, more: &[(&str, String)]| of(&[&[("hci", name.to_owned())][..], more].concat());
    let baud = || select(vec![115_200_u32, 460_800, 1_000_000, 3_000_000]);
    prop_oneof![
        6 => Just(Set::new()),
        1 => baud().prop_map(move |baud| kind("uart", &[("hci_baud", baud.to_string())])),
        2 => (baud(), 1_u8..=7, proptest::bool::ANY).prop_map(move |(baud, window, crc)| {
            let words = [("hci_baud", baud.to_string()), ("hci_window", window.to_string()), ("hci_crc", crc.to_string())];
            kind("three-wire", &words)
        }),
        1 => Just(kind("usb", &[])),
        1 => (200_000_u32..=16_000_000, 0_u32..=200).prop_map(move |(hz, us)| {
            kind("spi", &[("hci_spi_hz", hz.to_string()), ("hci_delay", format!("{us}us"))])
        }),
        1 => prop_oneof![Just(0_u32), 1_u32..=2_000].prop_map(move |us| kind("ipc", &[("hci_delay", format!("{us}us"))])),
    ]
}

/// A credit-based channel.
fn coc() -> impl Strategy<Value = Set> {
    let stream = (count("coc.sdu", 1..=1_200), count("coc.mps", 23..=600), key("coc.credits", &CREDITS));
    let buffers = (count("coc.in_flight", 1..=12), count("coc.tx_buffers", 1..=12), count("coc.channels", 1..=3));
    (stream, buffers).prop_map(|((sdu, mps, credits), (flight, buffers, channels))| {
        let mtu = ("coc.mtu".to_owned(), "1200".to_owned());
        vec![("link".into(), "ble-coc".into()), sdu, mps, mtu, credits, flight, buffers, channels]
    })
}

/// Notifications or write commands of the default length.
fn gatt() -> impl Strategy<Value = Set> {
    (count("gatt.mtu", 23..=500), count("gatt.in_flight", 1..=12), count("gatt.tx_buffers", 1..=12))
        .prop_map(|(mtu, flight, buffers)| vec![("link".into(), "ble-gatt".into()), mtu, flight, buffers])
}

/// Any plan with one point. What the plan's own rules refuse (a PHY or a frame space that a device has
/// not got, an interval it cannot do) is drawn again.
pub fn any() -> impl Strategy<Value = (Plan, Point)> {
    let stream = prop_oneof![3 => coc().boxed(), 1 => gatt().boxed()];
    let buffers = (count("acl.count", 1..=12), count("acl.size", 27..=512));
    let ends = (key("host.task_priority", &["below", "above"]), key("run.duration", &["700ms", "1500ms", "3s"]));
    let buses = (bus("central"), bus("peripheral"));
    let parts = (link(), stream, buffers, ends, buses);
    let sets = parts.prop_map(|(link, stream, (count, size), (priority, duration), (central, peripheral))| {
        let fixed = [("run.warmup", "250ms"), ("run.repeat", "1"), ("ble.scan_timeout", "3s")];
        let fixed = fixed.map(|(key, value)| (key.to_owned(), value.to_owned()));
        let buses = central.into_iter().chain(peripheral);
        link.into_iter()
            .chain(stream)
            .chain([count, size, priority, duration])
            .chain(fixed)
            .chain(buses)
            .collect::<Set>()
    });
    let library = Library::builtin();
    sets.prop_filter_map("refused by the plan's own rules", move |set| {
        let plan = Plan::parse("any", "", &library, &set).ok()?;
        let point = plan.point(0)?;
        Some((plan, point))
    })
}
