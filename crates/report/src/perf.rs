//! Measurements with iperf3 and ping, as a table and as plots.

use airtime_study::perf::{Load, Row, Settings, Spread};

use crate::{Align, Table};
use airtime_figures::{Axis, Chart, Look, Mark, Series};

/// The rows as a table.
pub fn table(title: &str, rows: &[Row]) -> Table {
    let mut table = Table::new(title);
    let column = |cell: fn(&Row) -> String| rows.iter().map(cell).collect::<Vec<String>>();
    table.column("load", Align::Left, column(|row| row.load.clone()));
    table.column("direction", Align::Left, column(|row| row.direction.clone()));
    table.column_if_any(
        "payload B",
        Align::Right,
        column(|row| row.payload_bytes.map(|b| b.to_string()).unwrap_or_default()),
    );
    table.column_if_any("offered kbps", Align::Right, column(|row| figure(row.offered_kbps, 0)));
    table.column("runs", Align::Right, column(|row| row.runs.to_string()));
    table.column("goodput kbps", Align::Right, column(|row| spread(Some(&row.goodput_kbps), 1)));
    table.column_if_any("IP kbps", Align::Right, column(|row| figure(row.ip_kbps.map(|ip| ip.median), 1)));
    table.column_if_any("loss %", Align::Right, column(|row| spread(row.loss_pct.as_ref(), 1)));
    table.column_if_any("sent again", Align::Right, column(|row| figure(row.retransmits.map(|r| r.median), 0)));
    table.column_if_any("RTT p50 ms", Align::Right, column(|row| figure(row.round_trip_ms.map(|w| w.p50), 1)));
    table.column_if_any("p95 ms", Align::Right, column(|row| figure(row.round_trip_ms.map(|w| w.p95), 1)));
    table.column_if_any("p99 ms", Align::Right, column(|row| figure(row.round_trip_ms.map(|w| w.p99), 1)));
    table.column_if_any(
        "pings",
        Align::Right,
        column(|row| row.round_trip_ms.map(|w| w.samples.to_string()).unwrap_or_default()),
    );
    table.column("overrun s", Align::Right, column(|row| spread(Some(&row.overrun_s), 2)));
    table
}

/// Method of the figures, in a line.
pub fn method(settings: &Settings) -> String {
    let Settings { seconds, warm_up_seconds, repeats, payload_bytes, .. } = settings;
    let runs = if *repeats == 1 { "1 run".to_owned() } else { format!("{repeats} runs") };
    let what = match settings.loads.iter().any(|load| matches!(load, Load::Udp(_))) {
        true => format!("iperf3 -u -l {payload_bytes} ({payload_bytes} octets of payload in a datagram)"),
        false => "iperf3 (TCP)".to_owned(),
    };
    format!("{what}, {seconds} s after {warm_up_seconds} s of warm-up, {runs}, receiver's figures")
}

/// A figure of a row that has a range.
type Ranged = fn(&Row) -> Option<Spread>;

/// Every figure of the rows, for spreadsheets: a line per load.
pub fn full(rows: &[Row]) -> Table {
    let mut table = Table::new("");
    let mut column = |heading: &str, cell: &dyn Fn(&Row) -> Option<String>| {
        table.column(heading, Align::Right, rows.iter().map(|row| cell(row).unwrap_or_default()));
    };
    column("load", &|row| Some(row.load.clone()));
    column("direction", &|row| Some(row.direction.clone()));
    column("payload_bytes", &|row| row.payload_bytes.map(|bytes| bytes.to_string()));
    column("offered_kbps", &|row| row.offered_kbps.map(|kbps| kbps.to_string()));
    column("runs", &|row| Some(row.runs.to_string()));
    let spreads: [(&str, Ranged); 5] = [
        ("goodput_kbps", |row| Some(row.goodput_kbps)),
        ("ip_kbps", |row| row.ip_kbps),
        ("loss_pct", |row| row.loss_pct),
        ("overrun_s", |row| Some(row.overrun_s)),
        ("retransmits", |row| row.retransmits),
    ];
    for (name, spread) in spreads {
        column(&format!("{name}.median"), &|row| spread(row).map(|spread| spread.median.to_string()));
        column(&format!("{name}.low"), &|row| spread(row).map(|spread| spread.low.to_string()));
        column(&format!("{name}.high"), &|row| spread(row).map(|spread| spread.high.to_string()));
    }
    column("round_trip_ms.p50", &|row| row.round_trip_ms.map(|waits| waits.p50.to_string()));
    column("round_trip_ms.p95", &|row| row.round_trip_ms.map(|waits| waits.p95.to_string()));
    column("round_trip_ms.p99", &|row| row.round_trip_ms.map(|waits| waits.p99.to_string()));
    column("round_trip_ms.max", &|row| row.round_trip_ms.map(|waits| waits.max.to_string()));
    column("pings.answered", &|row| row.round_trip_ms.map(|waits| waits.samples.to_string()));
    column("pings.unanswered", &|row| row.round_trip_ms.map(|waits| waits.unanswered.to_string()));
    table
}

