//! Contention for the channel: the station whose turn it is.

use alloc::vec::Vec;

use airtime_core::Instant;

use super::{Cell, CellConfig, Channel, StationId};
use crate::air::Access;
use crate::mac::{Backoff, Contention};

/// Queue of a station, by its content.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Queue {
    /// Management and raw frames, one at a time; they go before data of the same station.
    Singles,
    /// Data.
    Data,
}

/// A queue of a station, as one that contends for the channel.
#[derive(Debug)]
pub(super) struct Contender {
    pub(super) station: StationId,
    pub(super) queue: Queue,
    pub(super) contention: Contention,
    /// Set while it has something to send.
    pub(super) wants: bool,
    /// Since when.
    pub(super) since: Instant,
    /// Until when a frame that its station has heard keeps it quiet (the network allocation vector).
    pub(super) nav: Instant,
    /// Set while its PPDU is under way.
    pub(super) sends: bool,
}

/// The place of the data queue of `station` among the contenders.
pub(super) const fn data(station: StationId) -> usize {
    2 * station.index() + 1
}

/// The place of the queue of management and raw frames of `station`: in front, so that it wins a collision within the station.
pub(super) const fn singles(station: StationId) -> usize {
    2 * station.index()
}

impl Contender {
    /// Both queues of every station.
    pub(super) fn all(config: &CellConfig) -> Vec<Self> {
        let queue = |station, queue, access| Self {
            station,
            queue,
            contention: Contention::new(access, config.timing.slot, config.backoff),
            wants: false,
            since: Instant::ZERO,
            nav: Instant::ZERO,
            sends: false,
        };
        let stations = config.stations.iter().enumerate();
        stations
            .flat_map(|(place, station)| {
                let id = StationId(place as u16);
                // Management frames have the category of voice. 10.2.3.2.
                [queue(id, Queue::Singles, Access::VOICE), queue(id, Queue::Data, station.access)]
            })
            .collect()
    }

    /// Instant at which it transmits, if the channel stays idle.
    fn access_at(&self) -> Instant {
        if self.wants { self.contention.access_at(self.since) } else { Instant::FAR_FUTURE }
    }
}

impl Cell {
    /// Queue `place` has something to send since `now`.
    pub(super) fn wants(&mut self, place: usize, now: Instant) {
        let contender = &mut self.contenders[place];
        if contender.wants {
            return;
        }
        (contender.wants, contender.since) = (true, now);
        let idle = self.channel == Channel::Idle;
        if (!idle || now < contender.nav) && !contender.sends && contender.contention.is_over() {
            // A frame that finds the channel busy, or reserved, waits for a backoff. 10.3.4.2, 10.23.2.2 a).
            contender.contention.draw(&mut self.streams[contender.station.index()]);
        }
        if idle {
            self.next = self.next.min(contender.access_at());
        }
    }

    /// The channel is idle from `now` on. `error`: the last frame has reached nobody, which matters to whoever sent it only.
    pub(super) fn resume(&mut self, now: Instant, error: bool) {
        self.channel = Channel::Idle;
        self.idle_since = now;
        for place in 0..self.contenders.len() {
            let contender = &self.contenders[place];
            let Access { aifsn, edca, .. } = contender.contention.access();
            let from = match self.sent_by(contender.station) {
                None => self.spaces_from(contender.station, now) + self.config.timing.aifs(aifsn),
                Some(sending) => self.after_own(sending, aifsn, edca, error, now),
            };
            let contender = &mut self.contenders[place];
            let reserved = contender.nav + self.config.timing.aifs(aifsn);
            contender.contention.resume(from.max(reserved));
        }
        self.look_ahead();
    }

    /// The place in `sending` of what `station` has just sent.
    fn sent_by(&self, station: StationId) -> Option<usize> {
        self.sending.iter().position(|sending| sending.station == station)
    }

    /// Finds out when the next transmission starts.
    pub(super) fn look_ahead(&mut self) {
        self.next = self.contenders.iter().map(Contender::access_at).min().unwrap_or(Instant::FAR_FUTURE);
    }

    /// Queues that start to transmit at `now`, each with its instant: all whose turn comes before they notice that the
    /// channel is busy. Everybody else stops counting. None if all of them leave the channel alone for the sake of the
    /// secondary one.
    pub(super) fn winners(&mut self, now: Instant, winners: &mut Vec<(usize, Instant)>) {
        winners.clear();
        let deaf_until = now + self.config.timing.sensing;
        for place in 0..self.contenders.len() {
            let at = self.contenders[place].access_at();
            if at != now && at >= deaf_until {
                continue;
            }
            let station = self.contenders[place].station;
            let rival = winners.last().is_some_and(|&(rival, _)| self.contenders[rival].station == station);
            if rival && self.config.backoff == Backoff::Random {
                // A collision within the station: the queue of the higher category sends, the other one backs off. 10.23.2.4.
                self.failed(place);
                self.contenders[place].contention.resume(Instant::FAR_FUTURE);
            } else if self.may_send(place, at) {
                winners.push((place, at));
            }
        }
        if self.config.backoff == Backoff::Mean {
            self.keep_most_patient(winners);
        }
        if winners.is_empty() {
            return;
        }
        for (place, contender) in self.contenders.iter_mut().enumerate() {
            contender.sends = winners.iter().any(|&(winner, _)| winner == place);
            if !contender.sends {
                contender.contention.freeze(now);
            }
        }
    }

    /// With equal backoffs stations take turns: of those that could start first, the one that has waited longest.
    fn keep_most_patient(&self, winners: &mut Vec<(usize, Instant)>) {
        let first = winners.iter().copied().min_by_key(|&(place, at)| (at, self.contenders[place].since, place));
        winners.clear();
        winners.extend(first);
    }

    /// The transmission of queue `place` has failed: its window doubles, and it backs off.
    pub(super) fn failed(&mut self, place: usize) {
        let contender = &mut self.contenders[place];
        let station = contender.station.index();
        contender.contention.failed(self.stations[station].config.retry_limit, &mut self.streams[station]);
    }

    /// The transmission of queue `place` is through.
    pub(super) fn succeeded(&mut self, place: usize) {
        let contender = &mut self.contenders[place];
        contender.contention.succeeded(&mut self.streams[contender.station.index()]);
    }
}
