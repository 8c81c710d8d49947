//! Values that are given until the stack refuses one, and again after a sleep, each case beside its closed form: a sleep lets the queue go
//! empty, and as many are taken as it holds.

use airtime_ble::personality::Host;
use airtime_core::Duration;
use airtime_lab::Record;

use crate::support::{outcome, record, refused};

/// Write commands of 100 octets at 7.5 ms, tried again after `pace`, with a stack that has room for `queue`.
fn keys<'a>(pace: &'a str, queue: &'a str) -> Vec<(&'a str, &'a str)> {
    vec![
        ("link", "ble-gatt"),
        ("ble.direction", "c2p"),
        ("ble.conn_interval", "7.5ms"),
        ("gatt.mtu", "247"),
        ("gatt.payload", "100"),
        ("gatt.pacing", pace),
        ("gatt.write_overflow", "refuses"),
        ("gatt.tx_buffers", queue),
        ("acl.count", "20"),
        // A call returns at once.
        ("host.sdu_time", "0us"),
        ("run.duration", "22s"),
        ("run.warmup", "2s"),
    ]
}

/// Goodput over the whole of the steady state: a second holds no whole number of the longer sleeps.
fn kbps_of(record: &Record) -> f64 {
    let octets = record.counters.get("octets.c2p").copied().unwrap_or_default();
    octets as f64 * 8.0e6 / record.steady_ns as f64
}

#[test]
fn a_sleep_takes_what_the_queue_holds() {
    for (pace, seconds, queue) in [
        ("retry:30ms", 0.030, "1"),
        ("retry:30ms", 0.030, "4"),
        ("retry:75ms", 0.075, "12"),
        ("retry:100ms", 0.1, "3"),
        ("retry:100ms", 0.1, "24"),
        ("retry:1s", 1.0, "16"),
    ] {
        let record = record(&keys(pace, queue));
        let held: f64 = queue.parse().expect("a number");
        let kbps = held * 100.0 * 8.0 / seconds / 1_000.0;
        let case = format!("{pace}, {queue} places: {}", record.bottleneck.says);
        // A window of seconds begins anywhere between two sleeps.
        let edge = held * 100.0 * 8.0 / 20_000.0;
        let mean = kbps_of(&record);
        assert!((mean - kbps).abs() <= edge, "{mean} not {kbps}: {case}");
        assert_eq!(record.bottleneck.account, "idle.sleep", "{case}");
        assert!(record.bottleneck.says.contains("gatt.pacing = \"ready\""), "{case}");
        assert_eq!(record.counters.get("sdu_gaps.c2p"), Some(&0), "{case}");
        assert_eq!(record.counters.get("dropped.c2p"), None, "what was refused is given again: {case}");
    }
}

/// A short sleep is as good as the stack's own word, and a longer one never better.
#[test]
fn a_longer_sleep_is_no_better() {
    let kbps = |pace: &str| kbps_of(&record(&keys(pace, "6")));
    let ready = kbps("ready");
    let ladder =
        ["retry:100us", "retry:1ms", "retry:5ms", "retry:10ms", "retry:20ms", "retry:50ms", "retry:100ms"].map(kbps);
    assert!((ladder[0] - ready).abs() < 0.01 * ready, "{} beside {ready}", ladder[0]);
    assert!(ladder.iter().all(|kbps| *kbps <= 1.001 * ready), "{ladder:?} above {ready}");
    assert!(ladder.windows(2).all(|pair| pair[1] <= pair[0] * 1.001), "{ladder:?}");
}

/// Values in a pool of blocks: esp-nimble at 32b2124, ble_hs_mbuf.c, os_mbuf.c and ble_att_cmd.c, counted by hand.
#[test]
fn a_value_takes_its_blocks_and_one_for_its_header() {
    let host = |mbufs, mbuf_octets| Host { mbufs: Some(mbufs), mbuf_octets: Some(mbuf_octets), ..Host::default() };
    for (mbufs, mbuf_octets, octets, values) in [
        // 240 octets a block, 21 fewer of the first.
        (12, 256, 1, 6),
        (12, 256, 219, 6),
        (12, 256, 220, 4),
        (12, 256, 244, 4),
        (12, 256, 459, 4),
        (12, 256, 460, 3),
        (12, 256, 509, 3),
        (24, 128, 91, 12),
        (24, 128, 92, 8),
        (24, 128, 244, 6),
        // One that never fits counts as one.
        (1, 256, 20, 1),
    ] {
        assert_eq!(
            host(mbufs, mbuf_octets).values_in_mbufs(octets),
            Some(values),
            "{octets} in {mbufs} of {mbuf_octets}"
        );
    }
    assert_eq!(Host::default().values_in_mbufs(244), None, "no pool");
}

#[test]
fn a_pool_says_how_many_are_under_way() {
    // Its calls give the controller what that has room for, then fill the pool.
    let set = [
        ("link", "ble-gatt"),
        ("peripheral.personality", "esp32c3-nimble"),
        ("gatt.payload", "244"),
        ("gatt.pacing", "retry:100ms"),
        ("run.duration", "12s"),
    ];
    let says = record(&set).bottleneck.says.clone();
    assert!(says.contains("room for 4 values at a time in 12 mbufs of 256 octets"), "{says}");
    assert!(says.contains("sleeps 100ms when it refuses one"), "{says}");
    // A count of values stands for itself.
    let says = record(&[&set[..], &[("gatt.tx_buffers", "9")]].concat()).bottleneck.says.clone();
    assert!(says.contains("room for 9 values at a time, and"), "{says}");
}

#[test]
fn the_books_balance_and_nothing_is_lost() {
    for loss in ["none", "{ per = 0.05 }"] {
        let mut set = keys("retry:10ms", "4");
        set.extend([("ble.loss", loss), ("run.duration", "8s")]);
        let outcome = outcome(&set);
        let ledger = outcome.ledger.expect("there was a link");
        assert!(ledger.balances(), "{loss}");
        assert_eq!(ledger.entries().map(|(_, time)| time).sum::<Duration>(), ledger.elapsed(), "{loss}");
        assert_eq!((outcome.traffic[0][0].dropped, outcome.traffic[0][0].gaps), (0, 0), "{loss}");
    }
}

#[test]
fn what_cannot_be_is_refused_with_what_can() {
    for overflow in ["waits", "drops"] {
        let error = refused(&[("link", "ble-gatt"), ("gatt.pacing", "retry:1ms"), ("gatt.write_overflow", overflow)]);
        assert!(error.contains("refuses none") && error.contains("ready"), "{error}");
    }
    let trouble = [("link", "ble-gatt"), ("peripheral.host", "trouble"), ("gatt.write_overflow", "refuses")];
    let error = refused(&[&trouble[..], &[("gatt.pacing", "retry:1ms")]].concat());
    assert!(error.contains("refuses none"), "{error}");
    let error = refused(&[("link", "ble-coc"), ("coc.pacing", "retry:1ms")]);
    assert!(error.contains("a channel has credits"), "{error}");
    let error = refused(&[("link", "ble-gatt"), ("gatt.pacing", "retry:10us")]);
    assert!(error.contains("100us to 60s"), "{error}");
}
