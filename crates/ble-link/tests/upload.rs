//! Uploads, each beside its closed form: requests that the peripheral answers with a notification, in an event behind the last of its
//! packets at the earliest.

use airtime_ble::ledger::Account;
use airtime_core::Duration;

use crate::support::{outcome, record};

/// An upload at 50 ms between two boards, of values of at most 244 octets.
fn keys<'a>(request: &'a str, more: &[(&'a str, &'a str)]) -> Vec<(&'a str, &'a str)> {
    let mut keys = vec![
        ("link", "ble-gatt"),
        ("ble.conn_interval", "50ms"),
        ("ble.direction", "c2p"),
        ("gatt.mtu", "247"),
        ("upload.request", request),
        ("run.duration", "12s"),
        ("run.warmup", "2s"),
    ];
    keys.extend(more);
    keys
}

/// Asserts that `octets` arrive in each stretch of `intervals` of 50 ms.
fn carries(octets: u32, intervals: u32, request: &str, more: &[(&str, &str)]) {
    let record = record(&keys(request, more));
    let kbps = f64::from(octets) * 8.0 / (f64::from(intervals) * 50.0);
    assert_eq!(record.outcome, "ok");
    // A figure has tenths, and at the end of ten seconds a request may have just gone.
    let slack = 0.06 + f64::from(octets) * 8.0 / 10_000.0;
    let error = record.goodput_kbps.median - kbps;
    assert!(error.abs() < slack, "{error} from {kbps}: {request} {more:?}");
}

#[test]
fn a_request_takes_two_events_and_more_at_a_time_share_them() {
    carries(20, 2, "20", &[]);
    carries(244, 2, "244", &[]);
    // 244 and 140 octets in one event; ten packets and a short one as well.
    carries(384, 2, "384", &[]);
    carries(2_475, 2, "2475", &[]);
    carries(2 * 384, 2, "384", &[("upload.outstanding", "2")]);
}

/// With packets of a third request still to go, an answer comes within the event, and makes room for another.
#[test]
fn three_requests_at_a_time_keep_an_event_open() {
    let upload = record(&keys("384", &[("upload.outstanding", "3")]));
    let stream = record(&keys("384", &[("upload.outstanding", "255")]));
    assert_eq!(upload.outcome, "ok");
    assert!(stream.goodput_kbps.median > 1_200.0, "{}", stream.goodput_kbps.median);
    assert!(upload.goodput_kbps.median > 0.95 * stream.goodput_kbps.median, "{}", upload.goodput_kbps.median);
    // Where the flash takes longer than the air, it alone says what a window is worth: 384 octets each 20 ms.
    let slow = record(&keys("384", &[("upload.outstanding", "8"), ("upload.flash_time", "53.333333ms")]));
    assert!((slow.goodput_kbps.median - 384.0 * 8.0 / 20.0).abs() < 1.0, "{}", slow.goodput_kbps.median);
}

#[test]
fn a_peripheral_that_takes_longer_than_an_interval_answers_in_a_later_event() {
    carries(1024, 2, "1024", &[("upload.flash_time", "40ms")]);
    carries(1024, 3, "1024", &[("upload.flash_time", "60ms")]);
    carries(1024, 4, "1024", &[("upload.flash_time", "140ms")]);
    // Twice the octets take twice as long.
    carries(2048, 4, "2048", &[("upload.flash_time", "60ms")]);
    // One after the other: what it takes for two goes before the second answer.
    carries(1024, 3, "1024", &[("upload.flash_time", "150ms"), ("upload.outstanding", "4")]);
}

#[test]
fn the_wait_for_an_answer_is_an_account_with_its_reason() {
    let says = |set: &[(&str, &str)]| {
        let record = record(&keys("512", set));
        assert_eq!(record.bottleneck.account, "idle.response", "{set:?}: {}", record.bottleneck.says);
        record.bottleneck.says
    };
    let one = says(&[("upload.flash_time", "120ms")]);
    let reason = "a request of 512 octets goes when the one before is answered: the peripheral takes 60ms for each, and its answer waits \
                  for the next of its events, 50ms apart.";
    assert!(one.ends_with(reason), "{one}");
    // Whatever the interval and however many are under way, what the flash takes is the cause, and not the host that hears of it.
    for (outstanding, interval) in [("2", "50ms"), ("8", "50ms"), ("8", "15ms"), ("255", "7.5ms")] {
        let more =
            [("upload.flash_time", "10.5ms"), ("upload.outstanding", outstanding), ("ble.conn_interval", interval)];
        let several = says(&more);
        let reason = "the next goes when one is answered: the peripheral takes 5.25ms for each, one after the other, which are 780.2 kbps at most.";
        assert!(several.contains(outstanding) && several.ends_with(reason), "{several}");
    }
    assert!(record(&keys("512", &[])).params.get("upload.answer").is_some());
    let plain = crate::support::record(&[("link", "ble-gatt"), ("run.duration", "4s")]);
    assert!(plain.params.iter().all(|(name, _)| !name.starts_with("upload.")), "nothing of it where there is none");
}

#[test]
fn every_octet_is_booked_once() {
    for (request, more) in
        [("384", &[("upload.outstanding", "3")][..]), ("20", &[]), ("5000", &[("ble.loss", "{ per = 0.05 }")])]
    {
        let more = [&[("ble.phy", "1M"), ("ble.data_length", "27")], more].concat();
        let outcome = outcome(&keys(request, &more));
        let ledger = outcome.ledger.expect("there was a link");
        assert_eq!(ledger.entries().map(|(_, time)| time).sum::<Duration>(), ledger.elapsed(), "{request}");
        // 8 us an octet on LE 1M: what is booked as payload is what arrived, and a value on the air at the end at most.
        let ledger = outcome.steady_ledger.expect("it became steady");
        let booked = ledger.of(Account::PayloadC2p).as_nanos() / 8_000;
        assert!(booked.abs_diff(outcome.links[0].octets) <= 244, "{request}: {booked} of {}", outcome.links[0].octets);
        let others = [Account::PayloadP2c, Account::Undelivered].map(|account| ledger.of(account));
        assert!(others.into_iter().sum::<Duration>() < Duration::from_millis(2), "an answer is no payload: {others:?}");
    }
}

#[test]
fn what_cannot_be_is_refused_with_what_can() {
    let refused = |more: &[(&str, &str)]| {
        let set: Vec<(String, String)> =
            keys("384", more).into_iter().map(|(key, value)| (key.into(), value.into())).collect();
        airtime_lab::Plan::parse("x", "", &airtime_lab::Library::builtin(), &set)
            .expect_err("it is impossible")
            .to_string()
    };
    let way = refused(&[("ble.direction", "p2c")]);
    assert!(way.contains("in write commands"), "{way}");
    let method = refused(&[("gatt.method", "write-request")]);
    assert!(method.contains("in write commands"), "{method}");
    let offered = refused(&[("gatt.offered", "10kbps")]);
    assert!(offered.contains("as fast as it is answered"), "{offered}");
    let long = refused(&[("upload.answer", "300")]);
    assert!(long.contains("room for 244 octets"), "{long}");
    let foreign = refused(&[("peripheral.host", "trouble")]);
    assert!(foreign.contains("the lab's own host"), "{foreign}");
}
