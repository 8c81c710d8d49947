//! The folder of a measurement, and what is printed of it.

use std::fs;
use std::path::{Path, PathBuf};

use airtime_figures::{Figure, Page, Part, document};
use airtime_report::perf::{charts, full, table};
use airtime_report::{Csv, Export};
use airtime_study::perf::{Failed, Load, Measured, Row, Settings};
use serde::Serialize;

use super::Done;
use crate::exit::Failure;
use crate::keep::command;
use crate::output::{self, Form, counted};
use crate::place;
use crate::request::Manner;

/// The schema of the document.
const SCHEMA: &str = "airtime/perf/1";

/// Document of all that was measured. Fields are added, never renamed.
#[derive(Serialize)]
struct Document<'a> {
    schema: &'static str,
    airtime: &'static str,
    settings: &'a Settings,
    rows: &'a [Row],
    runs: &'a [Measured],
    failed: &'a [Failed],
}

/// The folder: `records.jsonl`, `raw/`, `figures.csv`, `index.html` and a plot per file.
#[derive(Debug)]
pub struct Kept {
    folder: PathBuf,
}

impl Kept {
    /// Makes the folder for raw output.
    ///
    /// # Errors
    /// When it cannot be made.
    pub fn open(folder: &Path) -> Result<Self, Failure> {
        let kept = Self { folder: folder.to_owned() };
        fs::create_dir_all(kept.raw()).map_err(|source| Failure::Open { path: kept.raw(), source })?;
        Ok(kept)
    }

    /// Folder for the programs' own output.
    pub fn raw(&self) -> PathBuf {
        self.folder.join("raw")
    }

    /// The page with everything on it.
    pub fn page(&self) -> PathBuf {
        self.folder.join("index.html")
    }

    /// Writes figures and plots.
    ///
    /// # Errors
    /// When a file cannot be written.
    pub fn write(&self, settings: &Settings, rows: &[Row], runs: &[Measured]) -> Result<(), Failure> {
        let udp = rows.iter().any(|row| row.load == "udp");
        let how = how(settings);
        self.put("figures.csv", &output::rendered(|out| Csv.export_table(&full(rows), out))?)?;
        let mut parts = vec![Part::Text(how.clone())];
        if udp {
            for (name, chart) in charts(rows, &how, settings.warm_up_seconds + settings.seconds) {
                let figure = Figure::Chart(chart);
                self.put(&format!("{name}.svg"), document(std::slice::from_ref(&figure), &command()).as_bytes())?;
                parts.push(Part::Figure(figure));
            }
            parts.push(Part::Text(OVERRUN.to_owned()));
        }
        parts.push(Part::Grid(
            table(&format!("Medians and ranges of {}", counted(runs.len() as u64, "run")), rows).into(),
        ));
        let page = Page { title: format!("airtime perf: {}", settings.server), parts };
        self.put("index.html", page.html().as_bytes())
    }

    fn put(&self, name: &str, bytes: &[u8]) -> Result<(), Failure> {
        // The folder is ours, and so are the files that are called so in it.
        place::write(&self.folder.join(name), true, bytes)
    }
}

/// Caption of the last plot, for whoever knows it by its published name.
const OVERRUN: &str = "Test overrun is the receiver's time less the time that was asked for. Where the queue in front of the link is \
    unbounded it is the time that the queue takes to drain, T(λ/ρ − 1) for a test of T seconds at the offered load λ and the \
    service rate ρ: it grows with the length of the test and is the delay of no packet but the last. The published nRF24 report \
    plots it as latency. Delay under load is the plot above it.";

/// Below this the 99th percentile is made of less than ten values.
const SAMPLES_FOR_P99: usize = 1_000;

