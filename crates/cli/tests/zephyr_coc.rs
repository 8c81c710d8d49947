//! `firmware/zephyr-coc` as scripts see it: its build is checked, and its plan is what it does.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../firmware/zephyr-coc")
}

fn file(name: &str) -> String {
    fs::read_to_string(folder().join(name)).unwrap()
}

/// Document of `arguments`, given in a folder that has bench.toml and `prj.conf` with this text.
fn document(configuration: &str, code: i32, arguments: &[&str]) -> Value {
    let place = tempfile::tempdir().unwrap();
    fs::write(place.path().join("prj.conf"), configuration).unwrap();
    fs::write(place.path().join("bench.toml"), file("bench.toml")).unwrap();
    let mut command = Command::new(env!("CARGO_BIN_EXE_airtime"));
    let output = command.args(arguments).arg("--json").current_dir(place.path()).output().unwrap();
    assert_eq!(output.status.code(), Some(code), "{arguments:?}: {}", str::from_utf8(&output.stderr).unwrap());
    serde_json::from_slice(&output.stdout).unwrap()
}

/// The record of bench.toml with what is `set`, and built with `configuration` where there is one.
fn record(configuration: Option<&str>, set: &[&str]) -> Value {
    let built: &[&str] = if configuration.is_some() { &["--prj-conf", "prj.conf"] } else { &[] };
    let set = set.iter().flat_map(|pair| ["--set", *pair]);
    let arguments: Vec<&str> = ["run", "bench.toml", "--set", "run.duration=20s"]
        .into_iter()
        .chain(set)
        .chain(built.iter().copied())
        .collect();
    document(configuration.unwrap_or_default(), 0, &arguments)["records"][0].take()
}

fn kbps(record: &Value) -> f64 {
    record["goodput_kbps"]["median"].as_f64().unwrap()
}

fn lines_without(text: &str, option: &str) -> String {
    text.lines().filter(|line| !line.starts_with(option)).flat_map(|line| [line, "\n"]).collect()
}

#[test]
fn the_build_of_either_role_has_no_hazard_and_says_its_figure() {
    let prj = file("prj.conf");
    let used = |found: &Value, option: &str| {
        let lines = found["lines"].as_array().unwrap();
        lines.iter().any(|line| line["option"] == option && line["fate"] == "used")
    };
    for board in ["peripheral", "central"] {
        let found = document(&prj, 0, &["check", "prj.conf", "--board", board]);
        assert!(found["findings"].as_array().unwrap().iter().all(|finding| finding["weight"] == "note"), "{found}");
        assert!(used(&found, "CONFIG_BT_BUF_ACL_TX_COUNT") && used(&found, "CONFIG_BT_CTLR_DATA_LENGTH_MAX"));
        let figures = found["block"]["gains"].as_array().unwrap();
        assert_eq!(figures.len(), 2, "both ways: {figures:?}");
        assert!(
            figures.iter().all(|of| of["before_kbps"] == of["after_kbps"] && of["after_kbps"].as_f64() > Some(1e3))
        );
        let nordic = format!("{prj}{}", file("nordic.conf"));
        let found = document(&nordic, 0, &["check", "prj.conf", "--board", board, "--no-runs"]);
        assert!(used(&found, "CONFIG_BT_CTLR_SDC_TX_PACKET_COUNT") && !used(&found, "CONFIG_BT_CTLR_RX_BUFFERS"));
    }
    document(&lines_without(&prj, "CONFIG_BT_BUF_ACL_TX_SIZE"), 3, &["check", "prj.conf", "--no-runs"]);
}

#[test]
fn the_plan_is_what_the_build_comes_to() {
    let prj = file("prj.conf");
    let (planned, built) = (record(None, &[]), record(Some(&prj), &[]));
    assert_eq!(kbps(&planned).to_bits(), kbps(&built).to_bits(), "{} and {}", kbps(&planned), kbps(&built));
    for key in ["acl.count", "acl.size", "coc.mps", "coc.tx_buffers", "ble.data_length", "ble.auto_interval"] {
        assert_eq!(planned["params"][key], built["params"][key], "{key}");
    }
    let short = record(Some(&lines_without(&prj, "CONFIG_BT_BUF_ACL_TX_SIZE")), &[]);
    assert!(kbps(&short) < kbps(&built), "a line less is another figure");
}

#[test]
fn what_the_images_have_by_default_is_what_the_plan_says() {
    let mut defaults: BTreeMap<String, String> = BTreeMap::new();
    let (text, mut option) = (file("Kconfig"), String::new());
    for line in text.lines() {
        if let Some(name) = line.strip_prefix("config ") {
            option = name.to_owned();
        } else if let Some(value) = line.strip_prefix("\tdefault ") {
            defaults.insert(option.clone(), value.trim_matches('"').to_owned());
        }
    }
    let run = document("", 0, &["run", "bench.toml"]);
    let params = &run["records"][0]["params"];
    for (option, key, unit) in [
        ("AIRTIME_SDU", "coc.sdu", ""),
        ("AIRTIME_IN_FLIGHT", "coc.in_flight", ""),
        ("AIRTIME_MTU", "coc.mtu", ""),
        ("AIRTIME_CREDITS", "coc.credits.initial", ""),
        ("AIRTIME_CREDITS", "coc.credits.on_connect", ""),
        ("AIRTIME_CONN_INTERVAL_US", "ble.conn_interval", "us"),
        ("AIRTIME_SCAN_TIMEOUT_S", "ble.scan_timeout", "s"),
        ("AIRTIME_WARMUP_S", "run.warmup", "s"),
        ("AIRTIME_DURATION_S", "run.duration", "s"),
    ] {
        let (said, value) = (params[key].to_string(), format!("{}{unit}", defaults[option]));
        let said = said.trim_matches('"').replace("15ms", "15000us");
        assert_eq!(said, value, "{option} and {key}");
    }
    let name = params["ble.name"].as_str().unwrap();
    assert!(file("prj.conf").contains(&format!("CONFIG_BT_DEVICE_NAME=\"{name}\"")));
    assert_eq!(run["plan"].as_str(), defaults.get("AIRTIME_PLAN").map(String::as_str));
}

/// Both images with Zephyr v3.2 in BabbleSim, as README.md has them: RESULT of the central, which gives the host's own credits.
#[test]
fn the_lab_predicts_what_the_images_did_in_babblesim() {
    let build = [
        "central.personality=zephyr-ll-v3.2",
        "peripheral.personality=zephyr-ll-v3.2",
        "coc.credits=zephyr-v3.2-alloc-buf",
    ];
    for (interval, mtu, measured) in
        [("7.5ms", 2_000, 1_049.6), ("15ms", 2_000, 1_312.0), ("30ms", 2_000, 1_312.0), ("15ms", 492, 131.1)]
    {
        let (interval, mtu) = (format!("ble.conn_interval={interval}"), format!("coc.mtu={mtu}"));
        let record = record(Some(&file("prj.conf")), &[&build[..], &[&interval, &mtu]].concat());
        let apart = (kbps(&record) - measured).abs() / measured;
        // What is counted begins and ends in the middle of an event, of 15 ms in 18 s.
        assert!(apart < 0.001, "{interval}, {mtu}: {} of {measured}", kbps(&record));
    }
}
