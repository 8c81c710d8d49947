//! Stations, their hosts and the medium, joined into one plant for the event loop.
//!
//! Station 0 is the coordinator, which receives; the others send to it, and behind the last of them come the routers that pass frames on. A
//! node of the loop is a station with its host, and the end of what it has on the air.
//!
//! - [`Config`]: the plant as plain data · [`run`]: a run from beginning to end · [`Outcome`]: its figures
//! - `host`: queue, load and pace above a MAC · `flight`: what is on the air, until its receiver has it

mod config;
mod counters;
mod flight;
mod host;
mod line;
mod observer;
mod origin;
mod outcome;
mod serial;

use alloc::collections::BTreeSet;
use alloc::format;
use alloc::vec::Vec;

use airtime_core::random::stream;
use airtime_core::{Duration, EventLoop, Instant, Packet, Plant, Pool, Touched};

pub use config::{Config, ConfigError, Datagram, Receiving};
pub use counters::Counters;
pub use observer::Observer;
pub use outcome::Outcome;

use crate::air::{PSDU_MAX, TURNAROUND, ack_time};
use crate::lowpan::{Flow, Mesh, Reassembly};
use crate::mac::{Input, Mac, Output};
use crate::medium::Medium;
use crate::trace::{Begun, DropPoint, Phase, Sent};
use flight::Flight;
use host::{Answer, Host, Next};
use line::Line;
use origin::Origin;
use serial::Serial;

/// The place of the station that receives.
pub const COORDINATOR: usize = 0;

/// A station with what is above it and what it has on the air.
#[derive(Debug)]
struct Station {
    mac: Mac,
    host: Host,
    flight: Option<Flight>,
    /// Line to its co-processor; none of a chip of its own.
    serial: Option<Serial>,
    /// Datagrams that it sends; none of plain frames, and of who only receives.
    flow: Option<Flow>,
    /// Payload of its frame that has just arrived.
    indicated: Option<Packet>,
    /// Flag: the receiver's co-processor had no room for its last frame.
    refused: bool,
    /// Part of its datagram that has arrived at the receiver.
    arriving: Reassembly,
    /// Instant at which that was handed over of it which has arrived last; what is as old or older, and has not, never will.
    arrived: Option<Instant>,
    phase: Phase,
    counters: Counters,
}

/// Stations on one medium, and a sink for what happens.
#[derive(Debug)]
pub struct Network<O> {
    /// Sink of everything that happens.
    pub observer: O,
    config: Config,
    medium: Medium,
    pool: Pool,
    stations: Vec<Station>,
    /// Line from the receiver's co-processor to its host; none of a chip of its own.
    line: Option<Line>,
    per_second: Vec<u64>,
    latencies: Vec<Duration>,
}

/// Runs `config` from the start to its end, watched by `observer`.
///
/// # Errors
/// When the configuration contradicts itself or the standard.
pub fn run<O: Observer>(config: &Config, observer: O) -> Result<(Outcome, O), ConfigError> {
    let mut network = Network::new(config, observer)?;
    network.start(Instant::ZERO);
    let mut event_loop = EventLoop::new(Instant::ZERO, &network);
    let end = Instant::ZERO + config.duration;
    event_loop.run_until(&mut network, end);
    let outcome = network.outcome(end);
    Ok((outcome, network.observer))
}

impl<O: Observer> Network<O> {
    /// A network at rest; [`start`](Self::start) sets it going.
    ///
    /// # Errors
    /// When the configuration contradicts itself or the standard.
    pub fn new(config: &Config, observer: O) -> Result<Self, ConfigError> {
        config.check()?;
        let (pool, seed) = (Pool::new(), config.seed);
        let station = |place: usize| Station {
            mac: Mac::new(
                config.mac(place),
                pool.clone(),
                stream(seed, &format!("ieee802154/station/{place}/backoff")),
            ),
            host: Host::new(config, place),
            flight: None,
            serial: config.uart.filter(|_| config.is_sender(place)).map(|uart| Serial::new(config, uart, &pool)),
            flow: config.flow(place),
            indicated: None,
            refused: false,
            arriving: Reassembly::default(),
            arrived: None,
            phase: Phase::App,
            counters: Counters::default(),
        };
        let count = config.places();
        Ok(Self {
            observer,
            config: config.clone(),
            medium: Medium::new(config.hearing(), config.loss, config.loss_ack, seed),
            stations: (0..count).map(station).collect(),
            line: config.receiving.map(|receiving| Line::new(config, receiving, &pool)),
            pool,
            per_second: Vec::new(),
            latencies: Vec::new(),
        })
    }

