//! The sending end: a semaphore per channel, and what paces it.

use airtime_core::{Duration, Instant};

use crate::CHANNELS_MAX;
use crate::config::{Pacing, StreamConfig};
use crate::requests::Asking;
use crate::wait::Wait;

/// Counts of SDUs that the application has handed to its host.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Submissions {
    /// SDUs.
    pub sdus: u64,
    /// Octets of those SDUs.
    pub octets: u64,
    /// SDUs the host has sent.
    pub sent: u64,
}

/// One SDU to send.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Turn {
    pub(crate) channel: u16,
    pub(crate) len: u16,
    pub(crate) sequence: u64,
}

#[derive(Clone, Copy, Debug, Default)]
struct Lane {
    channel: u16,
    /// Zero when there is no channel, or it is closed.
    len: u16,
    in_flight: u8,
    sequence: u64,
}

/// Sends on every channel in turn.
#[derive(Clone, Debug)]
pub(crate) struct Sender {
    sdu: u16,
    in_flight_max: u8,
    sleep: Option<Duration>,
    /// Time between two SDUs that are offered, and the instant of the next once there was one.
    every: Option<Duration>,
    due: Option<Instant>,
    /// Set if no place has to be free.
    blind: bool,
    /// Sleep after a refusal.
    retry: Option<Duration>,
    asking: Option<Asking>,
    lanes: [Lane; CHANNELS_MAX],
    turn: usize,
    not_before: Instant,
    enabled: bool,
    submissions: Submissions,
}

impl Sender {
    pub(crate) fn new(config: &StreamConfig) -> Self {
        Self {
            sdu: config.sdu.max(1),
            in_flight_max: config.in_flight.max(1),
            sleep: match config.pacing {
                Pacing::Semaphore | Pacing::Every(_) | Pacing::Blind(_) | Pacing::Retry(_) => None,
                Pacing::Sleep(time) => Some(time),
            },
            every: match config.pacing {
                Pacing::Semaphore | Pacing::Sleep(_) | Pacing::Retry(_) => None,
                Pacing::Every(time) | Pacing::Blind(time) => Some(time),
            },
            due: None,
            blind: matches!(config.pacing, Pacing::Blind(_) | Pacing::Retry(_)),
            retry: match config.pacing {
                Pacing::Retry(time) => Some(time),
                _ => None,
            },
            asking: config.requests.map(Asking::new),
            lanes: [Lane::default(); CHANNELS_MAX],
            turn: 0,
            not_before: Instant::ZERO,
            enabled: false,
            submissions: Submissions::default(),
        }
    }

    /// Opens channel number `lane`, whose peer takes `peer_mtu` octets.
    pub(crate) fn open(&mut self, lane: usize, channel: u16, peer_mtu: u16) {
        if let Some(place) = self.lanes.get_mut(lane) {
            *place = Lane { channel, len: self.sdu.min(peer_mtu), ..*place };
        }
    }

    pub(crate) fn close(&mut self, lane: usize) {
        if let Some(place) = self.lanes.get_mut(lane) {
            place.len = 0;
        }
    }

    /// Lets the stream flow, or stops it.
    pub(crate) fn enable(&mut self, enabled: bool) {
        self.enabled = enabled;
    }

    /// Frees a place.
    pub(crate) fn sent(&mut self, lane: usize) {
        if let Some(place) = self.lanes.get_mut(lane)
            && place.in_flight > 0
        {
            place.in_flight -= 1;
            self.submissions.sent += 1;
        }
    }

    /// The host had no room for the last SDU of this lane, which is given again after the sleep.
    pub(crate) fn refused(&mut self, now: Instant, lane: usize) {
        let (Some(place), Some(sleep)) = (self.lanes.get_mut(lane), self.retry) else { return };
        place.sequence = place.sequence.saturating_sub(1);
        place.in_flight = place.in_flight.saturating_sub(1);
        self.submissions.sdus = self.submissions.sdus.saturating_sub(1);
        self.submissions.octets = self.submissions.octets.saturating_sub(place.len.into());
        self.turn = lane;
        // A sleep of nothing would stop the clock.
        self.not_before = now + sleep.max(Duration::from_nanos(1));
    }

