//! Values that are written without a look at the room for them, each case beside its closed form: an event frees as many places as values
//! leave in it, and of those that are written in an interval as many are taken.

use airtime_ble::host::Starved;
use airtime_ble::medium::Transmission;
use airtime_ble::network::Observer;
use airtime_ble::trace::{Trace, Verdict};
use airtime_ble_link::run::build;
use airtime_ble_link::station::StationOutput;
use airtime_core::{Duration, EventLoop, Instant};
use airtime_lab::explain::Worth;

use crate::support::{self, outcome, record, refused};

/// Writes in an interval of the cases below: one each 5 ms in 50.
const WRITES: usize = 10;
/// Intervals that are looked at, and those before, in which the queue fills.
const INTERVALS: usize = 40;
const BEFORE: usize = 20;

/// Fates of the values that were written, in turn: set if the host took it. Numbers of those that arrived.
#[derive(Debug, Default)]
struct Fates {
    taken: Vec<bool>,
    numbers: Vec<u64>,
    arrived: Vec<u64>,
    written: Vec<Instant>,
}

impl Observer<StationOutput> for Fates {
    fn transmission(&mut self, _: &Transmission, _: Verdict) {}

    fn trace(&mut self, _: Instant, _: usize, _: &Trace, _: Option<Starved>) {}

    fn event(&mut self, now: Instant, _: usize, event: &StationOutput) {
        match event {
            StationOutput::Submitted(unit) | StationOutput::Dropped(unit) => {
                self.taken.push(matches!(event, StationOutput::Submitted(_)));
                self.numbers.push(unit.sequence);
                self.written.push(now);
            }
            StationOutput::Delivered(unit) => self.arrived.push(unit.sequence),
            _ => {}
        }
    }
}

/// Write commands of 100 octets at 50 ms, one each `pace`, with a stack that does `overflow` when its `queue` is full, and events that carry
/// `packets`.
fn keys<'a>(overflow: &'a str, pace: &'a str, queue: &'a str, packets: &'a str) -> Vec<(&'a str, &'a str)> {
    vec![
        ("link", "ble-gatt"),
        ("ble.direction", "c2p"),
        ("ble.conn_interval", "50ms"),
        ("gatt.mtu", "247"),
        ("gatt.payload", "100"),
        ("gatt.pacing", pace),
        ("gatt.write_overflow", overflow),
        ("gatt.tx_buffers", queue),
        ("acl.count", "20"),
        ("central.event_packets", packets),
    ]
}

fn fates(set: &[(&str, &str)]) -> Fates {
    let (_, point) = support::plan(set);
    let mut network = build(support::ble(&point), 1, Fates::default());
    let mut events = EventLoop::new(Instant::ZERO, &network);
    network.start(Instant::ZERO);
    events.refresh(&network);
    let limit = Instant::ZERO + Duration::from_secs(60);
    let enough = (BEFORE + INTERVALS) * WRITES;
    while network.observer.taken.len() < enough && events.step(&mut network, limit) {}
    network.observer
}

#[test]
fn an_interval_takes_as_many_as_its_event_carries() {
    for overflow in ["drops", "refuses"] {
        for (packets, queue) in
            [("1", "1"), ("1", "16"), ("2", "4"), ("3", "16"), ("6", "6"), ("9", "20"), ("10", "20")]
        {
            let seen = fates(&keys(overflow, "blind:5ms", queue, packets));
            let case = format!("{overflow}: {packets} an event, {queue} places");
            assert!(seen.written.windows(2).all(|pair| pair[1] - pair[0] == Duration::from_millis(5)), "{case}");
            let carried: usize = packets.parse().expect("a number");
            let steady = &seen.taken[BEFORE * WRITES..];
            for interval in steady.chunks(WRITES) {
                assert_eq!(interval.iter().filter(|taken| **taken).count(), carried, "{case}: {interval:?}");
            }
            // Every number is given once, and what was taken arrives in turn, but for what still waits.
            assert!(seen.numbers.iter().copied().eq(0..seen.numbers.len() as u64), "{case}");
            let taken = seen.numbers.iter().zip(&seen.taken).filter(|(_, taken)| **taken).map(|(number, _)| *number);
            let taken: Vec<u64> = taken.collect();
            assert_eq!(seen.arrived, taken[..seen.arrived.len()], "{case}");
            let waiting = taken.len() - seen.arrived.len();
            assert!(waiting <= queue.parse().expect("a number"), "{case}: {waiting} wait");
        }
    }
}

/// Of N blind writes those that arrive, those that were dropped and those that wait are N; and the first drop is when the queue is full.
#[test]
fn the_queue_fills_before_the_first_is_dropped() {
    for queue in [1_usize, 4, 16] {
        let seen = fates(&keys("drops", "blind:5ms", &queue.to_string(), "1"));
        let first = seen.taken.iter().position(|taken| !taken).expect("some are dropped");
        // Nine are written for each that leaves: place k is the last one after k writes and k / 10 events more or less.
        let least = queue + queue.saturating_sub(1) / (WRITES - 1);
        assert!((least..=least + 2).contains(&first), "{queue}: {first}, not {least}");
        let dropped = seen.taken.iter().filter(|taken| !**taken).count();
        let waiting = seen.taken.len() - dropped - seen.arrived.len();
        assert!(waiting <= queue, "{queue}: {waiting} wait");
    }
}

