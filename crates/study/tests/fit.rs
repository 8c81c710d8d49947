//! Fits: hidden devices are found again from what the lab has measured of them, with noise on every figure.

use std::sync::atomic::AtomicBool;

use airtime_core::Duration;
use airtime_core::random::{Stream, stream};
use airtime_lab::fit::{axis, devices, ends};
use airtime_lab::run::record;
use airtime_lab::{Library, Plan, Point};
use airtime_study::fit::{Fitted, Free, Measurements, NotFitted, RUNS_MAX, Request, fit};
use airtime_testing::is_whole;
use serde_json::Value;

use crate::generator::seeds;

/// Figures of a central are taken with a peripheral that sends as fast as it can.
const PLAN: &str = "link = \"ble-coc\"\nble.phy = \"2M\"\ncoc.sdu = 492\ncoc.in_flight = 6\ncoc.tx_buffers = 6\nacl.count = 6\n\
    run.duration = \"2s\"\nrun.warmup = \"1s\"\n";

/// Credits that never run out: what is left is the air.
const CREDITS: &str = "coc.credits = \"batched\"\n";

/// A normally distributed number: twelve evenly distributed ones less six have its mean and variance.
fn normal(stream: &mut Stream) -> f64 {
    (0..12).map(|_| stream.below(1 << 32) as f64 / f64::from(u32::MAX)).sum::<f64>() - 6.0
}

fn plan(library: &Library, more: &str) -> (Plan, Point) {
    let plan = Plan::parse("hidden.toml", &format!("{PLAN}{more}"), library, &[]).unwrap();
    let point = plan.point(0).unwrap();
    (plan, point)
}

/// A sweep in CSV of the device `name` as the central, with noise of one per cent.
fn sweep(library: &Library, more: &str, name: &str, (intervals, phys): (&[&str], &[&str]), seed: u64) -> String {
    let (plan, point) = plan(library, more);
    let mut noise = stream(seed, "fit/noise");
    let mut text = "ble.phy,ble.conn_interval,goodput\n".to_owned();
    for (phy, interval) in phys.iter().flat_map(|phy| intervals.iter().map(move |interval| (*phy, *interval))) {
        let changes = [("central.personality", name), ("ble.conn_interval", interval), ("ble.phy", phy)];
        let changes = changes.map(|(key, value)| (key.to_owned(), value.into()));
        let figure = record(&plan, &plan.vary(&point, &changes).unwrap()).goodput_kbps.median;
        text.push_str(&format!("{phy},{interval},{:.2}\n", figure * (1.0 + 0.01 * normal(&mut noise))));
    }
    text
}

fn measured(csv: &str, more: &str) -> Measurements {
    let (plan, point) = plan(&Library::builtin(), more);
    let mut measured = Measurements::of(plan);
    measured.add_csv("sweep.csv", csv, &point, &|_| Err("none".into())).unwrap();
    measured
}

fn fitted(measured: &Measurements, free: Free<'_>, runs_max: usize) -> Result<Fitted, NotFitted> {
    let end = ends(&measured.points[0])[0];
    let request = Request { measured, end, noise_pct: Some(1.0), free, runs_max, threads: 0 };
    fit(&request, &|_| (), &AtomicBool::new(false))
}

/// Known devices whose figures differ.
const RANKED: [&str; 10] = [
    "zephyr-ll",
    "nordic-sdc",
    "macos",
    "iphone",
    "android-pixel",
    "bluez",
    "zephyr-ll-v3.2",
    "esp32c3-nimble",
    "android-10",
    "ideal",
];

#[test]
fn the_true_device_is_first_with_five_points() {
    let library = Library::builtin();
    let mut ranks = Vec::new();
    for (seed, name) in (1..).zip(RANKED) {
        let csv = sweep(&library, "", name, (&["7.5ms", "11.25ms", "13.75ms", "18.75ms", "30ms"], &["2M"]), seed);
        let found = fitted(&measured(&csv, ""), Free::Nothing, RUNS_MAX).unwrap();
        let own = found.ranking.iter().find(|one| one.device == name).unwrap();
        ranks.push((name, own.rank, own.fits, own.rms_pct));
    }
    assert!(ranks.iter().filter(|(_, rank, ..)| *rank != 1).count() <= RANKED.len() / 10, "{ranks:?}");
}

/// A hidden device: what it is based on, its rule, margin in µs, cap in µs and grid in µs.
type Hidden = (&'static str, &'static str, u64, Option<u64>, u64);

/// Devices whose margin shows below their cap, for what ends no event is in no figure.
const HIDDEN: [Hidden; 5] = [
    ("zephyr-ll", "empty-reply", 420, Some(21_000), 1_250),
    ("zephyr-ll", "full-reply", 650, None, 2_500),
    ("android-pixel", "full-reply", 180, Some(16_000), 3_750),
    ("macos", "empty-reply", 900, Some(22_000), 7_500),
    ("bluez", "empty-reply", 1_300, Some(27_000), 2_500),
];
/// Intervals of the sweeps, in units of 1.25 ms.
const INTERVALS: [u64; 12] = [6, 7, 8, 9, 10, 11, 12, 14, 16, 19, 23, 28];
/// Keys that are looked for.
const KEYS: [&str; 4] =
    ["controller.budget", "controller.margin", "controller.event_time_cap", "host.intervals.multiple_of"];

/// Values of them that are tried, those of the hidden devices among them.
const FEW: [&[&str]; 4] = [
    &["empty-reply", "full-reply"],
    &["180us", "420us", "650us", "900us", "1300us", "1800us"],
    &["16ms", "21ms", "22ms", "27ms", "none"],
    &["1250us", "2500us", "3750us", "7500us", "15ms"],
];

