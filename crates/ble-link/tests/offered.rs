//! Streams that are offered at a rate: units at even times, and the whole of it where the link carries more.

use crate::support::{plan, record};

fn offered(link: &str, rate: &str, more: &[(&str, &str)]) -> airtime_lab::Record {
    let key = if link == "ble-coc" { "coc.offered" } else { "gatt.offered" };
    let own =
        [("link", link), (key, rate), ("ble.conn_interval", "30ms"), ("run.duration", "20s"), ("run.repeat", "1")];
    record(&[&own[..], &[("coc.credits", "batched")], more].concat())
}

#[test]
fn what_is_offered_arrives_where_the_link_carries_more() {
    for (link, more) in
        [("ble-coc", &[("coc.sdu", "492")][..]), ("ble-gatt", &[("gatt.payload", "244"), ("gatt.mtu", "247")])]
    {
        // 18 s of steady state: an SDU more or less is 0.2 kbps.
        for (rate, kbps) in [("20kbps", 20.0), ("100kbps", 100.0), ("700kbps", 700.0)] {
            let record = offered(link, rate, more);
            let got = record.goodput_kbps.median;
            assert!((got - kbps).abs() <= 0.3, "{link} {rate}: {got}");
            assert_eq!(record.bottleneck.account, "idle.app", "{link} {rate}");
            let says = &record.bottleneck.says;
            assert!(says.contains("the application offers") && says.contains("kbps, which is less"), "{says}");
        }
    }
}

#[test]
fn more_than_the_link_carries_saturates_it() {
    let free =
        record(&[("link", "ble-gatt"), ("ble.conn_interval", "30ms"), ("run.duration", "20s"), ("run.repeat", "1")]);
    let full = offered("ble-gatt", "5Mbps", &[]);
    assert!((full.goodput_kbps.median / free.goodput_kbps.median - 1.0).abs() < 0.005);
    assert_ne!(full.bottleneck.account, "idle.app");
}

#[test]
fn a_rate_is_an_even_time_to_the_nanosecond() {
    let (_, point) = plan(&[("link", "ble-gatt"), ("gatt.payload", "244"), ("gatt.offered", "100kbps")]);
    let every = crate::support::ble(&point).every().expect("a rate is offered");
    assert_eq!(every.as_nanos(), 19_520_000, "1952 bits of 100 kbit/s");
}

#[test]
fn an_application_keeps_to_one_pace() {
    let set = [("link", "ble-coc"), ("coc.offered", "1kbps"), ("coc.pacing", "sleep:2ms")];
    let set: Vec<(String, String)> = set.iter().map(|(key, value)| ((*key).into(), (*value).into())).collect();
    let refused =
        airtime_lab::Plan::parse("x", "", &airtime_lab::Library::builtin(), &set).expect_err("it is impossible");
    assert!(refused.to_string().contains("keeps to one of them"), "{refused}");
}

/// A value in 3.7 s at an interval of a second, two of which it takes: most of the time nothing waits for its answer.
#[test]
fn an_application_that_offers_little_is_the_cause_of_values_that_are_answered_too() {
    let account = |more: &[(&str, &str)]| {
        let own = [
            ("link", "ble-gatt"),
            ("ble.direction", "c2p"),
            ("gatt.method", "write-request"),
            ("gatt.payload", "187"),
            ("ble.conn_interval", "1s"),
            ("run.duration", "60s"),
            ("run.repeat", "1"),
        ];
        record(&[&own[..], more].concat()).bottleneck.account
    };
    assert_eq!(account(&[("gatt.offered", "400bps")]), "idle.app");
    assert_eq!(account(&[]), "idle.response");
}

// Core 6.0, Vol 3, Part F, 3.3.3: 30 s.
#[test]
fn a_read_that_waits_longer_than_the_bearer_lives_is_refused() {
    for set in [&[("gatt.pacing", "sleep:40s")][..], &[("gatt.payload", "100"), ("gatt.offered", "20bps")]] {
        let own = [("link", "ble-gatt"), ("gatt.method", "read")];
        let set = own.iter().chain(set).map(|(key, value)| ((*key).into(), (*value).into()));
        let refused = airtime_lab::Plan::parse(
            "x",
            "",
            &airtime_lab::Library::builtin(),
            &set.collect::<Vec<(String, String)>>(),
        );
        let refused = refused.expect_err("it is impossible").to_string();
        assert!(refused.contains("ends the bearer after 30s"), "{refused}");
    }
}
