//! Connection priorities of Android, as what is on the air in the end.

use airtime_ble_link::plan::Carrier;
use airtime_core::Duration;

use crate::support::{self, outcome, record, refused};

/// Interval and latency of a link whose central is an Android of this kind and has asked for `priority`.
fn granted(personality: &str, priority: &str) -> (Duration, u16) {
    let set = [
        ("link", "ble-gatt"),
        ("central.personality", personality),
        ("ble.priority", priority),
        ("run.duration", "8s"),
        ("run.warmup", "2s"),
    ];
    let outcome = outcome(&set);
    let (central, peripheral) = outcome.negotiated.expect("there was a link");
    assert_eq!(central.interval, peripheral.interval, "{personality}, {priority}");
    (central.interval, support::ble(&support::plan(&set).1).latency())
}

#[test]
fn each_android_has_its_ranges() {
    for (personality, priority, us, latency) in [
        // AOSP 5.1.1 and 6.0.1, GattService.connectionParameterUpdate.
        ("nexus-android-5", "high", 7_500, 0),
        ("nexus-android-6", "high", 11_250, 0),
        ("android-10", "high", 11_250, 0),
        ("android-pixel", "high", 11_250, 0),
        ("android-10", "balanced", 30_000, 0),
        ("android-10", "low-power", 100_000, 2),
        ("nexus-android-5", "low-power", 100_000, 2),
    ] {
        assert_eq!(granted(personality, priority), (Duration::from_micros(us), latency), "{personality}, {priority}");
    }
}

#[test]
fn a_priority_is_worth_the_interval_it_gets() {
    let kbps = |set: &[(&str, &str)]| {
        let all =
            [&[("link", "ble-gatt"), ("central.personality", "android-10"), ("run.duration", "22s")], set].concat();
        record(&all).goodput_kbps.median
    };
    let high = kbps(&[("ble.priority", "high")]);
    let asked = kbps(&[("ble.request_interval", "11.25ms")]);
    assert!((high - asked).abs() < 0.01 * asked, "{high} beside {asked}: it is the same interval");
}

#[test]
fn what_cannot_be_is_refused_with_its_reason() {
    for carrier in [Carrier::BleGatt, Carrier::BleCoc] {
        let error = refused(&[("link", carrier.name()), ("central.personality", "macos"), ("ble.priority", "high")]);
        assert!(error.contains("Android's"), "{error}");
    }
    let android = [("link", "ble-gatt"), ("central.personality", "android-10"), ("ble.priority", "high")];
    let error = refused(&[&android[..], &[("ble.request_interval", "15ms")]].concat());
    assert!(error.contains("the peripheral asks for something else"), "{error}");
    let error = refused(&[&android[..], &[("central.host", "trouble")]].concat());
    assert!(error.contains("TrouBLE does not ask"), "{error}");
}
