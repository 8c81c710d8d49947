//! The controller: H4 bytes above, the air below.
//!
//! One radio, shared by connections, an advertiser, a scanner and an initiator. Where events are cut, all of them have turns by which
//! they take it from each other (`turns`). Where events are planned, one that has begun runs to its end and advertising takes the
//! radio when it is free long enough; links and scans have turns if a time is kept for links, or else a scan fills what is left.

mod advertise;
mod commands;
mod connecting;
mod opening;
mod reports;
mod turns;

use alloc::boxed::Box;
use alloc::vec::Vec;

use airtime_core::random::{Stream, stream};
use airtime_core::{Instant, Pool};

use crate::hci::{self, H4, Status, event};
use crate::ll::connection::{Connection, Context};
use crate::ll::event::Heard;
use crate::ll::identity::Identities;
use crate::ll::pdu::ADVERTISING_ACCESS_ADDRESS;
use crate::ll::room::Room;
use crate::ll::scanning::Reception;
use crate::personality;
use crate::words::{Address, ConnHandle};
use commands::advertising::Advertising;
use commands::defaults::Defaults;
use commands::generation::InUse;
use commands::scanning::Scanning;
use connecting::Initiator;

pub use crate::ll::outbox;
use outbox::{Outbox, Output};
use turns::Turns;

/// Connections one controller can hold.
pub const CONNECTIONS_MAX: usize = 20;

/// Input of a controller: wake-ups, H4 bytes from the host, receptions from the air.
#[derive(Debug)]
pub enum Input<'a> {
    /// Its deadline has come.
    Wake,
    /// One H4 packet from the host.
    Hci(&'a [u8]),
    /// A packet was heard.
    Heard {
        /// Access address.
        link: u32,
        /// Channel index.
        channel: u8,
        /// Packet as it was heard.
        heard: Heard<'a>,
    },
    /// The receiver's window closed and nothing was heard.
    Missed,
}

/// Holder of the radio.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Holder {
    Nobody,
    Connection(usize),
    Advertiser,
    Scanner,
    Initiator,
}

/// A virtual controller.
#[derive(Debug)]
pub struct Controller {
    personality: personality::Controller,
    /// Own addresses, and whom the host has told about.
    identities: Identities,
    out: Outbox,
    defaults: Defaults,
    /// Slot `i` holds the connection with handle `i`.
    connections: Vec<Option<Box<Connection>>>,
    advertising: Advertising,
    scanning: Scanning,
    initiator: Option<Initiator>,
    generation: InUse,
    holder: Holder,
    turns: Turns,
    /// Instant of the last look that found nobody wanting the radio.
    rested: Instant,
    /// The initiator had the radio last and the scanner waits for it.
    scanner_next: bool,
    /// Room for what was received, above it.
    room: Room,
    /// ACL packets the host takes while flow control is on.
    host_packets: u16,
    /// Packets of data the bus to the host takes at a time, if it takes time.
    bus_packets: Option<u16>,
    /// LE_Supported_Host, as the host has written it.
    le_host: u8,
    /// Random numbers for LE Rand.
    numbers: Stream,
    /// Addresses, access addresses and delays: what silicon draws for itself, whatever the seed of a run.
    chance: Stream,
}

impl Controller {
    /// A controller with this public address. What it draws for itself (access addresses, advertising
    /// delays) depends on the address alone, so that a loss-free run is the same for every seed.
    pub fn new(personality: personality::Controller, address: Address, pool: Pool) -> Self {
        let bytes = [address[0], address[1], address[2], address[3], address[4], address[5], 0, 0];
        let seed = u64::from_le_bytes(bytes);
        Self {
            personality,
            identities: Identities::new(address, stream(seed, "controller/privacy")),
            out: Outbox::new(pool),
            defaults: Defaults::new(&personality),
            connections: Vec::new(),
            advertising: Advertising::new(&personality),
            scanning: Scanning::default(),
            initiator: None,
            generation: InUse::default(),
            holder: Holder::Nobody,
            turns: Turns::default(),
            rested: Instant::ZERO,
            scanner_next: false,
            room: Room::default(),
            host_packets: 0,
            bus_packets: None,
            le_host: 0,
            numbers: stream(seed, "controller/rand"),
            chance: stream(seed, "controller/own"),
        }
    }

