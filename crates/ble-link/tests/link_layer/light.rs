//! Many links of one central with a few octets each, and links that are lost beside others.

use crate::support::record;

/// A value of 20 octets and link per 100 ms, sent by the central.
fn light<'a>(personality: &'a str, peripherals: &'a str, duration: &'a str) -> [(&'a str, &'a str); 9] {
    [
        ("link", "ble-gatt"),
        ("central.personality", personality),
        ("peripheral.personality", "nordic-sdc"),
        ("ble.peripherals", peripherals),
        ("ble.conn_interval", "50ms"),
        ("ble.direction", "c2p"),
        ("gatt.in_flight", "1"),
        ("gatt.payload", "20"),
        ("run.duration", duration),
    ]
}

fn kbps(record: &airtime_lab::Record) -> Vec<f64> {
    record.links.iter().map(|link| link.goodput_kbps).collect()
}

/// 160 bits in 100 ms each, whatever the controller: those of seven at 7.5 ms from one another do not fit 50 ms, and share a turn.
#[test]
fn seven_light_links_live_on_every_controller() {
    let controllers = [
        "nordic-sdc",
        "ideal",
        "zephyr-ll",
        "zephyr-ll-v3.2",
        "zephyr-ll-2025",
        "bluez",
        "iphone",
        "macos",
        "android-pixel",
    ];
    for personality in controllers {
        let mut keys = light(personality, "7", "10s").to_vec();
        keys.push(("gatt.pacing", "sleep:100ms"));
        let record = record(&keys);
        let seen = kbps(&record);
        assert_eq!(record.outcome, "ok", "{personality}: {seen:?}");
        assert!(seen.len() == 7 && seen.iter().all(|kbps| (kbps - 1.6).abs() < 0.06), "{personality}: {seen:?}");
    }
}

/// Twenty, as many as the SoftDevice Controller has: more than fit an interval with 7.5 ms each, so that they share turns, as sdk-nrfxlib's
/// scheduling.rst has it. None is lost, none gets less than another, and each value goes out in the second or third event behind its sleep.
#[test]
fn twenty_light_links_live_on_the_softdevice_controller() {
    let mut keys = light("nordic-sdc", "20", "30s").to_vec();
    keys.push(("gatt.pacing", "sleep:100ms"));
    let record = record(&keys);
    let seen = kbps(&record);
    assert_eq!(record.outcome, "ok", "{seen:?}");
    assert!(seen.len() == 20 && seen.iter().all(|kbps| *kbps >= 1.0 && *kbps <= 1.7), "{seen:?}");
    assert!(record.together.is_some_and(|all| all.fairness > 0.99), "{seen:?}");
}

/// Two events that always overlap: they take turns, and no link is lost.
#[test]
fn two_links_on_one_anchor_alternate_where_events_are_planned() {
    let mut keys = light("nordic-sdc", "2", "10s").to_vec();
    keys.extend([("gatt.pacing", "sleep:100ms"), ("central.link_spacing", "0us")]);
    let seen = kbps(&record(&keys));
    assert!(seen.iter().all(|kbps| (kbps - 1.6).abs() < 0.1), "{seen:?}");
}

/// Zephyr v3.2 lets the first of two saturated links starve. What its controller held is the other's again, which goes on.
#[test]
fn a_link_that_is_lost_takes_nobody_with_it() {
    let keys = [
        ("link", "ble-gatt"),
        ("central.personality", "zephyr-ll-v3.2"),
        ("peripheral.personality", "zephyr-ll-v3.2"),
        ("ble.peripherals", "2"),
        ("ble.conn_interval", "100ms"),
        ("ble.direction", "c2p"),
        ("run.duration", "20s"),
    ];
    let record = record(&keys);
    let seen = kbps(&record);
    assert_eq!(record.outcome, "0x08 connection timeout: 1 of 2 links");
    assert!(seen[0] == 0.0 && seen[1] > 1_000.0, "{seen:?}");
    assert_eq!(record.links[0].outcome, "0x08 connection timeout");
    assert_eq!(record.links[1].outcome, "ok");
    let says = &record.links[0].bottleneck.as_ref().expect("it streamed").says;
    assert!(says.contains("A wider central.link_spacing keeps their events apart"), "{says}");
}
