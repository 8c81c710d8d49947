//! The receiving half of a MAC: duplicates, and acknowledgements.

use alloc::collections::VecDeque;

use airtime_core::{Instant, Packet, Pool};

use super::{Output, time_of};
use crate::air::TURNAROUND;
use crate::trace::Sent;
use crate::wire::{Address, ack};

/// Sources whose last sequence number is remembered.
const SOURCES_MAX: usize = 256;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    Listening,
    /// From receiving to transmitting.
    Turning,
    /// The acknowledgement is on the air.
    Sending,
}

#[derive(Debug)]
pub(super) struct Recipient {
    pool: Pool,
    state: State,
    until: Instant,
    /// Instant from which it hears again what begins.
    deaf_until: Instant,
    ack: Option<Packet>,
    /// Last sequence number of each source.
    seen: VecDeque<(Address, u8)>,
}

impl Recipient {
    pub(super) fn new(pool: &Pool) -> Self {
        Self {
            pool: pool.clone(),
            state: State::Listening,
            until: Instant::FAR_FUTURE,
            deaf_until: Instant::ZERO,
            ack: None,
            seen: VecDeque::new(),
        }
    }

    pub(super) fn listens(&self, now: Instant) -> bool {
        now >= self.deaf_until
    }

    pub(super) fn on_air(&self) -> Option<&[u8]> {
        self.ack.as_deref().filter(|_| self.state == State::Sending)
    }

    pub(super) fn due(&self) -> Instant {
        self.until
    }

    /// Answers `sequence`; when the radio listens again. The acknowledgement begins aTurnaroundTime behind the frame. 6.7.4.
    pub(super) fn reply(&mut self, now: Instant, sequence: u8) -> Instant {
        let mut psdu = self.pool.packet();
        ack(sequence, &mut psdu);
        (self.state, self.until) = (State::Turning, now + TURNAROUND);
        self.deaf_until = self.until + time_of(&psdu) + TURNAROUND;
        self.ack = Some(psdu);
        self.deaf_until
    }

    /// Flag: data from `source` has another sequence number than the last from there.
    pub(super) fn is_new(&mut self, source: Address, sequence: u8) -> bool {
        if let Some((_, last)) = self.seen.iter_mut().find(|(known, _)| *known == source) {
            return core::mem::replace(last, sequence) != sequence;
        }
        if self.seen.len() == SOURCES_MAX {
            self.seen.pop_front();
        }
        self.seen.push_back((source, sequence));
        true
    }

    pub(super) fn wake(&mut self, now: Instant, outbox: &mut VecDeque<Output>) {
        if now < self.until {
            return;
        }
        if let (State::Turning, Some(psdu)) = (self.state, &self.ack) {
            (self.state, self.until) = (State::Sending, now + time_of(psdu));
            outbox.push_back(Output::Transmit { until: self.until, sent: Sent::Ack });
        } else {
            (self.state, self.until, self.ack) = (State::Listening, Instant::FAR_FUTURE, None);
        }
    }
}
