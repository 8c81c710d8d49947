//! ESP-NOW between two native chips: applications that hand over frames, the cell, and the figures.
//!
//! An application hands over the next frame when the send callback of an earlier one has come and the time of the call has passed. The
//! callback comes with the acknowledgement, or when the frame is given up; of a broadcast at its end.

use alloc::borrow::ToOwned;
use alloc::format;
use alloc::string::String;

use airtime_core::event_loop::Stop;
use airtime_core::ledger::{Account as _, Ledger};
use airtime_core::{Duration, EventLoop, Instant, Plant, Pool, Touched};
use airtime_link::{Carried, Latencies, Ordered, Percentiles, Ran, booked};
use airtime_net::traffic::{self, Transport};

use super::config;
use crate::cell::{Cell, CellOutput, StationId};
use crate::ledger::{Account, Books, Direction};
use crate::network::{AP, Observer, STATION};
use crate::plan::{Receiver, Scenario};
use crate::trace::{Activity, DropPoint, Feed, MpduFate, OnAir, PpduOutcome, Queue, Stage};
use crate::wire::espnow::{EspNow, frame_octets};
use crate::wire::{MacAddress, Sequence};

/// Counter of broadcasts that did not arrive.
const BROADCAST_LOST: &str = "drops.broadcast";

/// Outcome of one run.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// Books from the start.
    pub ledger: Ledger<Account>,
    /// Books of the steady state.
    pub steady_ledger: Ledger<Account>,
    /// Counts of the steady state, both ways.
    pub counts: Counts,
    /// Counters of the air in it, by name.
    pub air: Ordered<u64>,
    /// Octets that arrived in each second.
    pub per_second: alloc::vec::Vec<u64>,
    /// Instant of the first arrival.
    pub first: Option<Instant>,
    /// Times from the hand-over of a frame to its arrival.
    pub latency: Option<Percentiles>,
    /// Steps of the event loop.
    pub steps: u64,
}

/// Counts of frames.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Frames handed over.
    pub sent: u64,
    /// Frames that arrived, each once.
    pub received: [u64; 2],
    /// Octets of payload in those.
    pub octets: [u64; 2],
    /// Send callbacks that say that a frame was acknowledged, or was a broadcast (`ESP_NOW_SEND_SUCCESS`).
    pub succeeded: u64,
    /// Send callbacks that say that it was not (`ESP_NOW_SEND_FAIL`).
    pub failed: u64,
    /// Broadcasts that their receiver did not get.
    pub unheard: u64,
}

/// An application that sends.
#[derive(Debug)]
struct Sender {
    station: StationId,
    to: MacAddress,
    body: u16,
    /// Frames that it may hand over before any callback.
    free: u8,
    /// Time from a callback to the next frame.
    call: Duration,
    /// Time from one frame to the next, if it offers no more.
    every: Option<Duration>,
    /// Instants at which the calls under way are through.
    calls: alloc::collections::VecDeque<Instant>,
    /// Instant at which the next frame is offered.
    offered: Instant,
    /// Hand-over of the frames whose callback has not come, the oldest first.
    under_way: alloc::collections::VecDeque<Instant>,
    number: u32,
    feed: Option<(Feed, bool)>,
}

impl Sender {
    fn new(scenario: &Scenario, station: StationId) -> Self {
        let espnow = &scenario.espnow;
        let Transport::Udp { payload: body, offered, .. } = scenario.traffic.transport() else {
            unreachable!("a plan of ESP-NOW resolves to payloads");
        };
        let peer = config::cell(scenario).stations[1 - station.index()].address;
        let nanos = |bps: u64| (u64::from(body) * 8 * 1_000_000_000).div_ceil(bps.max(1));
        Self {
            station,
            to: if espnow.to == Receiver::Broadcast { MacAddress::BROADCAST } else { MacAddress(peer) },
            body,
            free: espnow.in_flight,
            call: espnow.call,
            every: offered.map(|rate| Duration::from_nanos(nanos(rate.0))),
            calls: [].into(),
            offered: Instant::ZERO,
            under_way: [].into(),
            number: 0,
            feed: None,
        }
    }

