//! Points that are impossible: known before anything runs in a small plan, and met under way in a large grid.

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use serde_json::Value;

/// A grid that is fine on each axis and at each corner, and impossible where the largest SDU meets the smallest MTU: so many times.
fn grid(times: u32) -> String {
    format!(
        "name = \"grid\"\n[run]\nduration = \"2s\"\nwarmup = \"500ms\"\nrepeat = 1\n[sweep]\n\"coc.sdu\" = [100, 900, 101]\n\
         \"coc.mtu\" = [1000, 500, 1001]\n\"coc.in_flight\" = {{ from = 1, to = {times}, step = 1 }}\n"
    )
}

/// Runs the program on a grid in `folder`; gives its code, its output and what it says.
fn airtime(folder: &Path, times: u32, words: &[&str]) -> (Option<i32>, String, String) {
    fs::write(folder.join("grid.toml"), grid(times)).unwrap();
    let run = Command::new(env!("CARGO_BIN_EXE_airtime")).args(words).current_dir(folder).output();
    let Output { status, stdout, stderr } = run.unwrap();
    (status.code(), String::from_utf8(stdout).unwrap(), String::from_utf8(stderr).unwrap())
}

const REASON: &str = "`coc.sdu`: 900 is above the MTU of the receiver `zephyr-ll`, 500; allowed here: 1 to 500";

#[test]
fn a_small_plan_does_not_begin() {
    let folder = tempfile::tempdir().unwrap();
    let (code, out, says) = airtime(folder.path(), 100, &["run", "grid.toml", "-o", "kept"]);
    assert_eq!((code, out.as_str(), folder.path().join("kept").exists()), (Some(2), "", false));
    assert!(says.contains(REASON), "{says}");
}

#[test]
fn a_large_grid_keeps_the_rest_and_ends_as_bad_input() {
    let folder = tempfile::tempdir().unwrap();
    // One in two hundred: every pair of an SDU and an MTU, one of the pairs impossible.
    let words = ["sweep", "grid.toml", "--shard", "1/200", "--json", "-q", "-o", "kept"];
    let (code, out, says) = airtime(folder.path(), 200, &words);
    let document: Value = serde_json::from_str(&out).unwrap();
    let records = document["records"].as_array().unwrap();
    let failed: Vec<&Value> = records.iter().filter(|record| record["outcome"] != "ok").collect();
    let [failed] = failed.as_slice() else { panic!("{failed:?}") };
    assert_eq!((code, records.len()), (Some(2), 9));
    assert_eq!(failed["id"], "grid/coc.sdu=900/coc.mtu=500/coc.in_flight=1");
    assert_eq!(failed["outcome"], format!("impossible: grid.toml:7:19: {REASON}"));
    assert_eq!((&failed["params"]["coc.sdu"], &failed["goodput_kbps"]["runs"]), (&900.into(), &0.into()));
    assert!(
        says.contains(REASON) && says.contains("grid/coc.sdu=900/coc.mtu=500/coc.in_flight=1: impossible"),
        "{says}"
    );
    // What was kept is what a later run goes on with, and nothing is run again.
    let again = airtime(folder.path(), 200, &[&words[..], &["--resume"]].concat());
    assert_eq!((again.0, again.1), (Some(2), out));
    let kept = fs::read_to_string(folder.path().join("kept/records.jsonl")).unwrap();
    assert_eq!(kept.matches("{\"point\":").count(), 9);
}

#[test]
fn a_point_alone_and_a_check_name_the_reason() {
    let folder = tempfile::tempdir().unwrap();
    let point = ["--point", "grid/coc.sdu=900/coc.mtu=500/coc.in_flight=7"];
    for words in [&["run", "grid.toml"][..], &["explain", "grid.toml"], &["trace", "grid.toml", "-o", "a.pcapng"]] {
        let (code, _, says) = airtime(folder.path(), 200, &[words, &point].concat());
        assert_eq!((code, says.contains(REASON)), (Some(2), true), "{words:?}: {says}");
    }
    let (code, _, says) = airtime(folder.path(), 200, &["check", "grid.toml"]);
    assert_eq!((code, says.contains(REASON)), (Some(2), true), "{says}");
}
