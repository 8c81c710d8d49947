//! Several links on one central whose events are cut, beside Zephyr's own link layer (`ll_sw_split` v3.2, in BabbleSim on nrf52_bsim).

use std::collections::BTreeMap;

use airtime_core::Duration;

use super::watch::Watch;
use crate::support::record;

/// A run of Zephyr with links of SDUs of 492 octets, and what each of them carried in 10³ bit/s.
struct Run {
    /// `EVENT_OVERHEAD_START_US`.
    lead: &'static str,
    /// Connection interval of the first link, and of the others.
    intervals: [&'static str; 2],
    /// Distance between two anchors: where v3.2 puts them by itself, or by its options for spacing.
    spacing: &'static str,
    /// Credits: as in those runs, or so many that no link waits for a buffer that another one's credits take.
    credits: &'static str,
    kbps: &'static [f64],
    /// Share by which the lab may be off.
    near: f64,
}

const GIVEN_BACK: &str = "{ initial = 60, on_connect = 0, grant = 2, every = 2 }";
const PLENTY: &str = "{ initial = 60000, on_connect = 0, grant = 1000, every = 1000 }";

const fn run(lead: &'static str, interval: &'static str, spacing: &'static str, kbps: &'static [f64]) -> Run {
    Run { lead, intervals: [interval, interval], spacing, credits: GIVEN_BACK, kbps, near: 0.005 }
}

const RUNS: [Run; 11] = [
    // Each link's reply of 251 octets would end behind the next link's prepare: all but the last starve.
    run("750us", "15ms", "1636us", &[0.0, 1049.7]),
    run("750us", "30ms", "1644us", &[0.0, 0.0, 0.0, 1115.7]),
    run("750us", "15ms", "3406us", &[131.2, 918.5]),
    run("750us", "50ms", "3406us", &[39.4, 1259.6]),
    run("750us", "30ms", "4665us", &[131.2, 1114.9]),
    run("275us", "15ms", "3406us", &[262.4, 1049.7]),
    run("275us", "50ms", "4657us", &[118.1, 1220.3]),
    // The third and the fourth link are put where the second is, and the three take turns: nearly as often, there.
    Run { credits: PLENTY, near: 0.006, ..run("750us", "15ms", "4156us", &[262.0, 305.0, 308.0, 306.0]) },
    Run { intervals: ["15ms", "30ms"], ..run("275us", "", "3420us", &[787.7, 524.3]) },
    Run { intervals: ["30ms", "15ms"], ..run("275us", "", "3400us", &[130.9, 1180.9]) },
    Run { intervals: ["7.5ms", "30ms"], ..run("275us", "", "4660us", &[1180.9, 65.7]) },
];

/// Keys of Zephyr v3.2 with this `EVENT_OVERHEAD_START_US`, its timer corrected once, and of the stream.
fn zephyr(lead: &str) -> [(&str, &str); 10] {
    [
        ("central.personality", "zephyr-ll-v3.2"),
        ("peripheral.personality", "zephyr-ll-v3.2"),
        ("central.prepare_lead", lead),
        ("peripheral.prepare_lead", lead),
        ("peripheral.drift_skip", "true"),
        ("acl.count", "6"),
        ("coc.tx_buffers", "6"),
        ("coc.in_flight", "6"),
        ("run.duration", "20s"),
        ("run.warmup", "1s"),
    ]
}

#[test]
fn the_next_link_takes_the_radio_as_it_does_in_zephyr() {
    for Run { lead, intervals: [first, further], spacing, credits, kbps, near } in RUNS {
        let peripherals = kbps.len().to_string();
        let mut keys = zephyr(lead).to_vec();
        keys.extend([
            ("central.link_spacing", spacing),
            ("ble.peripherals", peripherals.as_str()),
            ("ble.conn_interval", first),
            ("ble.further_interval", further),
            // As in those runs: a link that starves is there to their end.
            ("ble.supervision_timeout", "32s"),
            ("coc.credits", credits),
        ]);
        let record = record(&keys);
        let what = format!("{lead} {first} {further} {spacing}");
        // What a link lacks went to the one that took the radio, where there was time for another exchange.
        let taken = record.steady_ledger_ns.get("other_link").copied().unwrap_or_default();
        assert!(first != further || kbps[0] == 0.0 || taken > record.steady_ns / 2, "{what}: {taken}");
        let seen: Vec<f64> = record.links.iter().map(|link| link.goodput_kbps).collect();
        let is_near = |(seen, real): (&f64, &f64)| (seen - real).abs() <= near * real;
        assert!(seen.len() == kbps.len() && seen.iter().zip(kbps).all(is_near), "{what}: {seen:?}, {kbps:?}");
    }
}

/// Links that share one anchor have it in turn, and all of them together carry what one would.
#[test]
fn links_on_one_anchor_take_turns() {
    // A sixth would have its first turn too late: its peripheral waits six intervals for it.
    for peripherals in ["2", "3", "4", "5"] {
        let mut keys = zephyr("275us").to_vec();
        // A whole interval apart is on one anchor.
        keys.extend([
            ("central.link_spacing", "30ms"),
            ("ble.conn_interval", "30ms"),
            ("ble.supervision_timeout", "32s"),
            ("coc.credits", PLENTY),
            ("ble.peripherals", peripherals),
        ]);
        let record = record(&keys);
        let seen: Vec<f64> = record.links.iter().map(|link| link.goodput_kbps).collect();
        let fair = seen.iter().sum::<f64>() / seen.len() as f64;
        assert!((seen.iter().sum::<f64>() - 1377.0).abs() < 10.0, "{peripherals}: {seen:?}");
        assert!(seen.iter().all(|kbps| (kbps - fair).abs() < 0.05 * fair), "{peripherals}: {seen:?}");
    }
}

/// Keys of what the central does beside one link, the link's interval, what it carried in 10³ bit/s in Zephyr, and how near that is.
type Beside = (&'static [(&'static str, &'static str)], &'static str, f64, f64);

const BESIDE: [Beside; 5] = [
    (&[("central.scan_interval", "60ms"), ("central.scan_window", "30ms")], "15ms", 328.7, 0.004),
    // Each of its six events of 600 ms ends where the scan begins, and three within a tick or two of the end of a packet.
    (&[("central.scan_interval", "60ms")], "50ms", 349.5, 0.01),
    (&[("central.scan_interval", "60ms"), ("central.scan_window", "10ms")], "7.5ms", 984.9, 0.003),
    (&[("central.scan_interval", "100ms"), ("central.scan_window", "50ms")], "50ms", 0.0, 0.0),
    // The delays of advertising are drawn.
    (&[("central.advertising_interval", "100ms")], "15ms", 1198.6, 0.008),
];

#[test]
fn a_scan_and_a_beacon_take_what_they_take_in_zephyr() {
    for (beside, interval, kbps, near) in BESIDE {
        let mut keys = zephyr("275us").to_vec();
        keys.extend([("ble.conn_interval", interval), ("coc.credits", GIVEN_BACK)]);
        keys.extend(beside);
        let record = record(&keys);
        let seen = record.goodput_kbps.median;
        assert!((seen - kbps).abs() <= near * kbps, "{beside:?} {interval}: {seen}, {kbps}");
        // A window of half the interval of a link of the same length ends it.
        assert_eq!(record.outcome == "ok", kbps > 0.0, "{beside:?}: {}", record.outcome);
    }
}

/// Offsets of the links' anchors from the first one's, in their order in time.
fn offsets(peripherals: &str, spacing: &str, interval: Duration) -> Vec<u64> {
    let mut keys = zephyr("750us").to_vec();
    keys.extend([("ble.peripherals", peripherals), ("central.link_spacing", spacing), ("ble.conn_interval", "50ms")]);
    let mut watch = Watch::new(&keys);
    let openings = &watch.until(|seen| seen.delivered > 0).openings;
    let last = openings.last().expect("events have begun").start;
    let mut anchors = BTreeMap::new();
    for opening in openings.iter().filter(|opening| opening.start + interval * 2 > last) {
        anchors.insert(opening.link, opening.start);
    }
    let first = openings[0].start;
    let mut offsets: Vec<u64> =
        anchors.values().map(|anchor| ((*anchor - first) % interval).as_nanos() / 1_000).collect();
    offsets.sort_unstable();
    offsets
}

/// Zephyr v3.2 by itself puts each link 1636 us behind the one before it: there is room for no other between two of them.
#[test]
fn links_are_put_one_behind_the_other() {
    let interval = Duration::from_millis(50);
    for peripherals in [2, 3, 4, 8, 20] {
        let expected: Vec<u64> = (0..peripherals).map(|link| link * 1_636).collect();
        assert_eq!(offsets(&peripherals.to_string(), "1636us", interval), expected);
    }
}
