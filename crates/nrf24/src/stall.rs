//! A host that a fault of the experiment stalls: nothing of it runs for a while, and its chips go on without it.

use airtime_core::random::{self, Stream};
use airtime_core::{Duration, Instant};

use crate::host::{Host, HostOutput};
use crate::trace::{Activity, Note};

/// Radios of a host.
const RADIOS: usize = 2;

/// Period of a host's stalls.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Period {
    /// From one stall to the next; the first one begins after this.
    pub every: Duration,
    /// Length of each stall; shorter than `every`.
    pub length: Duration,
}

/// A host whose wake-ups are postponed to the end of a stall. Interrupts and packets reach it, and wait.
#[derive(Debug)]
pub struct Stalling<H> {
    /// Host that is stalled now and then.
    pub host: H,
    period: Option<Period>,
    /// Random stream for the time from one stall to the next, if that is drawn.
    drawn: Option<Stream>,
    next: Instant,
    until: Option<Instant>,
    /// Activity that each radio's task would have, and the last that was said of it: notes of activities and
    /// transactions.
    doing: [Note; RADIOS],
    said: [Note; RADIOS],
}

impl<H: Host> Stalling<H> {
    /// `host`, started at `now`, with stalls as `period` says, if any: to the beat.
    ///
    /// # Panics
    /// When a stall is not shorter than the time from one to the next, or takes no time.
    pub fn new(host: H, now: Instant, period: Option<Period>) -> Self {
        if let Some(Period { every, length }) = period {
            assert!(!length.is_zero() && length < every, "a stall of {length} every {every} leaves nothing to run in");
        }
        let next = period.map_or(Instant::FAR_FUTURE, |period| now + period.every);
        let idle = core::array::from_fn(|radio| Note::Activity { radio, activity: Activity::default() });
        Self { host, period, drawn: None, next, until: None, doing: idle, said: idle }
    }

    /// Stalls `host` as [`new`](Self::new) does, but the time from one stall to the next is drawn evenly between a half and
    /// three halves of `every`, from a stream of its own: a program that keeps a beat of its own does not lock in with
    /// it. Without `period` nothing is drawn.
    ///
    /// # Panics
    /// When a stall is not shorter than half of `every`, or takes no time.
    pub fn scattered(host: H, now: Instant, period: Option<Period>, seed: u64) -> Self {
        if let Some(Period { every, length }) = period {
            assert!(length < every / 2, "a stall of {length} does not fit into half of {every}");
        }
        let mut stalling = Self::new(host, now, period);
        stalling.drawn = period.map(|_| random::stream(seed, "nrf24/stall"));
        if let Some(gap) = stalling.gap() {
            stalling.next = now + gap;
        }
        stalling
    }

    /// From one stall to the next.
    fn gap(&mut self) -> Option<Duration> {
        let every = self.period?.every;
        Some(match &mut self.drawn {
            None => every,
            Some(stream) => every / 2 + Duration::from_nanos(stream.below(every.as_nanos())),
        })
    }

    /// Stalls it from `now` until `until`, besides its period; to be attended to afterwards
    /// ([`Network::attend`](crate::network::Network::attend)).
    pub fn stall(&mut self, now: Instant, until: Instant) {
        self.until = self.until.max(Some(until)).filter(|until| *until > now);
    }

    fn keep_period(&mut self, now: Instant) {
        while self.next <= now
            && let Some(Period { length, .. }) = self.period
            && let Some(gap) = self.gap()
        {
            self.stall(now, self.next + length);
            self.next += gap;
        }
        self.until = self.until.filter(|until| *until > now);
    }

    /// Note that is true of a radio now.
    fn true_of(&self, radio: usize) -> Note {
        let stalled = Note::Activity { radio, activity: Activity::Stalled };
        if self.until.is_some() { stalled } else { self.doing[radio] }
    }

    /// The next change of what is said about a radio.
    fn correction(&mut self) -> Option<Note> {
        for radio in 0..RADIOS {
            let note = self.true_of(radio);
            if self.said[radio] != note {
                self.said[radio] = note;
                return Some(note);
            }
        }
        None
    }
}

impl<H: Host> Host for Stalling<H> {
    fn wake(&mut self, now: Instant) {
        self.keep_period(now);
        if self.until.is_none() && self.host.deadline().is_some_and(|due| due <= now) {
            self.host.wake(now);
        }
    }

    fn irq(&mut self, now: Instant, radio: usize, asserted: bool) {
        self.host.irq(now, radio, asserted);
    }

    fn packet(&mut self, now: Instant, packet: &[u8]) {
        self.host.packet(now, packet);
    }

    fn poll(&mut self, now: Instant) -> Option<HostOutput> {
        loop {
            match self.host.poll(now) {
                Some(HostOutput::Note(note @ (Note::Activity { radio, .. } | Note::Transaction { radio, .. }))) => {
                    self.doing[radio] = note
                }
                Some(output) => return Some(output),
                None => return self.correction().map(HostOutput::Note),
            }
        }
    }

    fn is_quiet(&self) -> bool {
        self.host.is_quiet() && (0..RADIOS).all(|radio| self.said[radio] == self.true_of(radio))
    }

    fn watched(&mut self, watched: bool) {
        self.host.watched(watched);
    }

    fn deadline(&self) -> Option<Instant> {
        let runs = match (self.host.deadline(), self.until) {
            (due, None) => due,
            (due, Some(until)) => Some(due.map_or(until, |due| due.max(until))),
        };
        let next = (self.next != Instant::FAR_FUTURE).then_some(self.next);
        runs.into_iter().chain(next).chain(self.until).min()
    }
}