    /// The send callback of the oldest frame has come.
    fn called_back(&mut self, now: Instant) {
        self.calls.push_back(now + self.call);
        self.under_way.pop_front();
    }

    /// Instant at which it hands over the next frame.
    fn deadline(&self) -> Option<Instant> {
        let ready = if self.free > 0 { Instant::ZERO } else { *self.calls.front()? };
        Some(ready.max(self.offered))
    }

    /// Hands over the next frame, which is due.
    fn hand_over(&mut self, now: Instant) {
        match self.free {
            0 => drop(self.calls.pop_front()),
            free => self.free = free - 1,
        }
        if let Some(every) = self.every {
            self.offered += every;
        }
        self.under_way.push_back(now);
        self.number = self.number.wrapping_add(1);
    }

    /// Activity of application and transmit buffers.
    fn activity(&self, now: Instant) -> (Feed, bool) {
        let waits = self.free > 0 || self.calls.front().is_some_and(|call| *call <= now);
        let feed = if waits && self.offered > now { Feed::App } else { Feed::Cpu };
        (feed, !self.under_way.is_empty())
    }
}

/// Both chips and the air between them.
struct Chips<O> {
    cell: Cell,
    pool: Pool,
    /// Applications that send.
    senders: alloc::vec::Vec<Sender>,
    version: crate::wire::espnow::Version,
    encrypted: bool,
    books: Books,
    counts: Counts,
    per_second: alloc::vec::Vec<u64>,
    first: Option<Instant>,
    latency: Latencies,
    other: O,
}

/// Nodes of the plant: the applications, and the cell.
const APPLICATIONS: usize = 0;
const CELL: usize = 1;

impl<O: Observer> Chips<O> {
    /// Hands over every frame that is due.
    fn hand_over(&mut self, now: Instant) {
        for place in 0..self.senders.len() {
            while self.senders[place].deadline().is_some_and(|at| at <= now) {
                self.send(place, now);
            }
            self.tell(place, now);
        }
    }

    fn send(&mut self, place: usize, now: Instant) {
        let sender = &mut self.senders[place];
        sender.hand_over(now);
        let mut frame = self.pool.packet();
        let mut body = self.pool.packet();
        body.resize(sender.body.into());
        let transmitter = self.cell.address(sender.station);
        EspNow {
            receiver: sender.to,
            transmitter,
            sequence: Sequence::new((sender.number & 0xfff) as u16, 0),
            version: self.version,
            // Nobody here plays frames back: a count is as good.
            random: sender.number.to_le_bytes(),
            ccmp: self.encrypted.then_some(u64::from(sender.number)),
            body: &body,
        }
        .emit(&mut frame);
        self.counts.sent += 1;
        let offered = self.cell.inject_payload(now, sender.station, frame, sender.body);
        assert!(offered.is_ok(), "as many are under way as there are buffers at most");
    }

    /// Tells the books what a sender does.
    fn tell(&mut self, place: usize, now: Instant) {
        let sender = &mut self.senders[place];
        let activity = sender.activity(now);
        if sender.feed.replace(activity) == Some(activity) {
            return;
        }
        let (feed, holds) = activity;
        let (stack, mac) = match sender.station {
            STATION => (Stage::Stack, Stage::Mac),
            _ => (Stage::FarStack, Stage::AccessPoint),
        };
        for (stage, does) in
            [(stack, Activity::Waits(feed)), (mac, if holds { Activity::Working } else { Activity::Starved })]
        {
            self.books.stage(now, stage, does);
            self.other.stage(now, stage, does);
        }
        let queue = if sender.station == STATION { Queue::WifiTx } else { Queue::AccessPoint };
        self.other.depth(now, queue, sender.under_way.len() as u32);
    }

