//! Captures of Wi-Fi and of 802.15.4: stations and nodes, as the runs that wrote them say.

use serde_json::Value;

use super::program::{airtime, airtime_with, json, text};

/// The table of a plan's capture as objects, and as text without line breaks.
fn told(plan: &str, set: &[&str]) -> (Value, String) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("x.pcapng");
    json(&airtime_with(&["trace", plan, "-o", text(&path), "--json"], set));
    let printed = airtime(&["trace", "read", text(&path)]);
    let printed = String::from_utf8(printed.stdout).unwrap().split_whitespace().collect::<Vec<_>>().join(" ");
    (json(&airtime(&["trace", "read", text(&path), "--json"])), printed)
}

fn number(row: &Value, column: &str) -> f64 {
    row[column].as_str().map_or_else(|| row[column].as_f64().unwrap(), |text| text.parse().unwrap())
}

#[test]
fn nodes_of_802_15_4_are_those_of_the_run() {
    let set = ["run.duration=5s"];
    let (rows, printed) = told("ieee802154", &set);
    let record = json(&airtime_with(&["run", "ieee802154", "--json"], &set))["records"][0].take();
    let [row] = &rows.as_array().unwrap()[..] else { panic!("one sender: {rows}") };
    assert_eq!((&row["node"], number(row, "acknowledged %")), (&"0x0001".into(), 100.0));
    let (told, ran) = (number(row, "kbps"), record["goodput_kbps"]["median"].as_f64().unwrap());
    assert!((told / ran - 1.0).abs() < 0.01, "{told} for {ran}");
    assert!(printed.contains("A capture of the channel does not show backoffs"), "{printed}");
}

#[test]
fn repetitions_of_a_lossy_channel_are_counted() {
    let (rows, _) = told("ieee802154", &["run.duration=5s", "ieee802154.loss={miss=0.1}"]);
    let row = &rows[0];
    assert!(number(row, "repeated") > 10.0 && number(row, "acknowledged %") < 95.0, "{row}");
}

#[test]
fn stations_of_802_11_have_rates_and_time() {
    let (rows, printed) = told("wifi-promiscuous", &["run.duration=3s"]);
    let rows = rows.as_array().unwrap();
    let data: Vec<&Value> = rows.iter().filter(|row| number(row, "data") > 0.0).collect();
    assert!(!data.is_empty() && data.iter().all(|row| number(row, "Mbit/s") > 1.0), "{rows:?}");
    assert!(printed.contains("nor the queues, buses and hosts behind a station"), "{printed}");
}
