//! The sending direction: what is in flight, what of it is taken for lost, and how much may be.

use alloc::collections::VecDeque;

use airtime_core::Instant;

use super::super::{Config, Counters};
use super::patience::Patience;
use super::round_trip::RoundTrip;
use crate::segment::{Head, Range, order};
use crate::waits::Waits;

/// Duplicate acknowledgements, or segments acknowledged beyond it, that make a segment lost (`net.ipv4.tcp_reordering`; RFC 6675).
const REORDERING: u32 = 3;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Phase {
    Open,
    /// A loss was found; over when `high` is acknowledged.
    Recovery,
    /// The timer has run out; over when `high` is acknowledged.
    Loss,
}

/// A segment in flight.
#[derive(Clone, Copy, Debug)]
struct Sent {
    seq: u32,
    len: u16,
    fin: bool,
    at: Instant,
    /// Acknowledged selectively.
    sacked: bool,
    /// Taken for lost, and not sent again since.
    lost: bool,
    again: bool,
}

impl Sent {
    fn end(&self) -> u32 {
        self.seq.wrapping_add(u32::from(self.len) + u32::from(self.fin))
    }
}

/// Sending side of a connection.
#[derive(Debug)]
pub(super) struct Sender {
    una: u32,
    nxt: u32,
    /// Octets of the stream before `una`, and octets the program has written.
    acked: u64,
    written: u64,
    closed: bool,
    fin_sent: bool,
    mss: u16,
    rwnd: u32,
    sack: bool,
    flight: VecDeque<Sent>,
    phase: Phase,
    high: u32,
    dupacks: u32,
    /// Congestion window in segments, as Linux counts.
    cwnd: u32,
    ssthresh: u32,
    grown: u32,
    round_trip: RoundTrip,
    patience: Patience,
    /// End of the retransmission timer, or of the one that probes a closed window.
    timer: Option<Instant>,
    probe: bool,
    /// Instant at which something was last acknowledged, or sent where nothing was in flight.
    progress: Instant,
    /// Set while nothing has come back for longer than any round trip before.
    quiet: bool,
    /// A window too small for a whole segment may be filled: the timer has run out before it.
    small: bool,
}

impl Sender {
    pub fn new(config: &Config, first: u32) -> Self {
        Self {
            una: first,
            nxt: first,
            acked: 0,
            written: 0,
            closed: false,
            fin_sent: false,
            mss: 536,
            rwnd: 0,
            sack: false,
            flight: VecDeque::new(),
            phase: Phase::Open,
            high: first,
            dupacks: 0,
            cwnd: config.initial_window,
            ssthresh: u32::MAX,
            grown: 0,
            round_trip: RoundTrip::new(config.min_rto),
            patience: Patience::default(),
            timer: None,
            probe: false,
            progress: Instant::ZERO,
            quiet: false,
            small: false,
        }
    }

    pub fn open(&mut self, mss: u16, window: u32, sack: bool) {
        (self.mss, self.rwnd, self.sack) = (mss, window, sack);
    }

    /// The number of what is sent next.
    pub fn next(&self) -> u32 {
        self.nxt
    }

    pub fn written(&self) -> u64 {
        self.written
    }

    /// Takes up to `octets` from the program while less than `buffer` is not acknowledged.
    pub fn write(&mut self, octets: u64, buffer: u64) -> u64 {
        let room = buffer.saturating_sub(self.written - self.acked);
        let octets = octets.min(room);
        self.written += octets;
        octets
    }

    pub fn close(&mut self) {
        self.closed = true;
    }

    pub fn is_closed(&self) -> bool {
        self.closed
    }

    pub fn cwnd_octets(&self) -> u32 {
        self.cwnd.saturating_mul(u32::from(self.mss))
    }

    pub fn deadline(&self) -> Option<Instant> {
        self.timer.into_iter().chain(self.quiet_at()).min()
    }

    /// Instant from which silence is longer than any round trip so far, until it is.
    fn quiet_at(&self) -> Option<Instant> {
        let longest = self.round_trip.longest().filter(|_| !self.quiet && !self.flight.is_empty())?;
        Some(self.progress + longest)
    }

    /// Reason that it sends nothing, once everything was sent that may be.
    pub fn waits(&self) -> Waits {
        let unsent = self.written - self.acked > u64::from(self.nxt.wrapping_sub(self.una));
        if self.quiet {
            Waits::Rto
        } else if self.in_flight() >= self.cwnd {
            Waits::Cwnd
        } else if unsent || !self.closed {
            // What is written is more than the window has room for, or the send buffer is full of what is in flight.
            Waits::Window
        } else {
            Waits::App
        }
    }

