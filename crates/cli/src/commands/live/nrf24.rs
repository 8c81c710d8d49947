//! `airtime live nrf24`: two nodes that join two network namespaces.

use airtime_live::ip::{Names, Namespaces};
use airtime_live::nrf24::{Commands, DEVICE, EndReport, LinkReport, Program, Report, Server, TrafficReport, link};
use airtime_nrf24::plan::Scenario;
use airtime_report::{Align, Table};

use super::linked::{self, lag_remark, refused, say_where};
use super::{check_time, in_stretches, stop_on_signal};
use crate::arguments::{ChangeArguments, LiveNrf24Arguments};
use crate::exit::{Exit, Failure};
use crate::output::{self, Form};
use crate::request::Manner;

/// Joins the namespaces until it is stopped, or for the time that was asked for, and reports.
pub fn nrf24(arguments: &LiveNrf24Arguments, manner: Manner) -> Result<Exit, Failure> {
    check_time(&arguments.time)?;
    let scenario = scenario(&arguments.plan, &arguments.changes)?;
    let says = || -> Box<dyn FnMut(&str)> { if manner.quiet { Box::new(|_| {}) } else { Box::new(output::say) } };
    let commands = arguments.commands.then(Commands::stdin).transpose();
    let commands = commands.map_err(|error| Failure::Machine(format!("cannot read commands: {error}")))?;
    let names = Names::new(arguments.netns.as_deref().filter(|name| !name.is_empty()));
    let namespaces = Namespaces::make(&names, "live-nrf24", DEVICE, scenario.tunnel.mtu, says()).map_err(refused)?;
    let mut server = Server::open(namespaces, || link(&scenario), commands, says()).map_err(refused)?;
    let stopper = server.stopper();
    stop_on_signal(stopper.clone())?;
    say_where(server.namespaces());
    let run = |server: &mut Server<Program>, time| {
        server.run(time).map_err(|error| Failure::Machine(format!("cannot wait for what is due: {error}")))
    };
    let mut before = (0, 0);
    let tell = |server: &Server<Program>| output::say(&progress(server, &mut before));
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

/// Scenario of the one point of a plan of this link.
pub fn scenario(plan: &str, changes: &ChangeArguments) -> Result<Scenario, Failure> {
    linked::scenario(plan, changes, "nrf24-ip, such as nrf24-stream")
}

/// A line on how it goes; `before` is the time and the octets of the line before.
fn progress(server: &Server<Program>, before: &mut (u64, u64)) -> String {
    let link = server.link();
    let (now, carried) = (link.pacer().now().as_nanos(), link.network().observer.carried());
    let kbps = (carried - before.1) as f64 * 8e6 / (now - before.0).max(1) as f64;
    *before = (now, carried);
    let lag = link.pacer().lag().summary().map_or(0.0, |lag| lag.p99_us);
    format!("{:.1} s: {kbps:.1} kbps of IP packets, lag p99 {lag} us", now as f64 / 1e9)
}

fn ends(report: &Report) -> Table {
    let all = &report.ends;
    let count = |of: fn(&TrafficReport) -> u64| all.iter().map(move |end| of(&end.traffic).to_string());
    let mut table = Table::new("Ends");
    table.column("end", Align::Left, all.iter().map(|end| end.end));
    table.column("namespace", Align::Left, all.iter().map(|end| end.namespace.as_str()));
    table.column("address", Align::Left, all.iter().map(|end| end.address.as_str()));
    table.column("mode", Align::Left, all.iter().map(|end| end.mode.unwrap_or("none agreed")));
    table.column("starts", Align::Right, all.iter().map(|end| end.starts.to_string()));
    table.column("packets in", Align::Right, count(|traffic| traffic.packets_in));
    table.column("B in", Align::Right, count(|traffic| traffic.bytes_in));
    table.column("packets out", Align::Right, count(|traffic| traffic.packets_out));
    table.column("B out", Align::Right, count(|traffic| traffic.bytes_out));
    table.column_if_any("dropped", Align::Left, all.iter().map(dropped));
    table.remarks.push(lag_remark(report.lag.as_ref(), report.steps, report.elapsed_ns));
    table
}

/// Drops of an end, by place.
fn dropped(end: &EndReport) -> String {
    end.traffic.dropped.iter().map(|(at, count)| format!("{at}: {count}")).collect::<Vec<_>>().join(", ")
}

/// A line per account that any direction has booked something to, in percent of its time.
fn air(report: &Report) -> Table {
    let booked = |link: &LinkReport, name: &str| link.ledger_ns.get(name).copied().unwrap_or(0);
    let names: Vec<&str> = report.links.first().map_or(vec![], |link| {
        let used = |name: &&str| report.links.iter().any(|link| booked(link, name) > 0);
        link.ledger_ns.iter().map(|(name, _)| name).filter(used).collect()
    });
    let mut table = Table::new("Air, in percent");
    table.column("account", Align::Left, names.iter().copied());
    for link in &report.links {
        let all: u64 = link.ledger_ns.iter().map(|(_, ns)| ns).sum();
        let share = |name: &&str| format!("{:.1}", 100.0 * booked(link, name) as f64 / all.max(1) as f64);
        table.column(link.direction, Align::Right, names.iter().map(share));
    }
    table
}

#[cfg(test)]
mod tests {
    use airtime_lab::Ordered;
    use airtime_live::nrf24::REPORT_SCHEMA;
    use serde_json::Value;

    use super::*;

    #[test]
    fn the_published_schema_has_every_field() {
        let traffic = TrafficReport {
            packets_in: 1,
            bytes_in: 2,
            packets_out: 3,
            bytes_out: 4,
            dropped: Ordered::new(),
            resyncs: 0,
        };
        let end = EndReport {
            end: "a",
            namespace: "x-a".into(),
            device: "longge".into(),
            address: "10.0.0.1/24".into(),
            up: true,
            starts: 1,
            mode: None,
            refused: 0,
            traffic,
        };
        let link =
            LinkReport { direction: "up", counters: Ordered::new(), ledger_ns: Ordered::new(), bottleneck: "idle.app" };
        let report = Report {
            schema: REPORT_SCHEMA,
            airtime: "0",
            elapsed_ns: 1,
            steps: 0,
            lag: None,
            ends: vec![end],
            links: vec![link],
        };
        let report = serde_json::to_value(report).unwrap();
        let schema = include_str!("../../../../../schemas/live-nrf24.schema.json");
        let schema: Value = serde_json::from_str(schema).unwrap();
        assert_eq!(schema["properties"]["schema"]["const"], REPORT_SCHEMA);
        for (part, found) in [
            (&schema, &report),
            (&schema["$defs"]["end"], &report["ends"][0]),
            (&schema["$defs"]["link"], &report["links"][0]),
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
