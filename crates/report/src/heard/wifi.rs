//! Stations of a capture of 802.11, as a table, figures and a document.

use airtime_ieee80211::heard::{Station, Told};
use airtime_lab::record::tenth;
use serde::Serialize;

use super::{ROWS_MAX, figures, percent, rate_kbps};
use crate::{Align, Table};

/// Sentence on what a capture of 802.11 does not show.
const UNSEEN: &str = "A capture of the channel does not show frames that the sniffer did not hear, nor the queues, buses and hosts behind a station.";

/// Stations of 802.11, and what a capture of the channel does not show.
pub fn wifi_heard(told: &Told) -> Vec<Table> {
    let rows: Vec<&Station> = told.stations.iter().take(ROWS_MAX).collect();
    let span = (told.span_ns as f64).max(1.0);
    let mut table = Table::new("stations");
    table.column("station", Align::Left, rows.iter().map(|station| station.address.to_string()));
    table.column("data", Align::Right, rows.iter().map(|station| station.data.to_string()));
    table.column("retry %", Align::Right, rows.iter().map(|s| percent(s.retries as f64, s.frames() as f64)));
    table.column("octets", Align::Right, rows.iter().map(|station| station.octets.to_string()));
    table.column("kbps", Align::Right, rows.iter().map(|s| format!("{:.1}", rate_kbps(s.octets, told.span_ns))));
    let rate = |station: &Station| {
        station.usual_rate_kbps().map(|kbps| format!("{:.1}", f64::from(kbps) / 1e3)).unwrap_or_default()
    };
    table.column_if_any("Mbit/s", Align::Right, rows.iter().map(|station| rate(station)));
    let level = |station: &Station| station.signal_dbm().map(|dbm| format!("{dbm:.0}")).unwrap_or_default();
    table.column_if_any("dBm", Align::Right, rows.iter().map(|station| level(station)));
    let air = |s: &Station| {
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
    table.remarks.push(UNSEEN.into());
    vec![table]
}

/// Every station with its rates, and the other frames, in one table.
pub fn wifi_figures(told: &Told) -> Table {
    const HEADINGS: [&str; 11] =
        ["kind", "name", "frames", "data", "empty", "management", "retries", "octets", "kbps", "ns", "dbm"];
    let mut rows: Vec<[String; HEADINGS.len()]> = Vec::new();
    for station in &told.stations {
        let mut row: [String; HEADINGS.len()] = Default::default();
        row[..2].clone_from_slice(&["station".into(), station.address.to_string()]);
        let counts =
            [station.frames(), station.data, station.empty, station.management, station.retries, station.octets];
        row[2..8].clone_from_slice(&counts.map(|count| count.to_string()));
        row[8] = tenth(rate_kbps(station.octets, told.span_ns)).to_string();
        row[9] = air_ns(station).map(|ns| ns.to_string()).unwrap_or_default();
        row[10] = station.signal_dbm().map(|dbm| tenth(dbm).to_string()).unwrap_or_default();
        rows.push(row);
        for (kbps, frames) in &station.rates {
            let mut row: [String; HEADINGS.len()] = Default::default();
            row[..3].clone_from_slice(&["rate".into(), station.address.to_string(), frames.to_string()]);
            row[8] = kbps.to_string();
            rows.push(row);
        }
    }
    for (name, frames) in [
        ("acks", told.acks),
        ("block_acks", told.block_acks),
        ("rts", told.rts),
        ("cts", told.cts),
        ("others", told.others),
        ("damaged", told.damaged),
        ("left_out", told.left_out),
        ("untimed", told.untimed),
    ] {
        let mut row: [String; HEADINGS.len()] = Default::default();
        row[..3].clone_from_slice(&["frames".into(), name.into(), frames.to_string()]);
        rows.push(row);
    }
    for (name, ns) in [("span", told.span_ns), ("control", told.control_air.as_nanos())] {
        let mut row: [String; HEADINGS.len()] = Default::default();
        row[..2].clone_from_slice(&["time".into(), name.into()]);
        row[9] = ns.to_string();
        rows.push(row);
    }
    figures(HEADINGS, &rows)
}

/// Time on the air of a station, where the capture has rates of it.
fn air_ns(station: &Station) -> Option<u64> {
    (!station.rates.is_empty()).then_some(station.air.as_nanos())
}

/// Document of a capture of 802.11: everything that was counted. Fields are added, never renamed.
#[derive(Debug, Serialize)]
pub struct WifiDocument {
    span_ns: u64,
    stations: Vec<StationEntry>,
    acks: u64,
    block_acks: u64,
    rts: u64,
    cts: u64,
    others: u64,
    damaged: u64,
    left_out: u64,
    control_air_ns: u64,
    untimed: u64,
    unseen: &'static str,
}

#[derive(Debug, Serialize)]
struct StationEntry {
    station: String,
    data: u64,
    empty: u64,
    management: u64,
    retries: u64,
    octets: u64,
    goodput_kbps: f64,
    air_ns: Option<u64>,
    rates: Vec<RateEntry>,
    signal_dbm: Option<f64>,
}

#[derive(Debug, Serialize)]
struct RateEntry {
    kbps: u32,
    frames: u64,
}

impl From<&Told> for WifiDocument {
    fn from(told: &Told) -> Self {
        let station = |station: &Station| StationEntry {
            station: station.address.to_string(),
            data: station.data,
            empty: station.empty,
            management: station.management,
            retries: station.retries,
            octets: station.octets,
            goodput_kbps: rate_kbps(station.octets, told.span_ns),
            air_ns: air_ns(station),
            rates: station.rates.iter().map(|(&kbps, &frames)| RateEntry { kbps, frames }).collect(),
            signal_dbm: station.signal_dbm(),
        };
        Self {
            span_ns: told.span_ns,
            stations: told.stations.iter().map(station).collect(),
            acks: told.acks,
            block_acks: told.block_acks,
            rts: told.rts,
            cts: told.cts,
            others: told.others,
            damaged: told.damaged,
            left_out: told.left_out,
            control_air_ns: told.control_air.as_nanos(),
            untimed: told.untimed,
            unseen: UNSEEN,
        }
    }
}