#[test]
fn goodput_and_loss_are_those_of_what_arrived() {
    for (packets, pace, written) in [("3", "blind:5ms", 10.0), ("3", "blind:10ms", 5.0), ("3", "blind:25ms", 2.0)] {
        let mut set = keys("drops", pace, "16", packets);
        set.extend([("run.duration", "22s"), ("run.warmup", "2s")]);
        let record = record(&set);
        let taken = f64::min(written, 3.0);
        let case = format!("{pace}: {}", record.bottleneck.says);
        assert_eq!(record.outcome, "ok", "{case}");
        let kbps = taken * 100.0 * 8.0 / 50.0;
        assert!((record.goodput_kbps.median - kbps).abs() < 0.2, "{} not {kbps}: {case}", record.goodput_kbps.median);
        let share = (written - taken) / written;
        assert!((Worth::of(&record).lost_share() - share).abs() < 0.001, "{case}");
        let intervals = record.steady_ns as f64 / 50e6;
        let dropped = record.counters.get("dropped.c2p").copied().unwrap_or_default() as f64;
        assert!((dropped - (written - taken) * intervals).abs() <= written, "{dropped}: {case}");
        assert_eq!(record.counters.get("sdu_gaps.c2p"), Some(&0), "what is dropped is no gap: {case}");
        assert_eq!(record.bottleneck.says.contains("found all 16 transmit buffers"), dropped > 0.0, "{case}");
    }
}

#[test]
fn the_sentence_names_what_prevents_it() {
    let says = |personality: &str, pacing: &str| {
        let set = [
            ("link", "ble-gatt"),
            ("ble.direction", "c2p"),
            ("central.personality", personality),
            ("gatt.pacing", pacing),
            ("run.duration", "12s"),
        ];
        let record = record(&set);
        let dropped = record.counters.get("dropped.c2p").copied().unwrap_or_default();
        (record.bottleneck.says.clone(), dropped, record.goodput_kbps.median)
    };
    for (personality, word) in
        [("iphone", "peripheralIsReady(toSendWriteWithoutResponse:)"), ("android-pixel", "onCharacteristicWrite")]
    {
        let (sentence, dropped, _) = says(personality, "blind:500us");
        assert!(dropped > 0 && sentence.contains(word) && sentence.contains("gatt.pacing = \"ready\""), "{sentence}");
        let (sentence, dropped, _) = says(personality, "ready");
        assert_eq!(dropped, 0, "{sentence}");
        assert!(!sentence.contains("ready"), "{sentence}");
    }
    // A call that waits loses nothing, and its application is as fast as one that asks.
    let (sentence, dropped, blind) = says("bluez", "blind:500us");
    let (_, _, ready) = says("bluez", "ready");
    assert_eq!((dropped, blind.to_bits()), (0, ready.to_bits()), "{sentence}");
}

#[test]
fn the_books_balance_and_hold_what_arrived() {
    for overflow in ["drops", "refuses", "waits"] {
        let mut set = keys(overflow, "blind:1ms", "4", "3");
        set.extend([("run.duration", "8s"), ("ble.loss", "{ per = 0.05 }")]);
        let outcome = outcome(&set);
        let ledger = outcome.ledger.expect("there was a link");
        assert!(ledger.balances(), "{overflow}");
        assert_eq!(ledger.entries().map(|(_, time)| time).sum::<Duration>(), ledger.elapsed(), "{overflow}");
        assert_eq!(outcome.traffic[0][0].dropped > 0, overflow != "waits", "{overflow}");
        assert_eq!(outcome.traffic[0][0].gaps, 0, "{overflow}");
    }
}

#[test]
fn what_cannot_be_is_refused_with_what_can() {
    let channel = refused(&[("link", "ble-coc"), ("coc.pacing", "blind:1ms")]);
    assert!(channel.contains("a channel has credits"), "{channel}");
    let answered = refused(&[("link", "ble-gatt"), ("gatt.method", "indication"), ("gatt.pacing", "blind:1ms")]);
    assert!(answered.contains("waits for its answer") && answered.contains("semaphore"), "{answered}");
    let upload = [("link", "ble-gatt"), ("ble.direction", "c2p"), ("upload.request", "384")];
    let upload = refused(&[&upload[..], &[("gatt.pacing", "blind:1ms")]].concat());
    assert!(upload.contains("never answered") && upload.contains("ready"), "{upload}");
    let both = refused(&[("link", "ble-gatt"), ("gatt.pacing", "ready"), ("gatt.offered", "10kbps")]);
    assert!(both.contains("keeps to one of them"), "{both}");
    let never = refused(&[("link", "ble-gatt"), ("gatt.pacing", "blind:0us")]);
    assert!(never.contains("out of range"), "{never}");
}
