//! One's own case: plans that `new` writes, build configurations, and the default of one credit.

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use serde_json::Value;

fn airtime(folder: &Path, words: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_airtime")).args(words).current_dir(folder).output().unwrap()
}

fn said(output: &Output) -> (Option<i32>, String, String) {
    let text = |bytes: &[u8]| str::from_utf8(bytes).unwrap().to_owned();
    (output.status.code(), text(&output.stdout), text(&output.stderr))
}

#[test]
fn a_new_plan_runs_and_is_not_written_over() {
    let folder = tempfile::tempdir().unwrap();
    let write = |more: &[&str]| {
        let words = ["new", "ble-coc", "--central", "iphone", "-o", "mine.toml"];
        said(&airtime(folder.path(), &[words.as_slice(), more].concat()))
    };
    assert_eq!(write(&[]).0, Some(0));
    let (code, _, error) = write(&[]);
    assert!(code == Some(2) && error.contains("--force"), "{error}");
    assert_eq!(write(&["--force"]).0, Some(0));
    assert_eq!(said(&airtime(folder.path(), &["check", "mine.toml"])).0, Some(0));
    let (code, output, _) = said(&airtime(folder.path(), &["run", "mine.toml", "--csv"]));
    assert!(code == Some(0) && output.contains("iphone"), "{output}");
    let (code, text, _) = said(&airtime(folder.path(), &["new", "nrf24-ip"]));
    assert!(code == Some(0) && text.contains("\n[nrf24]\n"), "{text}");
    let (code, _, error) = said(&airtime(folder.path(), &["new", "ble-cok"]));
    assert!(code == Some(2) && error.contains("did you mean `ble-coc`"), "{error}");
}

#[test]
fn two_lines_are_told_the_default_that_limits_them() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("two.toml"), "link = \"ble-coc\"\nperipheral.personality = \"zephyr-ll\"\n").unwrap();
    let run = |more: &[&str]| said(&airtime(folder.path(), &[["run", "two.toml"].as_slice(), more].concat())).1;
    let text = run(&[]).split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(text.contains("hands out one credit at a time") && text.contains("--set coc.credits="), "{text}");
    let document: Value = serde_json::from_str(&run(&["--json"])).unwrap();
    assert_eq!(document["remarks"].as_array().unwrap().len(), 1);
    assert!(!run(&["--set", "coc.credits=zephyr-recv"]).contains("default"));
}

#[test]
fn a_build_configuration_is_run_with_and_every_line_is_told() {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| fs::write(folder.path().join(name), text).unwrap();
    write("prj.conf", "CONFIG_BT_BUF_ACL_TX_SIZE=251\nCONFIG_BT_CTLR_DATA_LENGTH_MAX=100\nCONFIG_LOG=y\n");
    let words = ["run", "coc-mac", "--prj-conf", "prj.conf", "--json"];
    let (code, output, error) = said(&airtime(folder.path(), &words));
    let document: Value = serde_json::from_str(&output).unwrap();
    assert_eq!((code, &document["records"][0]["params"]["ble.data_length"]), (Some(0), &Value::from(27)));
    let fates: Vec<&str> =
        document["config"].as_array().unwrap().iter().map(|line| line["fate"].as_str().unwrap()).collect();
    assert_eq!(fates[..3], ["used", "contradicts", "ignored"], "{output}");
    assert!(error.contains("out of range: 27 to 27"), "{error}");
    // The replay is the same run.
    let replay = document["records"][0]["replay"].as_str().unwrap();
    let words: Vec<&str> = replay.split(' ').skip(1).chain(["--json", "-q"]).collect();
    let again: Value = serde_json::from_str(&said(&airtime(folder.path(), &words)).1).unwrap();
    assert_eq!(again["records"], document["records"]);
    write("bad.conf", "CONFIG_BT=y\nCONFIG BT=y\n");
    let (code, _, error) = said(&airtime(folder.path(), &["explain", "coc-mac", "--prj-conf", "bad.conf"]));
    assert!(code == Some(2) && error.contains("bad.conf:2:1"), "{error}");
    write("sdkconfig", "CONFIG_LWIP_TCP_SND_BUF_DEFAULT=5760\n");
    let words = ["run", "wifi-tcp-tx", "--sdkconfig", "sdkconfig", "--json", "--set", "run.duration=4s"];
    let document: Value = serde_json::from_str(&said(&airtime(folder.path(), &words)).1).unwrap();
    assert_eq!(document["records"][0]["params"]["lwip.snd_buf"], 5760);
}
