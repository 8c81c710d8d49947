//! One run of a point: the warm-up, the steady state, and their figures.

use alloc::borrow::ToOwned;
use alloc::format;
use alloc::vec::Vec;

use airtime_core::event_loop::Stop;
use airtime_core::ledger::Account as _;
use airtime_core::{Duration, EventLoop, Instant};
use airtime_link::{Carried, LinkRan, Ordered, Ran, booked, nearest_rank};

use super::bottleneck::says;
use super::keys::Rcp;
use super::link::Point;
use crate::ledger::Books;
use crate::network::{Counters, Network, Observer, Outcome};
use crate::trace::Delivery;

/// Station whose books are those of the link; all senders are alike.
const BOOKED: usize = 1;

/// Rate of O-QPSK at 2.4 GHz: two symbols of 16 us an octet. IEEE Std 802.15.4-2020, 12.
const PHY_KBPS: u64 = 250;

/// Counts that mean something of a router.
const RELAYED: [&str; 9] = [
    "data.sent",
    "data.retransmissions",
    "data.delivered",
    "data.collided",
    "data.lost",
    "cca.busy",
    "drops.queue",
    "drops.channel_access",
    "drops.no_ack",
];

/// Instant of the first delivery.
#[derive(Debug, Default)]
struct First(Option<Instant>);

impl Observer for First {
    fn delivered(&mut self, delivery: &Delivery) {
        self.0.get_or_insert(delivery.arrived);
    }
}

/// Runs `point` with `seed`, to its end or until `stop` says that nobody wants the rest.
pub fn ran(point: &Point, seed: u64, stop: Stop<'_>) -> Ran {
    let start = Instant::ZERO;
    let observer = (Books::new(start, BOOKED).among(&point.config()), First::default());
    let mut network = network(point, seed, observer);
    network.start(start);
    let mut events = EventLoop::new(start, &network);

    let warm = start + point.run.warmup;
    let is_warm = events.run_unless(&mut network, warm, stop);
    let warm = if is_warm { warm } else { events.now() };
    let before = network.outcome(warm);
    let books_before = network.observer.0.begin_measuring(warm);
    let end = start + point.run.duration;
    let end = if is_warm && events.run_unless(&mut network, end, stop) { end } else { events.now() };
    let after = network.outcome(end);

    let ledger = network.observer.0.ledger_at(end);
    assert!(ledger.balances(), "the books of a link balance");
    let steady_ledger = ledger.since(&books_before);
    let bottleneck = Books::bottleneck(&steady_ledger);
    let counted = since(&after, &before);
    let total: Counters = counted.iter().copied().sum();
    Ran {
        carried: Some(Carried { octets: total.payload, time: end - warm }),
        elapsed: end - start,
        setup: network.observer.1.0.map_or(end - start, |first| first - start),
        steady: end - warm,
        books: booked(&ledger),
        steady_books: booked(&steady_ledger),
        per_second: seconds(&after, end - start),
        latency: nearest_rank(&after.latencies[before.latencies.len()..]),
        bottleneck: bottleneck.name(),
        says: says(bottleneck, &steady_ledger, &total, point),
        counters: counters(
            point,
            [&total, &after.routers.since(&before.routers)],
            [after.lost().saturating_sub(before.lost()), after.waiting],
            &counted,
            [events.steps(), after.random_draws],
        ),
        outcome: if total.payload == 0 { "nothing arrived" } else { "ok" }.to_owned(),
        random_draws: after.random_draws,
        links: links(&counted, end - warm),
        ..Ran::default()
    }
}

/// The plant of `point` under the eyes of `observer`.
pub(super) fn network<O: Observer>(point: &Point, seed: u64, observer: O) -> Network<O> {
    let config = crate::network::Config { seed, ..point.config() };
    Network::new(&config, observer).expect("a point is checked when it is read")
}

/// Counts of each sender in the steady state.
fn since(after: &Outcome, before: &Outcome) -> Vec<Counters> {
    after.stations.iter().zip(&before.stations).map(|(after, before)| after.since(before)).collect()
}

/// Figures of each sender, where there are several.
fn links(counted: &[Counters], steady: Duration) -> Vec<LinkRan> {
    if counted.len() < 2 {
        return Vec::new();
    }
    let of = |(station, counters): (usize, &Counters)| LinkRan {
        name: format!("station{station}"),
        carried: Carried { octets: counters.payload, time: steady },
        outcome: if counters.payload == 0 { "nothing arrived" } else { "ok" }.to_owned(),
        ..LinkRan::default()
    };
    (1..).zip(counted).map(of).collect()
}

/// Octets of each second from the start, the last one cut short by the end.
fn seconds(outcome: &Outcome, duration: Duration) -> Vec<u64> {
    let whole = (duration.as_nanos() / 1_000_000_000) as usize;
    let mut seconds = outcome.per_second.clone();
    seconds.resize(whole + 1, 0);
    seconds
}

fn counters(
    point: &Point,
    [total, routers]: [&Counters; 2],
    [lost, waiting]: [u64; 2],
    each: &[Counters],
    [steps, random_draws]: [u64; 2],
) -> Ordered<u64> {
    let mut counters: Ordered<u64> = total.named().into_iter().collect();
    if point.datagram.is_some() {
        counters.set("datagrams.sent", total.datagrams);
        counters.set("datagrams.delivered", total.arrived);
    }
    // What was handed over has arrived, is lost, or waits when the run ends.
    counters.set("units.arrived", total.arrived);
    counters.set("units.lost", lost);
    counters.set("units.waiting", waiting);
    if point.sender.rcp != Rcp::None {
        counters.set("uart.octets", total.uart + total.uart_receiver);
        counters.set("uart.octets.senders", total.uart);
        counters.set("uart.octets.receiver", total.uart_receiver);
    }
    if point.sender.rcp.receives() {
        counters.set("drops.rcp_buffer", total.overrun);
    }
    if point.sender.hops > 1 {
        // What records say of senders, of all that routers pass on.
        let named = routers.named().into_iter().filter(|(name, _)| RELAYED.contains(name));
        for (name, count) in named {
            counters.set(format!("routers.{name}"), count);
        }
    }
    if each.len() > 1 {
        let payloads = || each.iter().map(|station| station.payload);
        counters.set("payload_octets.least", payloads().min().unwrap_or(0));
        counters.set("payload_octets.most", payloads().max().unwrap_or(0));
    }
    // What explanations take as the whole of the air.
    counters.set("phy_kbps", PHY_KBPS);
    counters.set("random_draws", random_draws);
    counters.set("loop_steps", steps);
    counters
}
