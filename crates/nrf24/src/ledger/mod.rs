//! The books of a link: every nanosecond of the air of the channel that carries the stream.
//!
//! A cursor moves over the time line of one transmitter's air. A frame is booked when it has ended, by what it was to
//! its receiver; what its transmitter does with its radio between frames (settling, waiting for an acknowledgement)
//! when the next thing begins; air on which it does nothing goes to what its task does meanwhile. Payload of IP
//! packets that never come out is moved to `incomplete` when that is certain.
//!
//! Payload is what came to its application, where somebody tells what that is ([`Books::came`]): until then it is under way.
//!
//! A payload that the tunnel sends again is payload when the first one was lost, and `retransmission` when not: so
//! the accounts of payload are the goodput, and what a loss has cost is in `loss` once.

mod accounts;
mod counts;
mod frames;
mod packets;
#[cfg(test)]
mod tests;
mod uploads;

use airtime_core::ledger::{Account as _, Ledger};
use airtime_core::transit::Transit;
use airtime_core::{Duration, Instant};

use crate::air::Framing;
use crate::network::Observer;
use crate::trace::{Activity, Note, OnAir, Purpose, Reception, Sent, Trace};
use packets::Packets;
use uploads::Uploads;

pub use accounts::Account;
pub use counts::Counts;

/// Link that the books are about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BookedLink {
    /// The chip that sends the stream.
    pub sender: usize,
    /// The chip that receives it, and sends what rides on acknowledgements.
    pub receiver: usize,
    /// Chips of each host; host 0 is `a`.
    pub radios: usize,
    /// Framing of every payload.
    pub framing: Framing,
}

/// Phase of the sender's radio.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Phase {
    /// It stands by, or is in TX with nothing to send.
    Idle,
    /// It settles into TX.
    Settling {
        /// Set if it settles for the break that the PLL needs.
        after_break: bool,
    },
    /// A frame is on the air; booked when it has ended.
    Sending,
    /// It listens for an acknowledgement.
    AwaitsAck,
    /// It waits for its retransmission.
    Ard,
    /// It waits for MAX_RT to be cleared.
    GaveUp,
}

/// The books of one link.
#[derive(Clone, Debug)]
pub struct Books {
    link: BookedLink,
    ledger: Ledger<Account>,
    counts: Counts,
    phase: Phase,
    /// Activity of the sender's task.
    activity: Activity,
    /// Start of the octets of the transaction under way, if there is one.
    octets: Instant,
    /// Set once the first payload has been sent.
    streaming: bool,
    /// Start of the phase.
    since: Instant,
    /// Payloads written to the sender and to the receiver.
    uploads: [Uploads; 2],
    /// Packets from the sender and from the receiver.
    packets: [Packets; 2],
    /// The upload that has begun last, and the end of its last frame.
    last: Option<(u32, Instant)>,
    /// The upload that its receiver got last, whoever learnt of it.
    got: Option<u32>,
    /// Frames without a gap in the running stay in TX.
    stay: u32,
    /// The stay was ended while payloads waited.
    broken: bool,
    /// The last frame found the receiver's FIFO full.
    full: bool,
    /// Payload whose arrival will be told, up and down; none where nobody tells, and what came in whole packets has arrived.
    transits: Option<[Transit<Account>; 2]>,
}

/// Accounts of payload up and down.
const PAYLOADS: [Account; 2] = [Account::PayloadUp, Account::PayloadDown];

/// Part of what was on the air from which on it is the limit that it does not come to its application: a twentieth, *assumed*. Less
/// are the packets that are under way at the end.
const UNDELIVERED_PARTS: u64 = 20;

impl Books {
    /// Books of `link` from `start` on.
    pub fn new(link: BookedLink, start: Instant) -> Self {
        Self {
            link,
            ledger: Ledger::new(start),
            counts: Counts::default(),
            phase: Phase::Idle,
            activity: Activity::default(),
            octets: Instant::FAR_FUTURE,
            streaming: false,
            since: start,
            uploads: [Uploads::default(); 2],
            packets: [Packets::default(), Packets::default()],
            last: None,
            got: None,
            stay: 0,
            broken: false,
            full: false,
            transits: None,
        }
    }

    /// Books that are told what [arrived](Self::came): until then what was on the air is under way.
    #[must_use]
    pub fn awaiting(self) -> Self {
        Self { transits: Some(PAYLOADS.map(|payload| Transit::new(Account::Undelivered, payload))), ..self }
    }

    /// Payload of `octets` has come to its application, up (0) or down (1).
    pub fn came(&mut self, direction: usize, octets: u64) {
        let span = self.link.framing.rate.bit() * 8 * octets;
        if let Some(transits) = self.transits.as_mut().filter(|_| self.streaming) {
            transits[direction].arrived(&mut self.ledger, span);
        }
    }

