//! What is read of a plan's capture, against the record of its run.

use std::collections::BTreeMap;

use airtime_ble::personality::{Budget, Controller};
use airtime_lab::personality::Library;
use serde_json::Value;

use super::program::{airtime, airtime_with, json, text};

/// A plan, what is set, and whether packets are lost.
struct Case {
    plan: &'static str,
    set: &'static [&'static str],
    loses: bool,
}

const CASES: &[Case] = &[
    Case { plan: "coc-nrf", set: &[], loses: false },
    Case { plan: "coc-mac", set: &[], loses: false },
    Case { plan: "coc-sdc", set: &["ble.conn_interval=20ms"], loses: false },
    Case { plan: "coc-sdc", set: &["ble.direction=c2p"], loses: false },
    Case { plan: "coc-nrf", set: &["ble.direction=both"], loses: false },
    Case { plan: "gatt-notify", set: &["ble.conn_interval=30ms"], loses: false },
    Case { plan: "encrypted", set: &["ble.conn_interval=15ms", "ble.encrypted=true"], loses: false },
    Case { plan: "one-credit", set: &[], loses: false },
    Case { plan: "coc-nrf", set: &["ble.loss={per=0.02}"], loses: true },
    Case { plan: "two-peripherals", set: &[], loses: false },
    Case { plan: "coc-nrf", set: &["ble.phy=1M", "ble.conn_interval=30ms"], loses: false },
];

/// The record of a run and the first connection of its capture.
struct Traced {
    record: Value,
    link: Value,
}

/// Runs and captures the case for so many seconds, and reads the capture with these flags.
fn traced(case: &Case, seconds: u64, flags: &[&str]) -> Traced {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("x.pcapng");
    let duration = format!("run.duration={seconds}s");
    let set: Vec<&str> = case.set.iter().copied().chain([&*duration]).collect();
    let record = json(&airtime_with(&["run", case.plan, "--json"], &set))["records"][0].take();
    json(&airtime_with(&["trace", case.plan, "-o", text(&path), "--json"], &set));
    let mut explained = json(&airtime(&[&["trace", "read", text(&path), "--json"], flags].concat()));
    let links = if case.plan == "two-peripherals" { 2 } else { 1 };
    assert_eq!(explained["links"].as_array().unwrap().len(), links, "{}", case.plan);
    Traced { record, link: explained["links"][0].take() }
}

/// Accounts by name. Of an empty sender, of one without credits, and of payload that its receiver has or has not taken in, the air
/// shows only the sum.
fn books(record: &Value) -> BTreeMap<String, u64> {
    let mut books = BTreeMap::new();
    for (account, ns) in record["ledger_ns"].as_object().unwrap() {
        let name = match account.as_str() {
            "idle.credits" | "idle.peer" => "credits",
            "payload.p2c" | "payload.c2p" | "undelivered" => "payload",
            name if name.starts_with("idle.") => "idle",
            name => name,
        };
        *books.entry(name.to_owned()).or_insert(0) += ns.as_u64().unwrap();
    }
    books
}

/// What the air between two ends of the same run was booked to.
fn between(later: &Value, sooner: &Value) -> BTreeMap<String, u64> {
    let sooner = books(sooner);
    let since = |(name, ns)| (ns - sooner[&name], name);
    books(later).into_iter().map(since).map(|(ns, name)| (name, ns)).collect()
}

/// The same accounts, none of them further off than `open`.
fn assert_equal(found: &BTreeMap<String, u64>, booked: &BTreeMap<String, u64>, open: u64, case: &str) {
    assert!(found.keys().eq(booked.keys()), "{found:?} {booked:?}");
    for (account, ns) in found {
        assert!(ns.abs_diff(booked[account]) <= open, "{case} {account}: {ns} for {}", booked[account]);
    }
}

fn ns(value: &Value) -> u64 {
    value.as_u64().unwrap()
}

/// Two captures that begin alike and differ by two seconds of stream differ by what two runs differ by, to the
/// nanosecond: both end with the last packet, so nothing is cut. Of packets that were lost the air does not show
/// whether they were heard; what it leaves open bounds the difference.
#[test]
fn two_seconds_of_stream_are_booked_as_by_the_run() {
    for case in CASES {
        let (sooner, later) = (traced(case, 3, &["--exact"]), traced(case, 5, &["--exact"]));
        let open = ns(&later.link["undecided_ns"]);
        assert_eq!(open > 0, case.loses, "{} {:?}", case.plan, case.set);
        let found = between(&later.link["record"], &sooner.link["record"]);
        let booked = between(&later.record, &sooner.record);
        assert_equal(&found, &booked, open, &format!("{} {:?}", case.plan, case.set));
        assert!(found.values().sum::<u64>() > 1_900_000_000, "{found:?}");
    }
}

