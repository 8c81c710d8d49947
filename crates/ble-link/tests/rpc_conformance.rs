//! The published checks over the virtual link, whoever calls and however.

use airtime_lab::run::record;

use crate::support;

const CHECKS: [&str; 9] = [
    "echo_basic",
    "echo_empty",
    "echo_max_length",
    "flash_read_basic",
    "flash_read_8kb",
    "data_write",
    "counter_stream",
    "counter_upload",
    "multi_container_echo",
];

fn checks(set: &[(&str, &str)]) -> Vec<(String, bool)> {
    let all = [&[("link", "ble-rpc"), ("rpc.suite", "conformance")][..], set].concat();
    let (plan, point) = support::plan(&all);
    let record = record(&plan, &point);
    assert_eq!(record.outcome, "ok", "{set:?}");
    let calls = record.calls.expect("checks were made");
    calls.checks.into_iter().map(|check| (check.name, check.passed)).collect()
}

#[test]
fn every_check_passes_whoever_calls_and_however() {
    for central in ["zephyr-ll", "macos", "iphone", "android-pixel"] {
        for (mode, transport, sealed) in [
            ("compatible", "gatt", "false"),
            ("compatible", "gatt", "true"),
            ("compatible", "coc", "false"),
            ("extended", "gatt", "false"),
            ("extended", "coc", "true"),
        ] {
            let set = [
                ("central.personality", central),
                ("rpc.mode", mode),
                ("rpc.transport", transport),
                ("rpc.encrypted", sealed),
            ];
            let mut found = checks(&set);
            found.sort();
            let mut expected = CHECKS.map(|name| (name.to_owned(), true));
            expected.sort();
            assert_eq!(found, expected, "{set:?}");
        }
    }
}

#[test]
fn one_check_can_be_all_that_counts() {
    assert_eq!(checks(&[("rpc.check", "echo_empty")]), [("echo_empty".to_owned(), true)]);
}
