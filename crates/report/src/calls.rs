//! Remote calls: their figures as cells, checks as a table, and facts about where a call's time goes.

use airtime_lab::record::{BenchFigures, CheckFigure};
use airtime_lab::{Document, Record};

use crate::cells::{self, figure};
use crate::table::{Align, Table};

fn bench(record: &Record) -> Option<&BenchFigures> {
    record.calls.as_ref()?.bench()
}

/// Time of the calls by their number: the published figure.
pub(crate) fn ms_per_call(record: &Record) -> String {
    bench(record).map(|bench| hundredth(bench.ms_per_call)).unwrap_or_default()
}

/// Time per item of the streams, in ms.
pub(crate) fn ms_per_item(record: &Record) -> String {
    bench(record).and_then(|bench| bench.ms_per_item).map(hundredth).unwrap_or_default()
}

/// Payload in 1024 octets per second.
pub(crate) fn kib_per_s(record: &Record) -> String {
    bench(record).map(|bench| hundredth(bench.kib_per_s)).unwrap_or_default()
}

/// Calls in a second.
pub(crate) fn calls_per_s(record: &Record) -> String {
    bench(record).map(|bench| figure(bench.calls_per_s)).unwrap_or_default()
}

/// Times of the calls: the median, the 99th percentile, and their scatter.
pub(crate) fn times(record: &Record) -> String {
    let cell = |bench: &BenchFigures| {
        let latency = bench.latency_ms?;
        Some(format!("{}, {} ± {}", figure(latency.p50), figure(latency.p99), figure(bench.deviation_ms)))
    };
    bench(record).and_then(cell).unwrap_or_default()
}

/// Connection events of a call.
pub(crate) fn events(record: &Record) -> String {
    let each = bench(record).and_then(|bench| bench.per_call.as_ref());
    each.map(|each| hundredth(each.events)).unwrap_or_default()
}

/// `24 of 24 pass`, where checks were made.
pub(crate) fn checked(record: &Record) -> String {
    let made = checks_of(record).count();
    if made == 0 { String::new() } else { format!("{} of {made} pass", passed(record)) }
}

/// Checks of a record that passed.
pub(crate) fn passed(record: &Record) -> usize {
    checks_of(record).filter(|check| check.passed).count()
}

/// Checks of a record.
pub(crate) fn checks_of(record: &Record) -> impl Iterator<Item = &CheckFigure> {
    record.calls.iter().flat_map(|calls| &calls.checks)
}

/// Median goodput of a record; empty of one of checks alone, which carry nothing that a rate would be of.
pub(crate) fn goodput(record: &Record) -> String {
    let only_checks = record.calls.as_ref().is_some_and(|calls| calls.benches.is_empty() && !calls.checks.is_empty());
    if only_checks { String::new() } else { cells::goodput(&record.goodput_kbps) }
}

/// The checks of every record of `document`, if any was made.
pub(crate) fn checks(document: &Document) -> Option<Table> {
    let of = |record: &Record| record.calls.iter().flat_map(|calls| calls.checks.clone()).collect::<Vec<_>>();
    let checks: Vec<_> = document.records.iter().flat_map(|record| of(&record)).collect();
    (!checks.is_empty()).then(|| {
        let mut table = Table::new(&document.plan);
        table.column("check", Align::Left, checks.iter().map(|check| check.name.as_str()));
        table.column("result", Align::Left, checks.iter().map(|check| if check.passed { "PASS" } else { "FAIL" }));
        table.column_if_any("why", Align::Left, checks.iter().map(|check| check.why.clone().unwrap_or_default()));
        let passed = checks.iter().filter(|check| check.passed).count();
        table.remarks.push(format!("{passed} of {} checks pass", checks.len()));
        table
    })
}

/// The benchmarks of a record that has run several, a row each.
pub(crate) fn benches(document: &Document) -> Option<Table> {
    let of = |record: &Record| record.calls.iter().flat_map(|calls| calls.benches.clone()).collect::<Vec<_>>();
    let benches: Vec<BenchFigures> =
        document.records.iter().map(|record| of(&record)).filter(|of| of.len() > 1).flatten().collect();
    (!benches.is_empty()).then(|| {
        let mut table = Table::new(format!("{}: benchmarks", document.plan));
        table.column("call", Align::Left, benches.iter().map(|bench| bench.call.as_str()));
        table.column("payload", Align::Right, benches.iter().map(|bench| bench.payload.to_string()));
        table.column("calls", Align::Right, benches.iter().map(|bench| bench.calls.to_string()));
        table.column("ms/call", Align::Right, benches.iter().map(|bench| hundredth(bench.ms_per_call)));
        let per_item = |bench: &BenchFigures| bench.ms_per_item.map(hundredth).unwrap_or_default();
        table.column_if_any("ms/item", Align::Right, benches.iter().map(per_item));
        table.column("KiB/s", Align::Right, benches.iter().map(|bench| hundredth(bench.kib_per_s)));
        table
    })
}

