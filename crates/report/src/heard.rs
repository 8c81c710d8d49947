//! Captures besides the books of a link, as tables: streams of an HCI log, stations of 802.11, nodes of 802.15.4.

use airtime_ieee80211::heard as wifi;
use airtime_ieee802154::heard as ieee802154;
use airtime_ieee802154::wire::Address;
use airtime_lab::captured::HostCapturedLink;
use airtime_lab::record::tenth;
use airtime_sniff::host::Stream;

use crate::{Align, Table};

/// Stations and nodes that a table has.
const ROWS_MAX: usize = 64;

/// The tables of one connection of an HCI log: its streams, and what they waited for.
pub fn host_connection(link: &HostCapturedLink) -> Vec<Table> {
    let mut tables = vec![streams(link)];
    let waits = waits(link);
    if !waits.is_empty() {
        let mut table = Table::default();
        table.column("stream", Align::Left, waits.iter().map(|wait| wait.0));
        table.column("waits for", Align::Left, waits.iter().map(|wait| wait.1));
        table.column("ms", Align::Right, waits.iter().map(|wait| format!("{:.1}", wait.2 as f64 / 1e6)));
        table.column("%", Align::Right, waits.iter().map(|wait| format!("{:.1}", wait.3)));
        tables.push(table);
    }
    tables
}

/// Everything of all connections in one table: streams, what they waited for, sentences.
pub fn host_figures(links: &[HostCapturedLink]) -> Table {
    const HEADINGS: [&str; 10] =
        ["connection", "kind", "name", "octets", "packets", "kbps", "per_interval", "ns", "percent", "says"];
    let mut rows: Vec<[String; HEADINGS.len()]> = Vec::new();
    for link in links {
        let connection = name(link);
        for (direction, stream) in both(link) {
            let mut row: [String; HEADINGS.len()] = Default::default();
            row[..3].clone_from_slice(&[connection.clone(), "stream".into(), direction.into()]);
            row[3..8].clone_from_slice(&[
                stream.octets.to_string(),
                stream.packets.to_string(),
                tenth(stream.goodput_kbps).to_string(),
                stream.per_interval.map(|packets| tenth(packets).to_string()).unwrap_or_default(),
                stream.span_ns.to_string(),
            ]);
            rows.push(row);
        }
        for (direction, account, ns, percent) in waits(link) {
            let mut row: [String; HEADINGS.len()] = Default::default();
            row[..3].clone_from_slice(&[connection.clone(), format!("waits.{direction}"), account.into()]);
            row[7..9].clone_from_slice(&[ns.to_string(), tenth(percent).to_string()]);
            rows.push(row);
        }
        for says in &link.says {
            let mut row: [String; HEADINGS.len()] = Default::default();
            row[..2].clone_from_slice(&[connection.clone(), "says".into()]);
            row[9].clone_from(says);
            rows.push(row);
        }
    }
    let mut table = Table::new("");
    for (index, heading) in HEADINGS.into_iter().enumerate() {
        table.column(heading, Align::Left, rows.iter().map(|row| row[index].clone()));
    }
    table
}

fn name(link: &HostCapturedLink) -> String {
    let told = &link.told;
    let adapter = if told.adapter > 0 { format!("hci{} ", told.adapter) } else { String::new() };
    match (&told.role, &told.peer) {
        (Some(role), Some(peer)) => format!("connection {adapter}{}, {role}, with {peer}", told.handle),
        _ => format!("connection {adapter}{}", told.handle),
    }
}

fn both(link: &HostCapturedLink) -> impl Iterator<Item = (&'static str, &Stream)> {
    let streams = [("sent", &link.told.sent), ("received", &link.told.received)];
    streams.into_iter().filter_map(|(direction, stream)| Some((direction, stream.as_ref()?)))
}

fn streams(link: &HostCapturedLink) -> Table {
    let mut table = Table::new(name(link));
    let rows: Vec<_> = both(link).collect();
    if !rows.is_empty() {
        table.column("stream", Align::Left, rows.iter().map(|(direction, _)| *direction));
        table.column("kbps", Align::Right, rows.iter().map(|(_, stream)| format!("{:.1}", stream.goodput_kbps)));
        table.column("octets", Align::Right, rows.iter().map(|(_, stream)| stream.octets.to_string()));
        table.column("packets", Align::Right, rows.iter().map(|(_, stream)| stream.packets.to_string()));
        let per = |stream: &Stream| stream.per_interval.map(|packets| format!("{packets:.2}")).unwrap_or_default();
        table.column_if_any("per interval", Align::Right, rows.iter().map(|(_, stream)| per(stream)));
        table.column("longest", Align::Right, rows.iter().map(|(_, stream)| stream.longest.to_string()));
        let seconds = |stream: &Stream| format!("{:.2}", stream.span_ns as f64 / 1e9);
        table.column("s", Align::Right, rows.iter().map(|(_, stream)| seconds(stream)));
    }
    table.remarks.extend(link.says.iter().cloned());
    table
}