    pub fn acknowledged(&mut self, now: Instant, head: &Head, bare: bool, counters: &mut Counters) {
        if order::before(self.nxt, head.ack) || order::before(head.ack, self.una) {
            return;
        }
        let window = u32::from(head.window);
        let same = window == self.rwnd && bare;
        self.rwnd = window;
        let in_flight = self.in_flight();
        let fresh = self.mark(head.ranges());
        let before = self.una;
        let acked = self.advance(now, head.ack);
        self.patience.heard(self.una != before);
        if acked > 0 {
            (self.progress, self.quiet) = (now, false);
            self.round_trip.heard();
            self.timer = (!self.flight.is_empty()).then(|| now + self.round_trip.timeout());
        }
        let again = acked == 0 && same && !self.flight.is_empty();
        self.dupacks = if acked > 0 { 0 } else { self.dupacks + u32::from(again || fresh) };
        if self.phase != Phase::Open && !order::before(self.una, self.high) {
            self.cwnd = if self.phase == Phase::Recovery { self.ssthresh } else { self.cwnd };
            self.phase = Phase::Open;
        }
        let lost = self.phase != Phase::Loss && self.finds_loss(self.phase == Phase::Recovery && acked > 0);
        match self.phase {
            Phase::Open if lost => self.recover(counters),
            Phase::Recovery => {}
            _ => self.grow(acked, in_flight),
        }
    }

    /// Selective acknowledgements; says whether one was new.
    fn mark(&mut self, ranges: &[Range]) -> bool {
        if !self.sack || ranges.is_empty() {
            return false;
        }
        let mut fresh = false;
        for sent in self.flight.iter_mut().filter(|sent| !sent.sacked) {
            let within = |range: &Range| order::up_to(range.start, sent.seq) && order::up_to(sent.end(), range.end);
            if ranges.iter().any(within) {
                sent.sacked = true;
                sent.lost = false;
                fresh = true;
            }
        }
        fresh
    }

    /// Moves the left edge; says by how many segments.
    fn advance(&mut self, now: Instant, ack: u32) -> u32 {
        let mut acked = 0;
        let mut sample = None;
        while let Some(sent) = self.flight.front().filter(|sent| order::up_to(sent.end(), ack)) {
            // Karn: what was sent twice is no measure.
            sample = if sent.again { sample } else { Some(now - sent.at) };
            self.acked += u64::from(sent.len);
            acked += 1;
            self.flight.pop_front();
        }
        // A part of a segment stays in flight as the rest of it.
        if let Some(sent) = self.flight.front_mut().filter(|sent| order::before(sent.seq, ack)) {
            let by = ack.wrapping_sub(sent.seq) as u16;
            sent.seq = ack;
            sent.len -= by;
            self.acked += u64::from(by);
        }
        self.una = ack;
        if let Some(sample) = sample {
            self.round_trip.measured(sample);
        }
        acked
    }

    /// Takes for lost what three later arrivals have overtaken; says whether anything new is lost. Without selective
    /// acknowledgements the head is, and after a `partial` acknowledgement the next (RFC 6582).
    fn finds_loss(&mut self, partial: bool) -> bool {
        let mut found = false;
        if self.sack {
            let mut beyond = 0;
            for sent in self.flight.iter_mut().rev() {
                if sent.sacked {
                    beyond += 1;
                } else if beyond >= REORDERING && !sent.again && !sent.lost {
                    sent.lost = true;
                    found = true;
                }
            }
        } else if (partial || self.dupacks >= REORDERING)
            && let Some(first) = self.flight.front_mut().filter(|first| !first.again || partial)
        {
            found = !first.lost;
            first.lost = true;
        }
        found
    }

    fn recover(&mut self, counters: &mut Counters) {
        counters.recoveries += 1;
        self.ssthresh = (self.cwnd / 2).max(2);
        self.cwnd = self.ssthresh;
        self.grown = 0;
        self.phase = Phase::Recovery;
        self.high = self.nxt;
    }

    /// Slow start and congestion avoidance (Reno), only while the window is what limits (`tcp_is_cwnd_limited`).
    fn grow(&mut self, acked: u32, in_flight: u32) {
        let slow = self.cwnd < self.ssthresh;
        let limited = if slow { in_flight * 2 > self.cwnd } else { in_flight >= self.cwnd };
        if acked == 0 || !limited {
            return;
        }
        if slow {
            self.cwnd = (self.cwnd + acked).min(self.ssthresh);
            return;
        }
        self.grown += acked;
        if self.grown >= self.cwnd {
            self.grown -= self.cwnd;
            self.cwnd += 1;
        }
    }

    /// Segments that are still on their way, as far as one can know.
    fn in_flight(&self) -> u32 {
        let all = self.flight.len() as u32;
        if self.phase == Phase::Open && self.dupacks == 0 {
            return all;
        }
        let gone = self.flight.iter().filter(|sent| sent.sacked || sent.lost).count() as u32;
        // Without selective acknowledgements each duplicate stands for one segment that has arrived (`tcp_add_reno_sack`).
        let reno = if self.sack { 0 } else { self.dupacks };
        all.saturating_sub(gone + reno)
    }

