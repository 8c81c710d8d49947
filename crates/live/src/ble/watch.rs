//! The sink of a live network: books and figures of every link, and whatever else listens.

use std::collections::{BTreeMap, VecDeque};

use airtime_app::Outcome;
use airtime_ble::hci::{COMMAND, H4, opcode};
use airtime_ble::host::Starved;
use airtime_ble::medium::{Place, Transmission};
use airtime_ble::network::{Device, Observer};
use airtime_ble::trace::{Trace, Verdict};
use airtime_core::{Duration, Instant};

use crate::ble::event::{Event, Sink};
use crate::ble::record::LinkRecord;
use crate::ble::station::Above;

/// Links that are over and still in the report; of those before, there is only their number.
pub const CLOSED_MAX: usize = 32;

/// Interval at which the terms of open links are looked at.
const LOOK_EVERY: Duration = Duration::from_millis(100);

/// Watcher of the air.
pub struct Watch {
    open: Vec<LinkRecord>,
    closed: VecDeque<LinkRecord>,
    forgotten: u64,
    carried: u64,
    look_at: Instant,
    /// Outcome of the last test of each of our own hosts, by its device.
    outcomes: BTreeMap<usize, Outcome>,
    news: Vec<(usize, Outcome)>,
    sink: Option<Sink>,
}

impl Watch {
    /// Nothing was seen yet.
    pub fn new(sink: Option<Sink>) -> Self {
        Self {
            open: Vec::new(),
            closed: VecDeque::new(),
            forgotten: 0,
            carried: 0,
            look_at: Instant::ZERO,
            outcomes: BTreeMap::new(),
            news: Vec::new(),
            sink,
        }
    }

    /// The links that are kept, those that are over first.
    pub fn links(&self) -> impl Iterator<Item = &LinkRecord> {
        self.closed.iter().chain(&self.open)
    }

    /// Number of links that are open.
    pub fn open(&self) -> usize {
        self.open.len()
    }

    /// Number of links that are over and not kept any more.
    pub fn forgotten(&self) -> u64 {
        self.forgotten
    }

    /// Shortest connection interval of the links that are open, as far as it was seen.
    pub fn shortest_interval(&self) -> Option<Duration> {
        self.open.iter().filter_map(|link| link.terms).map(|terms| terms.interval).min()
    }

    /// Takes the outcomes of tests of our own hosts that differ from the one before, with their devices: whoever fails the same
    /// way each second says so once.
    pub fn take_news(&mut self) -> Vec<(usize, Outcome)> {
        std::mem::take(&mut self.news)
    }

    /// Octets of payload that all links together have carried.
    pub fn carried(&self) -> u64 {
        self.carried
    }

    /// The controller of `device` has forgotten everything.
    pub fn silenced(&mut self, now: Instant, device: usize) {
        self.open.iter_mut().for_each(|link| link.silenced(now, device));
        self.put_away();
    }

    /// Looks at the terms of open links, when it is time to.
    pub fn look(&mut self, now: Instant, devices: &[Device<Above>]) {
        if now < self.look_at {
            return;
        }
        self.look_at = now + LOOK_EVERY;
        for link in &mut self.open {
            let end = link.ends.iter().flatten().find(|end| end.gone.is_none());
            if let Some(device) = end.and_then(|end| devices.get(end.device)) {
                link.look(&device.controller);
            }
        }
    }

    fn link(&mut self, access_address: u32) -> Option<&mut LinkRecord> {
        self.open.iter_mut().find(|link| link.access_address == access_address)
    }

    fn put_away(&mut self) {
        while let Some(over) = self.open.iter().position(|link| link.closed.is_some()) {
            if self.closed.len() == CLOSED_MAX {
                self.closed.pop_front();
                self.forgotten += 1;
            }
            self.closed.push_back(self.open.remove(over));
        }
    }

    fn follow(&mut self, now: Instant, device: usize, trace: &Trace, starved: Option<Starved>) {
        match *trace {
            Trace::ConnectionOpened { link, role, .. } => {
                // What a connection begins with is looked at before anything can change it.
                self.look_at = now;
                if self.link(link).is_none() {
                    self.open.push(LinkRecord::new(link, now));
                }
                if let Some(link) = self.link(link) {
                    link.joined(device, role);
                }
            }
            Trace::ConnectionClosed { link, role, reason } => {
                if let Some(link) = self.link(link) {
                    link.ended(now, trace, role, reason);
                }
                self.put_away();
            }
            Trace::EventClosed { link, .. }
            | Trace::EventSkipped { link, .. }
            | Trace::EventsUnused { link, .. }
            | Trace::Awake { link, .. } => {
                if let Some(link) = self.link(link) {
                    link.trace(now, trace, starved);
                }
            }
            Trace::Received { .. } => {}
        }
    }
}

impl Observer<Event> for Watch {
    fn transmission(&mut self, transmission: &Transmission, verdict: Verdict) {
        if let Place::Event { .. } = transmission.place
            && let Some(link) = self.open.iter_mut().find(|link| link.access_address == transmission.link)
        {
            self.carried += link.transmission(transmission, verdict);
        }
        if let Some(sink) = &mut self.sink {
            sink.transmission(transmission, verdict);
        }
    }

    fn trace(&mut self, now: Instant, device: usize, trace: &Trace, starved: Option<Starved>) {
        self.follow(now, device, trace, starved);
        if let Some(sink) = &mut self.sink {
            sink.trace(now, device, trace, starved);
        }
    }

    fn event(&mut self, now: Instant, device: usize, event: &Event) {
        match event {
            Event::Ended { outcome, .. } if self.outcomes.insert(device, *outcome) != Some(*outcome) => {
                self.news.push((device, *outcome));
            }
            Event::StreamStarted { .. } => _ = self.outcomes.remove(&device),
            _ => {}
        }
        if let Some(sink) = &mut self.sink {
            sink.event(now, device, event);
        }
    }

    fn hci(&mut self, now: Instant, device: usize, from_host: bool, packet: &[u8]) {
        let is_command = from_host && packet.first() == Some(&COMMAND);
        if is_command && matches!(H4::parse(packet), Ok(H4::Command { opcode: opcode::RESET, .. })) {
            self.silenced(now, device);
        }
        if let Some(sink) = &mut self.sink {
            sink.hci(now, device, from_host, packet);
        }
    }
}
