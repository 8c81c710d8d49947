//! `airtime check` as scripts see it.

use std::fs;
use std::process::{Command, Output};

use serde_json::Value;

use crate::schema;

fn check(name: &str, text: &str, more: &[&str]) -> Output {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join(name), text).unwrap();
    let mut command = Command::new(env!("CARGO_BIN_EXE_airtime"));
    command.arg("check").arg(name).args(more).current_dir(folder.path()).output().unwrap()
}

fn json(output: &Output, code: i32) -> Value {
    assert_eq!(output.status.code(), Some(code), "{}", str::from_utf8(&output.stderr).unwrap());
    serde_json::from_slice(&output.stdout).unwrap()
}

#[test]
fn a_hazard_ends_with_three_and_is_shown_by_runs() {
    let text = "CONFIG_LWIP_TCP_SND_BUF_DEFAULT=65534\nCONFIG_LWIP_TCP_WND_DEFAULT=65534\nCONFIG_LWIP_TCP_RECVMBOX_SIZE=64\n\
                CONFIG_LWIP_TCP_RTO_TIME=300\n";
    let found = json(&check("sdkconfig.defaults", text, &["--json"]), 3);
    let hazard =
        found["findings"].as_array().unwrap().iter().find(|finding| finding["key"] == "CONFIG_LWIP_TCP_RTO_TIME");
    let hazard = hazard.unwrap();
    assert_eq!((&hazard["line"], &hazard["column"]), (&Value::from(4), &Value::from(1)));
    assert_eq!(hazard["advice"], "CONFIG_LWIP_TCP_RTO_TIME=1500");
    schema::conforms(&found, include_str!("../../../schemas/check.schema.json"));
    assert!(hazard["run"]["timeouts_before"].as_u64() > hazard["run"]["timeouts_after"].as_u64());
}

#[test]
fn notes_alone_end_with_nought() {
    let text = "CONFIG_LWIP_TCP_SND_BUF_DEFAULT=65534\nCONFIG_LWIP_TCP_WND_DEFAULT=65534\nCONFIG_LWIP_TCP_RECVMBOX_SIZE=64\n\
                CONFIG_WIFI_RMT_TX_BA_WIN=32\n";
    let found = json(&check("sdkconfig", text, &["--json", "--no-runs"]), 0);
    schema::conforms(&found, include_str!("../../../schemas/check.schema.json"));
    assert!(found["findings"].as_array().unwrap().iter().all(|finding| finding["weight"] == "note"));
}

#[test]
fn other_files_are_checked_for_what_they_are() {
    let found = json(&check("idf_component.yml", "dependencies:\n  espressif/esp_hosted: '*'\n", &["--json"]), 3);
    assert_eq!((&found["findings"][0]["line"], &found["findings"][0]["column"]), (&Value::from(2), &Value::from(3)));
    assert_eq!(check("plan.toml", "link = \"nrf24-ip\"\n", &[]).status.code(), Some(0));
    let output = check("plan.toml", "[run]\nduraton = \"1s\"\n", &[]);
    assert!(output.status.code() == Some(2) && str::from_utf8(&output.stderr).unwrap().contains("plan.toml:2:1"));
    let output = check("sdkconfig", "CONFIG_A=1\nhello\n", &[]);
    assert!(output.status.code() == Some(2) && str::from_utf8(&output.stderr).unwrap().contains("sdkconfig:2:1"));
}

const SHORT_PACKETS: &str = "CONFIG_BT=y\nCONFIG_BT_PERIPHERAL=y\nCONFIG_BT_BUF_ACL_TX_COUNT=10\n";

