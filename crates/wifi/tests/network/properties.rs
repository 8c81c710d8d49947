//! What holds for every configuration.

use std::collections::BTreeMap;

use airtime_core::{Duration, EventLoop, Instant};
use airtime_wifi::cell::StationId;
use airtime_wifi::ledger::{Account, Books, Direction};
use airtime_wifi::network::{End, Observer};
use airtime_wifi::trace::{Activity, DropPoint, OnAir, Queue, Stage};
use airtime_wifi::wire::RxInfo;
use proptest::prelude::*;

use super::rig::{Scenario, Test};
use super::scenarios::scenario;

/// A digest of all that was told, and the deepest that each queue has been.
#[derive(Debug, Default, PartialEq, Eq)]
struct Witness {
    digest: u64,
    deepest: BTreeMap<Queue, u32>,
    dropped: u64,
}

impl Witness {
    fn note(&mut self, now: Instant, what: u64) {
        for word in [now.as_nanos(), what] {
            self.digest = (self.digest ^ word).wrapping_mul(0x0000_0100_0000_01b3).rotate_left(23);
        }
    }
}

impl Observer for Witness {
    fn on_air(&mut self, on_air: &OnAir) {
        self.note(on_air.start, u64::from(on_air.from.0));
        self.note(on_air.end, on_air.mpdus.iter().map(|mpdu| u64::from(mpdu.octets)).sum());
    }
    fn stage(&mut self, now: Instant, stage: Stage, activity: Activity) {
        self.note(now, stage as u64 + 100 * u64::from(activity == Activity::Working));
    }
    fn depth(&mut self, now: Instant, queue: Queue, depth: u32) {
        self.note(now, u64::from(depth));
        let deepest = self.deepest.entry(queue).or_default();
        *deepest = depth.max(*deepest);
    }
    fn packet(&mut self, now: Instant, end: End, into: bool, packet: &[u8]) {
        let sum = packet.iter().fold(0u64, |sum, octet| sum.wrapping_mul(31).wrapping_add(u64::from(*octet)));
        self.note(now, sum ^ (end as u64 * 2 + u64::from(into)));
    }
    fn dropped(&mut self, now: Instant, at: DropPoint, _: u32) {
        self.note(now, at.index() as u64);
        self.dropped += 1;
    }
    fn heard(&mut self, now: Instant, station: StationId, frame: &[u8], _: &RxInfo) {
        self.note(now, u64::from(station.0) + frame.len() as u64);
    }
}

/// Runs on after the senders have stopped, until nothing is under way: a second without anything new.
fn drained(scenario: &Scenario) -> (u64, u64, u64) {
    let mut network = scenario.network(());
    network.start(Instant::ZERO);
    let mut event_loop = EventLoop::new(Instant::ZERO, &network);
    let mut until = Instant::ZERO + scenario.span;
    let mut last = None;
    for _ in 0..400 {
        until += Duration::from_millis(200);
        event_loop.run_until(&mut network, until);
        let counts = network.counts().clone();
        if last.as_ref() == Some(&counts) {
            break;
        }
        last = Some(counts);
    }
    let counts = network.counts();
    let sum = |of: fn(&airtime_wifi::network::Counts, End) -> airtime_wifi::network::Traffic| {
        of(counts, End::Host).packets + of(counts, End::Far).packets
    };
    (sum(|counts, end| counts.taken(end)), sum(|counts, end| counts.delivered(end)), counts.lost())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 48, ..ProptestConfig::default() })]

    /// What an interface has taken has arrived or was dropped somewhere by name.
    #[test]
    fn every_packet_is_accounted_for(scenario in scenario()) {
        // Datagrams only: a stream goes on to retransmit for minutes.
        prop_assume!(matches!(scenario.test, Test::UdpUp { .. } | Test::UdpDown { .. }));
        let (taken, delivered, lost) = drained(&scenario);
        prop_assert!(taken > 0);
        prop_assert_eq!(taken, delivered + lost);
    }

    /// Every nanosecond of air is booked once, and the payload's share is no more than its octets take.
    #[test]
    fn the_books_balance(scenario in scenario()) {
        let network = scenario.run(Books::new(Instant::ZERO, Direction::Both));
        let end = Instant::from_nanos(1_000_000) + scenario.span;
        let ledger = network.observer.ledger_at(end);
        prop_assert!(ledger.balances());
        // An exchange under way is told at its end: the books are then behind.
        prop_assert!(ledger.elapsed() >= scenario.span);
        let [up, down] = network.observer.counts().payload;
        let ns = (up + down) * 8_000_000 / 72_222;
        let payload = ledger.of(Account::PayloadUp) + ledger.of(Account::PayloadDown);
        prop_assert!(payload.as_nanos() <= ns, "{payload} for {up} and {down} octets");
    }

    /// The same configuration and seed tell the same; nobody looking changes nothing.
    #[test]
    fn the_same_seed_tells_the_same(scenario in scenario()) {
        let first = scenario.run(Witness::default());
        let second = scenario.run(Witness::default());
        prop_assert_eq!(&first.observer, &second.observer);
        let unseen = scenario.run(());
        prop_assert_eq!(first.counts(), unseen.counts());
    }

    /// No queue ever holds more than it may.
    #[test]
    fn queues_are_bounded(scenario in scenario()) {
        let network = scenario.run(Witness::default());
        let path = u32::from(scenario.path.queue);
        let mut bounds = vec![
            (Queue::PathUp, path),
            (Queue::PathDown, path),
            (Queue::WifiTx, scenario.cell.stations[0].tx_buffers as u32),
            (Queue::AccessPoint, u32::from(scenario.path.ap_queue) + scenario.cell.stations[1].tx_buffers as u32),
        ];
        if let Some(personality) = &scenario.chain {
            let (host, slave) = (&personality.host, &personality.coprocessor);
            bounds.push((Queue::WifiRx, u32::from(personality.wifi_rx)));
            // One frame is with the writing task, and one with the task that stands still.
            bounds.push((Queue::HostTx, u32::from(host.tx_queue) + 2));
            bounds.push((Queue::CoprocessorRx, u32::from(slave.rx_buffers)));
            bounds.push((Queue::CoprocessorTx, u32::from(slave.tx_buffers)));
        }
        for (queue, bound) in bounds {
            let deepest = network.observer.deepest.get(&queue).copied().unwrap_or_default();
            prop_assert!(deepest <= bound, "{queue:?}: {deepest} of {bound}");
        }
    }
}

/// The sum of what was told as dropped is what was counted.
#[test]
fn every_drop_is_told() {
    let mut scenario = Scenario::espressif(Test::UdpUp { payload: 1_400, rate: None });
    scenario.span = Duration::from_millis(300);
    scenario.path.queue = 4;
    scenario.path.rate = airtime_core::units::Bitrate(30_000_000);
    let network = scenario.run(Witness::default());
    let counts = network.counts();
    assert!(counts.dropped(DropPoint::PathQueue) > 0, "the narrow hop drops");
    let all = DropPoint::all().map(|at| counts.dropped(at)).sum::<u64>();
    assert_eq!(network.observer.dropped, all);
    let throttled = network.above.0.counters().refused;
    assert_eq!(all - counts.lost(), throttled, "what was refused is what the stack was refused");
}
