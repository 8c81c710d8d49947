//! The latency of a host: a constant, and a median with a spread.

use airtime_ble_link::run::Outcome;

use crate::support::{outcome, plan};

/// SDUs of one K-frame, each of which gives one credit back, on controllers that go on while a full reply fits.
const STREAM: [(&str, &str); 8] = [
    ("central.personality", "nordic-sdc"),
    ("peripheral.personality", "nordic-sdc"),
    ("ble.conn_interval", "15ms"),
    ("coc.sdu", "245"),
    ("coc.credits", "zephyr-seg-recv"),
    ("acl.count", "6"),
    ("coc.tx_buffers", "6"),
    ("run.duration", "20s"),
];

fn with(more: &[(&str, &str)]) -> Outcome {
    outcome(&STREAM.iter().chain(more).copied().collect::<Vec<_>>())
}

fn hosts<'a>(median: &'a str, p99: Option<&'a str>) -> Vec<(&'a str, &'a str)> {
    let medians = [("host.latency", median), ("peer_host.latency", median)];
    let spreads = p99.into_iter().flat_map(|p99| [("host.latency_p99", p99), ("peer_host.latency_p99", p99)]);
    medians.into_iter().chain(spreads).collect()
}

fn pdus_an_event(outcome: &Outcome) -> f64 {
    outcome.counts.data_pdus as f64 / outcome.counts.events as f64
}

/// The stream has two values that it stays at, nine packets of an event each way and ten. At the first each reply has the one credit that
/// the packet before it has earned. Once a host was so late that two credits waited, one of them stays queued, and with it the MD bit of
/// the last reply: the event goes on for an exchange more. No constant gets there: up to 1.6 ms it is never late, and above it stops.
#[test]
fn a_spread_finds_the_second_value_that_a_constant_hides() {
    for constant in ["0us", "300us", "740us", "1200us", "1600us"] {
        let outcome = with(&hosts(constant, None));
        let pdus = pdus_an_event(&outcome);
        assert!((pdus - 9.0).abs() < 0.05, "{constant}: {pdus}");
        assert_eq!(outcome.random_draws, 0, "a constant draws nothing");
    }
    // So little is never so late.
    let little = pdus_an_event(&with(&hosts("30us", Some("100us"))));
    assert!((little - 9.0).abs() < 0.05, "{little}");
    // The median and the 99th percentile of a host on a desktop, as they were measured with a live link.
    for seed in ["1", "2", "3"] {
        let own = [hosts("740us", Some("1800us")), vec![("run.seed", seed)]].concat();
        let outcome = with(&own);
        let pdus = pdus_an_event(&outcome);
        assert!(pdus > 9.8, "{seed}: {pdus}");
        assert!(outcome.random_draws > 0);
        assert_eq!(with(&own).counts, outcome.counts, "the same seed, the same run");
    }
}

/// Between the two a run stays at the lower one until a host is late once, in one run sooner than in another, and then at the upper one.
#[test]
fn a_stream_that_has_found_the_second_value_stays_there() {
    // Octets a second: 9 and 10 SDUs of 245 each 15 ms, with one SDU more or less where a second begins or ends.
    let is = |octets: u64, packets: u64| octets.abs_diff(245 * packets * 1_000 / 15) <= 2 * 245;
    let switched = ["1", "2", "3", "4"].map(|seed| {
        let outcome = with(&[hosts("30us", Some("300us")), vec![("run.duration", "30s"), ("run.seed", seed)]].concat());
        // The first and the last one begin and end elsewhere.
        let seconds = &outcome.series[1..outcome.series.len() - 1];
        let lower = seconds.iter().take_while(|octets| is(**octets, 9)).count();
        let upper = seconds.iter().rev().take_while(|octets| is(**octets, 10)).count();
        assert!(lower + upper + 1 >= seconds.len(), "{seed}: {seconds:?}");
        upper > 0
    });
    assert!(switched.contains(&true) && switched.contains(&false), "{switched:?}");
}

#[test]
fn a_percentile_is_not_below_the_median() {
    let set = hosts("2ms", Some("1ms"));
    let set: Vec<(String, String)> = set.iter().map(|(key, value)| ((*key).into(), (*value).into())).collect();
    let error = airtime_lab::Plan::parse("test", "", &airtime_lab::Library::builtin(), &set).unwrap_err().to_string();
    assert!(error.contains("`host.latency_p99`: 1ms is less than the median of 2ms"), "{error}");
    // One that equals it draws nothing either.
    assert_eq!(with(&hosts("1ms", Some("1ms"))).random_draws, 0);
    plan(&[("host.latency_p99", "1ms")]);
}