/// The plots over the offered load, with the names of their files. `how` says how the figures were come by, and `seconds` how long
/// each test sent, the warm-up included.
pub fn charts(rows: &[Row], how: &str, seconds: u32) -> Vec<(&'static str, Chart)> {
    let udp: Vec<&Row> = rows.iter().filter(|row| row.offered_kbps.is_some()).collect();
    let load = || Axis::linear("offered load (kbps of payload)");
    let chart = |title: &str, y: Axis, series: Vec<Series>| Chart {
        title: title.to_owned(),
        subtitle: how.to_owned(),
        x: load(),
        y,
        series,
    };
    let loaded: Vec<&Row> = udp.iter().copied().filter(|row| row.load == "udp").collect();
    vec![
        (
            "goodput",
            chart(
                "Goodput against offered load",
                Axis::linear("goodput (kbps of payload, at the receiver)"),
                vec![
                    Series { name: "all that is offered".to_owned(), look: Look::Dashed, marks: diagonal(&loaded) },
                    Series {
                        name: "goodput, median and range".to_owned(),
                        look: Look::Line,
                        marks: spreads(&loaded, |row| Some(row.goodput_kbps)),
                    },
                ],
            ),
        ),
        (
            "loss",
            chart(
                "Loss against offered load",
                Axis::linear("payload that did not arrive (%)"),
                vec![Series {
                    name: "loss, median and range".to_owned(),
                    look: Look::Line,
                    marks: spreads(&loaded, |row| row.loss_pct),
                }],
            ),
        ),
        ("delay", chart("Round trip under load (ping)", Axis::logarithmic("round trip (ms)"), delays(&udp))),
        (
            "overrun",
            chart(
                "Test overrun against offered load (published as “latency”)",
                Axis::linear("time beyond the intended duration (s)"),
                overrun(&loaded, seconds),
            ),
        ),
    ]
}

/// From zero to the largest load.
fn diagonal(rows: &[&Row]) -> Vec<Mark> {
    let most = rows.iter().filter_map(|row| row.offered_kbps).fold(0.0, f64::max);
    vec![Mark::new(0.0, 0.0), Mark::new(most, most)]
}

fn spreads(rows: &[&Row], of: Ranged) -> Vec<Mark> {
    let mark = |row: &&Row| {
        let spread = of(row)?;
        Some(Mark { range: Some((spread.low, spread.high)), ..Mark::new(row.offered_kbps?, spread.median) })
    };
    rows.iter().filter_map(mark).collect()
}

fn delays(rows: &[&Row]) -> Vec<Series> {
    let series = |name: &str, of: fn(&airtime_study::perf::Waits) -> f64| {
        let mark = |row: &&Row| Some(Mark::new(row.offered_kbps?, of(row.round_trip_ms.as_ref()?)));
        Series { name: name.to_owned(), look: Look::Line, marks: rows.iter().filter_map(mark).collect() }
    };
    vec![series("p50", |waits| waits.p50), series("p95", |waits| waits.p95), series("p99", |waits| waits.p99)]
}

/// The overrun, and what an unbounded queue in front of a link of the largest goodput measured would make it.
fn overrun(rows: &[&Row], seconds: u32) -> Vec<Series> {
    let service = rows.iter().map(|row| row.goodput_kbps.median).fold(0.0, f64::max);
    let most = rows.iter().filter_map(|row| row.offered_kbps).fold(0.0, f64::max);
    let measured = Series {
        name: "test overrun, median and range".to_owned(),
        look: Look::Line,
        marks: spreads(rows, |row| Some(row.overrun_s)),
    };
    if service <= 0.0 || most <= service {
        return vec![measured];
    }
    let beyond = |offered: f64| Mark::new(offered, f64::from(seconds) * (offered / service - 1.0));
    let name = format!("T(λ/ρ − 1): unbounded queue, T = {seconds} s, ρ = {service:.0} kbps");
    vec![measured, Series { name, look: Look::Dashed, marks: vec![beyond(service), beyond(most)] }]
}

