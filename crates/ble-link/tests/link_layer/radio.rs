//! One radio for several links, and a peripheral that sleeps.

use airtime_ble::ledger::Account;

use crate::support::{outcome, record};

#[test]
fn two_peripherals_share_the_air_of_one_central() {
    let set = |peripherals| {
        outcome(&[
            ("ble.conn_interval", "30ms"),
            ("ble.peripherals", peripherals),
            // Credits for ever: the two links would else share the central's buffers for them too.
            ("coc.credits", "{ initial = 65535, on_connect = 0, grant = 1000, every = 1000 }"),
            ("run.duration", "10s"),
        ])
    };
    let (one, two) = (set("1"), set("2"));
    let other = |outcome: &airtime_ble_link::run::Outcome| {
        outcome.steady_ledger.as_ref().expect("it was connected").of(Account::OtherLink)
    };
    assert!(other(&one).is_zero());
    assert!(!other(&two).is_zero(), "the other link's air is booked");
    assert_eq!(two.traffic.len(), 2);
    for (link, traffic) in two.traffic.iter().enumerate() {
        assert!(traffic[1].sdus > 0, "link {link} streams");
        assert_eq!(traffic[1].gaps, 0);
    }
    // One radio: together they carry no more than one alone.
    assert!(two.octets(0) + two.octets(1) <= one.octets(0));
}

#[test]
fn every_link_of_a_central_is_in_the_record() {
    let credits = ("coc.credits", "{ initial = 65535, on_connect = 0, grant = 1000, every = 1000 }");
    let keys = [("ble.conn_interval", "400ms"), ("ble.peripherals", "20"), ("run.duration", "60s"), credits];
    let record = record(&keys);
    assert_eq!((record.outcome.as_str(), record.links.len()), ("ok", 20));
    let octets = |link: usize| *record.counters.get(&format!("octets.p2c.link{link}")).expect("it streams") as f64;
    let together = record.together.expect("there are several");
    let expected = record.goodput_kbps.median * (0..20).map(octets).sum::<f64>() / octets(0);
    assert!((together.goodput_kbps / expected - 1.0).abs() < 0.01, "{} of {expected}", together.goodput_kbps);
    // The last one opened has the air that nobody else takes.
    assert!(together.fairness < 0.2, "{}", together.fairness);
    for (index, link) in record.links.iter().enumerate() {
        assert_eq!((link.name.as_str(), link.outcome.as_str()), (format!("peripheral{index}").as_str(), "ok"));
        assert_eq!(link.conn_interval.as_deref(), Some("400ms"));
        // Books are closed with a link's last event, so those of two links end up to an interval apart.
        let booked: u64 = link.steady_ledger_ns.iter().map(|(_, ns)| ns).sum();
        assert!(booked.abs_diff(record.steady_ns) <= 400_000_000, "{booked} of {}", record.steady_ns);
        assert!(link.bottleneck.is_some() && link.goodput_kbps > 0.0);
    }
    let own = record.links[0].goodput_kbps - record.goodput_kbps.median;
    assert!(own.abs() < 1e-9, "the record's own figures are the first's");
}

#[test]
fn a_single_link_is_not_listed() {
    let record = record(&[("run.duration", "3s")]);
    assert!(record.links.is_empty() && record.together.is_none());
}

#[test]
fn an_idle_peripheral_sleeps_through_events() {
    let with = |latency| {
        outcome(&[
            ("ble.conn_interval", "50ms"),
            ("ble.latency", latency),
            ("coc.pacing", "sleep:2s"),
            ("coc.in_flight", "1"),
            ("run.duration", "30s"),
        ])
    };
    let share = |outcome: &airtime_ble_link::run::Outcome| {
        let books = outcome.steady_ledger.as_ref().expect("it was connected");
        books.of(Account::Latency).as_secs_f64() / books.elapsed().as_secs_f64()
    };
    let (awake, asleep) = (with("0"), with("4"));
    assert!(share(&awake) == 0.0);
    // Four of five events are slept through while there is nothing to send.
    assert!((0.7..0.82).contains(&share(&asleep)), "{}", share(&asleep));
    assert!(asleep.octets(0) > 0 && asleep.lost.is_empty());
}

#[test]
fn advertising_beside_a_connection_takes_the_radio() {
    let with = |stop| {
        outcome(&[
            ("ble.conn_interval", "15ms"),
            ("ble.stop_advertising", stop),
            ("coc.credits", "{ initial = 65535, on_connect = 0, grant = 1000, every = 1000 }"),
            ("run.duration", "10s"),
        ])
    };
    let (stops, goes_on) = (with("true"), with("false"));
    let other = |outcome: &airtime_ble_link::run::Outcome| {
        outcome.steady_ledger.as_ref().expect("it was connected").of(Account::OtherLink)
    };
    assert!(other(&stops).is_zero() && !other(&goes_on).is_zero());
    assert!(goes_on.octets(0) < stops.octets(0));
    assert!(goes_on.lost.is_empty(), "the connection holds");
}

#[test]
fn events_that_are_slept_through_are_no_other_links() {
    let record = crate::support::record(&[
        ("ble.latency", "4"),
        ("ble.conn_interval", "30ms"),
        ("coc.pacing", "sleep:500ms"),
        ("run.duration", "8s"),
    ]);
    let ended = |class: &str| record.counters.get(&format!("event_end.{class}")).copied().unwrap_or(0);
    assert_eq!(ended("other_link"), 0, "there is but one link: {:?}", record.counters);
    assert!(ended("latency") > 100, "{:?}", record.counters);
}
