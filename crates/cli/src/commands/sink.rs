//! `airtime hw sink`: the receiver for a real board.

use std::net::{IpAddr, Ipv4Addr};

use airtime_core::Duration;
use airtime_live::sink::{Config, FlowReport, Report, Server};
use airtime_report::{Align, Table};
use airtime_system::reach;

use super::live::{check_time, in_stretches};
use crate::arguments::HwSinkArguments;
use crate::arguments::live::LiveTimeArguments;
use crate::exit::{Exit, Failure};
use crate::interrupt::stop_on_signal;
use crate::output::{self, Form};
use crate::request::Manner;

/// Takes what comes until it is stopped, or for the time that was asked for, and reports.
pub fn sink(arguments: &HwSinkArguments, manner: Manner) -> Result<Exit, Failure> {
    check_time(&arguments.time)?;
    let bind = bind(arguments)?;
    let config = Config { bind, udp: arguments.udp, tcp: arguments.tcp };
    let taken = |error| Failure::Machine(format!("cannot listen at {bind}: {error}"));
    let mut server = Server::open(&config).map_err(taken)?;
    let stopper = server.stopper();
    stop_on_signal(stopper.clone())?;
    for (kind, place) in ["udp", "tcp"].iter().zip(server.places()) {
        // Scripts wait for these lines, so they are said in any case.
        place.iter().for_each(|place| output::say(&format!("{kind} {place}")));
    }
    let places = ["udp", "tcp"].into_iter().zip(server.places());
    places.filter_map(|(kind, place)| reach::said(kind, place?)).for_each(|said| output::say(&said));
    let run = |server: &mut Server, time| {
        server.run(time).map_err(|error| Failure::Machine(format!("cannot wait for what comes: {error}")))
    };
    // A rate each second is what it is for.
    let every = arguments.time.every.or(if manner.quiet { None } else { Some(Duration::from_secs(1)) });
    let time = LiveTimeArguments { length: arguments.time.length, every };
    let mut before = Totals::default();
    let tell = |server: &Server| output::say(&progress(&Report::new(server), &mut before));
    let exit = in_stretches(&time, &stopper, &mut server, run, tell)?;
    let report = Report::new(&server);
    output::print(&match manner.form {
        Form::Json => output::rendered(|out| airtime_report::json(&report, out))?,
        form => output::rendered(|out| form.exporter().export_table(&table(&report), out))?,
    })?;
    Ok(exit)
}

/// Address to listen at: none that others reach, unless that is asked for.
fn bind(arguments: &HwSinkArguments) -> Result<IpAddr, Failure> {
    let remote = arguments.allow_remote;
    match arguments.bind {
        Some(bind) if !remote && reach::is_remote(bind) => Err(Failure::BadInput(format!(
            "--bind {bind}: other machines could reach it; if that is meant, add {}",
            reach::FLAG
        ))),
        Some(bind) => Ok(bind),
        None => Ok(if remote { Ipv4Addr::UNSPECIFIED } else { Ipv4Addr::LOCALHOST }.into()),
    }
}

/// Totals by the line before.
#[derive(Clone, Copy, Default)]
struct Totals {
    elapsed_ns: u64,
    udp: u64,
    tcp: u64,
    arrivals: u64,
    lost: u64,
}

impl Totals {
    fn of(report: &Report) -> Self {
        let bytes = |flows: &[FlowReport]| flows.iter().map(|flow| flow.bytes).sum();
        let lost = report.udp.iter().filter_map(|flow| flow.loss.as_ref()).map(|loss| loss.lost).sum();
        let arrivals = report.udp.iter().map(|flow| flow.arrivals).sum();
        Self { elapsed_ns: report.elapsed_ns, udp: bytes(&report.udp), tcp: bytes(&report.tcp), arrivals, lost }
    }
}

/// A line on how it goes since the line before.
fn progress(report: &Report, before: &mut Totals) -> String {
    let now = Totals::of(report);
    let then = std::mem::replace(before, now);
    let mbps = |octets: u64| octets as f64 * 8e3 / (now.elapsed_ns - then.elapsed_ns).max(1) as f64;
    // A late datagram takes back a loss.
    let lost = now.lost.saturating_sub(then.lost);
    let share = 100.0 * lost as f64 / (lost + now.arrivals - then.arrivals).max(1) as f64;
    format!(
        "{:.1} s: udp {:.2} Mbps, {lost} lost ({share:.2} %); tcp {:.2} Mbps",
        now.elapsed_ns as f64 / 1e9,
        mbps(now.udp - then.udp),
        mbps(now.tcp - then.tcp),
    )
}