#[test]
fn a_configuration_of_zephyr_is_checked_and_its_block_ends_the_hazards() {
    let found = json(&check("prj.conf", SHORT_PACKETS, &["--json"]), 3);
    schema::conforms(&found, include_str!("../../../schemas/check.schema.json"));
    let used = found["lines"].as_array().unwrap().iter().find(|line| line["option"] == "CONFIG_BT_BUF_ACL_TX_COUNT");
    assert_eq!((&used.unwrap()["fate"], &used.unwrap()["line"]), (&Value::from("used"), &Value::from(3)));
    let gains = found["block"]["gains"].as_array().unwrap();
    assert!(gains.len() == 2 && gains.iter().all(|gain| gain["after_kbps"].as_f64() > gain["before_kbps"].as_f64()));
    let lines = |found: &Value| -> Vec<String> {
        found["block"]["lines"].as_array().unwrap().iter().map(|line| line.as_str().unwrap().to_owned()).collect()
    };
    let pasted = format!("{SHORT_PACKETS}{}\n", lines(&found).join("\n"));
    let after = json(&check("prj.conf", &pasted, &["--json", "--no-runs"]), 0);
    assert!(lines(&after).is_empty(), "{after}");
    let output = check("prj.conf", "CONFIG_BT=y\nBT_SMP=y\n", &[]);
    assert!(output.status.code() == Some(2) && str::from_utf8(&output.stderr).unwrap().contains("prj.conf:2:1"));
}

/// `airtime check` and the command that it names are of the same runs, to the last digit, and propose the same lines.
fn agrees(name: &str, text: &str) {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join(name), text).unwrap();
    let airtime = |arguments: &[&str]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_airtime"));
        command.args(arguments).arg("--json").current_dir(folder.path()).output().unwrap()
    };
    let found = json(&airtime(&["check", name]), 3);
    let lines: Vec<&str> = found["block"]["lines"].as_array().unwrap().iter().filter_map(Value::as_str).collect();
    let gains = found["block"]["gains"].as_array().unwrap();
    assert!(!gains.is_empty(), "{text}");
    for gain in gains {
        let command: Vec<&str> = gain["explain"].as_str().unwrap().split(' ').skip(1).collect();
        let explained = json(&airtime(&command), 0);
        assert_eq!(explained["goodput_kbps"], gain["before_kbps"], "{command:?}");
        let limit = explained["limit"]["goodput_kbps"].as_f64().unwrap();
        let after = gain["after_kbps"].as_f64().unwrap();
        assert!(limit >= after * 0.98, "{command:?}: {limit} of {after}, {}", explained["ladder"]);
        // What the one has a line for, the other has as well, and with no less.
        let blocks = explained["paste"].as_array().unwrap().iter().flat_map(|block| block["lines"].as_array().unwrap());
        for (option, value) in blocks.filter_map(|line| line.as_str()?.split_once('=')) {
            let other = lines.iter().find_map(|line| line.strip_prefix(option)?.strip_prefix('='));
            let numbers = other.map(|other| (other.parse::<u64>().ok(), value.parse::<u64>().ok()));
            assert!(
                numbers.is_none_or(|(other, value)| other == value || other.is_some() && value >= other),
                "{option}: {value}, {other:?}"
            );
        }
    }
}

#[test]
fn a_check_and_an_explanation_are_of_the_same_runs() {
    agrees("prj.conf", SHORT_PACKETS);
    let short = "CONFIG_BT=y\nCONFIG_BT_CENTRAL=y\nCONFIG_BT_L2CAP_TX_MTU=247\nCONFIG_BT_BUF_ACL_RX_SIZE=251\n\
                 CONFIG_BT_BUF_ACL_TX_SIZE=27\nCONFIG_BT_CTLR_DATA_LENGTH_MAX=27\n";
    agrees("prj.conf", short);
    agrees(
        "sdkconfig.defaults",
        "CONFIG_IDF_TARGET=\"esp32p4\"\nCONFIG_LWIP_TCP_SND_BUF_DEFAULT=5760\nCONFIG_LWIP_TCP_RTO_TIME=300\n",
    );
}

#[test]
fn comma_separated_values_have_the_reasons_and_what_lines_set() {
    let output = check("prj.conf", SHORT_PACKETS, &["--csv", "--no-runs"]);
    let text = str::from_utf8(&output.stdout).unwrap();
    let mut rows = text.lines();
    assert_eq!(rows.next(), Some("what,line,column,option,value,instead,why,source,before_kbps,after_kbps"));
    for begin in
        ["hazard,0,0,CONFIG_BT_CTLR_DATA_LENGTH_MAX,", "used,3,1,CONFIG_BT_BUF_ACL_TX_COUNT,10,", "paste,,,CONFIG_BT_"]
    {
        assert!(text.lines().any(|row| row.starts_with(begin)), "{begin} in {text}");
    }
    assert!(rows.all(|row| row.split(',').count() >= 10), "{text}");
}

