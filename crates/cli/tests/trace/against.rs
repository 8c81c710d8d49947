//! A capture beside a run of a plan: a run beside itself, beside another one, and what cannot be compared.

use std::path::{Path, PathBuf};

use serde_json::Value;
use tempfile::TempDir;

use super::program::{airtime_with, json, stderr, text};
use crate::schema;

/// Five seconds of `coc-nrf` with these keys, as the air and as the HCI of both hosts.
fn traced(set: &[&str]) -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    let set: Vec<&str> = ["run.duration=5s"].iter().chain(set).copied().collect();
    let [air, host] = ["x.pcapng", "x.btsnoop"].map(|name| folder.path().join(name));
    json(&airtime_with(&["trace", "coc-nrf", "-o", text(&air), "-o", text(&host), "--json"], &set));
    folder
}

/// The capture at `path` beside five seconds of `coc-nrf`.
fn against(path: &Path) -> Value {
    let document =
        json(&airtime_with(&["trace", "read", text(path), "--against", "coc-nrf", "--json"], &["run.duration=5s"]));
    schema::conforms(&document, include_str!("../../../../schemas/trace-against.schema.json"));
    document["links"][0].clone()
}

fn term<'a>(link: &'a Value, name: &str) -> &'a Value {
    link["terms"].as_array().unwrap().iter().find(|term| term["term"] == name).unwrap()
}

/// The air, and each host's HCI: whatever the eyes, a run is like itself to the last digit.
#[test]
fn a_run_is_the_same_as_itself() {
    let folder = traced(&[]);
    for name in ["x.pcapng", "x.central.btsnoop", "x.peripheral.btsnoop"] {
        let link = against(&folder.path().join(name));
        let found = &link["comparison"];
        assert_eq!(found["verdict"], "same", "{name}: {}", found["says"]);
        assert!(found["figures"][0]["a"].as_f64().unwrap() > 100.0, "{name}");
        for figure in found["figures"].as_array().unwrap() {
            // Stamps of a log are whole microseconds.
            let (a, b) = (figure["a"].as_f64().unwrap(), figure["b"].as_f64().unwrap());
            assert!((a - b).abs() <= 1e-3 * a.abs(), "{name}: {figure}");
        }
        let differs = link["terms"].as_array().unwrap().iter().find(|term| term["same"] == false);
        assert_eq!(differs, None, "{name}");
    }
}

/// A term that differs is named with both values, and the books say where the time went.
#[test]
fn a_run_with_other_terms_names_them() {
    let folder = traced(&["ble.conn_interval=30ms", "ble.phy=1M", "ble.data_length=100"]);
    let air = against(&folder.path().join("x.pcapng"));
    let says = air["comparison"]["says"].as_str().unwrap();
    for part in ["x.pcapng is worse: 0.", "PHY 1M for 2M", "interval 30ms for 15ms", "data length p2c 100 for "] {
        assert!(says.contains(part), "{part}: {says}");
    }
    assert_eq!((&term(&air, "PHY")["capture"], &term(&air, "PHY")["same"]), (&"1M".into(), &false.into()));
    let books = &air["comparison"]["books"];
    assert_eq!(books["per"], "event");
    let accounts: Vec<&str> =
        books["accounts"].as_array().unwrap().iter().map(|booked| booked["account"].as_str().unwrap()).collect();
    assert!(accounts.contains(&"tail") && accounts.contains(&"ifs"), "{accounts:?}");
    // Half the events, and each holds less: the log of either host says as much of it as HCI can.
    for side in ["central", "peripheral"] {
        let log = against(&folder.path().join(format!("x.{side}.btsnoop")));
        assert_eq!(
            (&term(&log, "interval")["capture"], &term(&log, "interval")["plan"]),
            (&"30ms".into(), &"15ms".into())
        );
        assert_eq!(term(&log, "direction")["same"], true);
        let names: Vec<&str> =
            log["terms"].as_array().unwrap().iter().map(|term| term["term"].as_str().unwrap()).collect();
        assert!(!names.contains(&"frame space"), "HCI says nothing of it unless it changes: {names:?}");
        assert_eq!(log["comparison"]["verdict"], "worse");
    }
}

/// Which side's log it is decides which of the run's it is beside; without the beginning the direction of the stream does.
#[test]
fn a_log_is_beside_that_of_its_own_side() {
    let folder = traced(&["ble.direction=c2p"]);
    let link = against(&folder.path().join("x.central.btsnoop"));
    assert_eq!(
        (&term(&link, "direction")["capture"], &term(&link, "direction")["plan"]),
        (&"c2p".into(), &"p2c".into())
    );
    let says = link["comparison"]["says"].as_str().unwrap();
    assert!(says.contains("direction c2p for p2c"), "{says}");
}

#[test]
fn tables_and_lines_have_the_same() {
    let folder = traced(&["ble.phy=1M"]);
    let path = folder.path().join("x.pcapng");
    let arguments = ["trace", "read", text(&path), "--against", "coc-nrf"];
    let said = airtime_with(&arguments, &["run.duration=5s"]);
    let said = String::from_utf8(said.stdout).unwrap();
    for part in ["term", "x.pcapng beside coc-nrf", "time of each account, an event", "PHY 1M for 2M"] {
        assert!(said.contains(part), "{part}: {said}");
    }
    let lines = airtime_with(&[&arguments[..], &["--csv"]].concat(), &["run.duration=5s"]);
    let lines = String::from_utf8(lines.stdout).unwrap();
    assert!(lines.lines().any(|line| line.contains(",term,PHY,2M,1M,,differs")), "{lines}");
    assert!(lines.lines().any(|line| line.contains(",account,tail,")), "{lines}");
}

#[test]
fn what_cannot_be_compared_is_named() {
    let folder = traced(&[]);
    let air = folder.path().join("x.pcapng");
    let refused = |arguments: &[&str], set: &[&str]| {
        let output = airtime_with(arguments, set);
        assert_eq!(output.status.code(), Some(2));
        stderr(&output).to_owned()
    };
    let said = refused(&["trace", "read", text(&air)], &["run.duration=5s"]);
    assert!(said.contains("--set, --seed and --point are of a plan: --against PLAN"), "{said}");
    let said = refused(&["trace", "read", text(&air), "--against", "wifi-promiscuous"], &["run.duration=3s"]);
    assert!(said.contains("a run of wifi-promiscuous has no connection with a stream"), "{said}");
    let wifi: PathBuf = folder.path().join("wifi.pcapng");
    json(&airtime_with(&["trace", "wifi-promiscuous", "-o", text(&wifi), "--json"], &["run.duration=3s"]));
    let said = refused(&["trace", "read", text(&wifi), "--against", "coc-nrf"], &[]);
    assert!(
        said.contains("only captures of Bluetooth LE, of the air or of an HCI, are compared with a plan"),
        "{said}"
    );
}