    /// Carries what the cell has to say.
    fn carry(&mut self, now: Instant) {
        // Frames that have collided may be given up together.
        let mut called_back = [None; 2];
        while let Some(output) = self.cell.poll(now) {
            match output {
                CellOutput::OnAir(on_air) => {
                    self.on_air(&on_air);
                    self.books.on_air(&on_air);
                    self.other.on_air(&on_air);
                }
                CellOutput::Done { station, failure, .. } => {
                    if let Some(ended) = called_back.get_mut(station.index()) {
                        *ended = Some(failure.is_none());
                    }
                }
                CellOutput::Heard { .. } | CellOutput::Delivered { .. } => {}
            }
        }
        // What a PPDU brought is told behind what became of it, and is about a frame that is still under way.
        for sender in &mut self.senders {
            let Some(succeeded) = called_back[sender.station.index()] else { continue };
            let counts = &mut self.counts;
            *(if succeeded { &mut counts.succeeded } else { &mut counts.failed }) += 1;
            sender.called_back(now);
        }
        self.hand_over(now);
    }

    /// A PPDU is over: what it has brought.
    fn on_air(&mut self, on_air: &OnAir) {
        let (Some(mpdu), true) = (on_air.mpdus.first(), on_air.from <= AP) else { return };
        let arrived = mpdu.fate == MpduFate::New && on_air.outcome != PpduOutcome::Collided;
        if mpdu.payload == 0 {
            return;
        }
        if on_air.to.is_none() {
            self.counts.unheard += u64::from(!arrived);
        }
        if !arrived {
            return;
        }
        let direction = usize::from(on_air.from == AP);
        self.counts.received[direction] += 1;
        self.counts.octets[direction] += u64::from(mpdu.payload);
        self.first.get_or_insert(on_air.end);
        let second = (on_air.end.as_nanos() / 1_000_000_000) as usize;
        if self.per_second.len() <= second {
            self.per_second.resize(second + 1, 0);
        }
        self.per_second[second] += u64::from(mpdu.payload);
        let sender = self.senders.iter().find(|sender| sender.station == on_air.from);
        let handed = sender.and_then(|sender| sender.under_way.front());
        handed.into_iter().for_each(|handed| self.latency.took(on_air.end.saturating_since(*handed)));
    }
}

impl<O: Observer> Plant for Chips<O> {
    fn nodes(&self) -> usize {
        2
    }

    fn deadline(&self, node: usize) -> Option<Instant> {
        match node {
            APPLICATIONS => self.senders.iter().filter_map(Sender::deadline).min(),
            _ => self.cell.deadline(),
        }
    }

    fn wake(&mut self, node: usize, now: Instant, touched: &mut Touched) {
        if node == CELL {
            self.cell.wake(now);
        }
        self.carry(now);
        touched.note(APPLICATIONS);
        touched.note(CELL);
    }
}

/// Runs `scenario` with `seed`; `other` looks on, and is given back.
pub fn run_espnow<O: Observer>(scenario: &Scenario, seed: u64, other: O, stop: Stop<'_>) -> (Outcome, O) {
    let pool = Pool::new();
    let mut cell = Cell::new(config::cell(scenario), pool.clone(), seed);
    cell.watched(true);
    let ends = (0..2).filter(|end| scenario.traffic.direction.sends(*end));
    let senders = ends.map(|end| Sender::new(scenario, StationId(end as u16))).collect();
    let direction = match scenario.traffic.direction {
        traffic::Direction::Up => Direction::Up,
        traffic::Direction::Down => Direction::Down,
        traffic::Direction::Both => Direction::Both,
    };
    let mut chips = Chips {
        cell,
        pool,
        senders,
        version: scenario.espnow.version,
        encrypted: scenario.espnow.encrypted,
        books: Books::new(Instant::ZERO, direction),
        counts: Counts::default(),
        per_second: [].into(),
        first: None,
        latency: Latencies::new(),
        other,
    };
    chips.hand_over(Instant::ZERO);
    let mut events = EventLoop::new(Instant::ZERO, &chips);
    let warm = events.run_unless(&mut chips, Instant::ZERO + scenario.run.warmup, stop);
    let before = chips.books.begin_measuring(events.now());
    chips.counts = Counts::default();
    chips.latency.restart();
    let end = Instant::ZERO + scenario.run.duration;
    let end = if warm && events.run_unless(&mut chips, end, stop) { end } else { events.now() };
    let ledger = chips.books.ledger_at(end);
    assert!(ledger.balances(), "the books of a channel balance");
    let outcome = Outcome {
        steady_ledger: ledger.since(&before),
        ledger,
        counts: chips.counts,
        air: chips.books.counts().named().map(|(name, count)| (name.to_owned(), count)).collect(),
        per_second: chips.per_second,
        first: chips.first,
        latency: chips.latency.percentiles(),
        steps: events.steps(),
    };
    (outcome, chips.other)
}