    /// This controller below a bus that takes so many packets of data at a time, and says when it has carried some ([`Self::carried`]).
    #[must_use]
    pub fn below_bus(self, packets: u16) -> Self {
        Self { room: Room { bus: Some(packets), ..self.room }, bus_packets: Some(packets), ..self }
    }

    /// The bus has carried so many packets of data to the host, and takes as many more.
    pub fn carried(&mut self, packets: u16) {
        if let Some(room) = &mut self.room.bus {
            *room += packets;
            self.deliver();
        }
    }

    /// This controller after a loss of power: it has forgotten everything, and what it draws for itself
    /// goes on where it was, so that no access address comes back while a peer still waits on it.
    #[must_use]
    pub fn after_power_loss(&self) -> Self {
        let fresh = Self::new(self.personality, self.address(), self.out.pool().clone());
        let fresh = self.bus_packets.into_iter().fold(fresh, Self::below_bus);
        Self { numbers: self.numbers.clone(), chance: self.chance.clone(), ..fresh }
    }

    /// The public address.
    pub fn address(&self) -> Address {
        self.identities.public
    }

    /// The connection with this handle.
    pub fn connection(&self, handle: ConnHandle) -> Option<&Connection> {
        self.connections.get(usize::from(handle))?.as_deref()
    }

    /// The connection with this access address.
    pub fn link(&self, link: u32) -> Option<&Connection> {
        self.connections.iter().flatten().find(|c| c.link == link).map(|c| &**c)
    }

    fn slot_of(&self, link: u32) -> Option<usize> {
        self.connections.iter().position(|c| c.as_ref().is_some_and(|c| c.link == link))
    }

