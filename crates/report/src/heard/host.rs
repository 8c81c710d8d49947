//! Streams of an HCI log, as tables.

use airtime_lab::captured::{HostCaptured, HostCapturedLink};
use airtime_lab::record::tenth;
use airtime_sniff::host::Stream;

use super::figures;
use crate::{Align, Table};

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

/// Everything of a log in one table: its packets by what became of them, then of each connection streams, what they waited for, sentences.
pub fn host_figures(captured: &HostCaptured) -> Table {
    const HEADINGS: [&str; 10] =
        ["connection", "kind", "name", "octets", "packets", "kbps", "per_interval", "ns", "percent", "says"];
    let mut rows: Vec<[String; HEADINGS.len()]> = Vec::new();
    let log = &captured.log;
    for (name, packets, says) in [("packets", log.packets, "taken")].into_iter().chain(log.besides()) {
        let mut row: [String; HEADINGS.len()] = Default::default();
        row[1..3].clone_from_slice(&["log".into(), name.into()]);
        (row[4], row[9]) = (packets.to_string(), says.into());
        rows.push(row);
    }
    for link in &captured.links {
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
    figures(HEADINGS, &rows)
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
