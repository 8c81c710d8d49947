//! Remote calls with the image's code between host and server on the peripheral, beside the lab's own host there.

use airtime_ble::ledger::Account;
use airtime_ble_link::run::{Outcome, run};
use airtime_core::Duration;
use airtime_lab::record::BenchFigures;
use airtime_lab::run::record;
use airtime_lab::{Library, Plan, Record};

use super::hosts::{Kind, Model, Trouble, plan};
use crate::support;

const PUBLISHED: &str = include_str!("../../../../plans/rpc-bench.toml");
const CONFORMANCE: &str = include_str!("../../../../plans/rpc/rpc-conformance.toml");

/// The records of a shipped plan with this host on the peripheral, and these keys besides.
fn records(text: &str, kind: Kind, set: &[(&str, &str)]) -> Vec<Record> {
    let host = [("peripheral.host", if kind == Trouble { "trouble" } else { "model" })];
    let set: Vec<(String, String)> =
        host.iter().chain(set).map(|(key, value)| ((*key).into(), (*value).into())).collect();
    let plan = Plan::parse("shipped", text, &Library::builtin(), &set).unwrap_or_else(|error| panic!("{error}"));
    plan.points().iter().map(|point| record(&plan, point)).collect()
}

fn bench(record: &Record) -> &BenchFigures {
    assert_eq!(record.outcome, "ok", "{}", record.id);
    record.calls.as_ref().and_then(|calls| calls.bench()).expect("one benchmark ran")
}

/// One run of calls between Nordic's controllers with 20 frames of 244 octets in either, and these keys besides.
fn calls(kind: Kind, set: &[(&str, &str)]) -> Outcome {
    let own = [
        ("link", "ble-rpc"),
        ("central.personality", "nordic-sdc"),
        ("peripheral.personality", "nordic-sdc"),
        ("acl.count", "20"),
        ("gatt.mtu", "247"),
        ("gatt.tx_buffers", "20"),
    ];
    let (_, point) = plan([Model, kind], &[&own, set].concat());
    run(support::ble(&point), point.scenario.run().seed)
}

/// Milliseconds a call of the one benchmark of a run, all of whose calls ended well.
fn ms_per_call(outcome: &Outcome) -> f64 {
    let [bench] = outcome.calls.benches.as_slice() else { panic!("one benchmark: {:?}", outcome.calls) };
    assert!(bench.over && bench.calls > 0 && bench.failed == 0, "{bench:?}");
    bench.took().as_nanos() as f64 / 1e6 / bench.calls as f64
}

/// The central and the air are the limit of each, and an iPhone refuses no frame that waits for its event.
#[test]
fn the_published_benchmarks_are_the_model_hosts() {
    let [model, trouble] = [Model, Trouble].map(|kind| records(PUBLISHED, kind, &[]));
    assert_eq!((model.len(), trouble.len()), (6, 6));
    for (model, trouble) in model.iter().zip(&trouble) {
        let (here, there) = (bench(trouble), bench(model));
        println!("{}: {:.2} ms a call, {:.2} of the lab's own host", trouble.id, here.ms_per_call, there.ms_per_call);
        assert_eq!((here.calls, here.failed, trouble.counters.get("host_rests")), (there.calls, 0, None));
        assert!((here.ms_per_call / there.ms_per_call - 1.0).abs() < 0.001, "{}", trouble.id);
        assert_eq!(trouble.ledger_ns.iter().map(|(_, ns)| ns).sum::<u64>(), trouble.elapsed_ns, "the books balance");
    }
    let read = bench(&trouble[0]);
    assert!((read.ms_per_call - 300.0).abs() < 0.1 && (read.kib_per_s - 26.7).abs() < 0.1, "{read:?}");
    let again = records(PUBLISHED, Trouble, &[]);
    let text = |records: &[Record]| serde_json::to_string(records).expect("a record is JSON");
    assert_eq!(text(&trouble), text(&again), "same seed, same bytes");
}

