//! One direction of a connection: the stream in it, and what it waited for.

use airtime_core::{Duration, Instant};

/// A reason that a stream did not go on, as far as an HCI log tells it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Wait {
    /// Every buffer of the controller was full: the link, or what else the controller does, is what limits.
    Full,
    /// The controller held packets and had room for more, and nothing else kept the sender.
    Held,
    /// The receiver had given no credits.
    Credits,
    /// The sender had asked for an answer that had not come.
    Answer,
    /// None of these.
    Nothing,
}

impl Wait {
    /// All of them in the order of their discriminants.
    pub const ALL: [Self; 5] = [Self::Full, Self::Held, Self::Credits, Self::Answer, Self::Nothing];
}

/// The stream of one direction.
#[derive(Clone, Debug, Default)]
pub(super) struct Lane {
    /// Time of the first packet with payload.
    pub first: Option<Instant>,
    /// Time of the last one, or of the controller being done with it.
    pub last: Instant,
    /// Packets with payload.
    pub packets: u64,
    /// Octets of payload.
    pub octets: u64,
    /// Octets of the longest packet, L2CAP headers included.
    pub longest: usize,
    /// The least time that the air needs for them: PDUs, gaps, empty answers.
    pub air: Duration,
    /// Time of the stream by what it waited for.
    pub waits: [Duration; Wait::ALL.len()],
    /// The same since the last packet: part of the stream only if it goes on.
    since: [Duration; Wait::ALL.len()],
}

impl Lane {
    /// A packet with `payload` octets of the stream.
    pub fn data(&mut self, now: Instant, octets: usize, payload: usize, air: Duration) {
        self.first.get_or_insert(now);
        self.packets += 1;
        self.octets += payload as u64;
        self.longest = self.longest.max(octets);
        self.air += air;
        self.goes_on(now);
    }

    /// The stream goes on until `now` at least.
    pub fn goes_on(&mut self, now: Instant) {
        if self.first.is_some() {
            self.last = now;
            for (wait, since) in self.waits.iter_mut().zip(&mut self.since) {
                *wait += core::mem::take(since);
            }
        }
    }

    /// Time has passed, and this is what the stream waited for.
    pub fn waited(&mut self, passed: Duration, wait: Wait) {
        if self.first.is_some() {
            self.since[wait as usize] += passed;
        }
    }

    /// From the first packet to the last, in whole intervals where there is one: a stream of n events spans n intervals, and its first and
    /// last packets are n − 1 apart, and mostly a bit.
    pub fn span(&self, interval: Option<Duration>) -> Duration {
        let span = self.first.map_or(Duration::ZERO, |first| self.last.saturating_since(first));
        match interval.filter(|interval| !interval.is_zero()) {
            Some(interval) if self.first.is_some() => interval * (span / interval + 1),
            _ => span,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(ms: u64) -> Instant {
        Instant::ZERO + Duration::from_millis(ms)
    }

    #[test]
    fn a_stream_of_ten_events_spans_ten_intervals() {
        let mut lane = Lane::default();
        for event in 0..10 {
            lane.data(at(30 * event + 3), 251, 244, Duration::ZERO);
            lane.data(at(30 * event + 5), 251, 244, Duration::ZERO);
        }
        assert_eq!(lane.span(Some(Duration::from_millis(30))), Duration::from_millis(300));
        assert_eq!(lane.span(None), Duration::from_millis(272));
        assert_eq!((lane.packets, lane.octets, lane.longest), (20, 4880, 251));
    }

    #[test]
    fn a_stream_of_one_packet_an_event_spans_as_many_intervals() {
        for events in 1..10 {
            let mut lane = Lane::default();
            (0..events).for_each(|event| lane.data(at(30 * event), 251, 244, Duration::ZERO));
            assert_eq!(lane.span(Some(Duration::from_millis(30))), Duration::from_millis(30 * events));
        }
    }

    #[test]
    fn time_counts_from_the_first_packet_to_the_last() {
        let mut lane = Lane::default();
        lane.waited(Duration::from_secs(9), Wait::Nothing);
        lane.data(at(0), 27, 20, Duration::ZERO);
        lane.waited(Duration::from_millis(10), Wait::Full);
        lane.data(at(10), 27, 20, Duration::ZERO);
        lane.waited(Duration::from_secs(7), Wait::Nothing);
        let mut waits = [Duration::ZERO; 5];
        waits[Wait::Full as usize] = Duration::from_millis(10);
        assert_eq!(lane.waits, waits);
    }
}
