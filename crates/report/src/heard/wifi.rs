//! Stations of a capture of 802.11, as a table, figures and a document.

use airtime_ieee80211::heard::{STATIONS_MAX, Station, Told, Untimed};
use airtime_lab::record::tenth;
use serde::Serialize;

use super::{ROWS_MAX, figures, percent, rate_kbps, shown_kbps, timeless, written_kbps};
use crate::{Align, Table};

/// Sentence on what a capture of 802.11 does not show.
const UNSEEN: &str = "A capture of the channel does not show frames that the sniffer did not hear, nor the queues, buses and hosts behind a station.";

/// Stations of 802.11, and what a capture of the channel does not show.
pub fn wifi_heard(told: &Told) -> Vec<Table> {
    let rows: Vec<&Station> = told.stations.iter().take(ROWS_MAX).collect();
    let span = told.span_ns as f64;
    let mut table = Table::new("stations");
    table.column("station", Align::Left, rows.iter().map(|station| station.address.to_string()));
    table.column("data", Align::Right, rows.iter().map(|station| station.data.to_string()));
    table.column("retry %", Align::Right, rows.iter().map(|s| percent(s.retries as f64, s.frames() as f64)));
    table.column("octets", Align::Right, rows.iter().map(|station| station.octets.to_string()));
    table.column("kbps", Align::Right, rows.iter().map(|s| shown_kbps(s.octets, told.span_ns)));
    let rate = |station: &Station| {
        station.usual_rate_kbps().map(|kbps| format!("{:.1}", f64::from(kbps) / 1e3)).unwrap_or_default()
    };
    table.column_if_any("Mbit/s", Align::Right, rows.iter().map(|station| rate(station)));
    let level = |station: &Station| station.signal_dbm().map(|dbm| format!("{dbm:.0}")).unwrap_or_default();
    table.column_if_any("dBm", Align::Right, rows.iter().map(|station| level(station)));
    let air = |s: &Station| air_ns(s).map(|ns| percent(ns as f64, span)).unwrap_or_default();
    table.column_if_any("air %", Align::Right, rows.iter().map(|station| air(station)));
    table.remarks.extend(remarks(told, span));
    table.remarks.push(UNSEEN.into());
    vec![table]
}

/// Sentences on what is not in the table, each with its reason.
fn remarks(told: &Told, span: f64) -> Vec<String> {
    let mut remarks = Vec::new();
    if told.stations.len() > ROWS_MAX {
        let (more, rows) = (told.stations.len() - ROWS_MAX, ROWS_MAX);
        remarks.push(format!("{more} more stations sent less: the table has {rows}, and --json and --csv have all."));
    }
    if told.left_out > 0 {
        remarks.push(format!(
            "{} frames are of stations beyond the first {STATIONS_MAX}, which are not told apart: they are in no row, and their time counts \
             with that of acknowledgements.",
            told.left_out
        ));
    }
    remarks.push(format!(
        "{} acknowledgements, {} Block Acks and requests for them, {} RTS, {} CTS, {} control and extension frames of other kinds.",
        told.acks, told.block_acks, told.rts, told.cts, told.others
    ));
    if told.damaged > 0 {
        remarks.push(format!(
            "{} frames are in no row, since their FCS is wrong: nobody knows whose they are.",
            told.damaged
        ));
    }
    if let Some(ns) = control_air_ns(told).filter(|ns| *ns > 0 && span > 0.0) {
        let share = percent(ns as f64, span);
        remarks.push(format!("Acknowledgements and the like take {share} % of the air; gaps and backoff are besides."));
    }
    remarks.extend(untimed(told));
    let frames = told.acks + told.damaged + told.stations.iter().map(Station::frames).sum::<u64>();
    remarks.extend(timeless(frames, told.span_ns));
    remarks
}

/// Sentence on frames whose time is not reckoned.
fn untimed(told: &Told) -> Option<String> {
    let of = &told.untimed;
    let reasons = [
        (of.no_rate, "without a rate in the capture"),
        (of.other_rate, "with a rate of VHT, of several streams or of another format that is not reckoned"),
        (of.no_band, "with a rate of OFDM and no channel, whose band decides on the signal extension"),
    ];
    let reasons: Vec<String> = reasons.iter().filter(|(n, _)| *n > 0).map(|(n, why)| format!("{n} {why}")).collect();
    (!reasons.is_empty()).then(|| format!("Frames whose time is in no figure: {}.", reasons.join(", ")))
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
        row[8] = written_kbps(station.octets, told.span_ns);
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
        ("untimed", told.untimed.total()),
        ("untimed.no_rate", told.untimed.no_rate),
        ("untimed.other_rate", told.untimed.other_rate),
        ("untimed.no_band", told.untimed.no_band),
    ] {
        let mut row: [String; HEADINGS.len()] = Default::default();
        row[..3].clone_from_slice(&["frames".into(), name.into(), frames.to_string()]);
        rows.push(row);
    }
    for (name, ns) in [("span", Some(told.span_ns)), ("control", control_air_ns(told))] {
        let mut row: [String; HEADINGS.len()] = Default::default();
        row[..2].clone_from_slice(&["time".into(), name.into()]);
        row[9] = ns.map(|ns| ns.to_string()).unwrap_or_default();
        rows.push(row);
    }
    figures(HEADINGS, &rows)
}