/// Figures of a run.
pub fn ran(scenario: &Scenario, seed: u64, stop: Stop<'_>) -> Ran {
    let (outcome, ()) = run_espnow(scenario, seed, (), stop);
    let steady = outcome.steady_ledger.elapsed();
    let octets = outcome.counts.octets.iter().sum();
    let account = Books::bottleneck(&outcome.steady_ledger);
    Ran {
        carried: Some(Carried { octets, time: steady }),
        accepted: Some(outcome.counts.sent * u64::from(scenario.traffic.payload.unwrap_or(0))),
        elapsed: outcome.ledger.elapsed(),
        setup: outcome.first.map_or(outcome.ledger.elapsed(), |first| first - Instant::ZERO),
        steady,
        books: booked(&outcome.ledger),
        steady_books: booked(&outcome.steady_ledger),
        per_second: outcome.per_second.clone(),
        latency: outcome.latency,
        bottleneck: account.name(),
        says: says(account, &outcome, scenario),
        counters: counters(&outcome, scenario),
        outcome: if octets > 0 { "ok" } else { "nothing arrived" }.to_owned(),
        random_draws: u64::from(config::is_random(scenario)),
        ..Ran::default()
    }
}

fn counters(outcome: &Outcome, scenario: &Scenario) -> Ordered<u64> {
    let counts = &outcome.counts;
    let mut counters = outcome.air.clone();
    for (direction, name) in ["up", "down"].into_iter().enumerate() {
        if counts.received[direction] > 0 {
            counters.set(format!("octets.{name}"), counts.octets[direction]);
            counters.set(format!("datagrams.{name}"), counts.received[direction]);
        }
    }
    counters.set("espnow.sent".to_owned(), counts.sent);
    counters.set("espnow.send_success".to_owned(), counts.succeeded);
    counters.set("espnow.send_fail".to_owned(), counts.failed);
    if scenario.espnow.to == Receiver::Broadcast {
        counters.set(BROADCAST_LOST.to_owned(), counts.unheard);
    } else {
        counters.set(DropPoint::AirRetries.name().to_owned(), counts.failed);
    }
    counters.set("phy_kbps".to_owned(), u64::from(scenario.phy().rate_kbps()));
    counters.set("loop_steps".to_owned(), outcome.steps);
    counters
}

/// Sentence on the account that cost most.
fn says(account: Account, outcome: &Outcome, scenario: &Scenario) -> String {
    if outcome.counts.octets == [0; 2] {
        return format!("Nothing arrived: {} frames were handed over.", outcome.counts.sent);
    }
    let ledger = &outcome.steady_ledger;
    let share = 100.0 * ledger.of(account).as_nanos() as f64 / ledger.elapsed().as_nanos().max(1) as f64;
    let body = scenario.traffic.payload.unwrap_or(0);
    let (phy, octets) = (scenario.phy(), frame_octets(body.into(), scenario.espnow.encrypted));
    let time = scenario.timing().ppdu(phy, octets as u32);
    let frame = format!("a frame of {octets} octets lasts {time} at {} kbit/s and carries {body}", phy.rate_kbps());
    let why = match account {
        Account::IdleCpu => format!("{}, {} a frame", account.meaning(), scenario.espnow.call),
        Account::Mac => {
            let besides = octets - usize::from(body);
            format!("header, elements and check of the action frame, {besides} octets besides its body")
        }
        Account::IdleApp => "the application offers less than the link carries".to_owned(),
        other => other.meaning().to_owned(),
    };
    format!("{share:.0} % of the air: {why}; {frame}.")
}