/// Method of the figures, in a line.
fn how(settings: &Settings) -> String {
    let Settings { seconds, warm_up_seconds, repeats, payload_bytes, .. } = settings;
    let runs = counted(u64::from(*repeats), "run");
    let what = match settings.loads.iter().any(|load| matches!(load, Load::Udp(_))) {
        true => format!("iperf3 -u -l {payload_bytes} ({payload_bytes} octets of payload in a datagram)"),
        false => "iperf3 (TCP)".to_owned(),
    };
    format!("{what}, {seconds} s after {warm_up_seconds} s of warm-up, {runs}, receiver's figures")
}

/// Prints the rows in the form that was asked for.
///
/// # Errors
/// When standard output cannot be written.
pub fn print(settings: &Settings, rows: &[Row], done: &Done, manner: Manner) -> Result<(), Failure> {
    let document = Document {
        schema: SCHEMA,
        airtime: env!("CARGO_PKG_VERSION"),
        settings,
        rows,
        runs: &done.measured,
        failed: &done.failed,
    };
    let mut table = match manner.form {
        Form::Csv => full(rows),
        _ => table(&how(settings), rows),
    };
    if manner.form != Form::Csv {
        table.remarks = done.failed.iter().map(|failed| format!("failed: {}: {}", failed.name, failed.why)).collect();
        let few = |row: &Row| row.round_trip_ms.is_some_and(|waits| waits.samples < SAMPLES_FOR_P99);
        if rows.iter().any(few) {
            table.remarks.push(format!("a p99 of fewer than {SAMPLES_FOR_P99} pings is the largest few of them"));
        }
    }
    let bytes = output::rendered(|out| match manner.form {
        Form::Json => airtime_report::json(&document, out),
        form => form.exporter().export_table(&table, out),
    })?;
    output::print(&bytes)
}

#[cfg(test)]
mod tests {
    use super::*;
    use airtime_core::units::Bitrate;
    use airtime_study::perf::{Point, Probes, Sent, Totals, rows};

    #[test]
    fn the_published_schema_has_every_field() {
        let settings = Settings {
            server: "10.0.0.2".to_owned(),
            port: 5201,
            loads: vec![Load::Udp(Bitrate(200_000))],
            payload_bytes: 32,
            reverse: false,
            repeats: 1,
            seconds: 20,
            warm_up_seconds: 3,
            probe_every_ms: 50,
            probe_bytes: 16,
            seed: 1,
        };
        let sent = Sent { bytes: 500_000, seconds: 20.0 };
        let totals = Totals { sent, received: sent, retransmits: Some(0) };
        let probes = Probes { sent: 1, round_trips_ms: vec![3.0] };
        let point = Point { load: settings.loads[0], repeat: 1 };
        let runs = [Measured::new(&settings, &point, Some(&totals), probes)];
        let failed = [Failed { name: "udp".to_owned(), why: "no link".to_owned() }];
        let rows = rows(&runs);
        let document =
            Document { schema: SCHEMA, airtime: "0", settings: &settings, rows: &rows, runs: &runs, failed: &failed };
        let document = serde_json::to_value(document).unwrap();
        let schema = include_str!("../../../../../schemas/perf.schema.json");
        let schema: serde_json::Value = serde_json::from_str(schema).unwrap();
        let fields =
            |value: &serde_json::Value| -> Vec<String> { value.as_object().unwrap().keys().cloned().collect() };
        let part = |name: &str| schema["$defs"][name].clone();
        for (schema, value) in [
            (schema.clone(), &document),
            (part("settings"), &document["settings"]),
            (part("row"), &document["rows"][0]),
            (part("spread"), &document["rows"][0]["goodput_kbps"]),
            (part("waits"), &document["rows"][0]["round_trip_ms"]),
            (part("run"), &document["runs"][0]),
            (part("run")["properties"]["probes"].clone(), &document["runs"][0]["probes"]),
            (schema["properties"]["failed"]["items"].clone(), &document["failed"][0]),
        ] {
            assert_eq!(fields(&schema["properties"]), fields(value));
            assert_eq!(schema["required"].as_array().unwrap().len(), fields(value).len());
        }
        assert_eq!(schema["properties"]["schema"]["const"], SCHEMA);
    }
}
