//! The folder of a measurement, and what is printed of it.

use std::fs;
use std::path::{Path, PathBuf};

use airtime_figures::{Figure, document};
use airtime_lab::Record;
use airtime_report::figures::{Subject, Tunnel, report};
use airtime_report::perf::{full, method, table};
use airtime_report::{Csv, Export};
use airtime_study::log::{Options, read};
use airtime_study::perf::{Failed, Measured, Row, Settings};
use serde::Serialize;

use super::Done;
use super::request::Request;
use crate::exit::Failure;
use crate::keep::command;
use crate::output::{self, Form};
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

    /// Writes figures, plots, and the page.
    ///
    /// # Errors
    /// When a file cannot be written.
    pub fn write(&self, tunnel: Tunnel) -> Result<(), Failure> {
        self.put("figures.csv", &output::rendered(|out| Csv.export_table(&full(&tunnel.rows), out))?)?;
        for (name, chart) in tunnel.charts() {
            self.put(&format!("{name}.svg"), document(&[Figure::Chart(chart)], &command()).as_bytes())?;
        }
        let page = report(&[Subject::Tunnel(Box::new(tunnel))], &command());
        self.put("index.html", page.html().as_bytes())
    }

    fn put(&self, name: &str, bytes: &[u8]) -> Result<(), Failure> {
        // The folder is ours, and so are the files that are called so in it.
        place::write(&self.folder.join(name), true, bytes)
    }
}

/// Below this the 99th percentile is made of less than ten values.
const SAMPLES_FOR_P99: usize = 1_000;

/// Measurement with its runs as records, where the kind of link below the tunnel was said.
///
/// # Errors
/// When what is printed is no log of this program.
pub fn tunnel(request: &Request, rows: &[Row], done: &Done) -> Result<Tunnel, Failure> {
    let settings = &request.settings;
    let mut kept = airtime_lab::Document::new(format!("perf of {}", settings.server));
    if let Some(below) = request.below.as_ref().filter(|_| rows.iter().any(|row| row.goodput_kbps.median > 0.0)) {
        let text =
            serde_json::to_string(&said(settings, rows, done)).map_err(|error| Failure::Machine(error.to_string()))?;
        let options = Options {
            name: Some("perf".to_owned()),
            link: Some(below.link.clone()),
            source: format!("airtime perf of {}", settings.server),
            ..Options::default()
        };
        let records = read(&text, &options).map_err(|error| Failure::Machine(error.to_string()))?;
        let of = |record: Record| Record { radio: Some(below.radio.clone()), ..record };
        kept.records = records.into_iter().map(of).collect();
    }
    Ok(Tunnel { document: kept, settings: settings.clone(), rows: rows.to_vec() })
}

fn said<'a>(settings: &'a Settings, rows: &'a [Row], done: &'a Done) -> Document<'a> {
    let airtime = env!("CARGO_PKG_VERSION");
    Document { schema: SCHEMA, airtime, settings, rows, runs: &done.measured, failed: &done.failed }
}

/// Prints the rows in the form that was asked for.
///
/// # Errors
/// When standard output cannot be written.
pub fn print(settings: &Settings, rows: &[Row], done: &Done, manner: Manner) -> Result<(), Failure> {
    let document = said(settings, rows, done);
    let mut table = match manner.form {
        Form::Csv => full(rows),
        _ => table(&method(settings), rows),
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
    use super::super::request::Below;
    use super::*;
    use airtime_core::Duration;
    use airtime_core::units::Bitrate;
    use airtime_live::perf::Places;
    use airtime_study::Opening;
    use airtime_study::perf::{Load, Point, Probes, Sent, Totals, rows};

    fn settings() -> Settings {
        Settings {
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
        }
    }

    fn measured(settings: &Settings) -> Measured {
        let sent = Sent { bytes: 500_000, seconds: 20.0 };
        let totals = Totals { sent, received: Sent { bytes: 105_000, seconds: 20.0 }, retransmits: Some(0) };
        let point = Point { load: settings.loads[0], repeat: 1 };
        Measured::new(settings, &point, Some(&totals), Probes { sent: 1, round_trips_ms: vec![3.0] })
    }

    fn page(below: Option<Below>) -> String {
        let settings = settings();
        let done = Done { measured: vec![measured(&settings)], failed: Vec::new() };
        let request = Request {
            settings,
            places: Places { client: None, server: None },
            patience: Duration::from_secs(60),
            output: "perf".into(),
            opening: Opening::Fresh,
            below,
        };
        let tunnel = tunnel(&request, &rows(&done.measured), &done).unwrap();
        report(&[Subject::Tunnel(Box::new(tunnel))], "airtime perf").html()
    }

    #[test]
    fn the_page_is_a_report_with_the_runs_inside_where_the_link_is_known() {
        let said =
            "At most 42.0 kbps arrive, with 200.0 kbps of UDP offered. Half of the pings take up to 3.0 ms then.";
        let below = Below { link: "nrf24-ip".to_owned(), radio: "live".to_owned() };
        let html = page(Some(below));
        assert!(html.contains(said), "{html}");
        let kept = airtime_report::figures::documents(&html).unwrap().unwrap();
        let records: Vec<_> = kept[0].records.iter().collect();
        let [record] = records.as_slice() else { panic!("{} records", records.len()) };
        assert_eq!((record.link.as_str(), record.radio.as_deref()), ("nrf24-ip", Some("live")));
        assert!((record.goodput_kbps.median - 42.0).abs() < 1e-9, "{}", record.goodput_kbps.median);
        let html = page(None);
        assert!(html.contains(said) && airtime_report::figures::documents(&html).is_none(), "{html}");
    }

    #[test]
    fn the_published_schema_has_every_field() {
        let settings = settings();
        let runs = [measured(&settings)];
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
