//! The host above the MAC of a sender: an application with its pace, a bounded queue, and the time that a frame takes to be loaded.

use alloc::collections::VecDeque;
use alloc::format;

use airtime_core::random::{Stream, stream};
use airtime_core::{Duration, Instant};

use super::{COORDINATOR, Config};
use crate::trace::Phase;

/// Pace of the application.
#[derive(Debug)]
enum Pace {
    /// Nothing.
    Silent,
    /// Always one more.
    Saturated,
    /// One each of these spans, the next one then.
    Every(Duration, Instant),
}

#[derive(Debug)]
pub(super) struct Host {
    pace: Pace,
    load: Duration,
    limit: usize,
    /// Instants at which the waiting frames were offered.
    queue: VecDeque<Instant>,
    /// Instant at which the frame that is being loaded will be.
    loaded: Option<Instant>,
    /// Flag: the MAC has a frame.
    busy: bool,
    /// Instants at which the frame that the MAC has was offered, and handed over.
    at_hand: (Instant, Instant),
    /// Frames handed over so far.
    number: u32,
    offered: u64,
    stream: Stream,
    /// Addressee of the receiver's next acknowledgement.
    pub(super) answers: usize,
}

impl Host {
    pub(super) fn new(config: &Config, place: usize) -> Self {
        let mut stream = stream(config.seed, &format!("ieee802154/station/{place}/phase"));
        let pace = match config.interval() {
            _ if place == COORDINATOR => Pace::Silent,
            None => Pace::Saturated,
            // Several that are paced alike begin at any time within the first interval.
            Some(every) if config.stations > 1 => {
                Pace::Every(every, Instant::from_nanos(stream.below(every.as_nanos())))
            }
            Some(every) => Pace::Every(every, Instant::ZERO),
        };
        let mut host = Self {
            pace,
            load: config.load,
            limit: usize::from(config.queue),
            queue: VecDeque::new(),
            loaded: None,
            busy: false,
            at_hand: (Instant::ZERO, Instant::ZERO),
            number: 0,
            offered: 0,
            stream,
            answers: COORDINATOR,
        };
        host.wake(Instant::ZERO);
        host.proceed(Instant::ZERO);
        host
    }

    /// The application offers what is due by `now`; the number of frames that found the queue full.
    pub(super) fn wake(&mut self, now: Instant) -> u32 {
        let mut refused = 0;
        while let Pace::Every(every, next) = &mut self.pace {
            if *next > now {
                break;
            }
            let at = *next;
            *next += *every;
            self.offered += 1;
            if self.queue.len() < self.limit { self.queue.push_back(at) } else { refused += 1 }
        }
        self.proceed(now);
        refused
    }

    /// Begins to load the next frame if there is one and nothing is in its way.
    fn proceed(&mut self, now: Instant) {
        if self.busy || self.loaded.is_some() {
            return;
        }
        if matches!(self.pace, Pace::Saturated) && self.queue.is_empty() {
            self.queue.push_back(now);
            self.offered += 1;
        }
        if !self.queue.is_empty() {
            self.loaded = Some(now + self.load);
        }
    }

    /// Readiness of a frame for the MAC.
    pub(super) fn ready(&self, now: Instant) -> bool {
        self.loaded.is_some_and(|loaded| loaded <= now)
    }

    /// The MAC takes the frame that is loaded; its number.
    pub(super) fn hand_over(&mut self, now: Instant) -> u32 {
        let offered = self.queue.pop_front().unwrap_or(now);
        (self.at_hand, self.loaded, self.busy) = ((offered, now), None, true);
        self.number = self.number.wrapping_add(1);
        self.number - 1
    }

    /// The MAC is done with its frame.
    pub(super) fn confirmed(&mut self, now: Instant) {
        self.busy = false;
        self.proceed(now);
    }

    /// Instants at which the frame that the MAC has was offered, and handed over.
    pub(super) fn at_hand(&self) -> (Instant, Instant) {
        self.at_hand
    }

    /// Frames offered so far.
    pub(super) fn offered(&self) -> u64 {
        self.offered
    }

    pub(super) fn random_draws(&self) -> u64 {
        self.stream.drawn()
    }

    /// Phase of a sender whose MAC rests.
    pub(super) fn phase(&self) -> Phase {
        if self.loaded.is_some() { Phase::Host } else { Phase::App }
    }

    pub(super) fn deadline(&self) -> Option<Instant> {
        let next = match self.pace {
            Pace::Every(_, next) => Some(next),
            Pace::Silent | Pace::Saturated => None,
        };
        [next, self.loaded].into_iter().flatten().min()
    }
}