fn table(report: &Report) -> Table {
    let flows = || report.udp.iter().map(|flow| ("udp", flow)).chain(report.tcp.iter().map(|flow| ("tcp", flow)));
    let loss = |of: fn(&airtime_live::sink::LossReport, &FlowReport) -> String| {
        flows().map(move |(_, flow)| flow.loss.as_ref().map(|loss| of(loss, flow)).unwrap_or_default())
    };
    let mut table = Table::default();
    table.column("kind", Align::Left, flows().map(|(kind, _)| kind));
    table.column("from", Align::Left, flows().map(|(_, flow)| flow.from.as_str()));
    table.column("B", Align::Right, flows().map(|(_, flow)| flow.bytes.to_string()));
    let seconds = |flow: &FlowReport| format!("{:.1}", flow.last_ns.saturating_sub(flow.first_ns) as f64 / 1e9);
    table.column("s", Align::Right, flows().map(|(_, flow)| seconds(flow)));
    let rate = |flow: &FlowReport| flow.goodput_kbps.map(|kbps| format!("{:.2}", kbps / 1e3)).unwrap_or_default();
    table.column("Mbps", Align::Right, flows().map(|(_, flow)| rate(flow)));
    table.column_if_any("numbers", Align::Left, loss(|loss, _| loss.numbers.to_owned()));
    table.column_if_any("lost", Align::Right, loss(|loss, _| loss.lost.to_string()));
    table.column_if_any("lost %", Align::Right, loss(|loss, flow| format!("{:.2}", loss.percent(flow.arrivals))));
    table.column_if_any("late", Align::Right, loss(|loss, _| loss.late.to_string()));
    table.column_if_any("again", Align::Right, loss(|loss, _| loss.again.to_string()));
    if report.refused > 0 {
        table.remarks.push(format!("streams or datagrams beyond the limit, refused: {}", report.refused));
    }
    table
}

#[cfg(test)]
mod tests {
    use airtime_live::sink::{LossReport, REPORT_SCHEMA};
    use serde_json::Value;

    use super::*;

    fn report() -> Report {
        let loss = LossReport { numbers: "iperf2", lost: 25, late: 1, again: 0, damaged: 0 };
        let flow = FlowReport {
            from: "10.0.0.7:5001".into(),
            bytes: 105_000,
            arrivals: 75,
            first_ns: 1,
            last_ns: 1_000_000_001,
            goodput_kbps: Some(840.0),
            series_kbps: vec![840.0],
            closed: false,
            loss: Some(loss),
        };
        let (udp, tcp) = (vec![flow], vec![]);
        Report { schema: REPORT_SCHEMA, airtime: "0", elapsed_ns: 1_000_000_000, udp, tcp, refused: 0 }
    }

    #[test]
    fn a_line_is_of_what_came_since_the_line_before() {
        let mut report = report();
        let mut before = Totals::default();
        assert_eq!(progress(&report, &mut before), "1.0 s: udp 0.84 Mbps, 25 lost (25.00 %); tcp 0.00 Mbps");
        report.elapsed_ns += 1_000_000_000;
        report.udp[0].bytes += 140_000;
        report.udp[0].arrivals += 100;
        assert_eq!(progress(&report, &mut before), "2.0 s: udp 1.12 Mbps, 0 lost (0.00 %); tcp 0.00 Mbps");
    }

    #[test]
    fn the_published_schema_has_every_field() {
        let report = serde_json::to_value(report()).unwrap();
        let schema: Value = serde_json::from_str(include_str!("../../../../schemas/hw-sink.schema.json")).unwrap();
        assert_eq!(schema["properties"]["schema"]["const"], REPORT_SCHEMA);
        for (part, found) in [
            (&schema, &report),
            (&schema["$defs"]["flow"], &report["udp"][0]),
            (&schema["$defs"]["loss"], &report["udp"][0]["loss"]),
        ] {
            let mut expected: Vec<&String> = part["properties"].as_object().unwrap().keys().collect();
            let mut fields: Vec<&String> = found.as_object().unwrap().keys().collect();
            expected.sort();
            fields.sort();
            assert_eq!(expected, fields);
            assert_eq!(part["required"].as_array().unwrap().len(), fields.len());
        }
    }
}