/// The published stack asks for an interval only where its own lies outside of 15 to 30 ms, TrouBLE is told to ask: a central that
/// grants what it is asked for goes to the shortest.
#[test]
fn it_asks_for_its_interval_wherever_that_lies() {
    let thirty = [("ble.conn_interval", "30ms")];
    let told = [thirty[0], ("ble.request_interval", "30ms")];
    for (set, kind, millis, expected) in [
        (&thirty[..], Model, 30, 90.0),
        (&thirty, Trouble, 15, 75.0),
        (&told, Model, 30, 90.0),
        (&told, Trouble, 30, 90.0),
    ] {
        let outcome = calls(kind, set);
        let (central, peripheral) = outcome.negotiated.as_ref().expect("they connected");
        for end in [central, peripheral] {
            assert_eq!(end.interval, Duration::from_millis(millis), "{kind:?} {set:?}");
            assert_eq!((end.tx_octets, end.rx_octets, end.att_mtu), (251, 251, 247), "{kind:?} {set:?}");
        }
        assert!((ms_per_call(&outcome) - expected).abs() < 0.1, "{kind:?} {set:?}: {}", ms_per_call(&outcome));
    }
}

/// The lab's own application gives its host as many frames as its controller has buffers; TrouBLE's queue has the next ones ready.
#[test]
fn what_waits_is_booked_to_who_has_the_frames() {
    let few = [("ble.conn_interval", "15ms"), ("acl.count", "2")];
    let [model, trouble] = [Model, Trouble].map(|kind| calls(kind, &few));
    assert!((ms_per_call(&model) - ms_per_call(&trouble)).abs() < 0.1);
    for (outcome, cause, not) in
        [(&model, Account::IdleWindow, Account::IdleBuffers), (&trouble, Account::IdleBuffers, Account::IdleWindow)]
    {
        let ledger = outcome.steady_ledger.as_ref().expect("a link has books");
        assert!(ledger.balances() && ledger.of(cause) * 2 > ledger.elapsed(), "{cause:?}: {ledger:?}");
        assert!(ledger.of(not).is_zero(), "{not:?}: {ledger:?}");
    }
}

#[test]
fn eight_calls_at_a_time_open_and_sealed() {
    for sealed in ["false", "true"] {
        let set = [
            ("ble.conn_interval", "15ms"),
            ("rpc.mode", "extended"),
            ("rpc.outstanding", "8"),
            ("rpc.calls", "40"),
            ("rpc.encrypted", sealed),
            ("rpc.window", "64kB"),
        ];
        let [model, trouble] = [Model, Trouble].map(|kind| ms_per_call(&calls(kind, &set)));
        println!("sealed {sealed}: {trouble:.2} ms a call, {model:.2} of the lab's own host");
        assert!((trouble / model - 1.0).abs() < 0.01, "sealed {sealed}");
    }
}

#[test]
fn every_published_check_passes() {
    for (mode, sealed) in [("compatible", "false"), ("compatible", "true"), ("extended", "false"), ("extended", "true")]
    {
        let [record] = &records(CONFORMANCE, Trouble, &[("rpc.mode", mode), ("rpc.encrypted", sealed)])[..] else {
            panic!("one point")
        };
        let checks = &record.calls.as_ref().expect("checks ran").checks;
        assert!(checks.len() == 9 && checks.iter().all(|check| check.passed), "{mode} {sealed}: {checks:?}");
    }
}

/// With loss the seed decides, and nothing else.
#[test]
fn the_same_seed_is_the_same_run() {
    let run_of = |seed| {
        let set = [("link", "ble-rpc"), ("ble.loss", "{ per = 0.05 }"), ("rpc.encrypted", "true")];
        let (_, point) = plan([Model, Trouble], &set);
        let outcome = run(support::ble(&point), seed);
        assert!(ms_per_call(&outcome) > 0.0);
        format!("{outcome:?}")
    };
    assert_eq!(run_of(1), run_of(1));
    assert_ne!(run_of(1), run_of(2));
}
