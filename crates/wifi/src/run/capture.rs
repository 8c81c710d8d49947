//! Capture by a promiscuous co-processor: beacons, and the frames of other stations.

use alloc::borrow::ToOwned;
use alloc::format;
use alloc::vec;

use airtime_core::event_loop::Stop;
use airtime_core::ledger::{Account as _, Ledger};
use airtime_core::{EventLoop, Instant, Pool};
use airtime_link::{Figure, Ran, booked};

use crate::cell::{Cell, StationId};
use crate::ledger::{Account, Books, Direction};
use crate::network::{Network, Observer, STATION};
use crate::plan::{Firmware, Scenario};
use crate::trace::{Activity, OnAir, Queue, Stage};
use crate::wire::RxInfo;

use super::config;

/// Frames of the test by the type of their frame control field. IEEE Std 802.11-2020, 9.2.4.1.3.
const KINDS: [&str; 4] = ["management", "control", "data", "extension"];

/// Frames that were heard.
#[derive(Clone, Debug)]
pub struct Heard {
    /// Frames by type.
    pub frames: [u64; KINDS.len()],
    /// Octets of them, FCS included.
    pub octets: u64,
    /// Books of the channel.
    pub ledger: Ledger<Account>,
    /// Steps of the event loop.
    pub steps: u64,
}

/// Counts, books, and another sink beside them.
struct Listener<O> {
    books: Books,
    frames: [u64; KINDS.len()],
    octets: u64,
    other: O,
}

impl<O: Observer> Observer for Listener<O> {
    fn on_air(&mut self, on_air: &OnAir) {
        self.books.on_air(on_air);
        self.other.on_air(on_air);
    }

    fn stage(&mut self, now: Instant, stage: Stage, activity: Activity) {
        self.books.stage(now, stage, activity);
        self.other.stage(now, stage, activity);
    }

    fn depth(&mut self, now: Instant, queue: Queue, depth: u32) {
        self.books.depth(now, queue, depth);
        self.other.depth(now, queue, depth);
    }

    fn heard(&mut self, now: Instant, station: StationId, frame: &[u8], info: &RxInfo) {
        let kind = frame.first().map_or(0, |control| usize::from(control >> 2 & 3));
        self.frames[kind] += 1;
        self.octets += frame.len() as u64;
        self.other.heard(now, station, frame, info);
    }
}

/// Runs `scenario` with `seed`: the co-processor's station listens, and sends nothing of its own. `other` is given back.
pub fn run_capture<O: Observer>(scenario: &Scenario, seed: u64, other: O, stop: Stop<'_>) -> (Heard, O) {
    let pool = Pool::new();
    let cell = Cell::new(config::cell(scenario), pool.clone(), seed);
    let chain = scenario.chips().map(|hosted| config::chain(scenario, hosted, &pool));
    let books = Books::new(Instant::ZERO, Direction::Down);
    let listener = Listener { books, frames: [0; KINDS.len()], octets: 0, other };
    let mut network = Network::new(&pool, scenario.path(), cell, chain, (), (), listener);
    network.cell.listen(STATION, true);
    network.start(Instant::ZERO);
    let mut events = EventLoop::new(Instant::ZERO, &network);
    let end = Instant::ZERO + scenario.run.duration;
    let end = if events.run_unless(&mut network, end, stop) { end } else { events.now() };
    let Listener { books, frames, octets, other } = network.observer;
    let ledger = books.ledger_at(end);
    assert!(ledger.balances(), "the books of a channel balance");
    (Heard { frames, octets, ledger, steps: events.steps() }, other)
}

/// Figures of a capture; a factory image refuses it.
pub fn ran(scenario: &Scenario, stop: Stop<'_>) -> Ran {
    if scenario.chips().is_some_and(|hosted| hosted.firmware == Firmware::Factory) {
        return refused();
    }
    let (heard, ()) = run_capture(scenario, scenario.run.seed, (), stop);
    let all: u64 = heard.frames.iter().sum();
    let by_kind = KINDS.iter().zip(heard.frames).map(|(kind, frames)| (format!("frames_heard.{kind}"), frames));
    let counters = by_kind.chain([
        ("frames_heard".to_owned(), all),
        ("octets_heard".to_owned(), heard.octets),
        ("loop_steps".to_owned(), heard.steps),
    ]);
    let says = format!(
        "{all} frames heard in {}: {} of management, {} of control, {} of data.",
        scenario.run.duration, heard.frames[0], heard.frames[1], heard.frames[2]
    );
    Ran {
        elapsed: heard.ledger.elapsed(),
        books: booked(&heard.ledger),
        bottleneck: Account::IdleApp.name(),
        says,
        counters: counters.collect(),
        outcome: "ok".to_owned(),
        figures: vec![Figure { unit: "frames", field: "frames_heard", value: all as f64 }],
        ..Ran::default()
    }
}

/// Figures of a co-processor without the handlers, which refuses the first command of the set.
fn refused() -> Ran {
    let outcome = "refused: the co-processor's factory image has no handler for SET_PROMISCUOUS (custom message 0x0100); \
                   raw frames need firmware that has them (hosted.firmware = \"custom\")";
    Ran { outcome: outcome.to_owned(), bottleneck: Account::IdleApp.name(), ..Ran::default() }
}
