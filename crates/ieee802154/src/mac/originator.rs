//! One frame from its request to its confirmation.

use alloc::collections::VecDeque;

use airtime_core::random::Stream;
use airtime_core::{Instant, Packet, Pool};

use super::{CsmaCa, MacConfig, Output, time_of};
use crate::air::{ACK_WAIT, CCA, TURNAROUND, spacing};
use crate::trace::{DropPoint, Parts, Phase, Sent};
use crate::wire::{Address, AuxiliaryHeader, Header, compose};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    Idle,
    Spacing,
    Backoff,
    Cca,
    Turnaround,
    Sending,
    AwaitsAck,
}

/// The sending half of a MAC.
#[derive(Debug)]
pub(super) struct Originator {
    config: MacConfig,
    pool: Pool,
    stream: Stream,
    csma: CsmaCa,
    state: State,
    /// End of the state; far in the future while idle, and while an assessment waits for its answer.
    until: Instant,
    /// Begin of the assessment.
    since: Instant,
    /// Instant from which the radio is free of what it answers.
    held: Instant,
    /// The frame at hand, until it is confirmed.
    psdu: Option<Packet>,
    parts: Parts,
    /// Attempts at it that have failed: an access to the channel may count as one.
    failed: u8,
    /// Number of times that it was on the air.
    aired: u8,
    /// Sequence number of the next frame. macDsn.
    sequence: u8,
    frame_counter: u32,
}

impl Originator {
    pub(super) fn new(config: MacConfig, pool: &Pool, stream: Stream) -> Self {
        Self {
            config,
            pool: pool.clone(),
            stream,
            csma: CsmaCa::new(&config),
            state: State::Idle,
            until: Instant::FAR_FUTURE,
            since: Instant::ZERO,
            held: Instant::ZERO,
            psdu: None,
            parts: Parts::default(),
            failed: 0,
            aired: 0,
            sequence: 0,
            frame_counter: 0,
        }
    }

    pub(super) fn is_free(&self) -> bool {
        self.psdu.is_none()
    }

    pub(super) fn listens(&self) -> bool {
        !matches!(self.state, State::Turnaround | State::Sending)
    }

    pub(super) fn on_air(&self) -> Option<&[u8]> {
        self.psdu.as_deref().filter(|_| self.state == State::Sending)
    }

    pub(super) fn random_draws(&self) -> u64 {
        self.stream.drawn()
    }

    pub(super) fn due(&self) -> Instant {
        self.until
    }

    pub(super) fn phase(&self) -> Option<Phase> {
        let attempt = self.aired;
        Some(match self.state {
            State::Idle => return None,
            State::Spacing => Phase::Spacing,
            State::Backoff => Phase::Backoff { attempt },
            State::Cca => Phase::Cca { attempt },
            State::Turnaround => Phase::Turnaround { attempt },
            State::Sending => Phase::Sending,
            State::AwaitsAck => Phase::AwaitsAck,
        })
    }

    pub(super) fn send(&mut self, now: Instant, payload: &[u8]) {
        assert!(self.is_free(), "a MAC has one frame at hand");
        self.psdu = Some(self.compose(payload));
        self.frame_counter = self.frame_counter.wrapping_add(1);
        self.parts = self.config.parts(payload.len() as u8);
        (self.failed, self.aired) = (0, 0);
        if self.state == State::Idle {
            self.access(now);
        }
    }

    pub(super) fn compose(&self, payload: &[u8]) -> Packet {
        let MacConfig { pan, source, destination, security, .. } = self.config;
        let control = self.config.control();
        let auxiliary = control.security.then_some(AuxiliaryHeader { security, frame_counter: self.frame_counter });
        let pan_of = |address| (address != Address::None).then_some(pan);
        let header = Header {
            control,
            sequence: self.sequence,
            destination_pan: pan_of(destination),
            destination,
            source_pan: pan_of(source),
            source,
            auxiliary,
        };
        let mut psdu = self.pool.packet();
        compose(&header, payload, &mut psdu);
        psdu
    }

