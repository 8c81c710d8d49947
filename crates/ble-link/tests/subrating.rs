//! Streams over subrated links, each beside its closed form. Core 6.2, Vol 6, Part B, 4.5.1.

use airtime_ble::host::Starved;
use airtime_ble::ledger::Account;
use airtime_ble::medium::{Place, Transmission};
use airtime_ble::network::Observer;
use airtime_ble::trace::{Trace, Verdict};
use airtime_ble_link::run::build;
use airtime_ble_link::station::StationOutput;
use airtime_core::{Duration, EventLoop, Instant};

use crate::support::{self, outcome, record};

/// Notifications at 50 ms between two boards that can, in 22 s of which 20 count.
fn keys<'a>(more: &[(&'a str, &'a str)]) -> Vec<(&'a str, &'a str)> {
    let mut keys = vec![
        ("link", "ble-gatt"),
        ("central.personality", "nordic-sdc"),
        ("peripheral.personality", "nordic-sdc"),
        ("ble.conn_interval", "50ms"),
        ("gatt.mtu", "247"),
        ("run.duration", "22s"),
    ];
    keys.extend(more);
    keys
}

#[test]
fn a_stream_has_its_share_of_the_events_and_all_with_a_continuation() {
    for direction in ["p2c", "c2p"] {
        let goodput = |factor: &str, continuation: &str| {
            let asked = [("ble.subrate_factor", factor), ("ble.continuation", continuation)];
            let record = record(&keys(&[&asked[..], &[("ble.direction", direction)]].concat()));
            assert_eq!(record.outcome, "ok", "{factor}, {continuation}");
            record.goodput_kbps.median
        };
        let whole = record(&keys(&[("ble.direction", direction)])).goodput_kbps.median;
        assert!((goodput("1", "0") - whole).abs() < 0.2, "{direction}");
        for (factor, part) in [("2", 2.0), ("5", 5.0), ("10", 10.0), ("20", 20.0)] {
            let share = goodput(factor, "0");
            // An event more or less of twenty seconds.
            let slack = whole * 0.05 / 20.0 + 0.1;
            assert!((share - whole / part).abs() < slack, "{direction}, {factor}: {share} of {whole}");
            // Where every event carries something, each has the next one.
            let continued = goodput(factor, "1");
            assert!((continued - whole).abs() < slack, "{direction}, {factor}: {continued} of {whole}");
        }
    }
}

/// Times at which values were given to the host and reached the other end, and the anchors of the events.
#[derive(Debug, Default)]
struct Seen {
    given: Vec<Instant>,
    arrived: Vec<Instant>,
    anchors: Vec<Instant>,
}

impl Observer<StationOutput> for Seen {
    fn transmission(&mut self, sent: &Transmission, _: Verdict) {
        if let Place::Event { opens: true, .. } = sent.place {
            self.anchors.push(sent.start);
        }
    }

    fn trace(&mut self, _: Instant, _: usize, _: &Trace, _: Option<Starved>) {}

    fn event(&mut self, now: Instant, _: usize, event: &StationOutput) {
        match event {
            StationOutput::Submitted(_) => self.given.push(now),
            StationOutput::Delivered(_) => self.arrived.push(now),
            _ => {}
        }
    }
}

fn seen(set: &[(&str, &str)], values: usize) -> Seen {
    let (_, point) = support::plan(set);
    let mut network = build(support::ble(&point), 1, Seen::default());
    let mut events = EventLoop::new(Instant::ZERO, &network);
    network.start(Instant::ZERO);
    events.refresh(&network);
    let limit = Instant::ZERO + Duration::from_secs(200);
    while network.observer.arrived.len() < values && events.step(&mut network, limit) {}
    network.observer
}

/// Values at any phase of the events wait for the next one that is used, half a turn on average.
#[test]
fn a_value_waits_for_the_next_event_that_is_used() {
    let each = Duration::from_millis(50);
    // 200 values of 100 octets, each 4 ms later in a turn of 400 ms than the one before: 800 bit each 404 ms.
    let set =
        [("gatt.payload", "100"), ("gatt.offered", "1980bps"), ("ble.subrate_factor", "8"), ("run.duration", "120s")];
    for direction in ["p2c", "c2p"] {
        let seen = seen(&keys(&[&set[..], &[("ble.direction", direction)]].concat()), 210);
        let turn = each * 8;
        let first = seen.anchors.len() - 100;
        assert!(seen.anchors[first..].windows(2).all(|pair| pair[1] - pair[0] == turn), "{direction}");
        let (mut waits, mut behind) = (Duration::ZERO, Vec::new());
        for (given, arrived) in seen.given.iter().zip(&seen.arrived).skip(10) {
            let after = seen.anchors.iter().position(|anchor| anchor > given).expect("there is one");
            // Where it came late for an event that had begun, it has the next one.
            let carried = seen.anchors.iter().rposition(|anchor| anchor < arrived).expect("there is one");
            assert!(carried == after || carried + 1 == after, "{direction}: {given:?}, {arrived:?}");
            behind.push(*arrived - seen.anchors[carried]);
            waits += *arrived - *given;
        }
        // Behind its anchor each takes the same time, to the nanosecond, and what it waits for that is the rest.
        behind.dedup();
        assert!(behind.len() == 1 && behind[0] < Duration::from_millis(2), "{direction}: {behind:?}");
        let mean = waits / 200;
        let slack = Duration::from_millis(5);
        assert!(mean > turn / 2 - slack && mean < turn / 2 + slack, "{direction}: {mean}");
    }
}