/// Direction, account, nanoseconds and percent of everything that both streams waited for.
fn waits(link: &HostCapturedLink) -> Vec<(&'static str, &'static str, u64, f64)> {
    let shares = both(link).flat_map(|(direction, stream)| {
        let all: u64 = stream.waits.iter().map(|share| share.ns).sum();
        stream
            .waits
            .iter()
            .map(move |share| (direction, share.account, share.ns, 100.0 * share.ns as f64 / all.max(1) as f64))
    });
    shares.collect()
}

/// Stations of 802.11, and what a capture of the channel does not show.
pub fn wifi_heard(told: &wifi::Told) -> Vec<Table> {
    let rows: Vec<&wifi::Station> = told.stations.iter().take(ROWS_MAX).collect();
    let span = (told.span_ns as f64).max(1.0);
    let mut table = Table::new("stations");
    table.column("station", Align::Left, rows.iter().map(|station| station.address.to_string()));
    table.column("data", Align::Right, rows.iter().map(|station| station.data.to_string()));
    table.column("retry %", Align::Right, rows.iter().map(|s| percent(s.retries as f64, s.frames() as f64)));
    table.column("octets", Align::Right, rows.iter().map(|station| station.octets.to_string()));
    table.column("kbps", Align::Right, rows.iter().map(|s| format!("{:.1}", s.octets as f64 * 8e6 / span)));
    let rate = |station: &wifi::Station| {
        station.usual_rate_kbps().map(|kbps| format!("{:.1}", f64::from(kbps) / 1e3)).unwrap_or_default()
    };
    table.column_if_any("Mbit/s", Align::Right, rows.iter().map(|station| rate(station)));
    let level = |station: &wifi::Station| station.signal_dbm().map(|dbm| format!("{dbm:.0}")).unwrap_or_default();
    table.column_if_any("dBm", Align::Right, rows.iter().map(|station| level(station)));
    let air = |s: &wifi::Station| {
        if s.rates.is_empty() { String::new() } else { percent(s.air.as_nanos() as f64, span) }
    };
    table.column_if_any("air %", Align::Right, rows.iter().map(|station| air(station)));
    if told.stations.len() > ROWS_MAX {
        table.remarks.push(format!("{} more stations sent less.", told.stations.len() - ROWS_MAX));
    }
    if told.left_out > 0 {
        table.remarks.push(format!("{} frames are of more stations than are told apart.", told.left_out));
    }
    table.remarks.push(format!(
        "{} acknowledgements, {} Block Acks and requests for them, {} RTS, {} CTS, {} others; {} frames with a wrong FCS.",
        told.acks, told.block_acks, told.rts, told.cts, told.others, told.damaged
    ));
    if !told.control_air.is_zero() {
        let share = percent(told.control_air.as_nanos() as f64, span);
        table
            .remarks
            .push(format!("Acknowledgements and the like take {share} % of the air; gaps and backoff are besides."));
    }
    if told.untimed > 0 {
        table.remarks.push(format!(
            "The time of {} frames is not reckoned: the capture has no rate of them, or one of VHT or of several streams.",
            told.untimed
        ));
    }
    table.remarks.push(
        "A capture of the channel does not show frames that the sniffer did not hear, nor the queues, buses and hosts behind a station.".into(),
    );
    vec![table]
}

/// Nodes of 802.15.4, and what a capture of the channel does not show.
pub fn ieee802154_heard(told: &ieee802154::Told) -> Vec<Table> {
    let rows: Vec<&ieee802154::Node> = told.nodes.iter().take(ROWS_MAX).collect();
    let span = (told.span_ns as f64).max(1.0);
    let mut table = Table::new("nodes");
    table.column("node", Align::Left, rows.iter().map(|node| address(node.address)));
    table.column_if_any("pan", Align::Left, rows.iter().map(|node| pan(node.pan)));
    table.column("data", Align::Right, rows.iter().map(|node| node.data.to_string()));
    table.column("repeated", Align::Right, rows.iter().map(|node| node.repeated.to_string()));
    table.column("acknowledged %", Align::Right, rows.iter().map(|n| percent(n.acked as f64, n.asked as f64)));
    table.column("octets", Align::Right, rows.iter().map(|node| node.octets.to_string()));
    table.column("kbps", Align::Right, rows.iter().map(|n| format!("{:.1}", n.octets as f64 * 8e6 / span)));
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
    table.remarks.push(
        "Octets are MAC payload, repetitions left out. A capture of the channel does not show backoffs, busy channels, or why nothing was sent."
            .into(),
    );
    vec![table]
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

fn percent(part: f64, of: f64) -> String {
    if of > 0.0 { format!("{:.1}", 100.0 * part / of) } else { String::new() }
}