fn figure(value: Option<f64>, decimals: usize) -> String {
    value.map(|value| format!("{value:.decimals$}")).unwrap_or_default()
}

/// The median, with the range where there is one to be seen.
fn spread(spread: Option<&Spread>, decimals: usize) -> String {
    let Some(spread) = spread else { return String::new() };
    // What rounds to nothing has no sign.
    let written = |value: f64| {
        format!("{:.decimals$}", if value.abs() < 0.5 / 10f64.powi(decimals as i32) { 0.0 } else { value })
    };
    let [median, low, high] = [spread.median, spread.low, spread.high].map(written);
    if low == high { median } else { format!("{median} ({low}–{high})") }
}

#[cfg(test)]
mod tests {
    use super::*;
    use airtime_study::perf::Waits;

    fn flat(value: f64) -> Spread {
        Spread { median: value, low: value, high: value }
    }

    fn row(load: &str, offered: Option<f64>, goodput: Spread, overrun: f64) -> Row {
        let waits = Waits { p50: 3.0, p95: 40.0, p99: 58.25, max: 60.0, samples: 400, unanswered: 1 };
        Row {
            load: load.to_owned(),
            direction: "up".to_owned(),
            offered_kbps: offered,
            payload_bytes: (load == "udp").then_some(32),
            runs: 2,
            goodput_kbps: goodput,
            ip_kbps: (load == "udp").then(|| flat(goodput.median * 60.0 / 32.0)),
            loss_pct: (load == "udp").then(|| flat(12.5)),
            overrun_s: flat(overrun),
            retransmits: None,
            round_trip_ms: Some(waits),
        }
    }

    fn rows() -> Vec<Row> {
        let spread = Spread { median: 190.0, low: 180.0, high: 200.0 };
        vec![
            row("idle", Some(0.0), flat(0.0), 0.0),
            row("udp", Some(100.0), flat(100.0), -0.0002),
            row("udp", Some(380.0), spread, 4.9),
        ]
    }

    #[test]
    fn a_row_says_its_packet_size_and_the_range() {
        let table = table("", &rows());
        let cells = |row: usize, from: usize| -> Vec<&str> { table.rows[row].iter().skip(from).take(3).collect() };
        assert_eq!(cells(1, 2), ["32", "100", "2"]);
        assert_eq!(cells(2, 5), ["190.0 (180.0–200.0)", "356.2", "12.5"]);
        assert_eq!(table.rows[1].iter().last().unwrap(), "0.00", "nothing has no sign");
    }

    #[test]
    fn a_line_for_spreadsheets_has_every_figure() {
        let full = full(&rows());
        let cell = |row: usize, heading: &str| {
            let place = full.columns.iter().position(|column| column.heading == heading).unwrap();
            full.rows[row][place].to_owned()
        };
        assert_eq!(cell(2, "goodput_kbps.low"), "180");
        assert_eq!(cell(2, "round_trip_ms.p99"), "58.25");
        assert_eq!((cell(0, "loss_pct.median"), cell(0, "pings.unanswered")), (String::new(), "1".to_owned()));
    }

    #[test]
    fn the_published_curve_stands_beside_its_closed_form() {
        let charts = charts(&rows(), "how", 5);
        let names: Vec<&str> = charts.iter().map(|(name, _)| *name).collect();
        assert_eq!(names, ["goodput", "loss", "delay", "overrun"]);
        let (_, overrun) = &charts[3];
        // An unbounded queue in front of 190 kbps: 5 s of 380 kbps take 5 s more.
        assert_eq!(overrun.series[1].marks, [Mark::new(190.0, 0.0), Mark::new(380.0, 5.0)]);
        assert_eq!(overrun.series[0].marks.len(), 2, "an idle link has no overrun");
        assert_eq!(charts[2].1.series[2].marks[0], Mark::new(0.0, 58.25), "but it has a delay");
        assert!(overrun.title.contains("published as “latency”"));
    }
}