    /// The next SDU to send at `now`, if one may go.
    pub(crate) fn next(&mut self, now: Instant) -> Option<Turn> {
        if now < self.not_before {
            return None;
        }
        let at = self.free_lane()?;
        let lane = &mut self.lanes[at];
        let len = self.asking.as_mut().map_or(lane.len, |asking| asking.take(lane.len));
        let turn = Turn { channel: lane.channel, len, sequence: lane.sequence };
        lane.sequence += 1;
        lane.in_flight = lane.in_flight.saturating_add(1);
        self.turn = (at + 1) % CHANNELS_MAX;
        if let Some(sleep) = self.sleep {
            // A sleep of nothing would stop the clock.
            self.not_before = now + sleep.max(Duration::from_nanos(1));
        }
        if let Some(every) = self.every {
            let next = self.due.unwrap_or(now) + every.max(Duration::from_nanos(1));
            (self.due, self.not_before) = (Some(next), next);
        }
        self.submissions.sdus += 1;
        self.submissions.octets += u64::from(turn.len);
        Some(turn)
    }

    /// End of the sleep, or instant of the next SDU that is offered, if only that holds the stream back.
    pub(crate) fn deadline(&self) -> Option<Instant> {
        self.sleep.or(self.every).or(self.retry)?;
        self.free_lane().map(|_| self.not_before)
    }

    /// Takes an answer, where this end is the one that asks.
    pub(crate) fn answered(&mut self) -> bool {
        let asking = self.asking.as_mut().filter(|_| self.enabled);
        asking.map(Asking::answered).is_some()
    }

    /// Reason that it sends nothing, once everything was sent that may be.
    pub(crate) fn wait(&self) -> Wait {
        match (self.free_lane(), self.sleep.or(self.retry)) {
            (Some(_), Some(_)) => Wait::Sleep,
            (None, _) if self.enabled && self.asking.is_some_and(|asking| !asking.may_send()) => Wait::Request,
            (None, _) if self.enabled && self.lanes.iter().any(|lane| lane.len > 0) => Wait::InFlight,
            _ => Wait::Idle,
        }
    }

    pub(crate) fn submissions(&self) -> Submissions {
        self.submissions
    }