/// A line for everything that tells where the time of a call goes; nothing for other links.
pub(crate) fn facts(record: &Record) -> Vec<String> {
    let Some(bench) = bench(record) else { return Vec::new() };
    let mut lines = vec![format!(
        "calls: {} of {}, {} at a time, {} ms each, {} a second, {} kbps",
        bench.calls,
        bench.call,
        bench.outstanding,
        hundredth(bench.ms_per_call),
        figure(bench.calls_per_s),
        figure(record.goodput_kbps.median)
    )];
    if let Some(each) = &bench.per_call {
        lines.push(format!(
            "a call: {} connection events, {} frames there and {} back, {} data PDUs",
            hundredth(each.events),
            hundredth(each.frames_c2p),
            hundredth(each.frames_p2c),
            hundredth(each.pdus)
        ));
        lines.push(format!(
            "its time: {} ms radio, {} ms until the next anchor, {} ms cap, {} ms the rest",
            hundredth(each.radio_ms),
            hundredth(each.anchor_ms),
            hundredth(each.cap_ms),
            hundredth(each.other_ms)
        ));
    }
    lines
}

fn hundredth(value: f64) -> String {
    format!("{value:.2}")
}

#[cfg(test)]
mod tests {
    use airtime_lab::record::{CallFigures, CheckFigure, Latency, PerCall};

    use super::*;

    fn record(calls: CallFigures) -> Record {
        Record { link: "ble-rpc".into(), calls: Some(calls), ..Record::default() }
    }

    #[test]
    fn checks_alone_have_no_goodput() {
        let check = |passed| CheckFigure { passed, ..CheckFigure::default() };
        let checks = record(CallFigures { checks: vec![check(true), check(false)], ..CallFigures::default() });
        assert_eq!((checked(&checks), goodput(&checks)), ("1 of 2 pass".into(), String::new()));
        let none = record(CallFigures::default());
        assert_eq!((checked(&none), passed(&none)), (String::new(), 0));
    }

    #[test]
    fn a_benchmark_s_figures_are_cells() {
        let latency = Some(Latency { p50: 300.0, p95: 301.0, p99: 330.0 });
        let per_call = Some(PerCall { events: 10.0, radio_ms: 49.5, ..PerCall::default() });
        let bench = BenchFigures {
            call: "flash_read".into(),
            calls: 10,
            outstanding: 1,
            ms_per_call: 300.0,
            kib_per_s: 26.667,
            latency_ms: latency,
            deviation_ms: 0.5,
            per_call,
            ..BenchFigures::default()
        };
        let one = record(CallFigures { benches: vec![bench.clone()], ..CallFigures::default() });
        assert_eq!(
            (ms_per_call(&one), kib_per_s(&one), ms_per_item(&one)),
            ("300.00".into(), "26.67".into(), "".into())
        );
        assert_eq!((times(&one), events(&one)), ("300.0, 330.0 ± 0.5".into(), "10.00".into()));
        assert_eq!(facts(&one).len(), 3);
        let two = record(CallFigures { benches: vec![bench.clone(), bench], ..CallFigures::default() });
        assert!(ms_per_call(&two).is_empty() && facts(&two).is_empty());
        let document = Document { records: vec![one, two].into(), ..Document::new("rpc-bench") };
        assert_eq!(benches(&document).unwrap().rows.len(), 2, "only what ran several has a table of them");
    }

    #[test]
    fn checks_pass_or_fail() {
        let check = |name: &str, passed| CheckFigure { name: name.into(), passed, why: None };
        let checks = vec![check("echo_basic", true), check("echo_empty", false)];
        let document = Document {
            records: vec![record(CallFigures { checks, ..CallFigures::default() })].into(),
            ..Document::new("rpc-conformance")
        };
        let table = super::checks(&document).unwrap();
        assert_eq!(table.rows, [["echo_basic", "PASS"], ["echo_empty", "FAIL"]]);
        assert_eq!(table.remarks, ["1 of 2 checks pass"]);
        assert!(super::checks(&Document::new("other")).is_none());
    }
}
