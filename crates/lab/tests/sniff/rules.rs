//! Interval, rules and margins of a capture against the personalities of the run.

use airtime_ble::personality::{Budget, Controller};
use airtime_core::loss::Loss;
use airtime_lab::captured::CapturedLink;
use airtime_sniff::{Consistent, Rule, Stamps};

use super::capture::{Kept, capture, disturbed, explain, only};
use super::sweep::{Sweep, sweep};
use crate::support;

/// The rule of a controller, and its margin in µs.
fn truth(controller: &Controller) -> (Rule, f64) {
    let rule = match controller.budget {
        Budget::EmptyReply => Rule::EmptyReply,
        Budget::FullReply => Rule::FullReply,
    };
    (rule, controller.margin.as_nanos() as f64 / 1e3)
}

fn find(rules: &[Consistent], rule: Rule) -> &Consistent {
    rules.iter().find(|found| found.rule == rule).expect("every rule is reported")
}

fn personality(name: &str) -> Controller {
    let (_, point) = support::plan(&[("central.personality", name), ("ble.conn_interval", "30ms")]);
    support::ble(&point).central.controller
}

fn sniffed(kept: &[Kept], ppm: i64, lost: u64) -> CapturedLink {
    only(explain(&disturbed(kept, ppm, lost), Stamps::SNIFFER))
}

/// Personalities of central and peripheral, who streams, and whose margin is to be narrow: who ends the events.
const SWEPT: &[(&str, &str, [bool; 2], usize)] = &[
    ("zephyr-ll", "zephyr-ll", [false, true], 1),
    ("zephyr-ll", "zephyr-ll", [true, false], 0),
    ("zephyr-ll", "zephyr-ll", [true, true], 0),
    ("nordic-sdc", "nordic-sdc", [true, false], 0),
    ("nordic-sdc", "nordic-sdc", [false, true], 1),
    ("nordic-sdc", "zephyr-ll", [false, true], 0),
];

#[test]
fn swept_lengths_give_the_margin_to_20_us() {
    for (central, peripheral, streams, ends) in SWEPT {
        for (units, ppm, lost) in [(6, 50, 0), (12, -50, 0), (12, 50, 20), (40, 50, 0)] {
            let devices = [personality(central), personality(peripheral)];
            let kept = sweep(Sweep {
                central: devices[0],
                peripheral: devices[1],
                interval: units,
                streams: *streams,
                loss: Loss::None,
                seconds: 20,
            });
            let link = sniffed(&kept, ppm, lost);
            let case = format!("{central} {peripheral} {streams:?} {units} {ppm} {lost}\n{:#?}", link.says);
            assert_eq!(link.explained.intervals.len(), 1, "{case}");
            assert_eq!(link.explained.intervals[0].interval_ns, u64::from(units) * 1_250_000, "{case}");
            for (side, rules) in [&link.explained.central, &link.explained.peripheral].into_iter().enumerate() {
                let (rule, margin) = truth(&devices[side]);
                let found = find(rules, rule);
                assert!(found.contains(margin), "{side} {found:?}\n{case}");
                if side == *ends {
                    let width = found.width().unwrap_or_else(|| panic!("{side} {found:?}\n{case}"));
                    assert!(width <= 20.0, "{side} {found:?}\n{case}");
                }
            }
        }
    }
}

/// Where all PDUs have one length, the events tell an interval and no more, and that is said.
#[test]
fn a_fixed_length_gives_an_interval_with_the_margin_in_it() {
    let credits = ("coc.credits", "zephyr-seg-recv");
    for (central, peripheral, direction) in [
        ("zephyr-ll", "zephyr-ll", "p2c"),
        ("zephyr-ll", "zephyr-ll", "c2p"),
        ("nordic-sdc", "nordic-sdc", "c2p"),
        ("nordic-sdc", "nordic-sdc", "p2c"),
        ("nordic-sdc", "nordic-sdc", "both"),
        ("zephyr-ll", "zephyr-ll", "both"),
    ] {
        for interval in ["7.5ms", "11.25ms", "15ms", "50ms"] {
            for (loss, missed) in [("{ per = 0.000001 }", 0), ("{ per = 0.03 }", 0), ("{ per = 0.01 }", 20)] {
                let capture = capture(&[
                    ("central.personality", central),
                    ("peripheral.personality", peripheral),
                    ("ble.direction", direction),
                    ("ble.conn_interval", interval),
                    ("ble.loss", loss),
                    ("coc.sdu", "245"),
                    ("run.duration", "30s"),
                    credits,
                ]);
                let link = sniffed(&capture.kept, -50, missed);
                let case = format!("{central} {direction} {interval} {loss} {missed}: {:#?}", link.says);
                let devices = [capture.scenario.central.controller, capture.scenario.peripheral.controller];
                for (device, rules) in devices.iter().zip([&link.explained.central, &link.explained.peripheral]) {
                    let (rule, margin) = truth(device);
                    let found = find(rules, rule);
                    assert!(found.contains(margin), "{found:?}\n{case}");
                }
                let ends = usize::from(direction != "c2p");
                let found = find([&link.explained.central, &link.explained.peripheral][ends], truth(&devices[ends]).0);
                let wide = found.width().is_some_and(|width| width > 20.0);
                assert!(
                    wide == link.says.iter().any(|says| says.contains("an interval of")) || !wide,
                    "{found:?}\n{case}"
                );
                let (name, says) = (["The central", "The peripheral"][ends], &link.says);
                assert!(says.iter().any(|says| says.starts_with(name)), "{case}");
            }
        }
    }
}

#[test]
fn a_cap_of_time_is_found_and_a_count_is_excluded() {
    for (interval, units) in [("15ms", 12), ("30ms", 24)] {
        let capture = capture(&[
            ("central.personality", "macos"),
            ("ble.conn_interval", interval),
            ("coc.sdu", "371"),
            ("run.duration", "8s"),
        ]);
        let link = sniffed(&capture.kept, 50, 0);
        let cap = find(&link.explained.central, Rule::TimeCap);
        assert!(cap.contains(5_500.0), "{cap:?}\n{:#?}", link.says);
        assert!(!find(&link.explained.central, Rule::PacketCap).possible, "{:?}", link.explained.central);
        assert_eq!(link.explained.intervals.last().map(|last| last.interval_ns), Some(units * 1_250_000));
        assert!(link.record.counters.get("event_end.cap").is_some_and(|events| *events > 100));
    }
}

#[test]
fn a_peripheral_that_announces_beyond_a_full_exchange_has_no_full_reply() {
    let capture = capture(&[("coc.credits", "zephyr-seg-recv"), ("ble.conn_interval", "15ms"), ("run.duration", "6s")]);
    let link = sniffed(&capture.kept, 0, 0);
    let full = find(&link.explained.peripheral, Rule::FullReply);
    assert!(!full.possible && full.says.contains("too late"), "{full:?}");
    assert!(find(&link.explained.peripheral, Rule::EmptyReply).possible);
}
