//! Records as Parquet in DuckDB, polars and pandas: their sums are those of the program's JSON.

use std::fs;

use libtest_mimic::{Failed, Trial};
use serde_json::Value;

use crate::command::output;
use crate::peer::{Peer, beside, python};
use crate::program::airtime;

/// The tests of this file.
pub fn trials() -> Vec<Trial> {
    const PEERS: &[Peer] = &[Peer::Airtime, Peer::Frames];
    vec![beside("duckdb, polars and pandas read records as columns", PEERS, read)]
}

/// A grid whose plan has a hostile name, and whose records are of one link or two.
const GRID: &str = r#"
name = "it's; \"DROP TABLE\""
link = "ble-coc"
run.duration = "2s"
run.warmup = "500ms"
sweep.ble.peripherals = [1, 2]
sweep.coc.sdu = [100, 492]
"#;

fn read() -> Result<(), Failed> {
    let home = tempfile::tempdir()?;
    let (plan, folder, file) = (home.path().join("grid.toml"), home.path().join("grid"), home.path().join("g.parquet"));
    fs::write(&plan, GRID)?;
    output(airtime().arg("sweep").arg(&plan).args(["--threads", "1", "-q", "-o"]).arg(&folder))?;
    // Beside the folder a document of another link: its columns are empty here, and the others there.
    let other = home.path().join("other.json");
    fs::write(&other, output(airtime().args(["run", "ieee802154", "--set", "run.duration=5s", "--json"]))?)?;
    output(airtime().arg("export").args([&folder, &other]).arg("-q").arg("--parquet").arg(&file))?;

    let shown = |results| output(airtime().args(["show", "--json"]).arg(results));
    let documents = [shown(&folder)?, shown(&other)?].map(|text| serde_json::from_str::<Value>(&text));
    let mut records = Vec::new();
    for document in documents {
        records.extend(document?["records"].as_array().ok_or("no records")?.clone());
    }
    let sum = |pointer: &str| records.iter().filter_map(|record| record.pointer(pointer)?.as_f64()).sum::<f64>();
    let interval = records.iter().filter_map(|record| record["params"]["ble.conn_interval"].as_str());
    let interval: f64 = interval.map(|text| text.trim_end_matches("ms").parse::<f64>()).sum::<Result<_, _>>()?;
    let expected = [
        ("count", records.len() as f64),
        ("goodput", sum("/goodput_kbps/median")),
        ("time", sum("/steady_ledger_ns/payload.p2c")),
        ("sdu", sum("/params/coc.sdu")),
        ("interval", interval),
        ("second", sum("/links/1/goodput_kbps")),
    ];
    let found = output(python().arg(concat!(env!("CARGO_MANIFEST_DIR"), "/scripts/read_columns.py")).arg(&file))?;
    let found: Value = serde_json::from_str(&found)?;
    for reader in ["duckdb", "polars", "pandas"] {
        for (name, expected) in expected {
            let found = found[reader][name].as_f64().ok_or_else(|| format!("{reader}: no {name}"))?;
            // Sums of floats, each in an order of its own.
            if expected == 0.0 || (found / expected - 1.0).abs() > 1e-12 {
                return Err(format!("{reader}, {name}: {found}, and {expected} in the JSON").into());
            }
        }
        let ids = records.iter().map(|record| record["id"].clone()).collect::<Value>();
        let mut found = found[reader]["ids"].clone();
        let mut ids = ids;
        for list in [&mut found, &mut ids] {
            list.as_array_mut().ok_or("no ids")?.sort_by_key(Value::to_string);
        }
        if found != ids {
            return Err(format!("{reader}: ids {found}, and {ids} in the JSON").into());
        }
    }
    let told = |key: &str| found["metadata"][key].as_str().unwrap_or_default().to_owned();
    println!("{}", told("airtime.command"));
    let is_told = told("airtime.columns") == "airtime/columns/1" && told("airtime.plans").contains("DROP TABLE");
    let says = found["says"].as_str().is_some_and(|says| says.starts_with("Goodput"));
    if is_told && says { Ok(()) } else { Err(format!("not told: {found:#}").into()) }
}
