//! The sink of a live link: what went in and came out at each end.

use airtime_core::Instant;
use airtime_nrf24::ledger::{BookedLink, Books};
use airtime_nrf24::network::Observer;
use airtime_nrf24::plan::Scenario;
use airtime_nrf24::trace::{DropPoint, Note, OnAir, Reception, Trace};

use crate::ip::ENDS;
use airtime_hw::Traffic;

/// Watcher of the link.
#[derive(Debug, Default)]
pub struct Watch {
    traffic: [Traffic; ENDS.len()],
    books: Vec<(&'static str, Books)>,
}

impl Watch {
    /// Books for the air of each direction of `scenario`; for both together with one radio per node.
    pub fn new(scenario: &Scenario) -> Self {
        let radios = usize::from(scenario.mode().radios());
        let books = |(name, sender, receiver)| {
            let link = BookedLink { sender, receiver, radios, framing: scenario.framing() };
            (name, Books::new(link, Instant::ZERO))
        };
        let books = match radios {
            1 => vec![books(("both", 0, 1))],
            _ => vec![books(("up", 0, 3)), books(("down", 2, 1))],
        };
        Self { traffic: Default::default(), books }
    }

    /// Traffic that crossed the device of `end`.
    pub fn traffic(&self, end: usize) -> &Traffic {
        &self.traffic[end]
    }

    /// The books of each direction, by name: `up` is from `a` to `b`.
    pub fn books(&self) -> &[(&'static str, Books)] {
        &self.books
    }
}

impl Observer for Watch {
    fn transmission(&mut self, from: usize, on_air: &OnAir, received: Option<(usize, Reception)>) {
        self.books.iter_mut().for_each(|(_, books)| books.transmission(from, on_air, received));
    }

    fn chip(&mut self, now: Instant, chip: usize, trace: &Trace) {
        self.books.iter_mut().for_each(|(_, books)| books.chip(now, chip, trace));
    }

    fn note(&mut self, now: Instant, host: usize, note: &Note) {
        self.traffic[host].note(note);
        self.books.iter_mut().for_each(|(_, books)| books.note(now, host, note));
    }

    fn packet(&mut self, now: Instant, host: usize, into: bool, packet: &[u8]) {
        self.traffic[host].crossed.packet(into, packet.len());
        self.books.iter_mut().for_each(|(_, books)| books.packet(now, host, into, packet));
    }

    fn replaced(&mut self, now: Instant, host: usize, fresh_chips: bool) {
        self.books.iter_mut().for_each(|(_, books)| books.replaced(now, host, fresh_chips));
    }
}

/// Name of a place of drops in documents, as in the counters of records.
pub fn drop_name(at: DropPoint) -> &'static str {
    match at {
        DropPoint::Queue => "queue",
        DropPoint::Persistence => "persistence",
        DropPoint::MaxRt => "max_rt",
        DropPoint::Gap => "gap",
        DropPoint::Integrity => "integrity",
        DropPoint::Authentication => "authentication",
        DropPoint::Malformed => "malformed",
        DropPoint::Context => "context",
        DropPoint::Ring => "ring",
        _ => "elsewhere",
    }
}