fn hidden((base, rule, margin, cap, grid): Hidden) -> Library {
    let of = |key: &str, value: &str| {
        format!("{key} = {{ value = \"{value}\", status = \"assumed\", source = \"hidden\" }}\n")
    };
    let cap = cap.map_or("none".to_owned(), |cap| format!("{cap}us"));
    let text = [
        format!("based_on = \"{base}\"\n[controller]\n"),
        of("margin", &format!("{margin}us")),
        of("budget", rule),
        of("event_time_cap", &cap),
        "[host.intervals]\n".to_owned(),
        of("multiple_of", &format!("{grid}us")),
    ];
    let mut library = Library::builtin();
    library.add("hidden", &text.concat()).unwrap();
    library
}

/// Time in µs that a value is.
fn us(value: &Value) -> Option<f64> {
    value.as_str()?.parse::<Duration>().ok().map(|time| time.as_nanos() as f64 / 1e3)
}

/// `FIRST=0 COUNT=5` looks for all of them.
#[test]
fn rule_margin_cap_and_grid_of_hidden_devices_are_found_again() {
    for number in seeds(1, if is_whole() { 2 } else { 1 }) {
        let device @ (_, rule, margin, cap, grid) = HIDDEN[number as usize];
        let intervals: Vec<String> = INTERVALS.iter().map(|unit| format!("{}us", unit * 1_250)).collect();
        let intervals: Vec<&str> = intervals.iter().map(String::as_str).collect();
        // On one PHY alone another rule is the same as another margin.
        let csv = sweep(&hidden(device), CREDITS, "hidden", (&intervals, &["2M", "1M"]), number);
        let measured = measured(&csv, CREDITS);
        let known = devices(&measured.plan, &measured.points[0], ends(&measured.points[0])[0]);
        let values = |key: usize| FEW[key].iter().map(|value| (*value).to_owned()).collect::<Vec<_>>();
        let free = [0, 1, 2, 3].map(|key| axis(&known, KEYS[key], &values(key)).unwrap());
        let found = fitted(&measured, Free::These(&free), 100_000).unwrap();
        let fitted = found.device.as_ref().unwrap();
        let says = format!("{device:?}: {} runs\n{}\n{:?}", found.runs, fitted.toml, fitted.next);
        let value = |key: &str| fitted.values.iter().find(|value| value.key == key).unwrap();
        assert!(fitted.errors.fits && !fitted.spent, "{says}");
        assert!(value(KEYS[0]).within.contains(&rule.into()), "{says}");
        let grids: Vec<f64> = value(KEYS[3]).within.iter().filter_map(us).collect();
        assert!(grids.contains(&(grid as f64)), "{says}");
        assert!(grids.len() == 1 || fitted.next.is_some() && number != 1, "{says}");
        // Where an exchange of the measured lengths ends no event differently for it, a value stays open.
        let near = |key: &str, hidden: Option<u64>, part: f64| {
            let within = &value(key).within;
            let Some(hidden) = hidden.map(|hidden| hidden as f64) else {
                return assert_eq!(within.last(), Some(&"none".into()), "{says}");
            };
            let ends: Vec<f64> = within.iter().filter_map(us).collect();
            let (low, high) = ends.iter().fold((f64::MAX, 0.0_f64), |(low, high), end| (low.min(*end), high.max(*end)));
            assert!((low * 0.97..=high * 1.03).contains(&hidden), "{key} in {low} to {high}: {says}");
            let is_open = high - low > part * hidden;
            assert!(!is_open || number != 1, "{key} in {low} to {high}: {says}");
        };
        near(KEYS[1], Some(margin), 0.5);
        near(KEYS[2], cap, 0.1);
    }
}

#[test]
fn what_points_do_not_decide_is_said_with_what_would() {
    // All of these intervals are longer than the cap, so the margin ends no event.
    let device = ("zephyr-ll", "empty-reply", 281, Some(9_000), 1_250);
    let csv = sweep(&hidden(device), CREDITS, "hidden", (&["30ms", "40ms", "50ms"], &["2M"]), 1);
    let measured = measured(&csv, CREDITS);
    let known = devices(&measured.plan, &measured.points[0], ends(&measured.points[0])[0]);
    let free = [KEYS[1], KEYS[2]].map(|key| axis(&known, key, &[]).unwrap());
    let found = fitted(&measured, Free::These(&free), RUNS_MAX).unwrap();
    let fitted = found.device.as_ref().unwrap();
    let margin = fitted.values.iter().find(|value| value.key == KEYS[1]).unwrap();
    assert!(margin.within.len() > 10, "{fitted:?}");
    let next = fitted.next.as_ref().unwrap_or_else(|| panic!("{fitted:?}"));
    let interval = next.set[0].strip_prefix("ble.conn_interval=").unwrap_or_else(|| panic!("{next:?}"));
    assert!(us(&interval.into()).unwrap() < 20_000.0 && next.high > 1.03 * next.low, "{next:?}");
    // The same request has the same answer.
    assert_eq!(self::fitted(&measured, Free::These(&free), RUNS_MAX).unwrap(), found);
    // A budget that ends in the middle gives the best so far, and says so.
    let little = self::fitted(&measured, Free::These(&free), known.len() * 3 + 30).unwrap();
    assert!(little.device.as_ref().is_none_or(|device| device.spent), "{little:?}");
    let none = self::fitted(&measured, Free::Nothing, 5).unwrap_err();
    assert!(matches!(none, NotFitted::Budget { points: 3, runs: 5, .. }));
}
