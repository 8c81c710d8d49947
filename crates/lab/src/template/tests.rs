//! Every link with every device.

use std::collections::BTreeSet;

use airtime_testing::Tenth;

use super::*;

fn parsed(text: &str) -> Plan {
    Plan::parse("own.toml", text, &Library::builtin(), &[]).unwrap_or_else(|error| panic!("{error}\n{text}"))
}

/// Every choice of devices for `link`: one of them at a time differs from the default.
fn choices(link: &str) -> Vec<Vec<(&'static str, String)>> {
    let library = Library::builtin();
    let mut choices = vec![Vec::new()];
    for key in devices(link) {
        let fits = |name: &&str| {
            Plan::parse("", &format!("link = \"{link}\"\n{} = \"{name}\"\n", key.name), &library, &[]).is_ok()
        };
        choices.extend(library.names().into_iter().filter(fits).map(|name| vec![(key.name, name.to_owned())]));
    }
    choices
}

fn written(link: &str, devices: &[(&'static str, String)]) -> String {
    let devices: Vec<(&str, &str)> = devices.iter().map(|(key, name)| (*key, name.as_str())).collect();
    template("own.toml", link, &devices, &Library::builtin()).unwrap()
}

#[test]
fn every_plan_runs_as_it_is_written() {
    // Plans with the devices of the default, and a tenth of the others: each is run to be written, and once more.
    let mut tenth = Tenth::new();
    for link in links() {
        for devices in choices(link) {
            if !devices.is_empty() && !tenth.takes() {
                continue;
            }
            let plan = parsed(&written(link, &devices));
            let point = plan.point(0).unwrap();
            assert_eq!(point.scenario.link(), link);
            for (key, name) in &devices {
                assert_eq!(point.scenario.params.get(key).unwrap(), name.as_str());
            }
            // As it is written, but for the time that takes; calls end when they have been made.
            let (key, shorter) = if link == "ble-rpc" { ("rpc.calls", "20") } else { ("run.duration", "2s") };
            let point = plan.vary(&point, &[(key.to_owned(), shorter.into())]).unwrap_or(point);
            let record = record(&plan, &point);
            assert!(record.outcome.starts_with("ok"), "{link} {devices:?}: {}", record.outcome);
            assert_eq!(limiting_default(&plan, &point, &record, &|| false), None, "{link} {devices:?}");
            let trapped = record.bottleneck.account == "idle.credits" && record.goodput_kbps.median < 100.0;
            assert!(!trapped, "{link} {devices:?}: {:?}", record.bottleneck);
        }
    }
}

#[test]
fn a_line_without_its_mark_is_the_same_scenario() {
    for link in links() {
        let text = written(link, &[]);
        let base = parsed(&text).point(0).unwrap().scenario;
        let mut tried = 0;
        for (number, line) in text.lines().enumerate() {
            let is_value = line.strip_prefix('#').is_some_and(|rest| !rest.starts_with(' ') && !rest.is_empty());
            if !is_value || line.ends_with("# not set") {
                continue;
            }
            let mut lines: Vec<&str> = text.lines().collect();
            lines[number] = &line[1..];
            let scenario = parsed(&lines.join("\n")).point(0).unwrap().scenario;
            assert_eq!(scenario.params, base.params, "{link}: {line}");
            tried += 1;
        }
        assert!(tried > 10, "{link}: {tried}");
    }
}

#[test]
fn every_key_of_a_link_has_a_line_and_an_owner() {
    for link in links() {
        let text = written(link, &[]);
        let lines: BTreeSet<&str> = text.lines().map(|line| line.trim_start_matches('#')).collect();
        for key in KEYS.iter().filter(|key| is_shown(key, link)) {
            let begin = format!("{} =", key.last());
            assert!(lines.iter().any(|line| line.starts_with(&begin)), "{link}: {}", key.name);
        }
        assert!(text.lines().all(|line| line.chars().count() <= 120), "{link}");
    }
}

#[test]
fn the_trap_of_one_credit_is_left_and_said() {
    let text = written("ble-coc", &[]);
    assert!(text.contains("\ncredits = \"batched\"\n"), "{text}");
    assert!(text.replace("\n# ", " ").contains("hands out one credit at a time"), "{text}");
    assert!(!written("ble-coc", &[("central.personality", "macos".to_owned())]).contains("# Set, for the default"));
}

#[test]
fn what_there_is_not_is_told() {
    let of = |link: &str, devices: &[(&str, &str)]| {
        template("own.toml", link, devices, &Library::builtin()).unwrap_err().to_string()
    };
    assert!(of("ble-cok", &[]).contains("ble-coc"));
    assert!(of("ble-coc", &[("central.personality", "ifone")]).contains("iphone"));
    assert!(of("nrf24-ip", &[("central.personality", "iphone")]).contains("means nothing"));
}