    /// Sets senders going. To be called before the event loop is made.
    pub fn start(&mut self, now: Instant) {
        let mut touched = Touched::default();
        for place in 1..self.stations.len() {
            self.attend(place, now, &mut touched);
        }
    }

    /// Configuration of the network.
    pub fn config(&self) -> &Config {
        &self.config
    }

    /// Figures up to `now`.
    pub fn outcome(&self, now: Instant) -> Outcome {
        let counters = |station: &Station| Counters { offered: station.host.offered(), ..station.counters };
        let (senders, routers) = self.stations[1..].split_at(self.config.stations.into());
        let stations: Vec<Counters> = senders.iter().map(counters).collect();
        let draws = |station: &Station| station.mac.random_draws() + station.host.random_draws();
        Outcome {
            elapsed: now - Instant::ZERO,
            total: stations.iter().copied().sum(),
            stations,
            routers: routers.iter().map(|router| router.counters).sum(),
            waiting: self.waiting(),
            per_second: self.per_second.clone(),
            latencies: self.latencies.clone(),
            random_draws: self.medium.random_draws() + self.stations.iter().map(draws).sum::<u64>(),
        }
    }

    /// Units that were handed over, have not arrived, and may still: some of their frames are on their way.
    fn waiting(&self) -> u64 {
        let held = self.stations.iter().flat_map(|station| station.host.holds());
        let on_line = self.line.iter().flat_map(Line::holds);
        let may_arrive = |origin: &Origin| self.stations[origin.place].arrived.is_none_or(|last| origin.handed > last);
        held.chain(on_line).filter(may_arrive).collect::<BTreeSet<Origin>>().len() as u64
    }

    /// Carries what station `place` and its host have to say, and tells in which phase that leaves them.
    fn attend(&mut self, place: usize, now: Instant, touched: &mut Touched) {
        touched.note(place);
        loop {
            self.drain(place, now);
            if !self.hand_over(place, now) {
                break;
            }
        }
        let station = &mut self.stations[place];
        let on_line = station.serial.as_ref().is_some_and(Serial::is_busy);
        let rests = || if on_line { Phase::Serial } else { station.host.phase() };
        let phase = station.mac.phase().unwrap_or_else(rests);
        if place != COORDINATOR && core::mem::replace(&mut station.phase, phase) != phase {
            self.observer.phase(now, place, phase);
        }
    }

    /// Gives the MAC the next frame if that is ready; true if so.
    fn hand_over(&mut self, place: usize, now: Instant) -> bool {
        let station = &mut self.stations[place];
        if let Some(payload) = station.serial.as_mut().and_then(|serial| serial.take(now)) {
            station.mac.handle(now, Input::Send(&payload));
            return true;
        }
        if !station.mac.is_free() || !station.host.ready(now) {
            return false;
        }
        let next = station.host.hand_over(now);
        station.counters.handed += 1;
        let mut payload = [0; PSDU_MAX];
        let octets = match (next, &station.flow) {
            (Next::Relayed(frame), _) => {
                payload[..frame.len()].copy_from_slice(&frame);
                frame.len()
            }
            (Next::Own(number, piece), Some(flow)) => {
                station.counters.datagrams += u64::from(piece == 0);
                flow.frame(number, piece, &mut payload)
            }
            (Next::Own(number, _), None) => {
                payload[..4].copy_from_slice(&number.to_le_bytes());
                self.config.payload.into()
            }
        };
        let payload = &payload[..octets];
        match &mut station.serial {
            Some(serial) => {
                let psdu = station.mac.next_psdu(payload);
                station.counters.uart += serial.send(now, &psdu, payload) as u64;
            }
            None => station.mac.handle(now, Input::Send(payload)),
        }
        true
    }

