//! `airtime live nrf24`: two nodes that join two network namespaces.

use airtime_live::ip::nrf24::{Commanded, Commands, DEVICE, Directions, EndFigures, link};
use airtime_live::ip::{Air, EndReport, Report};
use airtime_nrf24::plan::{Nrf24, Scenario};
use airtime_report::{Align, Table};

use super::check_time;
use super::linked::{self, Course, lag_remark, says};
use crate::arguments::ChangeArguments;
use crate::arguments::live::LiveNrf24Arguments;
use crate::exit::{Exit, Failure};
use crate::measure::planned;
use crate::request::Manner;

/// Joins the namespaces until it is stopped, or for the time that was asked for, and reports.
pub fn nrf24(arguments: &LiveNrf24Arguments, manner: Manner) -> Result<Exit, Failure> {
    check_time(&arguments.time)?;
    let scenario = scenario(&arguments.plan, &arguments.changes)?;
    let commands = arguments.commands.then(Commands::stdin).transpose();
    let commands = commands.map_err(|error| Failure::Machine(format!("cannot read commands: {error}")))?;
    let course = Course {
        time: &arguments.time,
        netns: arguments.netns.as_ref().and_then(Option::as_deref),
        server: "live-nrf24",
        device: DEVICE,
        mtu: scenario.tunnel.mtu,
        failed: "cannot wait for what is due",
    };
    let open = || Commanded::new(link(&scenario), commands, says(manner));
    let rate = |kbps: f64| format!("{kbps:.1} kbps");
    linked::serve(&course, manner, open, rate, |report| vec![ends(report), air(report)])
}

/// Scenario of the one point of a plan of this link.
pub fn scenario(plan: &str, changes: &ChangeArguments) -> Result<Scenario, Failure> {
    let scenario: Scenario = planned(plan, changes, &Nrf24, "nrf24-stream")?;
    if scenario.is_raw() {
        return Err(Failure::BadInput("traffic.kind=raw: a live link is a tunnel; expected udp or tcp".to_owned()));
    }
    Ok(scenario)
}

fn ends(report: &Report<EndFigures, Directions>) -> Table {
    let mut table = linked::ends::<Commanded>(report, |table, all| {
        table.column("mode", Align::Left, all.iter().map(|end| end.figures.mode.unwrap_or("none agreed")));
        table.column("starts", Align::Right, all.iter().map(|end| end.figures.starts.to_string()));
    });
    table.column_if_any("dropped", Align::Left, report.ends.iter().map(dropped));
    table.remarks.push(lag_remark(report.lag.as_ref(), report.steps, report.elapsed_ns));
    table
}

/// Drops of an end, by place.
fn dropped(end: &EndReport<EndFigures>) -> String {
    let dropped = end.figures.traffic.dropped.iter();
    dropped.map(|(at, count)| format!("{at}: {count}")).collect::<Vec<_>>().join(", ")
}

fn air(report: &Report<EndFigures, Directions>) -> Table {
    let parts: Vec<(&str, &Air)> = report.between.links.iter().map(|link| (link.direction, &link.air)).collect();
    linked::air(&parts)
}

#[cfg(test)]
mod tests {
    use airtime_lab::Ordered;
    use airtime_live::ip::Reported;
    use airtime_live::ip::nrf24::{LinkReport, TrafficReport};
    use airtime_system::Crossed;
    use serde_json::Value;

    use super::*;

    #[test]
    fn the_published_schema_has_every_field() {
        let traffic = TrafficReport {
            crossed: Crossed { packets_in: 1, bytes_in: 2, packets_out: 3, bytes_out: 4 },
            dropped: Ordered::new(),
            resyncs: 0,
        };
        let end = EndReport {
            end: "a",
            namespace: "x-a".into(),
            device: "longge".into(),
            address: "10.0.0.1/24".into(),
            figures: EndFigures { up: true, starts: 1, mode: None, refused: 0, traffic },
        };
        let air = Air { counters: Ordered::new(), ledger_ns: Ordered::new(), bottleneck: "idle.app" };
        let link = LinkReport { direction: "up", air };
        let report = Report {
            schema: Commanded::SCHEMA,
            airtime: "0",
            elapsed_ns: 1,
            steps: 0,
            lag: None,
            ends: vec![end],
            between: Directions { links: vec![link] },
        };
        let report = serde_json::to_value(report).unwrap();
        let schema = include_str!("../../../../../schemas/live-nrf24.schema.json");
        let schema: Value = serde_json::from_str(schema).unwrap();
        assert_eq!(schema["properties"]["schema"]["const"], Commanded::SCHEMA);
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
