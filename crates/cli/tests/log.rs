//! `airtime hw log` and `airtime field --add` as scripts see them.

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use serde_json::Value;

const LOG: &str = include_str!("../../study/tests/logs/ncs-throughput.txt");

fn airtime(folder: &Path, arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_airtime")).args(arguments).current_dir(folder).output().unwrap()
}

fn said(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

#[test]
fn a_log_becomes_a_record_and_a_row() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    fs::write(folder.join("console.txt"), LOG).unwrap();
    let run = ["hw", "log", "console.txt", "--json", "--name", "bench", "--board", "nrf52840dk", "--distance", "1 m"];
    let output = airtime(folder, &run);
    assert!(output.status.success(), "{}", said(&output));
    let document: Value = serde_json::from_slice(&output.stdout).unwrap();
    let record = &document["records"][0];
    let schema: Value = serde_json::from_str(include_str!("../../../schemas/run.schema.json")).unwrap();
    let known = &schema["$defs"]["record"]["properties"];
    let environment = &known["environment"]["properties"];
    for (fields, known) in [(record, known), (&record["environment"], environment)] {
        let unknown: Vec<_> = fields.as_object().unwrap().keys().filter(|name| known[*name].is_null()).collect();
        assert!(unknown.is_empty(), "{unknown:?}");
    }
    assert_eq!((&record["radio"], &record["environment"]["board"]), (&"real".into(), &"nrf52840dk".into()));
    assert_eq!(record["goodput_kbps"]["median"], 1395.6);
    fs::write(folder.join("records.json"), &output.stdout).unwrap();

    for ids in ["bench", "bench-2"] {
        let output = airtime(folder, &["field", "--add", "records.json", "desk.toml"]);
        assert!(output.status.success(), "{}", said(&output));
        assert_eq!(said(&output), format!("desk.toml: added {ids}\n"));
    }
    let plan = fs::read_to_string(folder.join("desk.toml")).unwrap();
    assert_eq!(plan.matches("[[row]]").count(), 2);
    assert!(plan.contains("measured = { value = 1395.6, unit = \"kbps\", source = \"log console.txt\" }"), "{plan}");

    // A plan of another link takes none of them, and stays as it is.
    fs::write(folder.join("other.toml"), "link = \"ieee802154\"\n").unwrap();
    let output = airtime(folder, &["field", "--add", "records.json", "other.toml"]);
    assert_eq!(output.status.code(), Some(2), "{}", said(&output));
    assert_eq!(fs::read_to_string(folder.join("other.toml")).unwrap(), "link = \"ieee802154\"\n");
    // Nor does one whose link has all of their keys.
    fs::write(folder.join("other.toml"), "link = \"ble-coc\"\n").unwrap();
    let output = airtime(folder, &["field", "--add", "records.json", "other.toml"]);
    assert!(said(&output).contains("its records are of ble-gatt, and `other.toml` is a plan of ble-coc"));
    assert_eq!(output.status.code(), Some(2));
    assert_eq!(fs::read_to_string(folder.join("other.toml")).unwrap(), "link = \"ble-coc\"\n");
    // A file that `airtime field` would never read.
    let output = airtime(folder, &["field", "--add", "records.json", "reports"]);
    assert!(said(&output).contains("`reports` is the name of a shipped plan"), "{}", said(&output));
    assert!(output.status.code() == Some(2) && !folder.join("reports").exists());
}

#[test]
fn what_is_wrong_with_a_log_is_said_with_its_line() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    fs::write(folder.join("cut.txt"), &LOG[..LOG.len() - 20]).unwrap();
    fs::write(folder.join("other.txt"), "hello\n").unwrap();
    fs::write(folder.join("iperf.txt"), "Connecting to host a\n[ 5] 0.00-1.00 sec 1 MBytes 8 Mbits/sec\n").unwrap();
    fs::write(folder.join("virtual.json"), r#"{"schema":"airtime/run/1","records":[]}"#).unwrap();
    for (arguments, code, words) in [
        (&["hw", "log", "cut.txt"][..], 2, "cut.txt: line 12: `[peer] received 612684"),
        (&["hw", "log", "other.txt"], 2, "no line has a throughput that is known"),
        (&["hw", "log", "iperf.txt"], 2, "--link ble-coc"),
        (&["hw", "log", "iperf.txt", "--link", "wifi"], 2, "--link wifi: there are ble-coc"),
        (&["hw", "log", "none.txt"], 1, "cannot open `none.txt`"),
        (&["field", "--add", "virtual.json", "x.toml"], 2, "it has no records"),
        (&["field", "--add", "virtual.json"], 2, "needs one field plan"),
    ] {
        let output = airtime(folder, arguments);
        assert_eq!(output.status.code(), Some(code), "{arguments:?}: {}", said(&output));
        assert!(said(&output).contains(words), "{arguments:?}: {}", said(&output));
    }
}