    /// Runs `step` on the connection in `slot`, then clears up if that has ended it.
    fn with<R>(
        &mut self,
        slot: usize,
        now: Instant,
        step: impl FnOnce(&mut Connection, &mut Context<'_>) -> R,
    ) -> Option<R> {
        let others = self.others(slot);
        let connection = self.connections.get_mut(slot)?.as_mut()?;
        let mut ctx = Context { now, personality: &self.personality, out: &mut self.out, others, room: &mut self.room };
        let result = step(connection, &mut ctx);
        if connection.event.is_some() {
            self.holder = Holder::Connection(slot);
            return Some(result);
        }
        if self.holder == Holder::Connection(slot) {
            self.holder = Holder::Nobody;
        }
        if let Some(reason) = connection.ended {
            self.remove(slot, reason);
        }
        Some(result)
    }

    fn remove(&mut self, slot: usize, reason: Status) {
        let Some(mut connection) = self.connections[slot].take() else { return };
        self.out.trace(crate::trace::Trace::ConnectionClosed { link: connection.link, role: connection.role, reason });
        let mut packet = event::event(self.out.pool(), event::DISCONNECTION_COMPLETE);
        packet.put_u8(Status::SUCCESS.0);
        packet.put_u16(connection.handle);
        packet.put_u8(reason.0);
        self.out.event(event::finish(packet));
        // The host forgets the packets of a connection that is gone. Core 6.0, Vol 4, Part E, 4.2.
        self.room.host_has_taken(connection.returned(u16::MAX));
    }

    /// Start of the earliest activity other than the connection in `slot`; where events are cut, the instant at which the radio is
    /// taken from an event that begins now.
    fn others(&mut self, slot: usize) -> Instant {
        let ticker = self.ticker();
        if let Some(ticker) = ticker.filter(|_| self.cuts()) {
            let connection = self.connections.get(slot).and_then(Option::as_deref);
            // A running event knows it already, but for a peripheral's first, which takes its timer from it.
            let asks = connection.is_some_and(|c| c.event.is_none() || c.waits_for_anchor());
            return if asks { self.taken_from(ticker, slot) } else { Instant::FAR_FUTURE };
        }
        let due = self.advertising.running().due();
        if let Some(ticker) = ticker {
            return self.next_beside(ticker, slot).min(due);
        }
        let connections = self.connections.iter().enumerate().filter(|(i, _)| *i != slot);
        let events = connections.filter_map(|(_, c)| c.as_ref()).filter(|c| c.event.is_none() && c.ended.is_none());
        events.map(|c| c.anchor).fold(due, Instant::min)
    }

    /// Instant at which the radio is next needed by something that goes before scanning.
    fn needed(&mut self, now: Instant) -> Instant {
        if let Some(ticker) = self.ticker() {
            let due = if self.cuts() { Instant::FAR_FUTURE } else { self.advertising.running().due() };
            return self.next_taken(ticker, now).min(due);
        }
        let events = self.connections.iter().flatten().map(|c| c.begins(&self.personality));
        events.fold(self.advertising.running().due(), Instant::min)
    }

    fn wake(&mut self, now: Instant) {
        for slot in 0..self.connections.len() {
            // An event that ends right at the start of the next one needs a second turn.
            self.wake_connection(slot, now);
            self.wake_connection(slot, now);
        }
        self.wake_advertisers(now);
        if self.scanning.is_on() {
            self.check_scan(now);
        }
        if matches!(self.holder, Holder::Scanner | Holder::Initiator) && self.needed(now) <= now {
            self.holder = Holder::Nobody;
        }
    }

    fn wake_connection(&mut self, slot: usize, now: Instant) {
        let Some(connection) = self.connections[slot].as_ref() else { return };
        if connection.deadline(&self.personality) > now {
            return;
        }
        if connection.event.as_ref().is_some_and(|event| event.is_stopped(now)) {
            self.give_turns_that_cut(now);
        }
        let Some(connection) = self.connections[slot].as_ref() else { return };
        let begins = connection.event.is_none() && connection.begins(&self.personality) <= now;
        if begins && !self.takes_turn(slot, now) {
            return;
        }
        let planned = self.ticker().is_none();
        let held = match self.holder {
            _ if begins && self.yields(slot, now) => true,
            // A reply longer than its central had budgeted may still be coming in: it is given up.
            Holder::Connection(other) if begins && other != slot && self.personality.prepare_lead.is_none() => {
                !self.with(other, now, |connection, ctx| connection.give_way(ctx)).unwrap_or(true)
            }
            // One that has the radio was prepared later, and has taken it from this one.
            Holder::Connection(other) => begins && other != slot,
            Holder::Advertiser => true,
            Holder::Nobody | Holder::Scanner | Holder::Initiator => false,
        };
        self.with(slot, now, |connection, ctx| {
            let over = connection.check_supervision(now) || connection.check_procedure(ctx);
            if over && connection.event.take().is_some() {
                ctx.out.listen(None);
            } else if over {
            } else if !begins {
                connection.continue_event(ctx);
            } else if held {
                connection.passed_over += u64::from(planned);
                connection.skip(ctx);
            } else {
                connection.passed_over = if planned { 0 } else { connection.passed_over };
                connection.begin_event(ctx);
            }
        });
    }

    fn heard(&mut self, now: Instant, link: u32, channel: u8, heard: Heard<'_>) {
        if link != ADVERTISING_ACCESS_ADDRESS {
            if let Some(slot) = self.slot_of(link) {
                self.with(slot, now, |connection, ctx| connection.receive(ctx, heard));
            }
            return;
        }
        match self.holder {
            Holder::Advertiser => self.advertiser_heard(now, heard),
            Holder::Scanner => self.scanner_heard(channel, heard),
            Holder::Initiator => self.initiator_heard(channel, heard),
            Holder::Nobody | Holder::Connection(_) => {}
        }
    }

    fn scanner_heard(&mut self, channel: u8, heard: Heard<'_>) {
        let at = Reception { heard, channel, before: self.needed(heard.end) };
        let Some(scanner) = self.scanning.scanner_mut() else { return };
        let outcome = scanner.heard(&mut self.out, &mut self.identities, &at);
        if !outcome.awaits {
            self.holder = Holder::Nobody;
        }
        if let Some(report) = outcome.report {
            self.report(&report);
        }
    }

    fn missed(&mut self, now: Instant) {
        match self.holder {
            Holder::Connection(slot) => {
                self.with(slot, now, |connection, ctx| connection.missed(ctx));
            }
            Holder::Advertiser => {
                if let Some(advertiser) = self.advertising.running_mut().active() {
                    advertiser.missed(now);
                    if !advertiser.active {
                        self.holder = Holder::Nobody;
                    }
                }
            }
            Holder::Scanner | Holder::Initiator => self.holder = Holder::Nobody,
            Holder::Nobody => {}
        }
    }

    /// Gives a free radio to the initiator or to the scanner; where both want it they take turns.
    fn fill(&mut self, now: Instant) {
        let seeks = self.initiator.is_some() || self.scanning.is_on();
        if self.holder != Holder::Nobody || !seeks {
            return;
        }
        self.rested = now;
        self.take_scanning_turns(now);
        let before = self.needed(now);
        let (out, initiator) = (&mut self.out, &mut self.initiator);
        let mut scanner = self.scanning.scanner_mut();
        let scanner_first = core::mem::take(&mut self.scanner_next);
        if scanner_first && scanner.as_mut().is_some_and(|s| s.listen(out, now, before)) {
            self.holder = Holder::Scanner;
        } else if initiator.as_mut().is_some_and(|i| i.listen(out, now, before)) {
            self.holder = Holder::Initiator;
            self.scanner_next = scanner.is_some();
        } else if scanner.as_mut().is_some_and(|s| s.listen(out, now, before)) {
            self.holder = Holder::Scanner;
        }
    }

    fn hci(&mut self, now: Instant, bytes: &[u8]) {
        match H4::parse(bytes) {
            Ok(H4::Command { opcode, params }) => self.command(now, opcode, params),
            Ok(H4::Acl(acl)) => self.acl(now, bytes, acl),
            // Events do not come from a host, and what is no packet cannot be answered: like a UART
            // transport that has lost synchronisation (Core 6.0, Vol 4, Part A, 4), say so and go on.
            Ok(H4::Event { .. }) | Err(_) => {
                let mut packet = event::event(self.out.pool(), event::HARDWARE_ERROR);
                packet.put_u8(0x01);
                self.out.event(event::finish(packet));
            }
        }
    }

    fn acl(&mut self, now: Instant, bytes: &[u8], acl: hci::Acl<'_>) {
        let in_use: usize = self.connections.iter().flatten().map(|c| c.queue.acl_packets()).sum();
        let Some(connection) = self.connections.get_mut(usize::from(acl.handle)).and_then(Option::as_mut) else {
            return;
        };
        let overflow = in_use >= usize::from(self.personality.acl_count)
            || acl.data.len() > usize::from(self.personality.acl_size);
        if overflow {
            let mut packet = event::event(self.out.pool(), event::DATA_BUFFER_OVERFLOW);
            packet.put_u8(0x01);
            self.out.event(event::finish(packet));
            return;
        }
        let packet = self.out.pool().copy(bytes);
        if !connection.queue.push_acl(packet, acl.boundary) {
            let done = event::completed_packets(self.out.pool(), acl.handle, 1);
            self.out.hci(done);
        }
        let asleep = self.connection(acl.handle).is_some_and(|connection| connection.slept > 0);
        if asleep {
            self.with(usize::from(acl.handle), now, |connection, ctx| connection.wake_up(ctx));
        }
    }
}

impl Controller {
    /// One mutation at `now`, which never runs backwards.
    pub fn handle(&mut self, now: Instant, input: Input<'_>) {
        self.out.assert_drained();
        match input {
            Input::Wake => self.wake(now),
            Input::Hci(bytes) => self.hci(now, bytes),
            Input::Heard { link, channel, heard } => self.heard(now, link, channel, heard),
            Input::Missed => self.missed(now),
        }
        self.fill(now);
    }

    /// The next output of the last mutation; drained to none.
    pub fn poll(&mut self, _now: Instant) -> Option<Output> {
        self.out.pop()
    }

    /// Instant at which it next wants to be woken.
    pub fn deadline(&self) -> Option<Instant> {
        let connections = self.connections.iter().flatten().map(|c| c.deadline(&self.personality));
        let mut due = connections.fold(self.advertising.running().due(), Instant::min);
        if self.initiator.is_some() || self.scanning.is_on() {
            due = due.min(self.background_due()).min(self.scanning.ends());
        }
        (due != Instant::FAR_FUTURE).then_some(due)
    }
}
