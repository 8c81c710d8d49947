//! Stations that share a channel: who transmits when, who hears it, what collides. One node of the event loop.
//!
//! Every station hears every other one, at once. PPDUs that overlap are lost, all of them. The cell wakes when somebody starts to
//! transmit, when the PPDU ends, and when its response does; slots are counted, not played.
//!
//! - [`CellConfig`]: stations and channel as plain data · `contend`: whose turn it is · `sending`: what is transmitted, and what of it
//!   is lost · `exchange`: responses, and what follows · `txop`: several exchanges in a row · `request`: Block Ack requests ·
//!   `rts`: RTS and CTS, and who keeps quiet for them
//! - `hearing`: what reaches whom, and how long that keeps it quiet · `errors`, `noise`: what gets lost on the way
//! - `raw`: frames as octets · `generate`: traffic of other stations, beacons · `secondary`: neighbours of a PPDU of 40 MHz ·
//!   `doze`: power save

mod config;
mod contend;
mod counters;
mod doze;
mod errors;
mod exchange;
mod generate;
mod hearing;
mod noise;
mod outbox;
mod raw;
mod request;
mod rts;
mod secondary;
mod sending;
mod station;
mod txop;

use alloc::collections::VecDeque;
use alloc::vec::Vec;

use airtime_core::random::{Stream, stream};
use airtime_core::{Instant, Packet, Pool};

pub use crate::words::StationId;
pub use config::{
    AfterFailure, Beacons, CellConfig, Collided, Errors, MissingBlockAck, Secondary, StationConfig, Traffic, WidePolicy,
};
pub use counters::Counters;
pub use doze::{Dozed, PowerSave};

use crate::mac::Queued;
use crate::trace::{OnAir, TxFailure, payload_octets};
use contend::Contender;
use doze::Doze;
use generate::Generators;
use hearing::{Hearing, Part};
use outbox::Outbox;
use request::Kept;
use secondary::Neighbours;
use sending::Sending;
use station::Station;

/// Reason that [`Cell::offer`] refuses a frame. Each gives the frame back, so whoever matches matches all.
#[derive(Debug)]
pub enum Refused {
    /// Every transmit buffer of the station is in use; here is the MSDU again.
    Full(Packet),
}

/// Output of a cell. One that nobody carries out is lost, so whoever matches matches all.
#[derive(Debug)]
pub enum CellOutput {
    /// An MSDU (an Ethernet II frame) has arrived at `to`, in order, after its reorder buffer.
    Delivered {
        /// Station that sent it.
        from: StationId,
        /// Station that receives it.
        to: StationId,
        /// The Ethernet frame.
        msdu: Packet,
    },
    /// Transmit buffers of `station` are free again: `failure` is none when their MSDUs were acknowledged.
    Done {
        /// Station that sent them.
        station: StationId,
        /// Reason that they were given up; none if they arrived.
        failure: Option<TxFailure>,
        /// Number of transmit buffers that are free again.
        buffers: u32,
    },
    /// A PPDU with everything that belongs to it is over.
    OnAir(OnAir),
    /// A frame that a promiscuous `station` has heard whole, FCS included. Only if one listens.
    Heard {
        /// Station that heard it.
        station: StationId,
        /// The frame, FCS included.
        frame: Packet,
        /// Reception info that came with it.
        info: crate::wire::RxInfo,
    },
}

/// State of the channel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Channel {
    /// Nothing, since the instant of `idle_since`.
    Idle,
    /// PPDUs of `sending` are under way; the last one ends at `next`.
    Ppdu,
    /// A response is under way, or the space in front of it; it ends at `next`.
    Response,
}

/// Stations on one channel. Contract of a node: one mutation, drain [`poll`](Self::poll), then [`deadline`](Self::deadline).
#[derive(Debug)]
pub struct Cell {
    config: CellConfig,
    pool: Pool,
    stations: Vec<Station>,
    contenders: Vec<Contender>,
    streams: Vec<Stream>,
    channel: Channel,
    idle_since: Instant,
    /// Instant of the channel's next change: the first transmission, or the end of the one under way.
    next: Instant,
    sending: Vec<Sending>,
    /// Receivers that nobody has told what to wait for, the earliest in front.
    kept: VecDeque<Kept>,
    generators: Generators,
    neighbours: Option<Neighbours>,
    /// Power save of a station, if one dozes.
    doze: Option<Doze>,
    outbox: Outbox,
    watched: bool,
    /// Set if PPDUs are told at all.
    told: bool,
    /// Set while somebody is promiscuous.
    listening: bool,
    /// State of what each station hears.
    hearing: Vec<Hearing>,
    /// MPDUs of the PPDU that errors are drawn for; kept for its room.
    parts: Vec<Part>,
    /// Room for those whose turn comes, kept for the next time.
    winners: Vec<(usize, Instant)>,
}

