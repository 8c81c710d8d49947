//! Records made by hand for the tests.

use airtime_lab::Ordered;
use airtime_lab::record::{Bottleneck, Goodput, LabFigure, Measured, Negotiated, error_pct};
use airtime_lab::{Document, Record};

/// A grid of three points over two parameters, one of which never changes.
pub(crate) fn grid() -> Document {
    let records = vec![
        point(247, Goodput { median: 1012.3, low: 1010.0, high: 1014.6, runs: 3 }, (41_000, 9_000)),
        point(492, Goodput { median: 1312.0, low: 1312.0, high: 1312.0, runs: 1 }, (40_000, 4_000)),
        point(741, Goodput { median: 1190.5, low: 1188.0, high: 1191.0, runs: 3 }, (40_500, 4_500)),
    ];
    Document { records: records.into(), ..Document::new("coc-sdu") }
}

fn point(sdu: u32, goodput: Goodput, (exchanges, events): (u64, u64)) -> Record {
    Record {
        id: format!("coc-sdu/{sdu}"),
        link: "ble-coc".into(),
        params: [("ble.phy", "2M".into()), ("coc.sdu", sdu.into())].into_iter().collect(),
        seed: 1,
        goodput_kbps: goodput,
        delivered_bytes: 9_840_000,
        elapsed_ns: 60_000_000_000,
        ledger_ns: [("payload.p2c", 39_360_000_000_u64), ("tail", 20_640_000_000)].into_iter().collect(),
        bottleneck: Bottleneck { account: "tail".into(), says: "the event ends before another exchange fits".into() },
        counters: counters(exchanges, events),
        replay: format!("airtime run coc-sdu --set coc.sdu={sdu} --seed 1"),
        label: format!("coc.sdu={sdu}"),
        outcome: "ok".into(),
        ..Record::default()
    }
}

fn counters(exchanges: u64, events: u64) -> Ordered<u64> {
    let counted = [("exchanges", exchanges), ("events", events), ("event_end.tail", events)];
    counted.into_iter().collect()
}

/// A single run.
pub(crate) fn single(plan: &str, kbps: f64) -> Document {
    Document { records: vec![point(492, Goodput::of(&[kbps]), (10, 1))].into(), ..Document::new(plan) }
}

/// A run on 2M with the books of its steady state.
pub(crate) fn booked() -> Record {
    let ledger = [("payload.p2c", 686_000), ("ifs", 200_000), ("empty", 30_000), ("tail", 84_000), ("loss", 0_u64)];
    Record {
        negotiated: Some(Negotiated { phy: "2M".into(), ..Negotiated::default() }),
        steady_ledger_ns: ledger.into_iter().collect(),
        ..point(492, Goodput::of(&[1372.0]), (40_000, 4_000))
    }
}

/// Four published rows: two predicted, a candidate, one without a figure whose run failed.
pub(crate) fn field() -> Document {
    let records = vec![
        row("coc-macos-492", Some((530.0, false)), 533.2, "predicted"),
        row("coc-macos-247", Some((395.0, true)), 401.0, "predicted"),
        Record {
            note: Some("interval not logged".into()),
            id: "coc-ios-492/candidate-1".into(),
            label: "coc-ios-492, ble.conn_interval 15ms".into(),
            ..row("coc-ios-492", Some((446.0, false)), 530.0, "candidate")
        },
        Record {
            note: Some("worse, no figure | logged".into()),
            outcome: "0x3E connection failed to be established".into(),
            goodput_kbps: Goodput::default(),
            ..row("coc-macos-sleep", None, 0.0, "not modelled: no figure")
        },
    ];
    Document { records: records.into(), ..Document::new("ble-coc") }
}

fn row(id: &str, measured: Option<(f64, bool)>, kbps: f64, verdict: &str) -> Record {
    let source = "macOS L2CAP optimisation log";
    Record {
        id: id.into(),
        measured: measured.map(|(value, approx)| Measured {
            value,
            unit: "kbps".into(),
            approx,
            source: source.into(),
            ..Measured::default()
        }),
        lab: measured.map(|_| LabFigure {
            value: kbps,
            unit: "kbps".into(),
            field: "goodput_kbps.median".into(),
            low: kbps,
            high: kbps,
        }),
        error_pct: measured.and_then(|(value, _)| error_pct(kbps, value)),
        verdict: verdict.parse().ok(),
        ..point(492, Goodput::of(&[kbps]), (10, 1))
    }
}