#[test]
fn a_board_is_the_end_that_is_asked_for_without_a_plan() {
    let text = "CONFIG_BT=y\nCONFIG_BT_CENTRAL=y\nCONFIG_BT_PERIPHERAL=y\nCONFIG_BT_CTLR_TX_BUFFERS=2\n";
    let of = |more: &[&str]| json(&check("prj.conf", text, &[&["--json"], more].concat()), 3);
    let gains = |found: &Value| found["block"]["gains"].as_array().unwrap()[0]["of"].as_str().unwrap().to_owned();
    let (peripheral, central) = (of(&[]), of(&["--board", "central"]));
    assert!(gains(&peripheral).contains("notifications") && gains(&central).contains("write commands"));
    let asks = |found: &Value| found["findings"].to_string().contains("asks for an interval");
    assert!(asks(&peripheral) && !asks(&central));
    schema::conforms(&central, include_str!("../../../schemas/check.schema.json"));
    assert_eq!(central["block"]["gone"][0]["instead"], "CONFIG_BT_BUF_ACL_TX_COUNT=2");
    // A file that builds a central alone says so itself.
    let alone = check("prj.conf", &text.replace("CONFIG_BT_PERIPHERAL=y\n", ""), &["--json"]);
    assert_eq!(gains(&json(&alone, 3)), gains(&central));
    let output = check("plan.toml", "link = \"ble-gatt\"\n", &["--board", "central"]);
    assert!(output.status.code() == Some(2) && str::from_utf8(&output.stderr).unwrap().contains("--prj-conf"));
}

/// As the nRF5 SDK's examples have it, shortened.
const SDK_CONFIG: &str = "#ifndef SDK_CONFIG_H\n#define SDK_CONFIG_H\n#ifndef NRF_SDH_BLE_GAP_DATA_LENGTH\n#define NRF_SDH_BLE_GAP_DATA_LENGTH 27\n\
                          #endif\n#define NRF_SDH_BLE_GAP_EVENT_LENGTH 6\n#define NRF_SDH_BLE_GATT_MAX_MTU_SIZE 247\n#endif\n";

#[test]
fn a_header_of_the_nrf5_sdk_and_values_of_mynewt_are_checked() {
    let found = json(&check("sdk_config.h", SDK_CONFIG, &["--json"]), 3);
    schema::conforms(&found, include_str!("../../../schemas/check.schema.json"));
    assert_eq!(found["findings"][1]["advice"], "#define NRF_SDH_BLE_GAP_DATA_LENGTH 251", "{}", found["findings"]);
    let sets: Vec<_> = found["lines"].as_array().unwrap().iter().map(|line| line["sets"][0].clone()).collect();
    let expected = ["ble.data_length=27".into(), Value::from("peripheral.event_length=7.5ms"), "gatt.mtu=247".into()];
    assert!(expected.iter().all(|set| sets.contains(set)), "{sets:?}");
    let found = json(&check("syscfg.yml", "syscfg.vals:\n    BLE_ATT_PREFERRED_MTU: 247\n", &["--json"]), 0);
    assert_eq!(found["lines"][0]["sets"][0], "gatt.mtu=247");
    let output = check("sdk_config.h", "// nothing\n", &[]);
    assert_eq!(output.status.code(), Some(2));
}

#[test]
fn a_chip_with_a_radio_of_its_own_is_no_host_of_esp_hosted() {
    let text = "CONFIG_IDF_TARGET=\"esp32s3\"\nCONFIG_BT_NIMBLE_ENABLED=y\nCONFIG_BT_NIMBLE_ATT_PREFERRED_MTU=200\n\
                CONFIG_BT_NIMBLE_MSYS_1_BLOCK_COUNT=24\n";
    let found = json(&check("sdkconfig", text, &["--json"]), 0);
    assert_eq!(found["findings"], Value::Array(Vec::new()));
    assert_eq!(found["lines"][2]["sets"][0], "gatt.mtu=200");
    assert_eq!(found["lines"][3]["sets"][0], "gatt.mbufs=24");
}