    /// Payload of `octets` has come out of the tunnel that had come out before.
    pub fn came_again(&mut self, direction: usize, octets: u64) {
        let span = self.link.framing.rate.bit() * 8 * octets;
        if let Some(transits) = &mut self.transits {
            transits[direction].ended(&mut self.ledger, Account::TcpAgain, span);
        }
    }

    /// The accounts, as far as they are booked.
    pub fn ledger(&self) -> &Ledger<Account> {
        &self.ledger
    }

    /// The accounts up to `now`. What has not ended yet is taken to end well: a frame on the air is overhead so far,
    /// a wait for an acknowledgement is part of it.
    pub fn ledger_at(&self, now: Instant) -> Ledger<Account> {
        let mut standing = self.clone();
        if standing.phase == Phase::AwaitsAck && standing.streaming {
            standing.ledger.book(Account::Ack, now);
        }
        standing.book(now);
        standing.ledger
    }

    /// Counters so far.
    pub fn counts(&self) -> &Counts {
        &self.counts
    }

    /// Ends the warm-up: forgets what was counted, and moves nothing any more that was booked before. The accounts
    /// up to `now`, as [`ledger_at`](Self::ledger_at) has them, for [`Ledger::since`].
    pub fn begin_measuring(&mut self, now: Instant) -> Ledger<Account> {
        self.counts = Counts::default();
        self.packets.iter_mut().for_each(Packets::settle);
        self.transits.iter_mut().flatten().for_each(Transit::begin);
        self.ledger = self.ledger_at(now);
        self.ledger.clone()
    }

    /// The account that the most time outside the payload went to.
    pub fn bottleneck(ledger: &Ledger<Account>) -> Account {
        let (left, payload) = (ledger.of(Account::Undelivered), PAYLOADS.map(|account| ledger.of(account)));
        let idle = ledger.entries().filter(|(account, _)| account.name().starts_with("idle."));
        let waited = idle.map(|(_, time)| time).max().unwrap_or_default();
        if left > waited && left * UNDELIVERED_PARTS > left + payload[0] + payload[1] {
            return Account::Undelivered;
        }
        ledger
            .entries()
            .filter(|(account, _)| !matches!(account, Account::PayloadUp | Account::PayloadDown | Account::Setup))
            .max_by_key(|(account, time)| (*time, core::cmp::Reverse(*account)))
            .map_or(Account::IdleApp, |(account, _)| account)
    }

    /// Account of the air that passes now.
    fn passing(&self) -> Account {
        match self.phase {
            Phase::Idle => Account::idle(self.activity),
            Phase::Settling { after_break: true } => Account::PllBreak,
            Phase::Settling { after_break: false } => Account::Settling,
            Phase::Sending => Account::PhyOverhead,
            Phase::AwaitsAck if self.full => Account::FifoFull,
            Phase::AwaitsAck => Account::Loss,
            Phase::Ard => Account::ArdWait,
            Phase::GaveUp => Account::IdleMaxRt,
        }
    }

    /// Books what has passed.
    fn book(&mut self, now: Instant) {
        if self.streaming && self.phase == Phase::Idle && self.octets < now {
            self.ledger.book(Account::IdleCpu, self.octets);
            return self.ledger.book(Account::IdleSpi, now);
        }
        let account = if self.streaming { self.passing() } else { Account::Setup };
        self.ledger.book(account, now);
    }

    fn enter(&mut self, phase: Phase, now: Instant) {
        self.book(now);
        self.phase = phase;
        self.since = now;
    }

    /// The sender begins to send `upload`.
    fn begin(&mut self, now: Instant, upload: u32) {
        let data = self.uploads[0].of(upload).is_none_or(|upload| upload.purpose == Purpose::New);
        if !self.streaming && data {
            // Its settling is the first that belongs to the stream.
            let settling = matches!(self.phase, Phase::Settling { .. });
            self.ledger.book(Account::Setup, if settling { self.since } else { now });
            self.streaming = true;
        }
        let gapless = self.last.is_some_and(|(_, end)| end == now);
        self.stay = if gapless { self.stay + 1 } else { 1 };
        self.last = Some((upload, now));
        self.enter(Phase::Sending, now);
    }

    /// True if payloads wait behind the last that has begun, as far as their writers said.
    fn pending(&self) -> bool {
        self.last.is_some_and(|(begun, _)| (self.uploads[0].written().wrapping_sub(begun + 1) as i32) > 0)
    }

    fn sender_traced(&mut self, now: Instant, trace: &Trace) {
        match *trace {
            // The retransmission settles within ARD.
            Trace::SettlingTx { to_ack: false, .. } if self.phase != Phase::Ard => {
                let after_break = core::mem::take(&mut self.broken);
                self.counts.pll_breaks += u64::from(after_break);
                self.enter(Phase::Settling { after_break }, now);
            }
            Trace::Began { sent: Sent::Payload { upload, .. }, .. } => self.begin(now, upload),
            Trace::AwaitsAck { .. } => self.enter(Phase::AwaitsAck, now),
            Trace::WaitsArd { .. } => self.enter(Phase::Ard, now),
            Trace::MaxRt { upload } => self.gave_up(now, upload),
            Trace::Flushed { first, last } => {
                self.counts.flushed += u64::from(last.wrapping_sub(first)) + 1;
                self.last = self.last.map(|(_, end)| (last, end));
                if self.phase == Phase::GaveUp {
                    self.enter(Phase::Idle, now);
                }
            }
            Trace::Standby if !matches!(self.phase, Phase::Ard | Phase::GaveUp) => {
                // One frame per stay is a CE pulse per frame; more of them are a stream that was interrupted.
                self.broken = self.stay > 1 && self.pending();
                self.enter(Phase::Idle, now);
            }
            _ => {}
        }
    }

