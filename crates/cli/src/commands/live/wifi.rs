//! `airtime live wifi`: the pipeline of an ESP host between two network namespaces.

use airtime_live::ip::{Names, Namespaces};
use airtime_live::wifi::{EndReport, Link, Report, Server};
use airtime_report::{Align, Table};
use airtime_wifi::plan::Scenario;

use super::linked::{self, lag_remark, refused, say_where};
use super::{check_time, in_stretches, stop_on_signal};
use crate::arguments::LiveWifiArguments;
use crate::exit::{Exit, Failure};
use crate::output::{self, Form};
use crate::request::Manner;

/// The MTU of an Ethernet interface, which is what the netif of the host has.
const MTU: u16 = 1_500;

/// Name of the devices, in their namespaces.
const DEVICE: &str = "esp0";

/// Joins the namespaces until it is stopped, or for the time that was asked for, and reports.
pub fn wifi(arguments: &LiveWifiArguments, manner: Manner) -> Result<Exit, Failure> {
    check_time(&arguments.time)?;
    let (plan, changes) = (&arguments.plan, &arguments.changes);
    let scenario: Scenario = linked::scenario(plan, changes, "wifi-hosted, such as wifi-tcp-tx")?;
    let says: Box<dyn FnMut(&str)> = if manner.quiet { Box::new(|_| {}) } else { Box::new(output::say) };
    let names = Names::new(arguments.netns.as_deref().filter(|name| !name.is_empty()));
    let namespaces = Namespaces::make(&names, "live-wifi", DEVICE, MTU, says).map_err(refused)?;
    let mut server = Server::open(namespaces, || Link::new(&scenario)).map_err(refused)?;
    let stopper = server.stopper();
    stop_on_signal(stopper.clone())?;
    say_where(server.namespaces());
    let run = |server: &mut Server, time| {
        server.run(time).map_err(|error| Failure::Machine(format!("the pipeline cannot go on: {error}")))
    };
    let mut before = (0, 0);
    let tell = |server: &Server| output::say(&progress(&Report::new(server), &mut before));
    let exit = in_stretches(&arguments.time, &stopper, &mut server, run, tell)?;
    let report = Report::new(&server);
    // Whatever becomes of the output, the machine is as it was.
    drop(server);
    output::print(&match manner.form {
        Form::Json => output::rendered(|out| airtime_report::json(&report, out))?,
        form => output::rendered(|out| {
            let exporter = form.exporter();
            [ends(&report), air(&report)].iter().try_for_each(|table| exporter.export_table(table, out))
        })?,
    })?;
    Ok(exit)
}

/// A line on how it goes; `before` is the time and the octets of the line before.
fn progress(report: &Report, before: &mut (u64, u64)) -> String {
    let carried = report.ends.iter().map(|end| end.bytes_out).sum::<u64>();
    let mbps = (carried - before.1) as f64 * 8e3 / (report.elapsed_ns - before.0).max(1) as f64;
    *before = (report.elapsed_ns, carried);
    let lag = report.lag.map_or(0.0, |lag| lag.p99_us);
    format!("{:.1} s: {mbps:.2} Mbps of IP packets, lag p99 {lag} us", report.elapsed_ns as f64 / 1e9)
}

fn ends(report: &Report) -> Table {
    let all = &report.ends;
    let count = |of: fn(&EndReport) -> u64| all.iter().map(move |end| of(end).to_string());
    let mut table = Table::new("Ends");
    table.column("end", Align::Left, all.iter().map(|end| end.end));
    table.column("namespace", Align::Left, all.iter().map(|end| end.namespace.as_str()));
    table.column("address", Align::Left, all.iter().map(|end| end.address.as_str()));
    table.column("packets in", Align::Right, count(|end| end.packets_in));
    table.column("B in", Align::Right, count(|end| end.bytes_in));
    table.column("packets out", Align::Right, count(|end| end.packets_out));
    table.column("B out", Align::Right, count(|end| end.bytes_out));
    let drops = report.counters.iter().filter(|(name, count)| name.starts_with("drops.") && **count > 0);
    let drops = drops.map(|(name, count)| format!("{name} {count}")).collect::<Vec<_>>();
    if !drops.is_empty() {
        table.remarks.push(drops.join(", "));
    }
    table.remarks.push(lag_remark(report.lag.as_ref(), report.steps, report.elapsed_ns));
    table
}

/// A line per account that something was booked to, in percent of the time.
fn air(report: &Report) -> Table {
    let all: u64 = report.ledger_ns.iter().map(|(_, ns)| *ns).sum();
    let used = || report.ledger_ns.iter().filter(|(_, ns)| **ns > 0);
    let mut table = Table::new("Air, in percent");
    table.column("account", Align::Left, used().map(|(name, _)| name));
    table.column("both", Align::Right, used().map(|(_, ns)| format!("{:.1}", 100.0 * *ns as f64 / all.max(1) as f64)));
    table
}

#[cfg(test)]
mod tests {
    use airtime_lab::Ordered;
    use airtime_live::wifi::REPORT_SCHEMA;
    use serde_json::Value;

    use super::*;

    #[test]
    fn the_published_schema_has_every_field() {
        let end = EndReport {
            end: "a",
            namespace: "x-a".into(),
            device: DEVICE.into(),
            address: "10.0.0.1/24".into(),
            packets_in: 1,
            bytes_in: 2,
            packets_out: 3,
            bytes_out: 4,
            refused: 0,
        };
        let report = Report {
            schema: REPORT_SCHEMA,
            airtime: "0",
            elapsed_ns: 1,
            steps: 0,
            lag: None,
            ends: vec![end],
            counters: Ordered::new(),
            ledger_ns: Ordered::new(),
            bottleneck: "idle.app",
        };
        let report = serde_json::to_value(report).unwrap();
        let schema: Value = serde_json::from_str(include_str!("../../../../../schemas/live-wifi.schema.json")).unwrap();
        assert_eq!(schema["properties"]["schema"]["const"], REPORT_SCHEMA);
        for (part, found) in [(&schema, &report), (&schema["$defs"]["end"], &report["ends"][0])] {
            let mut expected: Vec<&String> = part["properties"].as_object().unwrap().keys().collect();
            let mut fields: Vec<&String> = found.as_object().unwrap().keys().collect();
            expected.sort();
            fields.sort();
            assert_eq!(expected, fields);
            assert_eq!(part["required"].as_array().unwrap().len(), fields.len());
        }
    }
}
