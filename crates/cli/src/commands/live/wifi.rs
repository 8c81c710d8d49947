//! `airtime live wifi`: the pipeline of an ESP host between two network namespaces.

use airtime_live::ip::wifi::{EndFigures, Pipeline, link};
use airtime_live::ip::{Air, PacedLink, Report};
use airtime_report::Table;
use airtime_wifi::plan::{Scenario, WifiHosted};

use super::check_time;
use super::linked::{self, Course, lag_remark};
use crate::arguments::live::LiveWifiArguments;
use crate::exit::{Exit, Failure};
use crate::measure::planned;
use crate::request::Manner;

/// The MTU of an Ethernet interface, which is what the netif of the host has.
const MTU: u16 = 1_500;

/// Name of the devices, in their namespaces.
const DEVICE: &str = "esp0";

/// Joins the namespaces until it is stopped, or for the time that was asked for, and reports.
pub fn wifi(arguments: &LiveWifiArguments, manner: Manner) -> Result<Exit, Failure> {
    check_time(&arguments.time)?;
    let scenario: Scenario = planned(&arguments.plan, &arguments.changes, &WifiHosted, "wifi-tcp-tx")?;
    let course = Course {
        time: &arguments.time,
        netns: arguments.netns.as_ref().and_then(Option::as_deref),
        server: "live-wifi",
        device: DEVICE,
        mtu: MTU,
        failed: "the pipeline cannot go on",
    };
    let rate = |kbps: f64| format!("{:.2} Mbps", kbps / 1e3);
    linked::serve(&course, manner, || link(&scenario), rate, |report| vec![ends(report), air(report)])
}

fn ends(report: &Report<EndFigures, Air>) -> Table {
    let mut table = linked::ends::<PacedLink<Pipeline>>(report, |_, _| {});
    let drops = report.between.counters.iter().filter(|(name, count)| name.starts_with("drops.") && **count > 0);
    let drops = drops.map(|(name, count)| format!("{name} {count}")).collect::<Vec<_>>();
    if !drops.is_empty() {
        table.remarks.push(drops.join(", "));
    }
    table.remarks.push(lag_remark(report.lag.as_ref(), report.steps, report.elapsed_ns));
    table
}

fn air(report: &Report<EndFigures, Air>) -> Table {
    linked::air(&[("both", &report.between)])
}

#[cfg(test)]
mod tests {
    use airtime_lab::Ordered;
    use airtime_live::ip::{EndReport, Reported};
    use airtime_system::Crossed;
    use serde_json::Value;

    use super::*;

    const SCHEMA: &str = PacedLink::<Pipeline>::SCHEMA;

    #[test]
    fn the_published_schema_has_every_field() {
        let end = EndReport {
            end: "a",
            namespace: "x-a".into(),
            device: DEVICE.into(),
            address: "10.0.0.1/24".into(),
            figures: EndFigures {
                crossed: Crossed { packets_in: 1, bytes_in: 2, packets_out: 3, bytes_out: 4 },
                refused: 0,
            },
        };
        let report = Report {
            schema: SCHEMA,
            airtime: "0",
            elapsed_ns: 1,
            steps: 0,
            lag: None,
            ends: vec![end],
            between: Air { counters: Ordered::new(), ledger_ns: Ordered::new(), bottleneck: "idle.app" },
        };
        let report = serde_json::to_value(report).unwrap();
        let schema: Value = serde_json::from_str(include_str!("../../../../../schemas/live-wifi.schema.json")).unwrap();
        assert_eq!(schema["properties"]["schema"]["const"], SCHEMA);
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
