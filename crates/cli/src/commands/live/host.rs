//! `airtime live host`: one of our own hosts on somebody else's controller.

use airtime_core::Duration;
use airtime_lab::Library;
use airtime_live::ble::client::Progress;
use airtime_live::ble::options::{controller, host as own, personality_files};
use airtime_live::{Dialled, PeerConfig, Place};
use airtime_report::{Align, Table};
use serde::Serialize;

use super::super::reasons::{Test, why_nothing};
use super::{bad, check_time, in_stretches};
use crate::arguments::live::{LiveHostArguments, LiveTimeArguments};
use crate::catalog;
use crate::exit::{Exit, Failure};
use crate::interrupt::stop_on_signal;
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
    psm: Option<u16>,
    connections: u64,
    outcome: Option<String>,
    goodput_kbps: Option<f64>,
    steady_kbps: Option<f64>,
    series_kbps: Vec<f64>,
}

/// Runs a host until it is stopped, or for the time that was asked for, and reports.
pub fn host(arguments: &LiveHostArguments, manner: Manner) -> Result<Exit, Failure> {
    check_time(&arguments.time)?;
    let mut library = Library::builtin();
    for path in personality_files(&arguments.test) {
        library.add(&path, &catalog::read(&path)?.text)?;
    }
    let config = own(&arguments.test, arguments.role.as_deref(), &library).map_err(bad)?;
    let place: Place = controller(&arguments.hci).map_err(|what| Failure::BadInput(format!("--hci {what}")))?;
    let dialled = Dialled::open(&config, &place);
    let mut host = dialled.map_err(|error| Failure::Machine(format!("cannot reach `{place}`: {error}")))?;
    let stopper = host.stopper();
    stop_on_signal(stopper.clone())?;
    let run = |host: &mut Dialled, time| host.run(time).map_err(|error| Failure::Machine(format!("{place}: {error}")));
    let mut before = (Duration::ZERO, Progress::default());
    let tell = |host: &Dialled| output::say(&progress(host, &mut before));
    // A rate each second is what it is for.
    let every = arguments.time.every.or((!manner.quiet).then_some(Duration::from_secs(1)));
    let time = LiveTimeArguments { length: arguments.time.length, every };
    let exit = in_stretches(&time, &stopper, &mut host, run, tell);
    // What was measured is printed, whatever has ended it.
    let report = report(&config, &place, &host);
    output::print(&match manner.form {
        Form::Json => output::rendered(|out| airtime_report::json(&report, out))?,
        form => output::rendered(|out| form.exporter().export_table(&table(&report), out))?,
    })?;
    let at = place.to_string();
    let test = Test { config: &config, place: &at, name: "name=", psm: "psm=" };
    match (exit?, why_nothing(&test, host.client())) {
        (Exit::Ok, Some(why)) => Err(Failure::Machine(why)),
        (exit, why) => {
            why.iter().for_each(|why| output::say(why));
            Ok(exit)
        }
    }
}

fn report(config: &PeerConfig, place: &Place, host: &Dialled) -> Report {
    let client = host.client();
    let progress = client.progress();
    Report {
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
        psm: config.psm,
        connections: progress.connections,
        outcome: progress.outcome.map(|outcome| outcome.to_string()),
        goodput_kbps: client.rate().goodput_kbps(),
        steady_kbps: client.rate().steady_kbps(),
        series_kbps: client.rate().series_kbps(),
    }
}

/// A line on how it goes since the line before.
fn progress(host: &Dialled, before: &mut (Duration, Progress)) -> String {
    let client = host.client();
    let (now, progress) = (host.elapsed(), client.progress());
    let (then, earlier) = std::mem::replace(before, (now, progress));
    let octets = progress.submitted + progress.delivered - earlier.submitted - earlier.delivered;
    let kbps = octets as f64 * 8e6 / now.saturating_sub(then).as_nanos().max(1) as f64;
    let ended = progress.outcome.filter(|_| progress.ended > earlier.ended);
    let ended = ended.map(|outcome| format!("; {outcome}: looking again")).unwrap_or_default();
    format!("{:.1} s: {kbps:.1} kbps{ended}", now.as_secs_f64())
}

fn table(report: &Report) -> Table {
    let mut table = Table::default();
    let rate = |kbps: Option<f64>| kbps.map(|kbps| format!("{kbps:.1}")).unwrap_or_default();
    table.column("test", Align::Left, [report.test.as_str()]);
    table.column("role", Align::Left, [report.role]);
    table.column("submitted", Align::Right, [format!("{} B", report.submitted_bytes)]);
    table.column("delivered", Align::Right, [format!("{} B", report.delivered_bytes)]);
    table.column("kbps", Align::Right, [rate(report.goodput_kbps)]);
    table.column("steady", Align::Right, [rate(report.steady_kbps)]);
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
            psm: None,
            connections: 0,
            outcome: None,
            goodput_kbps: None,
            steady_kbps: None,
            series_kbps: vec![],
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
