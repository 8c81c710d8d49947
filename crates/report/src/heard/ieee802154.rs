//! Nodes of a capture of 802.15.4, as a table, figures and a document.

use airtime_ieee802154::heard::{Node, Told};
use airtime_ieee802154::wire::Address;
use serde::Serialize;

use super::{ROWS_MAX, figures, percent, rate_kbps, shown_kbps, timeless, written_kbps};
use crate::{Align, Table};

/// Sentence on what a capture of 802.15.4 does not show.
const UNSEEN: &str = "A capture of the channel does not show backoffs, busy channels, or why nothing was sent.";

/// Nodes of 802.15.4, and what a capture of the channel does not show.
pub fn ieee802154_heard(told: &Told) -> Vec<Table> {
    let rows: Vec<&Node> = told.nodes.iter().take(ROWS_MAX).collect();
    let span = told.span_ns as f64;
    let mut table = Table::new("nodes");
    table.column("node", Align::Left, rows.iter().map(|node| address(node.address)));
    table.column_if_any("pan", Align::Left, rows.iter().map(|node| pan(node.pan)));
    table.column("data", Align::Right, rows.iter().map(|node| node.data.to_string()));
    table.column("repeated", Align::Right, rows.iter().map(|node| node.repeated.to_string()));
    table.column("acknowledged %", Align::Right, rows.iter().map(|n| percent(n.acked as f64, n.asked as f64)));
    table.column("octets", Align::Right, rows.iter().map(|node| node.octets.to_string()));
    table.column("kbps", Align::Right, rows.iter().map(|n| shown_kbps(n.octets, told.span_ns)));
    table.column("air %", Align::Right, rows.iter().map(|n| percent(n.air.as_nanos() as f64, span)));
    if told.nodes.len() > ROWS_MAX {
        table.remarks.push(format!("{} more nodes sent less.", told.nodes.len() - ROWS_MAX));
    }
    if told.left_out > 0 {
        table.remarks.push(format!("{} frames are of more nodes than are told apart.", told.left_out));
    }
    table.remarks.push(format!(
        "{} acknowledgements, {} frames of version 2 (2015), {} with a wrong check. Time is that of the 2.4 GHz PHY, 250 kbit/s.",
        told.acks, told.version_2, told.damaged
    ));
    let frames = told.acks + told.damaged + told.nodes.iter().map(|node| node.data + node.others).sum::<u64>();
    table.remarks.extend(timeless(frames, told.span_ns));
    table.remarks.push(format!("Octets are MAC payload, repetitions left out. {UNSEEN}"));
    vec![table]
}

/// Every node, and the other frames, in one table.
pub fn ieee802154_figures(told: &Told) -> Table {
    const HEADINGS: [&str; 11] =
        ["kind", "name", "pan", "frames", "data", "repeated", "asked", "acknowledged", "octets", "kbps", "ns"];
    let mut rows: Vec<[String; HEADINGS.len()]> = Vec::new();
    for node in &told.nodes {
        let mut row: [String; HEADINGS.len()] = Default::default();
        row[..3].clone_from_slice(&["node".into(), address(node.address), pan(node.pan)]);
        let counts = [node.data + node.others, node.data, node.repeated, node.asked, node.acked, node.octets];
        row[3..9].clone_from_slice(&counts.map(|count| count.to_string()));
        row[9] = written_kbps(node.octets, told.span_ns);
        row[10] = node.air.as_nanos().to_string();
        rows.push(row);
    }
    for (name, frames) in
        [("acks", told.acks), ("version_2", told.version_2), ("damaged", told.damaged), ("left_out", told.left_out)]
    {
        let mut row: [String; HEADINGS.len()] = Default::default();
        row[..2].clone_from_slice(&["frames".into(), name.into()]);
        row[3] = frames.to_string();
        rows.push(row);
    }
    for (name, ns) in [("span", told.span_ns), ("other", told.other_air.as_nanos())] {
        let mut row: [String; HEADINGS.len()] = Default::default();
        row[..2].clone_from_slice(&["time".into(), name.into()]);
        row[10] = ns.to_string();
        rows.push(row);
    }
    figures(HEADINGS, &rows)
}

fn pan(pan: Option<u16>) -> String {
    pan.map(|pan| format!("0x{pan:04x}")).unwrap_or_default()
}

fn address(address: Address) -> String {
    match address {
        Address::None => "(none)".into(),
        Address::Short(address) => format!("0x{address:04x}"),
        Address::Extended(address) => format!("0x{address:016x}"),
    }
}

/// Document of a capture of 802.15.4: everything that was counted. Fields are added, never renamed.
#[derive(Debug, Serialize)]
pub struct Ieee802154Document {
    span_ns: u64,
    nodes: Vec<NodeEntry>,
    acks: u64,
    version_2: u64,
    damaged: u64,
    left_out: u64,
    other_air_ns: u64,
    unseen: &'static str,
}

#[derive(Debug, Serialize)]
struct NodeEntry {
    node: String,
    pan: Option<String>,
    data: u64,
    others: u64,
    repeated: u64,
    asked: u64,
    acknowledged: u64,
    octets: u64,
    goodput_kbps: Option<f64>,
    air_ns: u64,
}

impl From<&Told> for Ieee802154Document {
    fn from(told: &Told) -> Self {
        let node = |node: &Node| NodeEntry {
            node: address(node.address),
            pan: node.pan.map(|number| pan(Some(number))),
            data: node.data,
            others: node.others,
            repeated: node.repeated,
            asked: node.asked,
            acknowledged: node.acked,
            octets: node.octets,
            goodput_kbps: rate_kbps(node.octets, told.span_ns),
            air_ns: node.air.as_nanos(),
        };
        Self {
            span_ns: told.span_ns,
            nodes: told.nodes.iter().map(node).collect(),
            acks: told.acks,
            version_2: told.version_2,
            damaged: told.damaged,
            left_out: told.left_out,
            other_air_ns: told.other_air.as_nanos(),
            unseen: UNSEEN,
        }
    }
}
