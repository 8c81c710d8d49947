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
