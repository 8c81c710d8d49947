//! The host above the MAC of a sender: an application with its pace, a bounded queue, and the time that a frame takes to be loaded.

use alloc::collections::VecDeque;
use alloc::format;

use airtime_core::random::{Stream, stream};
use airtime_core::{Duration, Instant, Packet};

use super::origin::Origin;
use super::{COORDINATOR, Config};
use crate::trace::Phase;

/// Pace of the application.
#[derive(Debug)]
enum Pace {
    /// Pace of silence: no packet is sent.
    Silent,
    /// Always one more.
    Saturated,
    /// One each of these spans, the next one then.
    Every(Duration, Instant),
}

/// Frame that a MAC is to send next.
#[derive(Debug)]
pub(super) enum Next {
    /// Frame of this number of a datagram of this number; of plain frames each has a number of its own.
    Own(u32, u16),
    /// A frame of somebody else.
    Relayed(Packet),
}

#[derive(Debug)]
pub(super) struct Host {
    pace: Pace,
    load: Duration,
    limit: usize,
    /// Instants at which what waits was offered.
    queue: VecDeque<Instant>,
    /// Frames that a router passes on.
    relayed: VecDeque<Relayed>,
    /// Frames of each, and the one of them that is next.
    pieces: u16,
    piece: u16,
    /// Instant at which the frame that is being loaded will be.
    loaded: Option<Instant>,
    /// Instant at which a co-processor will have confirmed the last frame.
    reporting: Option<Instant>,
    /// Flag: the MAC has a frame.
    busy: bool,
    /// Unit of which the MAC has a frame, or has had the last.
    at_hand: Origin,
    /// Units of which a frame was handed over so far: frames, or datagrams.
    number: u32,
    offered: u64,
    stream: Stream,
    /// Frame that its MAC acknowledges next.
    pub(super) answers: Answer,
}

/// Frame that a router passes on.
#[derive(Debug)]
struct Relayed {
    /// Instant from which the radio is free for it.
    free: Instant,
    frame: Packet,
    origin: Origin,
}

/// Frame that is acknowledged.
#[derive(Clone, Copy, Debug)]
pub(super) struct Answer {
    /// Place of the station that has sent it.
    pub(super) to: usize,
    /// Place of the station whose payload it carries.
    pub(super) of: usize,
}

impl Host {
    pub(super) fn new(config: &Config, place: usize) -> Self {
        let mut stream = stream(config.seed, &format!("ieee802154/station/{place}/phase"));
        let pace = match config.interval() {
            _ if !config.is_sender(place) => Pace::Silent,
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
            relayed: VecDeque::new(),
            pieces: config.flow(place).map_or(1, |flow| flow.cut.frames()),
            piece: 0,
            loaded: None,
            reporting: None,
            busy: false,
            at_hand: Origin { place, offered: Instant::ZERO, handed: Instant::ZERO },
            number: 0,
            offered: 0,
            stream,
            answers: Answer { to: COORDINATOR, of: COORDINATOR },
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
        self.reporting.take_if(|until| *until <= now);
        self.proceed(now);
        refused
    }

    /// Begins to load the next frame if there is one and nothing is in its way.
    fn proceed(&mut self, now: Instant) {
        if self.busy || self.loaded.is_some() || self.reporting.is_some() {
            return;
        }
        if self.piece > 0 {
            self.loaded = Some(now + self.load);
            return;
        }
        if let Some(Relayed { free, .. }) = self.relayed.front() {
            self.loaded = Some(now.max(*free) + self.load);
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

    /// Takes a frame to pass on, for which the radio is free from then on; false when the queue is full.
    pub(super) fn relay(&mut self, now: Instant, free: Instant, frame: Packet, origin: Origin) -> bool {
        let room = self.relayed.len() < self.limit;
        if room {
            self.relayed.push_back(Relayed { free, frame, origin });
            self.proceed(now);
        }
        room
    }

    /// The MAC takes the frame that is loaded.
    pub(super) fn hand_over(&mut self, now: Instant) -> Next {
        (self.loaded, self.busy) = (None, true);
        if let Some(Relayed { frame, origin, .. }) = self.relayed.pop_front() {
            self.at_hand = origin;
            return Next::Relayed(frame);
        }
        if self.piece == 0 {
            self.at_hand.offered = self.queue.pop_front().unwrap_or(now);
            self.at_hand.handed = now;
            self.number = self.number.wrapping_add(1);
        }
        Next::Own(self.number.wrapping_sub(1), self.piece)
    }

    /// Frame of a datagram that the MAC has, or has had last.
    pub(super) fn piece(&self) -> u16 {
        self.piece
    }

    /// The MAC is done with its frame: the next one of the same datagram follows, or none of it when this one has failed. A
    /// co-processor says so over a time of `report`.
    // OpenThread: OPENTHREAD_CONFIG_DROP_MESSAGE_ON_FRAGMENT_TX_FAILURE, set by default.
    pub(super) fn confirmed(&mut self, now: Instant, sent: bool, report: Option<Duration>) {
        self.busy = false;
        self.reporting = report.map(|time| now + time);
        self.piece = if sent && self.piece + 1 < self.pieces { self.piece + 1 } else { 0 };
        self.proceed(now);
    }

    /// Unit of which the MAC has a frame, or has had the last.
    pub(super) fn at_hand(&self) -> Origin {
        self.at_hand
    }

    /// Units of which frames are here that were handed over: in the MAC, next for it, or waiting to be passed on.
    pub(super) fn holds(&self) -> impl Iterator<Item = Origin> {
        let own = (self.busy || self.piece > 0).then_some(self.at_hand);
        own.into_iter().chain(self.relayed.iter().map(|relayed| relayed.origin))
    }

    /// Frames, or datagrams, offered so far.
    pub(super) fn offered(&self) -> u64 {
        self.offered
    }

    pub(super) fn random_draws(&self) -> u64 {
        self.stream.drawn()
    }

    /// Phase of a sender whose MAC rests.
    pub(super) fn phase(&self) -> Phase {
        match (self.reporting, self.loaded) {
            (Some(_), _) => Phase::Serial,
            (None, Some(_)) => Phase::Host,
            (None, None) => Phase::App,
        }
    }

    pub(super) fn deadline(&self) -> Option<Instant> {
        let next = match self.pace {
            Pace::Every(_, next) => Some(next),
            Pace::Silent | Pace::Saturated => None,
        };
        [next, self.loaded, self.reporting].into_iter().flatten().min()
    }
}