    /// A frame has arrived at router `place`, which passes it on when its acknowledgement has ended.
    fn relay(&mut self, place: usize, now: Instant, mut frame: Packet, origin: Origin) {
        let answer = if self.config.ack { TURNAROUND + ack_time() } else { Duration::ZERO };
        if !Mesh::pass_on(&mut frame) || !self.stations[place].host.relay(now, now + answer, frame, origin) {
            self.dropped(place, now, DropPoint::Queue);
        }
    }

    fn drain(&mut self, place: usize, now: Instant) {
        while let Some(output) = self.stations[place].mac.poll(now) {
            match output {
                Output::Sense { since } => {
                    let busy = self.medium.was_busy(place, since, now);
                    let station = &mut self.stations[place];
                    station.counters.cca += 1;
                    station.counters.cca_busy += u64::from(busy);
                    station.mac.handle(now, Input::Sensed { busy });
                }
                Output::Transmit { until, sent } => self.transmit(place, now, until, sent),
                Output::Confirm(result) => self.confirmed(place, now, result),
                // Whoever delivers a frame asks for its verdict and its payload.
                Output::Received(_) | Output::Indication(_) => {}
            }
        }
    }

    fn transmit(&mut self, from: usize, now: Instant, until: Instant, mut sent: Sent) {
        let station = &self.stations[from];
        if let (Sent::Data { parts, .. }, Some(flow)) = (&mut sent, &station.flow) {
            let piece = flow.cut.piece(station.host.piece());
            (parts.payload, parts.adaptation) = (piece.payload, piece.headers);
        }
        let Answer { to, of } = match sent {
            Sent::Data { .. } => Answer { to: self.config.next_hop(from), of: station.host.at_hand().place },
            Sent::Ack => station.host.answers,
        };
        let heard = self.stations[to].mac.listens(now);
        self.medium.began([from, to], now, until);
        self.stations[from].flight = Some(Flight { to, start: now, end: until, sent, heard });
        if let Sent::Data { attempt, .. } = sent {
            let counters = &mut self.stations[from].counters;
            counters.frames += 1;
            counters.retries += u64::from(attempt > 0);
        }
        self.observer.began(now, &Begun { from, to, of, until });
    }

    fn confirmed(&mut self, place: usize, now: Instant, result: Result<(), DropPoint>) {
        let station = &mut self.stations[place];
        let report = station.serial.as_mut().map(|serial| serial.confirm(now, result));
        station.counters.uart += report.map_or(0, |(octets, _)| octets as u64);
        station.host.confirmed(now, result.is_ok(), report.map(|(_, time)| time));
        match result {
            Ok(()) => station.counters.confirmed += 1,
            Err(at) => self.dropped(place, now, at),
        }
    }

    fn dropped(&mut self, place: usize, now: Instant, at: DropPoint) {
        self.stations[place].counters.drops[at as usize] += 1;
        self.observer.dropped(now, place, at);
    }
}

impl<O: Observer> Plant for Network<O> {
    fn nodes(&self) -> usize {
        self.stations.len()
    }

    fn deadline(&self, node: usize) -> Option<Instant> {
        let station = &self.stations[node];
        let flight = station.flight.as_ref().map(|flight| flight.end);
        let line = match node {
            COORDINATOR => self.line.as_ref().and_then(Line::due),
            _ => station.serial.as_ref().and_then(Serial::due),
        };
        [station.mac.deadline(), station.host.deadline(), flight, line].into_iter().flatten().min()
    }

    fn wake(&mut self, node: usize, now: Instant, touched: &mut Touched) {
        // A frame has arrived before its sender goes on to what follows it.
        if self.stations[node].flight.as_ref().is_some_and(|flight| flight.end <= now) {
            self.finish(node, now, touched);
        }
        while let Some(frame) = self.line.as_mut().filter(|_| node == COORDINATOR).and_then(|line| line.take(now)) {
            self.received(frame, now);
        }
        for _ in 0..self.stations[node].host.wake(now) {
            self.dropped(node, now, DropPoint::Queue);
        }
        self.stations[node].mac.handle(now, Input::Wake);
        self.attend(node, now, touched);
    }
}
