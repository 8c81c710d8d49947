//! The books of a link: every nanosecond of the air as one sender meets it.
//!
//! A cursor follows the phases of the sender. Frames are booked when they have ended, by what they were to their receiver;
//! while the sender does not use its radio, what others have on the air goes to `other_stations`, and from there to their payload
//! when a frame of theirs has arrived. So payload is that of all stations, which is what the channel carries.

mod accounts;
#[cfg(test)]
mod tests;

use airtime_core::transit::Transit;
use airtime_core::{Duration, Instant, Ledger};

pub use accounts::Account;

use crate::air::{OCTET, PHR_OCTETS, SHR_OCTETS};
use crate::medium::Hearing;
use crate::network::{Config, Observer};
use crate::trace::{Begun, Delivery, Fate, OnAir, Parts, Phase, Sent};

/// The books of the link between one sender and the receiver.
#[derive(Clone, Debug)]
pub struct Books {
    station: usize,
    ledger: Ledger<Account>,
    phase: Phase,
    /// The first frame has been given to the MAC, or is being loaded.
    streaming: bool,
    /// Stations that are heard; none: all of them.
    hearing: Option<Hearing>,
    /// Until when frames of the sender are passed on, as far as that has begun.
    forwarding_until: Instant,
    /// Until when others are on the air, as far as that has begun.
    others_until: Instant,
    /// Payload of the sender that has arrived, in frames; of a datagram it is payload once that is whole.
    own: Transit<Account>,
    /// Air of others, of which their payload is a part.
    others: Transit<Account>,
}

impl Books {
    /// Books of `station` from `start` on.
    pub fn new(start: Instant, station: usize) -> Self {
        Self {
            station,
            ledger: Ledger::new(start),
            phase: Phase::App,
            streaming: false,
            hearing: None,
            forwarding_until: start,
            others_until: start,
            own: Transit::new(Account::Incomplete, Account::Payload),
            others: Transit::new(Account::OtherStations, Account::PayloadOthers),
        }
    }

    /// The same books in the network of `config`, with stations that `station` does not hear.
    #[must_use]
    pub fn among(self, config: &Config) -> Self {
        Self { hearing: Some(config.hearing()), ..self }
    }

    /// The accounts, as far as they are booked.
    pub fn ledger(&self) -> &Ledger<Account> {
        &self.ledger
    }

    /// The accounts up to `now`. A frame on the air is overhead so far, a wait for an acknowledgement is taken to end badly.
    pub fn ledger_at(&self, now: Instant) -> Ledger<Account> {
        let mut standing = self.clone();
        standing.book(now);
        standing.ledger
    }

    /// Books everything up to `now`, from where on a steady state is measured. A frame on the air is overhead as far as it has
    /// come; the rest of it is booked by its fate.
    pub fn begin_measuring(&mut self, now: Instant) -> Ledger<Account> {
        self.book(now);
        self.own.begin();
        self.others.begin();
        self.ledger.clone()
    }

    /// The account that the most time outside the payload went to. What others carry is payload of the channel, and yet air that
    /// the sender has not.
    pub fn bottleneck(ledger: &Ledger<Account>) -> Account {
        let costs = |account| !matches!(account, Account::Payload | Account::PayloadOthers | Account::Setup);
        ledger
            .entries()
            .filter(|(account, _)| costs(*account))
            .map(|(account, _)| (account, Self::taken(ledger, account)))
            .max_by_key(|(account, time)| (*time, core::cmp::Reverse(*account)))
            .map_or(Account::IdleApp, |(account, _)| account)
    }

    /// Air that `account` takes from the sender: of others, all that they have on the air.
    pub fn taken(ledger: &Ledger<Account>, account: Account) -> Duration {
        match account {
            Account::OtherStations => ledger.of(account) + ledger.of(Account::PayloadOthers),
            account => ledger.of(account),
        }
    }

    /// Books what has passed.
    fn book(&mut self, now: Instant) {
        if !self.streaming {
            return self.ledger.book(Account::Setup, now);
        }
        if !self.uses_radio() {
            self.others.aired(&mut self.ledger, self.others_until.min(now));
            self.ledger.book(Account::Forwarding, self.forwarding_until.min(now));
        }
        self.ledger.book(Account::of(self.phase), now);
    }

    /// Flag: the air is the sender's, whatever others do.
    fn uses_radio(&self) -> bool {
        matches!(self.phase, Phase::Turnaround { .. } | Phase::Sending | Phase::AwaitsAck)
    }

    /// A frame of the sender has ended.
    fn frame(&mut self, on_air: &OnAir, parts: Parts) {
        match on_air.fate {
            Fate::New => self.arrived(on_air, parts),
            Fate::Duplicate => self.ledger.book(Account::Duplicate, on_air.end),
            Fate::Collided => self.ledger.book(Account::Collision, on_air.end),
            Fate::Lost | Fate::Missed | Fate::Unheard | Fate::Refused | Fate::Acknowledged => {
                self.ledger.book(Account::Loss, on_air.end);
            }
        }
    }

    /// A frame of another station has ended, and has arrived.
    fn arrived_from_another(&mut self, on_air: &OnAir) {
        if !self.uses_radio() {
            self.book(on_air.end);
        }
    }

    fn arrived(&mut self, on_air: &OnAir, parts: Parts) {
        // The order inside the frame does not matter to the sums; payload is last and ends with the frame.
        let mut at = on_air.start;
        let octets = [
            (Account::PhyOverhead, SHR_OCTETS + PHR_OCTETS),
            (Account::MacHeader, parts.mac),
            (Account::Adaptation, parts.adaptation),
            (Account::Security, parts.security),
        ];
        for (account, octets) in octets {
            at += OCTET * u64::from(octets);
            self.ledger.book(account, at);
        }
        self.own.aired(&mut self.ledger, on_air.end);
    }
}

impl Observer for Books {
    fn began(&mut self, now: Instant, begun: &Begun) {
        let Begun { from, to, of, until } = *begun;
        // An acknowledgement for the sender is no other station's.
        if from != self.station && to != self.station {
            // A frame of its own is booked when its fate is known.
            if !self.uses_radio() {
                self.book(now);
            }
            let until_when = match &self.hearing {
                Some(hearing) if !hearing.hears(self.station, from) => return,
                // What routers do for other senders is theirs: without them it would not be on the air.
                _ if of == self.station => &mut self.forwarding_until,
                _ => &mut self.others_until,
            };
            *until_when = until.max(*until_when);
        }
    }

    fn transmission(&mut self, on_air: &OnAir, _: &[u8]) {
        match on_air.sent {
            Sent::Data { parts, .. } if on_air.from == self.station => self.frame(on_air, parts),
            Sent::Data { .. } if on_air.fate == Fate::New => self.arrived_from_another(on_air),
            Sent::Ack if on_air.to == self.station && on_air.fate == Fate::Acknowledged => {
                self.ledger.book(Account::Turnaround, on_air.start);
                self.ledger.book(Account::Ack, on_air.end);
            }
            _ => {}
        }
    }

    fn delivered(&mut self, delivery: &Delivery) {
        let span = OCTET * u64::from(delivery.octets);
        if delivery.from == self.station {
            self.own.arrived(&mut self.ledger, span);
        } else if self.streaming {
            // What lay under the sender's own use of its radio is made up for by the rest of what others had on the air.
            self.others.arrived(&mut self.ledger, span);
        }
    }

    fn phase(&mut self, now: Instant, station: usize, phase: Phase) {
        if station == self.station {
            self.book(now);
            self.phase = phase;
            self.streaming |= phase != Phase::App;
        }
    }
}
