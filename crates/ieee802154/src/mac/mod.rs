//! One station: unslotted CSMA-CA, acknowledgements, retransmissions and inter-frame spaces. No clock, no air, no queue.
//!
//! - [`MacConfig`]: attributes of the MAC as plain data · [`CsmaCa`]: backoffs of one frame
//! - `originator`: one frame from its request to its confirmation · `recipient`: filter, duplicates, acknowledgements

mod config;
mod csma;
mod originator;
mod recipient;

use alloc::collections::VecDeque;

use airtime_core::random::Stream;
use airtime_core::{Duration, Instant, Packet, Pool};

pub use config::{Backoff, MacConfig};
pub use csma::CsmaCa;

use crate::air::frame_time;
use crate::trace::{DropPoint, Phase, Sent};
use crate::wire::{Frame, FrameError};
use originator::Originator;
use recipient::Recipient;

/// Event that a MAC is told.
#[derive(Clone, Copy, Debug)]
pub enum Input<'a> {
    /// Its deadline has come.
    Wake,
    /// MCPS-DATA.request: a payload for its peer. Only while [`Mac::is_free`].
    Send(&'a [u8]),
    /// The answer to [`Output::Sense`].
    Sensed {
        /// Flag: somebody else was on the air.
        busy: bool,
    },
    /// A PSDU has ended that began while [`Mac::listens`].
    Received(&'a [u8]),
}

/// Event that a MAC tells. One that nobody carries out is lost, so whoever matches matches all.
#[derive(Debug)]
pub enum Output {
    /// It has listened since then and asks, at once, for [`Input::Sensed`].
    Sense {
        /// Begin of the assessment.
        since: Instant,
    },
    /// [`Mac::on_air`] is on the air from now on.
    Transmit {
        /// End of the last symbol.
        until: Instant,
        /// Kind of frame.
        sent: Sent,
    },
    /// Verdict on [`Input::Received`].
    Received(Reception),
    /// MCPS-DATA.indication: payload that is new.
    Indication(Packet),
    /// MCPS-DATA.confirm: the frame was sent, and acknowledged if it had to be, or why not.
    Confirm(Result<(), DropPoint>),
}

/// Verdict on a PSDU.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reception {
    /// Data that is new.
    New,
    /// Data with the sequence number of the last from this source: acknowledged again, and discarded.
    Duplicate,
    /// The acknowledgement that was waited for.
    Ack,
    /// The check is wrong.
    Damaged,
    /// For somebody else, malformed, or an acknowledgement that was not waited for.
    Refused,
}

/// The MAC of one station: a node, by the contract of a [`Plant`](airtime_core::Plant).
#[derive(Debug)]
pub struct Mac {
    config: MacConfig,
    pool: Pool,
    originator: Originator,
    recipient: Recipient,
    outbox: VecDeque<Output>,
}

impl Mac {
    /// A MAC at rest. `stream` feeds its backoffs.
    pub fn new(config: MacConfig, pool: Pool, stream: Stream) -> Self {
        let originator = Originator::new(config, &pool, stream);
        let recipient = Recipient::new(&pool);
        Self { config, pool, originator, recipient, outbox: VecDeque::new() }
    }

    /// Readiness for [`Input::Send`]: no frame is at hand.
    pub fn is_free(&self) -> bool {
        self.originator.is_free()
    }

    /// The PSDU of a frame with this payload, if it is the next.
    pub fn next_psdu(&self, payload: &[u8]) -> Packet {
        self.originator.compose(payload)
    }

    /// Readiness to hear what begins `now`.
    pub fn listens(&self, now: Instant) -> bool {
        self.originator.listens() && self.recipient.listens(now)
    }

    /// Flag: an acknowledgement is waited for.
    pub fn awaits_ack(&self) -> bool {
        self.originator.phase() == Some(Phase::AwaitsAck)
    }

    /// PSDU that is on the air; empty when none is.
    pub fn on_air(&self) -> &[u8] {
        self.originator.on_air().or_else(|| self.recipient.on_air()).unwrap_or_default()
    }

    /// Phase of the frame at hand; none when nothing is to do for the sender in it.
    pub fn phase(&self) -> Option<Phase> {
        self.originator.phase()
    }

    /// Random numbers drawn for backoffs.
    pub fn random_draws(&self) -> u64 {
        self.originator.random_draws()
    }

    fn received(&mut self, now: Instant, psdu: &[u8]) {
        let frame = match Frame::parse(psdu) {
            Ok(frame) => frame,
            Err(FrameError::Fcs) => return self.outbox.push_back(Output::Received(Reception::Damaged)),
            Err(_) => return self.outbox.push_back(Output::Received(Reception::Refused)),
        };
        let reception = self.frame(now, &frame);
        self.outbox.push_back(Output::Received(reception));
        if reception == Reception::New {
            self.outbox.push_back(Output::Indication(self.pool.copy(frame.payload)));
        }
    }

    fn frame(&mut self, now: Instant, frame: &Frame<'_>) -> Reception {
        if let Some(sequence) = frame.acknowledges() {
            let expected = self.originator.acknowledged(now, sequence, &mut self.outbox);
            return if expected { Reception::Ack } else { Reception::Refused };
        }
        if !self.config.accepts(&frame.header) {
            return Reception::Refused;
        }
        if frame.header.control.ack_request {
            let over = self.recipient.reply(now, frame.header.sequence);
            self.originator.hold(over);
        }
        if self.recipient.is_new(frame.header.source, frame.header.sequence) {
            Reception::New
        } else {
            Reception::Duplicate
        }
    }
}

impl Mac {
    /// One mutation at `now`, which never runs backwards.
    pub fn handle(&mut self, now: Instant, input: Input<'_>) {
        match input {
            Input::Wake => {
                self.recipient.wake(now, &mut self.outbox);
                self.originator.wake(now, &mut self.outbox);
            }
            Input::Send(payload) => self.originator.send(now, payload),
            Input::Sensed { busy } => self.originator.sensed(now, busy, &mut self.outbox),
            Input::Received(psdu) => self.received(now, psdu),
        }
    }

    /// The next output of the last mutation; drained to none.
    pub fn poll(&mut self, _: Instant) -> Option<Output> {
        self.outbox.pop_front()
    }

    /// Instant at which it next wants to be woken.
    pub fn deadline(&self) -> Option<Instant> {
        let due = self.originator.due().min(self.recipient.due());
        (due != Instant::FAR_FUTURE).then_some(due)
    }
}

/// Time on the air of `psdu`.
fn time_of(psdu: &[u8]) -> Duration {
    frame_time(psdu.len())
}
