//! Fitting: a table of figures, captures and a field plan become a device that a plan can name.

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use serde_json::Value;

use crate::schema::conforms;

const PLAN: &str = "\
link = \"ble-coc\"
[ble]
phy = \"2M\"
[coc]
sdu = 492
in_flight = 6
tx_buffers = 6
[acl]
count = 6
[run]
duration = \"2s\"
warmup = \"500ms\"
";

/// Intervals that are measured.
const INTERVALS: [&str; 5] = ["7.5ms", "11.25ms", "18.75ms", "30ms", "50ms"];

fn airtime(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_airtime")).args(arguments).output().unwrap()
}

/// Output of `arguments`, which end with this code.
fn ends(code: i32, arguments: &[&str]) -> Output {
    let output = airtime(arguments);
    let said = |octets: &[u8]| String::from_utf8_lossy(octets).into_owned();
    assert_eq!(output.status.code(), Some(code), "{arguments:?}: {}{}", said(&output.stdout), said(&output.stderr));
    output
}

fn text(path: &Path) -> &str {
    path.to_str().unwrap()
}

fn json(output: &Output) -> Value {
    serde_json::from_slice(&output.stdout).unwrap()
}

/// Goodput of the plan with the Mac at this interval.
fn goodput(plan: &Path, interval: &str) -> f64 {
    let asked = format!("ble.conn_interval={interval}");
    let output = ends(0, &["run", text(plan), "--set", "central.personality=macos", "--set", &asked, "--json"]);
    json(&output)["records"][0]["goodput_kbps"]["median"].as_f64().unwrap()
}

#[test]
fn a_table_ranks_devices_and_makes_one_that_runs() {
    let home = tempfile::tempdir().unwrap();
    let at = |name: &str| home.path().join(name);
    let (plan, csv, device, page) = (at("plan.toml"), at("sweep.csv"), at("mine.toml"), at("mine.html"));
    fs::write(&plan, PLAN).unwrap();
    let lines: Vec<String> =
        INTERVALS.iter().map(|interval| format!("{interval},{}\n", goodput(&plan, interval))).collect();
    fs::write(&csv, format!("ble.conn_interval,goodput\n{}", lines.concat())).unwrap();
    let fit = ["fit", text(&csv), "--plan", text(&plan), "--end", "central"];
    let ranked = json(&ends(0, &[&fit[..], &["--rank", "--json"]].concat()));
    conforms(&ranked, include_str!("../../../schemas/fit.schema.json"));
    let first = ranked["ranking"].as_array().unwrap().iter().filter(|one| one["rank"] == 1);
    assert!(first.clone().any(|one| one["device"] == "macos" && one["fits"] == true), "{ranked}");
    assert_eq!((&ranked["device"], &ranked["noise_from"]), (&Value::Null, &"assumed".into()));
    let picture = at("ranks.svg");
    let ranks = ends(0, &[&fit[..], &["--rank", "-o", text(&picture)]].concat());
    assert!(String::from_utf8_lossy(&ranks.stdout).contains("macos"));
    let svg = fs::read_to_string(&picture).unwrap();
    assert!(svg.contains("<title>macos: absolute error in % ") && svg.contains("made by: airtime fit "), "{svg}");
    assert!(svg.contains(": measured ") && svg.contains(">measured and lab (kbps)<"), "{svg}");
    let free = [
        "--free",
        "controller.event_time_cap",
        "--free",
        "controller.margin=200us,281us,400us",
        "-o",
        text(&device),
        "-o",
        text(&page),
    ];
    let found = json(&ends(0, &[&fit[..], &free, &["--json"]].concat()));
    conforms(&found, include_str!("../../../schemas/fit.schema.json"));
    let written = fs::read_to_string(&device).unwrap();
    assert_eq!(found["device"]["toml"], written.as_str());
    let drawn = fs::read_to_string(&page).unwrap();
    assert!(drawn.contains(": like ") && drawn.contains(", fitted ") && drawn.contains("<table>"), "{drawn}");
    assert!(written.contains("status = \"derived\"") && written.contains("sweep.csv"), "{written}");
    ends(0, &["personality", "check", text(&device)]);
    let mine = format!("central.personality={}", text(&device));
    ends(0, &["run", text(&plan), "--set", &mine]);
    // What is there is somebody's, until they say otherwise.
    ends(2, &[&fit[..], &free].concat());
}

#[test]
fn captures_rank_the_same_device_first() {
    let home = tempfile::tempdir().unwrap();
    let at = |name: &str| home.path().join(name);
    let (plan, csv) = (at("plan.toml"), at("captures.csv"));
    fs::write(&plan, PLAN).unwrap();
    let mut table = "ble.conn_interval,capture\n".to_owned();
    for interval in INTERVALS {
        let file = format!("{interval}.pcapng");
        let asked = format!("ble.conn_interval={interval}");
        ends(0, &["trace", text(&plan), "--set", "central.personality=macos", "--set", &asked, "-o", text(&at(&file))]);
        table.push_str(&format!("{interval},{file}\n"));
    }
    fs::write(&csv, table).unwrap();
    let rank = ["--plan", text(&plan), "--end", "central", "--rank", "--json"];
    let found = json(&ends(0, &[&["fit", text(&csv)], &rank[..]].concat()));
    let first = found["ranking"].as_array().unwrap().iter().filter(|one| one["rank"] == 1);
    assert!(first.clone().any(|one| one["device"] == "macos" && one["fits"] == true), "{found}");
    // A capture alone says which interval was granted, and not which one was asked for.
    let alone = json(&ends(0, &[&["fit", text(&at("30ms.pcapng"))], &rank[..]].concat()));
    assert_eq!(alone["points"][0]["id"], "ble.conn_interval=30ms ble.phy=2M");
}

#[test]
fn what_cannot_be_fitted_says_why() {
    let home = tempfile::tempdir().unwrap();
    let path = home.path().join("bad.csv");
    fs::write(&path, "ble.conn_interval,goodput\n15ms,fast\n").unwrap();
    let refused = |arguments: &[&str]| String::from_utf8(ends(2, arguments).stderr).unwrap();
    let csv = text(&path);
    assert!(
        refused(&["fit", csv, "--plan", "coc-mac", "--end", "central"]).contains("bad.csv:2:6: `fast` is no figure")
    );
    assert!(refused(&["fit", csv]).contains("--plan PLAN"));
    fs::write(&path, "ble.conn_interval,goodput\n15ms,500\n").unwrap();
    let fit = ["fit", csv, "--plan", "coc-mac"];
    assert!(refused(&fit).contains("--end central or peripheral"));
    assert!(refused(&[&fit[..], &["--end", "middle"]].concat()).contains("expected central or peripheral"));
    let central = [&fit[..], &["--end", "central"]].concat();
    assert!(refused(&[&central[..], &["--free", "controller.mrgin"]].concat()).contains("no device of this kind"));
    assert!(refused(&[&central[..], &["--noise", "0"]].concat()).contains("above 0"));
    assert!(refused(&[&central[..], &["--runs", "3"]].concat()).contains("--runs is 3"));
    assert!(refused(&["fit", "ieee802154"]).contains("nothing to fit"));
    assert!(refused(&["fit", "coc-nrf", "--end", "central"]).contains("no row has a measured figure"));
}
