//! Tunnel that iperf3 and ping have measured, as the subject of a report.

use airtime_figures::{Chart, Figure};
use airtime_lab::Document;
use airtime_study::perf::{Row, Settings, Spread};

use crate::Table;
use crate::cells::figure;
use crate::perf::{charts, method, table};

/// Figures of a tunnel.
#[derive(Clone, Debug, PartialEq)]
pub struct Tunnel {
    /// Name of the measurement, with its runs as records where the kind of link below the tunnel is known.
    pub document: Document,
    /// Settings of the runs.
    pub settings: Settings,
    /// Row of each load.
    pub rows: Vec<Row>,
}

impl Tunnel {
    /// Plots over the offered load with the names of their files; none of a measurement without one.
    pub fn charts(&self) -> Vec<(&'static str, Chart)> {
        let Settings { warm_up_seconds, seconds, .. } = self.settings;
        let has_load = self.rows.iter().any(|row| row.load == "udp");
        if has_load { charts(&self.rows, &method(&self.settings), warm_up_seconds + seconds) } else { Vec::new() }
    }

    pub(super) fn figures(&self) -> Vec<Figure> {
        self.charts().into_iter().map(|(_, chart)| Figure::Chart(chart)).collect()
    }

    pub(super) fn remarks(&self) -> impl Iterator<Item = String> {
        let overrun = (!self.charts().is_empty()).then(|| OVERRUN.to_owned());
        [method(&self.settings)].into_iter().chain(overrun)
    }

    pub(super) fn table(&self) -> Table {
        let runs = self.rows.iter().map(|row| row.runs).sum::<usize>();
        table(&format!("Medians and ranges of {runs} {}", if runs == 1 { "run" } else { "runs" }), &self.rows)
    }

    /// The load at which most arrives, with what ping tells of it and of an idle link.
    pub(super) fn answer(&self) -> Option<String> {
        let loaded = self.rows.iter().filter(|row| row.load != "idle");
        let most = loaded.max_by(|one, other| one.goodput_kbps.median.total_cmp(&other.goodput_kbps.median))?;
        let Spread { median, low, high } = most.goodput_kbps;
        let range = if low < high { format!(" ({} to {})", figure(low), figure(high)) } else { String::new() };
        let load = match most.offered_kbps {
            Some(offered) => format!("with {} kbps of UDP offered", figure(offered)),
            None => format!("of TCP {}", most.direction),
        };
        let half = |row: &Row| row.round_trip_ms.map(|waits| format!("{} ms", figure(waits.p50)));
        let idle = self.rows.iter().find(|row| row.load == "idle").and_then(half);
        let waits = match (half(most), idle) {
            (Some(then), Some(idle)) => {
                format!(" Half of the pings take up to {then} then, and {idle} on the idle link.")
            }
            (Some(then), None) => format!(" Half of the pings take up to {then} then."),
            (None, _) => " No ping was answered then.".to_owned(),
        };
        Some(format!("At most {} kbps{range} arrive, {load}.{waits}", figure(median)))
    }
}

/// Caption of the last plot, for whoever knows it by its published name.
const OVERRUN: &str = "Test overrun is the receiver's time less the time that was asked for. Where the queue in front of the link is \
    unbounded it is the time that the queue takes to drain, T(λ/ρ − 1) for a test of T seconds at the offered load λ and the \
    service rate ρ: it grows with the length of the test and is the delay of no packet but the last. The published nRF24 report \
    plots it as latency. Delay under load is the plot above it.";
