//! ESP-NOW: figures that follow from the frame, what losses cost, and whose time is booked where.

use airtime_lab::Record;
use airtime_wifi::plan::Scenario;
use airtime_wifi::run::run_espnow;

use super::recorded;
use crate::support;

const ESP_NOW: [(&str, &str); 3] = [("hosted.bus", "none"), ("traffic.kind", "esp-now"), ("run.duration", "10s")];
const MEAN: (&str, &str) = ("wifi.backoff", "mean");
const BROADCAST: (&str, &str) = ("espnow.to", "broadcast");

fn of(set: &[(&str, &str)]) -> Record {
    recorded(&[&ESP_NOW[..], set].concat())
}

fn kbps(set: &[(&str, &str)]) -> f64 {
    of(&[&[MEAN], set].concat()).goodput_kbps.median
}

fn share(record: &Record, account: &str) -> f64 {
    record.steady_ledger_ns.get(account).copied().unwrap_or(0) as f64 / record.steady_ns as f64
}

/// SIFS 10 and two slots of 9, half of three slots of backoff, a frame of 293 octets behind 192 us of preamble; of unicast SIFS and an
/// acknowledgement of 14 octets. Eight seconds have 2767 and 3104 of them.
#[test]
fn the_default_rate_is_the_arithmetic_of_its_frame() {
    let broadcast_us = 28.0 + 13.5 + 192.0 + 293.0 * 8.0;
    let unicast_us = broadcast_us + 10.0 + 192.0 + 14.0 * 8.0;
    let (unicast, broadcast) = (kbps(&[]), kbps(&[BROADCAST]));
    assert_eq!((format!("{unicast:.1}"), format!("{broadcast:.1}")), ("691.8".into(), "776.0".into()));
    for (found, cycle_us) in [(unicast, unicast_us), (broadcast, broadcast_us)] {
        assert!((found - 2_000e3 / cycle_us).abs() < 2_000.0 / 8e3, "{found} and {cycle_us}");
    }
}

/// Standard, rate index, microseconds of a frame of 293 octets, and of its acknowledgement.
#[test]
fn every_rate_is_the_arithmetic_of_its_frame() {
    let rows: [(&str, &str, &str, u64, u64); 6] = [
        ("b", "0", "1M", 192 + 2_344, 192 + 112),
        ("b", "3", "11M", 192 + 214, 192 + 11),
        // 2344 + 22 bits in symbols of 24 and 216 bits, and 6 us of signal extension.
        ("g", "0", "6M", 20 + 99 * 4 + 6, 20 + 6 * 4 + 6),
        ("g", "7", "24M", 20 + 11 * 4 + 6, 20 + 2 * 4 + 6),
        ("n", "4", "24M", 36 + 16 * 4 + 6, 20 + 2 * 4 + 6),
        ("n", "0", "6M", 36 + 91 * 4 + 6, 20 + 6 * 4 + 6),
    ];
    for (standard, mcs, response, frame, ack) in rows {
        let set = [("wifi.standard", standard), ("wifi.mcs", mcs), ("wifi.ba_rate", response)];
        let guard = [("wifi.guard_interval", "800ns")];
        let guard = if standard == "n" { &guard[..] } else { &[] };
        for (to, more) in [("broadcast", 0), ("unicast", 10 + ack)] {
            let found = kbps(&[&set[..], guard, &[("espnow.to", to)]].concat());
            let cycle_us = 41.5 + (frame + more) as f64;
            assert!((found - 2_000e3 / cycle_us).abs() < 0.3, "{standard} {mcs} {to}: {found} and {cycle_us}");
        }
    }
}

#[test]
fn a_body_of_version_2_pays_for_an_element_each_250_octets() {
    // 24 and 8 octets, six elements with 7 besides their bodies, and the check.
    let frame = 24 + 8 + 6 * 7 + 1_470 + 4;
    let cycle_us = 41.5 + f64::from(192 + frame * 8) + 10.0 + 304.0;
    let found = kbps(&[("traffic.payload", "1470")]);
    assert!((found - 1_470.0 * 8e3 / cycle_us).abs() < 1.5, "{found} and {cycle_us}");
    let sealed = kbps(&[("espnow.encrypted", "true")]);
    assert!((sealed - 2_000e3 / (2_891.5 + 16.0 * 8.0)).abs() < 0.3, "{sealed}");
}