/// A central that leaves one connection for the next cuts replies off: the air of each is booked as by the run, none of it to loss or
/// to a limit of its controller.
#[test]
fn three_links_of_a_central_are_booked_as_by_the_run() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("x.pcapng");
    let set = ["ble.peripherals=3", "run.duration=8s", "run.warmup=1s"];
    let record = json(&airtime_with(&["run", "two-peripherals", "--json"], &set))["records"][0].take();
    json(&airtime_with(&["trace", "two-peripherals", "-o", text(&path), "--json"], &set));
    let explained = json(&airtime(&["trace", "read", text(&path), "--json"]));
    let shares = |books: &Value| -> BTreeMap<String, f64> {
        let books = books.as_object().unwrap().iter().map(|(account, ns)| (account.clone(), ns.as_f64().unwrap()));
        let books: BTreeMap<String, f64> = books.collect();
        let all: f64 = books.values().sum();
        books.into_iter().map(|(account, ns)| (account, ns / all)).collect()
    };
    for index in 0..3 {
        let booked = shares(&record["links"][index]["steady_ledger_ns"]);
        let found = shares(&explained["links"][index]["record"]["steady_ledger_ns"]);
        for (account, share) in &booked {
            let read = found[account];
            assert!((read - share).abs() < 0.01, "link {index}, {account}: {read} for {share}");
        }
        assert!(found["loss"] < 1e-9 && found["other_link"] > 0.5, "link {index}: {found:?}");
    }
}

/// Longest packet of these plans in ns: 251 octets with MIC on LE 1M. Core 6.0, Vol 6, Part B, 2.4.
const PACKET: u64 = 2_120_000;

/// Over the whole connection they differ by where the stream begins: for the run when its sender says so, for the
/// air with the first data, an interval later at most.
#[test]
fn the_whole_connection_differs_by_where_the_stream_begins() {
    for case in CASES.iter().filter(|case| !case.loses) {
        let Traced { record, link } = traced(case, 3, &["--exact"]);
        let (mut found, mut booked) = (books(&link["record"]), books(&record));
        assert_eq!(link["record"]["elapsed_ns"], record["elapsed_ns"], "{}", case.plan);
        let [later, setup] = [&mut found, &mut booked].map(|books| books.remove("setup").unwrap());
        let intervals = link["intervals"].as_array().unwrap();
        let interval = intervals.iter().map(|interval| ns(&interval["interval_ns"])).max().unwrap();
        // The event that was open when the stream began is set-up as well.
        let open = later - setup;
        assert!(open <= 2 * interval, "{}: {open}", case.plan);
        for (account, ns) in &booked {
            // To the run a packet that is on the air when its warm-up ends is a gap so far.
            let packet = if account == "ifs" { 0 } else { PACKET };
            assert!(found[account] <= *ns + packet, "{} {account}: {} for {ns}", case.plan, found[account]);
        }
        assert_eq!(booked.values().sum::<u64>() - found.values().sum::<u64>(), open);
    }
}

/// With exact stamps, and with those of a sniffer, whose tolerances only make the margins wider.
#[test]
fn interval_terms_and_rules_are_those_of_the_run() {
    let mut narrowed = 0;
    for case in CASES {
        for flags in [&["--exact"][..], &[]] {
            let Traced { record, link } = traced(case, 5, flags);
            let says = format!("{} {:?} {flags:?}: {:#}", case.plan, case.set, link["says"]);
            let last = link["intervals"].as_array().unwrap().last().unwrap();
            assert_eq!((&link["from_start"], &link["interval_inferred"]), (&true.into(), &false.into()), "{says}");
            let terms = &record["negotiated"];
            assert_eq!(last["interval"], terms["conn_interval"], "{says}");
            let mut read = link["record"]["negotiated"].clone();
            if flags.is_empty() {
                // The gaps of a sniffer are as good as its stamps.
                read["frame_space"] = terms["frame_space"].clone();
            }
            assert_eq!(&read, terms, "{says}");
            for side in ["central", "peripheral"] {
                let name = record["params"][format!("{side}.personality")].as_str().unwrap();
                let controller = Library::builtin()
                    .get(name)
                    .unwrap()
                    .of::<airtime_ble_link::plan::Personality>()
                    .unwrap()
                    .controller;
                let (rule, value) = truth(&controller);
                assert!(contains(&link[side], rule, value), "{side} {rule} {value}\n{says}\n{:#}", link[side]);
                narrowed += usize::from(is_narrowed(&link[side], rule));
            }
        }
    }
    assert!(narrowed >= CASES.len(), "{narrowed}");
}

/// Whether the range of the rule has both ends.
fn is_narrowed(rules: &Value, rule: &str) -> bool {
    let found = rules.as_array().unwrap().iter().find(|found| found["rule"] == rule).unwrap();
    found["low"].is_object() && found["high"].is_object()
}

/// What ends the events of a controller, with its value in µs: its cap, where it has one, comes before its margin.
fn truth(controller: &Controller) -> (&'static str, f64) {
    let (rule, time) = match (controller.time_cap(), controller.budget) {
        (Some(cap), _) => ("time-cap", cap),
        (None, Budget::EmptyReply) => ("empty-reply", controller.margin),
        (None, Budget::FullReply) => ("full-reply", controller.margin),
    };
    (rule, time.as_nanos() as f64 / 1e3)
}

/// Whether the rule is possible with this value.
fn contains(rules: &Value, rule: &str, value: f64) -> bool {
    let found = rules.as_array().unwrap().iter().find(|found| found["rule"] == rule).unwrap();
    let low = found["low"]["value"].as_f64().is_none_or(|low| low <= value);
    let high = found["high"]["value"].as_f64().is_none_or(|high| value <= high);
    found["possible"] == true && low && high
}
