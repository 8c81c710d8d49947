//! Power save through the whole chain: what an answer takes, what a full load does not lose, and whose time it was.

use airtime_core::Duration;
use airtime_wifi::ledger::Account;
use airtime_wifi::run::Outcome;

use super::{outcome, recorded};

/// Next to nothing but an echo request from the far end every 1007 ms, which comes to another place between two beacons each time.
const PINGS: [(&str, &str); 7] = [
    ("traffic.direction", "down"),
    ("traffic.payload", "16"),
    ("traffic.offered", "12bps"),
    ("traffic.ping", "1007ms"),
    ("wifi.backoff", "mean"),
    ("run.duration", "120s"),
    ("run.warmup", "1s"),
];

const MIN: (&str, &str) = ("wifi.power_save", "min-modem");
const MAX: (&str, &str) = ("wifi.power_save", "max-modem");

fn pinged(with: &[(&'static str, &'static str)]) -> Outcome {
    let outcome = outcome(&[&PINGS[..], with].concat());
    assert!(outcome.steady_ledger.balances());
    outcome
}

/// Half of the time between two beacons that the station wakes for, and at worst all of it, on top of what an answer takes without.
#[test]
fn an_answer_waits_for_half_of_what_the_station_dozes() {
    let round_trips = |with: &[(&'static str, &'static str)]| pinged(with).round_trips.expect("echoes came back");
    let awake = round_trips(&[("wifi.beacons", "true")]);
    assert!(awake.p50 < Duration::from_millis(5), "{:?}", awake.p50);
    let dtim = Duration::from_micros(102_400);
    let asleep = |with: &[(&'static str, &'static str)], beacons: u64| {
        let found = round_trips(with);
        let (least, most) = (dtim * beacons * 2 / 5, dtim * beacons * 3 / 5 + Duration::from_millis(5));
        assert!(found.p50 > least && found.p50 < most, "{beacons}: {:?}", found.p50);
        assert!(found.p99 < dtim * beacons + Duration::from_millis(5), "{beacons}: {:?}", found.p99);
        found
    };
    asleep(&[MIN], 1);
    asleep(&[MIN, ("wifi.dtim_period", "3")], 3);
    asleep(&[MAX], 3);
    let long = asleep(&[MAX, ("wifi.listen_interval", "10")], 10);
    assert!(long.p99 > Duration::from_millis(950), "{:?}", long.p99);
}

/// Frames that the access point held are an account of its own, and the sentence has the remedy; the same seed gives the same.
#[test]
fn the_wait_is_booked_and_named() {
    let set = [&PINGS[..], &[MAX, ("wifi.listen_interval", "10")]].concat();
    let (found, again) = (recorded(&set), recorded(&set));
    assert_eq!(found, again);
    let says = &found.bottleneck.says;
    assert!(
        says.contains("until a beacon that it woke for: wifi.power_save=none, or a shorter wifi.listen_interval"),
        "{says}"
    );
    let outcome = pinged(&[MAX, ("wifi.listen_interval", "10")]);
    let booked = outcome.steady_ledger.of(Account::IdleDoze).as_nanos();
    // All of it but the beacons that named nobody; a frame that joins another is not on its own.
    let held = outcome.counted.of("doze.held_ns");
    assert!(booked > held * 9 / 10 && booked < held * 11 / 10, "{booked} of {held}");
    let asleep = outcome.counted.of("doze.asleep_ns") as f64 / outcome.steady.as_nanos() as f64;
    assert!((0.9..0.96).contains(&asleep), "{asleep}");
    let without = recorded(&PINGS);
    assert!(!without.bottleneck.says.contains("power_save"), "{}", without.bottleneck.says);
    assert!(!without.counters.iter().any(|(name, _)| name.starts_with("doze.")));
}

/// A station at full load never dozes: its time begins again behind every frame.
#[test]
fn a_full_load_is_not_hurt() {
    for direction in ["down", "up"] {
        let set =
            [("traffic.kind", "tcp"), ("traffic.direction", direction), ("run.duration", "4s"), ("run.warmup", "1s")];
        let of = |saving| outcome(&[&set[..], &[("wifi.beacons", "true"), ("wifi.power_save", saving)]].concat());
        let (awake, saving) = (of("none"), of("max-modem"));
        let ratio = saving.octets() as f64 / awake.octets() as f64;
        assert!((0.99..1.01).contains(&ratio), "{direction}: {ratio}");
        assert_eq!((saving.counted.of("doze.times"), saving.counted.of("doze.held")), (0, 0));
        assert!(saving.steady_ledger.balances());
    }
}

/// Of a co-processor that is the access point the station at the other end dozes.
#[test]
fn a_station_of_the_co_processor_dozes_as_well() {
    let up = [&PINGS[1..], &[("traffic.direction", "up"), ("wifi.mode", "access-point"), MIN]].concat();
    let found = outcome(&up);
    assert!(found.counted.of("doze.held") > 0 && found.steady_ledger.balances());
    assert!(found.steady_ledger.of(Account::IdleDoze).as_nanos() > 0);
}