    pub(super) fn wake(&mut self, now: Instant, outbox: &mut VecDeque<Output>) {
        if now < self.until {
            return;
        }
        match self.state {
            State::Idle => {}
            State::Spacing if self.psdu.is_some() => self.access(now),
            State::Spacing => self.rest(),
            State::Backoff => self.assess(now),
            State::Cca => {
                self.until = Instant::FAR_FUTURE;
                outbox.push_back(Output::Sense { since: self.since });
            }
            State::Turnaround => self.transmit(now, outbox),
            State::Sending if self.config.ack => self.enter(State::AwaitsAck, now + ACK_WAIT),
            State::Sending => self.sent(now, outbox),
            State::AwaitsAck => self.missed(now, outbox),
        }
    }

    pub(super) fn sensed(&mut self, now: Instant, busy: bool, outbox: &mut VecDeque<Output>) {
        if self.state != State::Cca {
            return;
        }
        if !busy {
            self.enter(State::Turnaround, now + TURNAROUND);
        } else if self.csma.busy() {
            self.back_off(now);
        } else if self.config.retry_access && self.failed < self.config.retries {
            self.failed += 1;
            self.access(now);
        } else {
            self.confirm(Err(DropPoint::ChannelAccess), outbox);
            self.rest();
        }
    }

    /// An acknowledgement has come; true if it was waited for. 6.7.4.
    pub(super) fn acknowledged(&mut self, now: Instant, sequence: u8, outbox: &mut VecDeque<Output>) -> bool {
        let expected = self.state == State::AwaitsAck && sequence == self.sequence;
        if expected {
            self.sent(now, outbox);
        }
        expected
    }

    /// The radio answers somebody else until `over`: what listens to the channel begins behind that.
    pub(super) fn hold(&mut self, over: Instant) {
        self.held = over;
        match self.state {
            State::Backoff => self.until = self.until.max(over),
            State::Cca => self.enter(State::Backoff, over),
            _ => {}
        }
    }

    fn access(&mut self, now: Instant) {
        self.csma.begin();
        if self.config.csma {
            self.back_off(now);
        } else {
            self.enter(State::Turnaround, now.max(self.held) + TURNAROUND);
        }
    }

    fn back_off(&mut self, now: Instant) {
        let backoff = self.csma.draw(&mut self.stream);
        let over = (now + backoff).max(self.held);
        if over == now { self.assess(now) } else { self.enter(State::Backoff, over) }
    }

    fn assess(&mut self, now: Instant) {
        self.since = now;
        self.enter(State::Cca, now + CCA);
    }

    fn transmit(&mut self, now: Instant, outbox: &mut VecDeque<Output>) {
        let until = now + self.psdu.as_deref().map_or(CCA, time_of);
        self.enter(State::Sending, until);
        let sent = Sent::Data { parts: self.parts, attempt: self.aired };
        self.aired += 1;
        outbox.push_back(Output::Transmit { until, sent });
    }

    /// The transaction is over, well: a space follows. 6.2.4.
    fn sent(&mut self, now: Instant, outbox: &mut VecDeque<Output>) {
        let octets = self.psdu.as_deref().map_or(0, <[u8]>::len);
        self.confirm(Ok(()), outbox);
        self.enter(State::Spacing, now + spacing(octets));
    }

    /// No acknowledgement has come. The space behind the frame is over: it is shorter than what was waited. 6.7.4.
    fn missed(&mut self, now: Instant, outbox: &mut VecDeque<Output>) {
        if self.failed < self.config.retries {
            self.failed += 1;
            return self.access(now);
        }
        self.confirm(Err(DropPoint::NoAck), outbox);
        self.rest();
    }

    fn confirm(&mut self, result: Result<(), DropPoint>, outbox: &mut VecDeque<Output>) {
        self.psdu = None;
        self.sequence = self.sequence.wrapping_add(1);
        outbox.push_back(Output::Confirm(result));
    }

    fn rest(&mut self) {
        self.enter(State::Idle, Instant::FAR_FUTURE);
    }

    fn enter(&mut self, state: State, until: Instant) {
        (self.state, self.until) = (state, until);
    }
}
