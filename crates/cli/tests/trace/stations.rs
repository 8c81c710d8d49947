//! Captures of Wi-Fi and of 802.15.4: stations and nodes, as the runs that wrote them say.

use std::collections::BTreeMap;
use std::path::Path;

use serde_json::Value;

use super::program::{airtime, airtime_with, json, text};
use crate::schema;

/// A plan's capture as a document, as lines of figures, and as text without line breaks.
fn told(plan: &str, set: &[&str]) -> (Value, String, String) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("x.pcapng");
    json(&airtime_with(&["trace", plan, "-o", text(&path), "--json"], set));
    let read = |flags: &[&str]| {
        let printed = airtime(&[&["trace", "read", text(&path)], flags].concat());
        String::from_utf8(printed.stdout).unwrap()
    };
    let printed = read(&[]).split_whitespace().collect::<Vec<_>>().join(" ");
    (json(&airtime(&["trace", "read", text(&path), "--json"])), read(&["--csv"]), printed)
}

/// The cells of the first line that begins so, by their headings.
fn line<'a>(csv: &'a str, begins: &str) -> BTreeMap<&'a str, &'a str> {
    let headings = csv.lines().next().unwrap().split(',');
    let row = csv.lines().find(|line| line.starts_with(begins)).unwrap_or_else(|| panic!("{begins}: {csv}"));
    headings.zip(row.split(',')).collect()
}

#[test]
fn nodes_of_802_15_4_are_those_of_the_run() {
    let set = ["run.duration=5s"];
    let (document, csv, printed) = told("ieee802154", &set);
    schema::conforms(&document, include_str!("../../../../schemas/trace-ieee802154.schema.json"));
    let record = json(&airtime_with(&["run", "ieee802154", "--json"], &set))["records"][0].take();
    let [node] = &document["nodes"].as_array().unwrap()[..] else { panic!("one sender: {document}") };
    assert_eq!((&node["node"], &node["acknowledged"]), (&"0x0001".into(), &node["asked"]));
    let (told, ran) = (node["goodput_kbps"].as_f64().unwrap(), record["goodput_kbps"]["median"].as_f64().unwrap());
    assert!((told / ran - 1.0).abs() < 0.01, "{told} for {ran}");
    assert!(printed.contains("A capture of the channel does not show backoffs"), "{printed}");
    let row = line(&csv, "node,0x0001");
    assert_eq!((row["octets"], row["ns"]), (&*node["octets"].to_string(), &*node["air_ns"].to_string()));
    assert_eq!(line(&csv, "frames,acks")["frames"], document["acks"].to_string());
}

#[test]
fn repetitions_of_a_lossy_channel_are_counted() {
    let (document, ..) = told("ieee802154", &["run.duration=5s", "ieee802154.loss={miss=0.1}"]);
    let [node] = &document["nodes"].as_array().unwrap()[..] else { panic!("one sender: {document}") };
    let count = |field: &str| node[field].as_u64().unwrap();
    assert!(count("repeated") > 10 && count("acknowledged") * 100 < count("asked") * 95, "{node}");
}

#[test]
fn stations_of_802_11_have_rates_and_time() {
    let (document, csv, printed) = told("wifi-promiscuous", &["run.duration=3s"]);
    schema::conforms(&document, include_str!("../../../../schemas/trace-wifi.schema.json"));
    let stations = document["stations"].as_array().unwrap();
    let data: Vec<&Value> = stations.iter().filter(|station| station["data"].as_u64() > Some(0)).collect();
    let timed =
        |station: &Value| station["air_ns"].as_u64() > Some(0) && station["rates"][0]["kbps"].as_u64() > Some(999);
    assert!(!data.is_empty() && data.iter().all(|station| timed(station)), "{stations:?}");
    assert!(printed.contains("nor the queues, buses and hosts behind a station"), "{printed}");
    let address = data[0]["station"].as_str().unwrap();
    assert_eq!(line(&csv, &format!("station,{address}"))["octets"], data[0]["octets"].to_string());
    assert_eq!(line(&csv, &format!("rate,{address}"))["kbps"], data[0]["rates"][0]["kbps"].to_string());
    assert_eq!(line(&csv, "time,span")["ns"], document["span_ns"].to_string());
}

/// The air and the HCI logs of one run.
#[test]
fn documents_of_bluetooth_conform_to_their_schemas() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    let (air, log) = (path("x.pcapng"), path("x.btsnoop"));
    let set = ["run.duration=3s"];
    json(&airtime_with(&["trace", "coc-nrf", "-o", text(&air), "-o", text(&log), "--json"], &set));
    let read = |path: &Path| json(&airtime(&["trace", "read", text(path), "--json"]));
    schema::conforms(&read(&air), include_str!("../../../../schemas/trace-air.schema.json"));
    for end in ["x.central.btsnoop", "x.peripheral.btsnoop"] {
        let document = read(&path(end));
        schema::conforms(&document, include_str!("../../../../schemas/trace-hci.schema.json"));
        // What became of the packets that are in no stream is in the sheet too, in words.
        let csv = String::from_utf8(airtime(&["trace", "read", text(&path(end)), "--csv"]).stdout).unwrap();
        for name in ["packets", "malformed", "left_out", "other", "backwards", "drops"] {
            assert_eq!(line(&csv, &format!(",log,{name},"))["packets"], document[name].to_string(), "{csv}");
        }
        assert!(line(&csv, ",log,left_out,")["says"].contains("beyond the first 256"), "{csv}");
    }
}
