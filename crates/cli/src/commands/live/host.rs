//! `airtime live host`: one of our own hosts on somebody else's controller.

use airtime_lab::Library;
use airtime_live::client::Progress;
use airtime_live::options::{controller, own, personality_files};
use airtime_live::{Dialled, Place};
use airtime_report::{Align, Table};
use serde::Serialize;

use super::{bad, check_time, in_stretches, stop_on_signal};
use crate::arguments::LiveHostArguments;
use crate::catalog;
use crate::exit::{Exit, Failure};
use crate::output::{self, Form};
use crate::request::Manner;

/// The schema of the document.
const SCHEMA: &str = "airtime/live-host/1";

/// Report of a host. Fields are added, never renamed.
#[derive(Debug, Serialize)]
struct Report {
    schema: &'static str,
    airtime: &'static str,
    hci: String,
    test: String,
    role: &'static str,
    elapsed_ns: u64,
    submitted_bytes: u64,
    delivered_bytes: u64,
    streams: u64,
    tests_ended: u64,
    lag: Option<airtime_live::figures::Summary>,
}

/// Runs a host until it is stopped, or for the time that was asked for, and reports.
pub fn host(arguments: &LiveHostArguments, manner: Manner) -> Result<Exit, Failure> {
    check_time(&arguments.time)?;
    let mut library = Library::builtin();
    for path in personality_files(&arguments.test) {
        library.add(&path, &catalog::read(&path)?.text)?;
    }
    let role = arguments.role.as_ref().map(|role| format!(",role={role}")).unwrap_or_default();
    let config = own("live host", 0, &format!("{}{role}", arguments.test), &library).map_err(bad)?;
    let place: Place = controller(&arguments.hci).map_err(|what| Failure::BadInput(format!("--hci {what}")))?;
    let dialled = Dialled::open(&config, &place);
    let mut host = dialled.map_err(|error| Failure::Machine(format!("cannot reach `{place}`: {error}")))?;
    let stopper = host.stopper();
    stop_on_signal(stopper.clone())?;
    let run = |host: &mut Dialled, time| host.run(time).map_err(|error| Failure::Machine(format!("{place}: {error}")));
    let mut before = Progress::default();
    let tell = |host: &Dialled| {
        let now = host.client().progress();
        let (sent, came) = (now.submitted - before.submitted, now.delivered - before.delivered);
        before = now;
        output::say(&format!("{} submitted, {came} delivered", output::counted(sent, "octet")));
    };
    let exit = in_stretches(&arguments.time, &stopper, &mut host, run, tell);
    // What was measured is printed, whatever has ended it.
    let client = host.client();
    let progress = client.progress();
    let report = Report {
        schema: SCHEMA,
        airtime: env!("CARGO_PKG_VERSION"),
        hci: place.to_string(),
        test: config.name.clone(),
        role: config.role_name(),
        elapsed_ns: client.pacer().now().as_nanos(),
        submitted_bytes: progress.submitted,
        delivered_bytes: progress.delivered,
        streams: progress.streams,
        tests_ended: progress.ended,
        lag: client.pacer().lag().summary(),
    };
    output::print(&match manner.form {
        Form::Json => output::rendered(|out| airtime_report::json(&report, out))?,
        form => output::rendered(|out| form.exporter().export_table(&table(&report), out))?,
    })?;
    exit
}

fn table(report: &Report) -> Table {
    let mut table = Table::default();
    table.column("test", Align::Left, [report.test.as_str()]);
    table.column("role", Align::Left, [report.role]);
    table.column("submitted", Align::Right, [format!("{} B", report.submitted_bytes)]);
    table.column("delivered", Align::Right, [format!("{} B", report.delivered_bytes)]);
    table.column("streams", Align::Right, [report.streams.to_string()]);
    table.column("time", Align::Right, [format!("{:.1} s", report.elapsed_ns as f64 / 1e9)]);
    table
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_published_schema_has_every_field() {
        let report = Report {
            schema: SCHEMA,
            airtime: "0",
            hci: "unix:hci".into(),
            test: "coc-sink".into(),
            role: "central",
            elapsed_ns: 1,
            submitted_bytes: 0,
            delivered_bytes: 0,
            streams: 0,
            tests_ended: 0,
            lag: None,
        };
        let report = serde_json::to_value(report).unwrap();
        let schema = include_str!("../../../../../schemas/live-host.schema.json");
        let schema: serde_json::Value = serde_json::from_str(schema).unwrap();
        let fields = |value: &serde_json::Value| {
            let mut names: Vec<String> = value.as_object().unwrap().keys().cloned().collect();
            names.sort();
            names
        };
        assert_eq!(fields(&schema["properties"]), fields(&report));
        assert_eq!(schema["required"].as_array().unwrap().len(), fields(&report).len());
        assert_eq!(schema["properties"]["schema"]["const"], SCHEMA);
    }
}
