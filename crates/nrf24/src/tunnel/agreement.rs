//! Agreement of the two ends on their terms, made so that each speaks to the other as it is now.
//!
//! Each end greets until it has heard its own epoch come back, and answers every greeting of one that has not. A greeting
//! with another epoch than before, or another generation of it, begins a session: all that was under way is forgotten.
//! The generation counts how often this end has seen the other's epoch change. It is bound into encrypted packets, so
//! that going back to a former epoch does not bring back what was accepted under it.

use airtime_core::{Duration, Instant};

use super::control::Greeting;
use super::{Config, Mode};

/// Between two greetings at first, and at most. *Assumed*: soon enough after a restart, rare enough when nobody is there.
const GREET_FIRST: Duration = Duration::from_millis(10);
const GREET_LAST: Duration = Duration::from_millis(160);

/// Terms that both ends keep to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Terms {
    pub(super) mode: Mode,
    pub(super) mtu: u16,
    pub(super) compression: bool,
}

/// Effect of a greeting.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Heard {
    /// Known already: nothing has changed.
    Known,
    /// A session begins.
    NewSession,
}

/// The state of the greeting.
#[derive(Debug)]
pub(super) struct Agreement {
    own: Greeting,
    peer: Option<Greeting>,
    terms: Option<Terms>,
    due: bool,
    pause: Duration,
    at: Option<Instant>,
}

impl Agreement {
    pub(super) fn new(config: &Config, now: Instant) -> Self {
        let own = Greeting {
            modes: modes(config.mode),
            compression: config.compression,
            sealed: config.key.is_some(),
            established: false,
            mtu: config.mtu,
            epoch: config.epoch,
            generation: 0,
            echo: None,
        };
        Self { own, peer: None, terms: None, due: true, pause: GREET_FIRST, at: Some(now + GREET_FIRST) }
    }

    /// Terms that are agreed on, once this end knows that the other has heard it.
    pub(super) fn terms(&self) -> Option<Terms> {
        self.terms
    }

    /// Epoch and generation of this end, and of the other.
    pub(super) fn epochs(&self) -> ((u64, u32), Option<(u64, u32)>) {
        ((self.own.epoch, self.own.generation), self.peer.map(|peer| (peer.epoch, peer.generation)))
    }

    /// A number of the session, the same at both ends.
    pub(super) fn session(&self) -> u64 {
        let (own, peer) = self.epochs();
        number(own) ^ peer.map_or(0, number)
    }

    /// A greeting has come.
    pub(super) fn heard(&mut self, now: Instant, greeting: Greeting) -> Heard {
        // An echo of itself is nobody.
        if greeting.epoch == self.own.epoch {
            return Heard::Known;
        }
        let before = self.peer;
        let is_new = before.is_none_or(|peer| (peer.epoch, peer.generation) != (greeting.epoch, greeting.generation));
        if before.is_some_and(|peer| peer.epoch != greeting.epoch) {
            self.own.generation = self.own.generation.wrapping_add(1);
        }
        self.peer = Some(greeting);
        self.own.echo = Some(greeting.epoch);
        // Nothing takes back what was heard within a session: the other end may have missed an answer.
        if is_new {
            self.terms = None;
        }
        if self.terms.is_none() && greeting.echo == Some(self.own.epoch) {
            self.terms = self.agree(greeting);
        }
        self.own.established = self.terms.is_some();
        // Whoever has nothing to agree on leaves it to the timer: two such ends would answer each other for ever.
        self.due |= is_new || self.terms.is_some() && !greeting.established;
        match self.terms {
            Some(_) => self.at = None,
            None if is_new || self.at.is_none() => (self.pause, self.at) = (GREET_FIRST, Some(now + GREET_FIRST)),
            None => {}
        }
        if is_new { Heard::NewSession } else { Heard::Known }
    }

    /// True if a greeting is to be sent now.
    pub(super) fn has_greeting(&self) -> bool {
        self.due
    }

    /// The greeting, if one is to be sent now.
    pub(super) fn take_greeting(&mut self) -> Option<Greeting> {
        core::mem::take(&mut self.due).then_some(self.own)
    }

    /// Time has passed.
    pub(super) fn wake(&mut self, now: Instant) {
        if self.at.is_some_and(|at| at <= now) {
            self.due = true;
            self.pause = (self.pause * 2).min(GREET_LAST);
            self.at = Some(now + self.pause);
        }
    }

    /// Instant at which it wants to be woken.
    pub(super) fn deadline(&self) -> Option<Instant> {
        self.at
    }

    fn agree(&self, peer: Greeting) -> Option<Terms> {
        // Nobody sends in the clear because the other end cannot do better.
        if peer.sealed != self.own.sealed {
            return None;
        }
        let both = self.own.modes & peer.modes;
        let mode = [Mode::Stream, Mode::AutoAck, Mode::AckPayload].into_iter().find(|&mode| both & bit(mode) != 0)?;
        Some(Terms { mode, mtu: self.own.mtu.min(peer.mtu), compression: self.own.compression && peer.compression })
    }
}

/// The modes that an end can which wishes for this one: with two radios, acknowledgements by the chip are always there.
fn modes(wish: Mode) -> u8 {
    match wish {
        Mode::Stream => bit(Mode::Stream) | bit(Mode::AutoAck),
        other => bit(other),
    }
}

fn bit(mode: Mode) -> u8 {
    match mode {
        Mode::AutoAck => 1,
        Mode::AckPayload => 2,
        Mode::Stream => 4,
    }
}

fn number((epoch, generation): (u64, u32)) -> u64 {
    // An odd factor keeps different pairs different as long as generations are few. Knuth, volume 3, 6.4.
    epoch.wrapping_add(u64::from(generation)).wrapping_mul(0x9e37_79b9_7f4a_7c15)
}