/// The next call follows the callback of the last: its time is added to each frame, and is the sender's. With two under way it lies beside the air.
#[test]
fn the_call_is_paid_for_by_the_frame_unless_another_is_under_way() {
    let call = [("espnow.call", "500us"), MEAN];
    let one = of(&call);
    // A backoff of 1.5 slots was over long before, and EDCA begins at boundaries of slots behind AIFS: 28 and 53 slots are 505 us.
    let cycle_us = 505.0 + 2_536.0 + 314.0;
    assert!((one.goodput_kbps.median - 2_000e3 / cycle_us).abs() < 0.3, "{}", one.goodput_kbps.median);
    assert!(share(&one, "idle.cpu") > 0.14 && one.bottleneck.says.contains("500us a frame"), "{}", one.bottleneck.says);
    let two = of(&[&call[..], &[("espnow.in_flight", "2")]].concat());
    assert_eq!(format!("{:.1}", two.goodput_kbps.median), "691.8");
    assert_eq!(two.steady_ledger_ns.get("idle.cpu").copied().unwrap_or(0), 0);
}

#[test]
fn books_name_the_frame_and_what_is_around_it() {
    let found = of(&[MEAN]);
    let us = |account: &str| share(&found, account) * 2_891.5;
    for (account, expected) in [
        ("payload.up", 2_000.0),
        ("mac", 43.0 * 8.0),
        ("preamble", 192.0),
        ("block_ack", 304.0),
        ("ifs", 28.0 + 10.0),
        ("backoff", 13.5),
    ] {
        assert!((us(account) - expected).abs() < 1.5, "{account}: {} and {expected}", us(account));
    }
    assert!(found.bottleneck.says.contains("a frame of 293 octets lasts 2.536ms"), "{}", found.bottleneck.says);
    assert_eq!(found, of(&[MEAN]), "the same again");
}

#[test]
fn what_is_offered_is_what_arrives_while_it_fits() {
    let found = of(&[("traffic.offered", "200kbps")]);
    assert!((found.goodput_kbps.median - 200.0).abs() < 0.3, "{}", found.goodput_kbps.median);
    assert!(share(&found, "idle.app") > 0.6);
    // Both begin at the same instants and collide each time; few frames are given up for it, and nobody stands still.
    let both = of(&[("traffic.direction", "both"), ("traffic.offered", "200kbps")]);
    assert!((360.0..=400.3).contains(&both.goodput_kbps.low), "{:?}", both.goodput_kbps);
    assert!(both.counters.get("espnow.send_fail").is_some_and(|failed| *failed < 100), "{:?}", both.counters);
}

/// A broadcast that is lost is lost; a unicast is sent again, seven times at most, and its callback says so.
#[test]
fn losses_are_those_of_the_closed_form() {
    let loss = [("wifi.loss", "{ per = 0.3 }"), ("wifi.cw_max", "15")];
    let mean_of = |to: &str| {
        let set = [("espnow.to", to), ("run.duration", "3s"), ("run.warmup", "1s")];
        let (_, point) = support::plan(&[&[("link", "wifi-hosted")], &ESP_NOW[..2], &loss[..1], &set].concat());
        let scenario = point.scenario.of::<Scenario>().unwrap();
        let seeds = if airtime_testing::is_whole() { 1_000 } else { 100 };
        let octets: Vec<f64> = (0..seeds)
            .map(|seed| {
                let (outcome, ()) = run_espnow(scenario, seed, (), &|| false);
                let counts = outcome.counts;
                assert_eq!(counts.failed, counts.sent.min(counts.failed));
                if to == "broadcast" {
                    assert!(counts.unheard > 100 && counts.failed == 0, "{counts:?}");
                }
                counts.octets[0] as f64
            })
            .collect();
        let count = octets.len() as f64;
        let mean = octets.iter().sum::<f64>() / count;
        let variance = octets.iter().map(|octets| (octets - mean).powi(2)).sum::<f64>() / (count - 1.0);
        (mean * 8.0 / 2e3, (variance / count).sqrt() * 8.0 / 2e3)
    };
    let (found, error) = mean_of("broadcast");
    let expected = 0.7 * 2_000e3 / 2_577.5;
    assert!((found - expected).abs() < 3.0 * error + 0.1, "{found} ± {error} and {expected}");
    // An attempt without an answer takes the response timeout and AIFS: SIFS 10, a slot 9, 192 until a PPDU is known, and 28; its backoff is from a
    // window of 7, that of AC_VO's second one and all after it, and of 3 again after the seventh.
    let p: f64 = 0.3;
    let (mut time, mut reached) = (0.0, 1.0);
    for attempt in 0..7 {
        let window = if attempt == 0 { 3.0 } else { 7.0 };
        let space = if attempt == 0 { 28.0 } else { 10.0 + 9.0 + 192.0 + 28.0 };
        time += reached * (space + window / 2.0 * 9.0 + 2_536.0);
        reached *= p;
    }
    // Behind the last of seven failures the next frame waits for the timeout as well, instead of a response.
    time += (1.0 - reached) * 314.0 + reached * (10.0 + 9.0 + 192.0);
    let expected = (1.0 - reached) * 2_000e3 / time;
    let (found, error) = mean_of("unicast");
    assert!((found - expected).abs() < 3.0 * error + 0.1, "{found} ± {error} and {expected}");
}