#[test]
fn what_nobody_uses_is_booked_as_latency_and_the_books_balance() {
    for (more, share) in [
        (&[("ble.subrate_factor", "4")][..], Some(0.75)),
        (&[("ble.subrate_factor", "10"), ("ble.direction", "c2p")], Some(0.9)),
        (&[("ble.subrate_factor", "4"), ("ble.continuation", "3")], Some(0.0)),
        (&[("ble.subrate_factor", "4"), ("ble.loss", "{ per = 0.1 }")], None),
        (&[("ble.subrate_factor", "5"), ("ble.continuation", "1"), ("ble.loss", "{ per = 0.3 }")], None),
        (&[("ble.subrate_factor", "5"), ("ble.subrate_latency", "3"), ("gatt.offered", "2kbps")], None),
        (&[("ble.subrate_factor", "3"), ("ble.subrate_by", "peripheral"), ("link", "ble-coc")], None),
    ] {
        let outcome = outcome(&keys(more));
        let ledger = outcome.ledger.expect("there was a link");
        assert!(ledger.balances(), "{more:?}");
        assert_eq!(ledger.entries().map(|(_, time)| time).sum::<Duration>(), ledger.elapsed(), "{more:?}");
        assert!(outcome.lost.is_empty() && outcome.links[0].open, "{more:?}");
        let steady = outcome.steady_ledger.expect("it became steady");
        let latency = steady.of(Account::Latency).as_nanos() as f64 / steady.elapsed().as_nanos() as f64;
        if let Some(share) = share {
            // A turn of 500 ms at either end of 20 s.
            assert!((latency - share).abs() < 0.026, "{latency} not {share}: {more:?}");
        }
        let (central, peripheral) = outcome.negotiated.expect("there was a link");
        let factor: u16 = more[0].1.parse().expect("a number");
        assert_eq!((central.subrate.0, peripheral.subrate.0), (factor, factor), "{more:?}");
    }
}

#[test]
fn the_sentence_and_what_was_granted_say_so() {
    let record = record(&keys(&[("ble.subrate_factor", "4")]));
    let says = &record.bottleneck.says;
    assert_eq!(record.bottleneck.account, "latency", "{says}");
    assert!(says.contains("of 4 connection events one is used") && says.contains("ble.continuation"), "{says}");
    assert!(record.params.get("ble.continuation").is_some() && record.params.get("ble.subrate_by").is_some());
    let plain = crate::support::record(&keys(&[]));
    assert!(plain.params.iter().all(|(name, _)| !name.contains("subrate") && !name.contains("continuation")));
}

/// Another interval ends a subrating; who asked for it asks again.
#[test]
fn it_is_asked_for_again_behind_another_interval() {
    let change = [("ble.subrate_factor", "4"), ("ble.change_interval", "{ at = \"5s\", to = \"30ms\" }")];
    let outcome = outcome(&keys(&change));
    let (central, peripheral) = outcome.negotiated.expect("there was a link");
    assert_eq!((central.interval, central.subrate, peripheral.subrate), (Duration::from_millis(30), (4, 0), (4, 0)));
}

#[test]
fn what_cannot_be_is_refused_with_what_can() {
    let refused = |more: &[(&str, &str)]| {
        let set: Vec<(String, String)> =
            keys(more).into_iter().map(|(key, value)| (key.into(), value.into())).collect();
        airtime_lab::Plan::parse("x", "", &airtime_lab::Library::builtin(), &set)
            .expect_err("it is impossible")
            .to_string()
    };
    let unable = refused(&[("ble.subrate_factor", "4"), ("central.personality", "zephyr-ll")]);
    assert!(unable.contains("`zephyr-ll` has no connection subrating"), "{unable}");
    let more = refused(&[("ble.subrate_factor", "4"), ("ble.continuation", "4")]);
    assert!(more.contains("0 to 3"), "{more}");
    let seldom = refused(&[("ble.subrate_factor", "100"), ("ble.subrate_latency", "5")]);
    assert!(seldom.contains("one of 600 events"), "{seldom}");
    let short = refused(&[("ble.subrate_factor", "40"), ("ble.supervision_timeout", "4s")]);
    assert!(short.contains("more than 4s"), "{short}");
}