    /// The channel whose turn it is, of those with a free place.
    fn free_lane(&self) -> Option<usize> {
        if !self.enabled || self.asking.is_some_and(|asking| !asking.may_send()) {
            return None;
        }
        let from = |start: usize| (0..CHANNELS_MAX).map(move |i| (start + i) % CHANNELS_MAX);
        let has_place = |lane: &Lane| self.blind || lane.in_flight < self.in_flight_max;
        from(self.turn).find(|&at| self.lanes[at].len > 0 && has_place(&self.lanes[at]))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::BTreeMap;
    use std::vec::Vec;

    fn streaming(config: StreamConfig, channels: usize) -> Sender {
        let mut sender = Sender::new(&config);
        for lane in 0..channels {
            sender.open(lane, 0x40 + lane as u16, 1_000);
        }
        sender.enable(true);
        sender
    }

    fn drain(sender: &mut Sender, now: Instant) -> Vec<(u16, u64)> {
        core::iter::from_fn(|| sender.next(now)).map(|turn| (turn.channel, turn.sequence)).collect()
    }

    #[test]
    fn channels_take_turns_until_the_semaphores_are_empty() {
        let mut sender = streaming(StreamConfig { in_flight: 2, ..StreamConfig::default() }, 2);
        assert_eq!(drain(&mut sender, Instant::ZERO), [(0x40, 0), (0x41, 0), (0x40, 1), (0x41, 1)]);
        sender.sent(1);
        assert_eq!(drain(&mut sender, Instant::ZERO), [(0x41, 2)]);
        assert_eq!(sender.deadline(), None, "nothing but the host frees a place");
    }

    #[test]
    fn a_sleeping_sender_sends_one_sdu_per_sleep_and_needs_a_place_too() {
        let pacing = Pacing::Sleep(Duration::from_millis(2));
        let mut sender = streaming(StreamConfig { in_flight: 2, pacing, ..StreamConfig::default() }, 1);
        let at = |ms| Instant::ZERO + Duration::from_millis(ms);
        assert_eq!(drain(&mut sender, at(0)), [(0x40, 0)]);
        assert_eq!(sender.deadline(), Some(at(2)));
        assert_eq!(drain(&mut sender, at(2)), [(0x40, 1)]);
        assert_eq!(sender.deadline(), None);
        assert_eq!(drain(&mut sender, at(4)), []);
        sender.sent(0);
        assert_eq!(drain(&mut sender, at(5)), [(0x40, 2)]);
    }

    #[test]
    fn what_is_offered_keeps_to_its_clock_and_makes_up_for_what_was_late() {
        let pacing = Pacing::Every(Duration::from_millis(2));
        let mut sender = streaming(StreamConfig { in_flight: 2, pacing, ..StreamConfig::default() }, 1);
        let at = |ms| Instant::ZERO + Duration::from_millis(ms);
        assert_eq!(drain(&mut sender, at(1)), [(0x40, 0)]);
        assert_eq!((sender.deadline(), sender.wait()), (Some(at(3)), Wait::Idle));
        assert_eq!(drain(&mut sender, at(4)), [(0x40, 1)]);
        assert_eq!((sender.deadline(), sender.wait()), (None, Wait::InFlight), "no place is free");
        sender.sent(0);
        sender.sent(0);
        assert_eq!(drain(&mut sender, at(8)), [(0x40, 2), (0x40, 3)], "those of 5 and of 7 ms");
        sender.sent(0);
        assert_eq!(sender.deadline(), Some(at(9)));
    }

    #[test]
    fn a_blind_sender_keeps_to_its_clock_whatever_is_under_way() {
        let pacing = Pacing::Blind(Duration::from_millis(2));
        let mut sender = streaming(StreamConfig { in_flight: 1, pacing, ..StreamConfig::default() }, 1);
        let at = |ms| Instant::ZERO + Duration::from_millis(ms);
        for number in 0..600 {
            assert_eq!(drain(&mut sender, at(2 * number)), [(0x40, number)]);
            assert_eq!((sender.deadline(), sender.wait()), (Some(at(2 * number + 2)), Wait::Idle));
        }
        assert_eq!(sender.submissions().sdus, 600);
    }

    #[test]
    fn what_was_refused_is_given_again_after_a_sleep() {
        let pacing = Pacing::Retry(Duration::from_millis(10));
        let mut sender = streaming(StreamConfig { in_flight: 1, pacing, ..StreamConfig::default() }, 1);
        let at = |ms| Instant::ZERO + Duration::from_millis(ms);
        let next = |sender: &mut Sender, now| sender.next(now).map(|turn| turn.sequence);
        assert_eq!(
            [next(&mut sender, at(0)), next(&mut sender, at(0)), next(&mut sender, at(0))],
            [Some(0), Some(1), Some(2)]
        );
        sender.refused(at(0), 0);
        assert_eq!((next(&mut sender, at(9)), sender.deadline(), sender.wait()), (None, Some(at(10)), Wait::Sleep));
        sender.sent(0);
        assert_eq!((next(&mut sender, at(9)), next(&mut sender, at(10))), (None, Some(2)), "room does not wake it");
        sender.refused(at(10), 0);
        assert_eq!((sender.deadline(), sender.submissions().sdus), (Some(at(20)), 2));
        assert_eq!(next(&mut sender, at(20)), Some(2));
    }

    #[test]
    fn an_sdu_is_clipped_to_what_the_peer_takes() {
        let mut sender = Sender::new(&StreamConfig { sdu: 2_000, ..StreamConfig::default() });
        sender.open(0, 4, 244);
        sender.enable(true);
        assert_eq!(sender.next(Instant::ZERO).map(|turn| turn.len), Some(244));
    }

    proptest! {
        #[test]
        fn never_more_in_flight_than_the_semaphore_allows(
            in_flight in 1u8..10,
            channels in 1usize..=4,
            frees in proptest::collection::vec(0usize..4, 0..200),
        ) {
            let mut sender = streaming(StreamConfig { in_flight, ..StreamConfig::default() }, channels);
            let mut flying: BTreeMap<u16, i64> = BTreeMap::new();
            for lane in frees {
                for (channel, _) in drain(&mut sender, Instant::ZERO) {
                    *flying.entry(channel).or_default() += 1;
                }
                prop_assert_eq!(flying.len(), channels);
                prop_assert!(flying.values().all(|n| *n == i64::from(in_flight)), "saturated, and no more");
                sender.sent(lane);
                if lane < channels {
                    *flying.entry(0x40 + lane as u16).or_default() -= 1;
                }
            }
        }
    }
}