    /// The timer has run out; says whether the stream is given up.
    pub fn wake(&mut self, now: Instant, counters: &mut Counters) -> bool {
        self.quiet |= self.quiet_at().is_some_and(|at| at <= now);
        if self.timer.is_none_or(|at| at > now) {
            return false;
        }
        self.timer = None;
        let shut = self.flight.is_empty();
        let given_up = match shut {
            true => self.patience.probes(self.round_trip.timeout(), self.closed),
            false => self.patience.retransmits(now, self.closed),
        };
        if given_up {
            return true;
        }
        if shut {
            (self.probe, self.small) = (self.rwnd == 0, self.rwnd > 0);
            self.round_trip.back_off();
            self.timer = Some(now + self.round_trip.timeout());
            return false;
        }
        counters.timeouts += 1;
        if self.phase == Phase::Open || self.round_trip.backoff() == 0 {
            self.ssthresh = (self.cwnd / 2).max(2);
        }
        (self.cwnd, self.grown, self.dupacks) = (1, 0, 0);
        (self.phase, self.high) = (Phase::Loss, self.nxt);
        // A receiver that says it has the first and yet does not acknowledge it has dropped what it had (`tcp_check_sack_reneging`).
        if self.flight.front().is_some_and(|first| first.sacked) {
            self.flight.iter_mut().for_each(|sent| sent.sacked = false);
        }
        for sent in self.flight.iter_mut().filter(|sent| !sent.sacked) {
            sent.lost = true;
        }
        self.round_trip.back_off();
        self.timer = Some(now + self.round_trip.timeout());
        false
    }

    /// The next segment with payload: number, place in the stream, octets, whether it closes.
    pub fn poll(&mut self, now: Instant, counters: &mut Counters) -> Option<(u32, u64, usize, bool)> {
        if self.in_flight() >= self.cwnd {
            return None;
        }
        let (una, acked) = (self.una, self.acked);
        let offset = |seq: u32| acked + u64::from(seq.wrapping_sub(una));
        if self.phase != Phase::Open
            && let Some(sent) = self.flight.iter_mut().find(|sent| sent.lost)
        {
            (sent.lost, sent.again, sent.at) = (false, true, now);
            let again = (sent.seq, offset(sent.seq), usize::from(sent.len), sent.fin);
            counters.segments += u64::from(again.2 > 0);
            counters.retransmissions += u64::from(again.2 > 0);
            self.start_timer(now);
            return Some(again);
        }
        let (len, fin) = self.fresh()?;
        let seq = self.nxt;
        let sent = Sent { seq, len, fin, at: now, sacked: false, lost: false, again: false };
        if self.flight.is_empty() {
            (self.progress, self.quiet) = (now, false);
        }
        self.nxt = sent.end();
        self.fin_sent |= fin;
        self.flight.push_back(sent);
        counters.segments += u64::from(len > 0);
        self.start_timer(now);
        Some((seq, offset(seq), usize::from(len), fin))
    }

    /// Octets that have not been sent yet and may be: whole segments, and the last one (Nagle). The flag is set for the
    /// last.
    fn fresh(&mut self) -> Option<(u16, bool)> {
        let sent = u64::from(self.nxt.wrapping_sub(self.una)).saturating_sub(u64::from(self.fin_sent));
        let left = self.written - self.acked - sent;
        let mss = u64::from(self.mss);
        let last = left <= mss;
        let fin = self.closed && last && !self.fin_sent;
        if left == 0 && !fin || (left < mss && !fin && !self.flight.is_empty()) {
            return None;
        }
        let room = u64::from(self.rwnd).saturating_sub(sent);
        let len = left.min(mss);
        if len > room {
            let part = room.min(len);
            if !core::mem::take(&mut self.small) || part == 0 {
                return None;
            }
            return Some((part as u16, false));
        }
        Some((len as u16, fin))
    }

    fn start_timer(&mut self, now: Instant) {
        if self.timer.is_none() || self.flight.len() == 1 {
            self.timer = Some(now + self.round_trip.timeout());
        }
        self.small = false;
    }

    /// The number of an empty segment that asks for the window, when one is due: the one before the window.
    pub fn take_probe(&mut self) -> Option<u32> {
        core::mem::take(&mut self.probe).then(|| self.una.wrapping_sub(1))
    }

    /// Octets wait that the window has no room for, and nothing is in flight whose acknowledgement could open it.
    pub fn is_shut(&self) -> bool {
        self.flight.is_empty() && self.written > self.acked
    }

    /// Starts the timer that probes the window.
    pub fn watch_window(&mut self, now: Instant) {
        if self.is_shut() && self.timer.is_none() {
            self.timer = Some(now + self.round_trip.timeout());
        }
    }
}