    fn gave_up(&mut self, now: Instant, upload: u32) {
        self.counts.max_rt += 1;
        self.enter(Phase::GaveUp, now);
        // Where only its acknowledgements were lost nothing is missing.
        if let Some(upload) = self.uploads[0].of(upload).filter(|_| self.got != Some(upload)) {
            self.missed(&upload);
        }
    }

    /// Moves payload of packets that will not come any more.
    fn waste(&mut self, side: usize, packets: u64, air: Duration) {
        self.counts.incomplete += packets;
        let payload = self.direction_of(side);
        match &mut self.transits {
            Some(transits) => {
                transits[payload].ended(&mut self.ledger, Account::Incomplete, air);
            }
            None => self.ledger.transfer(PAYLOADS[payload], Account::Incomplete, air),
        }
    }

    /// Direction of what the sender (0) or the receiver (1) has to say: up is 0.
    fn direction_of(&self, side: usize) -> usize {
        let chip = [self.link.sender, self.link.receiver][side];
        usize::from(chip >= self.link.radios)
    }

    fn side_of(&self, chip: usize) -> Option<usize> {
        [self.link.sender, self.link.receiver].iter().position(|known| *known == chip)
    }

    /// The task of a radio does `activity` from now on, and clocks octets from `octets` on.
    fn does(&mut self, now: Instant, (host, radio): (usize, usize), activity: Activity, octets: Instant) {
        if host * self.link.radios + radio == self.link.sender {
            if self.phase == Phase::Idle {
                self.book(now);
            }
            (self.activity, self.octets) = (activity, octets);
        }
    }

    fn delivered(&mut self, host: usize, octets: u32) {
        let direction = usize::from(host == 0);
        self.counts.delivered[direction] += 1;
        // It comes from the other host.
        let side = usize::from(self.link.sender / self.link.radios == host);
        let (packets, air) = self.packets[side].delivered(octets);
        self.waste(side, packets, air);
    }
}

impl Observer for Books {
    fn transmission(&mut self, from: usize, on_air: &OnAir, received: Option<(usize, Reception)>) {
        match on_air.sent {
            Sent::Payload { upload, attempt, wants_ack } if from == self.link.sender => {
                self.frame(on_air, upload, attempt, wants_ack, received.map(|(_, reception)| reception));
            }
            Sent::Ack { upload } if from == self.link.receiver => self.acknowledgement(on_air, upload, received),
            Sent::Payload { .. } => {
                let lost = !matches!(received, Some((_, Reception::New | Reception::Duplicate)));
                self.counts.reverse[0] += 1;
                self.counts.reverse[1] += u64::from(lost);
            }
            Sent::Ack { .. } => {}
        }
    }

    fn chip(&mut self, now: Instant, chip: usize, trace: &Trace) {
        self.counts.lints += u64::from(matches!(trace, Trace::Lint(_)));
        if chip == self.link.sender {
            self.sender_traced(now, trace);
        }
    }

    fn note(&mut self, now: Instant, host: usize, note: &Note) {
        match *note {
            Note::Activity { radio, activity } => self.does(now, (host, radio), activity, Instant::FAR_FUTURE),
            Note::Transaction { radio, octets } => self.does(now, (host, radio), Activity::Cpu, octets),
            Note::Upload { radio, upload } => {
                if let Some(side) = self.side_of(host * self.link.radios + radio) {
                    self.uploads[side].push(upload);
                }
            }
            Note::Delivered { octets } => self.delivered(host, octets),
            Note::Dropped { at, .. } => self.counts.dropped[Counts::place(at)] += 1,
            Note::Resync { .. } => self.counts.resyncs += 1,
        }
    }

    fn replaced(&mut self, now: Instant, host: usize, fresh_chips: bool) {
        for (side, chip) in [self.link.sender, self.link.receiver].into_iter().enumerate() {
            if chip / self.link.radios == host && fresh_chips {
                self.uploads[side] = Uploads::default();
            }
        }
        if self.link.sender / self.link.radios == host {
            self.does(now, (host, self.link.sender % self.link.radios), Activity::default(), Instant::FAR_FUTURE);
            if fresh_chips {
                (self.last, self.got, self.stay, self.broken) = (None, None, 0, false);
                self.enter(Phase::Idle, now);
            }
        }
    }
}