/// Time on the air of a station; none where not one of its frames is timed.
fn air_ns(station: &Station) -> Option<u64> {
    (station.timed > 0).then_some(station.air.as_nanos())
}

/// Time on the air of control frames and of stations that are left out; none where there are some, and not one is timed.
fn control_air_ns(told: &Told) -> Option<u64> {
    let frames = told.acks + told.block_acks + told.rts + told.cts + told.others + told.left_out;
    (told.control_timed > 0 || frames == 0).then_some(told.control_air.as_nanos())
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
    control_air_ns: Option<u64>,
    untimed: u64,
    untimed_by: UntimedEntry,
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
    goodput_kbps: Option<f64>,
    air_ns: Option<u64>,
    timed: u64,
    rates: Vec<RateEntry>,
    signal_dbm: Option<f64>,
}

#[derive(Debug, Serialize)]
struct UntimedEntry {
    no_rate: u64,
    other_rate: u64,
    no_band: u64,
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
            timed: station.timed,
            rates: station.rates.iter().map(|(&kbps, &frames)| RateEntry { kbps, frames }).collect(),
            signal_dbm: station.signal_dbm(),
        };
        let Untimed { no_rate, other_rate, no_band } = told.untimed;
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
            control_air_ns: control_air_ns(told),
            untimed: told.untimed.total(),
            untimed_by: UntimedEntry { no_rate, other_rate, no_band },
            unseen: UNSEEN,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Export;

    /// A capture with rates and without channels, as some drivers write it: nothing of OFDM is timed.
    fn untimed_capture() -> Told {
        let mut station = Station::default();
        (station.data, station.octets) = (3, 300);
        station.rates.insert(24_000, 3);
        Told {
            stations: vec![station],
            acks: 3,
            untimed: Untimed { no_band: 5, no_rate: 1, other_rate: 0 },
            ..Told::default()
        }
    }

    #[test]
    fn a_time_that_is_not_known_is_no_zero() {
        let told = untimed_capture();
        let document = serde_json::to_value(WifiDocument::from(&told)).unwrap();
        assert!(document["stations"][0]["air_ns"].is_null() && document["control_air_ns"].is_null(), "{document}");
        assert_eq!((&document["untimed"], &document["untimed_by"]["no_band"]), (&6.into(), &5.into()));
        let mut figures = Vec::new();
        crate::Csv.export_table(&wifi_figures(&told), &mut figures).unwrap();
        let figures = String::from_utf8(figures).unwrap();
        let cells = |begins: &str| figures.lines().find(|line| line.starts_with(begins)).unwrap().split(',').nth(9);
        assert_eq!([cells("station,"), cells("time,control")], [Some(""); 2], "{figures}");
        // Where nothing was sent, no time was taken.
        let silent = serde_json::to_value(WifiDocument::from(&Told::default())).unwrap();
        assert_eq!(silent["control_air_ns"], 0);
    }

    #[test]
    fn a_capture_without_times_has_no_rates() {
        let told = Told { span_ns: 0, ..untimed_capture() };
        let document = serde_json::to_value(WifiDocument::from(&told)).unwrap();
        assert!(document["stations"][0]["goodput_kbps"].is_null(), "{document}");
        let said = remarks(&told, 0.0).join("\n");
        assert!(said.contains("it has no times") && !said.contains("% of the air"), "{said}");
        let timed = Told { span_ns: 1_000_000, ..untimed_capture() };
        let document = serde_json::to_value(WifiDocument::from(&timed)).unwrap();
        assert_eq!(document["stations"][0]["goodput_kbps"], 2400.0);
        assert!(!remarks(&timed, 1e6).join("\n").contains("it has no times"));
    }

    #[test]
    fn a_remark_says_why() {
        let told = Told { left_out: 2, damaged: 1, ..untimed_capture() };
        let remarks = remarks(&told, 1e9).join("\n");
        for reason in [
            "2 frames are of stations beyond the first 1024",
            "since their FCS is wrong",
            "1 without a rate in the capture, 5 with a rate of OFDM and no channel",
        ] {
            assert!(remarks.contains(reason), "{remarks}");
        }
        assert!(
            !remarks.contains("VHT") && !remarks.contains("% of the air"),
            "what is not the case is not said: {remarks}"
        );
    }
}