impl Cell {
    /// A cell whose channel has been idle since the start of the run. `seed` feeds backoffs, losses and traffic.
    ///
    /// # Panics
    /// When a station of the configuration does not exist, a PHY is none, or traffic has no time between two frames.
    pub fn new(config: CellConfig, pool: Pool, seed: u64) -> Self {
        config.check();
        let count = config.stations.len();
        let stations: Vec<Station> =
            config.stations.iter().enumerate().map(|(place, station)| Station::new(place, station, seed)).collect();
        let streams = (0..count).map(|place| stream(seed, &alloc::format!("cell/{place}/backoff"))).collect();
        let contenders = Contender::all(&config);
        let generators = Generators::new(&config, seed);
        let neighbours = config.secondary.map(|secondary| Neighbours::new(secondary, &config.timing, seed));
        let doze = config.power_save.map(Doze::new);
        let mut cell = Self {
            config,
            pool,
            stations,
            contenders,
            streams,
            channel: Channel::Idle,
            idle_since: Instant::ZERO,
            next: Instant::FAR_FUTURE,
            sending: Vec::new(),
            kept: VecDeque::new(),
            generators,
            neighbours,
            doze,
            outbox: Outbox::default(),
            watched: false,
            told: true,
            listening: false,
            hearing: alloc::vec![Hearing::default(); count],
            parts: Vec::new(),
            winners: Vec::new(),
        };
        cell.saturate();
        cell.resume(Instant::ZERO, false);
        cell
    }

    /// Gives `station` an MSDU (an Ethernet II frame) for `to`.
    ///
    /// # Errors
    /// When its transmit buffers are used up.
    ///
    /// # Panics
    /// When the cell has no such station; so do the other calls that name one.
    pub fn offer(&mut self, now: Instant, station: StationId, to: StationId, msdu: Packet) -> Result<(), Refused> {
        let window = self.stations[to.index()].config.receive_window;
        let sender = &mut self.stations[station.index()];
        if sender.room() == 0 {
            return Err(Refused::Full(msdu));
        }
        let octets = sender.mpdu_octets(msdu.len());
        let mut mpdu = Queued::new(now, octets, msdu);
        if self.watched {
            mpdu.payload = mpdu.msdu.as_deref().map_or(0, payload_octets);
        }
        sender.push(to, window, mpdu);
        self.given(station, to, now);
        Ok(())
    }

    /// `station` has got an MSDU for `to`: it contends, unless it holds it for somebody who dozes.
    fn given(&mut self, station: StationId, to: StationId, now: Instant) {
        if self.doze.is_some() {
            self.roused(station, now);
            if self.stations[station.index()].withheld == Some(to) {
                return;
            }
        }
        self.wants(contend::data(station), now);
    }

    /// Its primary channel.
    pub fn channel(&self) -> u8 {
        self.config.channel
    }

    /// Transmit buffers of `station` that are free.
    pub fn room(&self, station: StationId) -> usize {
        self.stations[station.index()].room()
    }

    /// MSDUs in the transmit buffers of `station`.
    pub fn queued(&self, station: StationId) -> usize {
        self.stations[station.index()].used()
    }

    /// Counters of `station` so far.
    pub fn counters(&self, station: StationId) -> &Counters {
        &self.stations[station.index()].counters
    }

    /// Turns [`OnAir::mpdus`] on or off; they stay empty while nobody looks at them.
    pub fn watched(&mut self, watched: bool) {
        self.watched = watched;
    }

    /// Turns [`CellOutput::OnAir`] on or off; it is told unless nobody looks.
    pub fn told(&mut self, told: bool) {
        self.told = told;
    }

    /// Its deadline has come.
    pub fn wake(&mut self, now: Instant) {
        while let Some(at) = self.deadline().filter(|&at| at <= now) {
            self.end_waiting(at);
            if self.generators.next() <= at {
                self.generate(at);
                continue;
            }
            match self.channel {
                _ if self.next > at => {}
                Channel::Idle => self.start(at),
                Channel::Ppdu => self.ppdu_ended(at),
                Channel::Response => self.response_ended(at),
            }
        }
    }

    /// Next output; drained to none.
    pub fn poll(&mut self, _now: Instant) -> Option<CellOutput> {
        self.outbox.pop()
    }

    /// Instant at which it next wants to be woken.
    pub fn deadline(&self) -> Option<Instant> {
        let next = self.next.min(self.generators.next());
        let next = self.kept.front().map_or(next, |kept| next.min(kept.until));
        Some(next).filter(|&at| at != Instant::FAR_FUTURE)
    }
}
