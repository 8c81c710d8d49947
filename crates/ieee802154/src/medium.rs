//! The air between stations: who transmits from when to when, who hears that, and what noise does to it.
//!
//! A station hears every other one within its reach, at once and equally well, and nothing of those beyond. Transmissions that overlap
//! at a receiver damage each other; none is so much stronger that it would survive (no capture effect).

use alloc::format;
use alloc::vec::Vec;

use airtime_core::Instant;
use airtime_core::loss::{Fate, Loss, LossProcess};
use airtime_core::random;

use crate::air::{CCA, SHR_OCTETS, bits};

/// One transmission, as far as others are concerned.
#[derive(Clone, Copy, Debug)]
struct Flight {
    from: usize,
    to: usize,
    start: Instant,
    end: Instant,
    spoiled: bool,
}

/// The air. Stations are numbered as the network numbers them.
#[derive(Debug)]
pub struct Medium {
    /// Transmissions that are under way, or may have been during an assessment that is.
    flights: Vec<Flight>,
    /// Losses of each station: of data, and of acknowledgements where those have their own.
    noise: Vec<LossProcess>,
    noise_of_acks: Option<Vec<LossProcess>>,
    hearing: Hearing,
}

/// Stations on a line, and how far each of them is heard.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hearing {
    /// Place of each station on the line, in hops.
    positions: Vec<u8>,
    /// Hops over which one is heard; none: everywhere.
    reach: Option<u8>,
}

impl Hearing {
    /// Stations at these positions, each heard over `reach` hops, or everywhere.
    pub fn new(positions: Vec<u8>, reach: Option<u8>) -> Self {
        Self { positions, reach }
    }

    /// Every one of `stations` hears every other one.
    pub fn all(stations: usize) -> Self {
        Self::new(alloc::vec![0; stations], None)
    }

    /// Number of stations on the medium.
    pub fn stations(&self) -> usize {
        self.positions.len()
    }

    /// Tells if the station at place `at` hears the one at `from`.
    pub fn hears(&self, at: usize, from: usize) -> bool {
        self.reach.is_none_or(|reach| self.positions[at].abs_diff(self.positions[from]) <= reach)
    }
}

impl Medium {
    /// An air between these stations, with this loss at each receiver: of data, and of acknowledgements instead, none as long as there
    /// is no other.
    pub fn new(hearing: Hearing, loss: Loss, loss_ack: Loss, seed: u64) -> Self {
        let noise = |loss: Loss, of: &str| {
            let stream = |station| random::stream(seed, &format!("ieee802154/receiver/{station}/{of}"));
            (0..hearing.stations()).map(|station| LossProcess::new(loss, stream(station))).collect()
        };
        Self {
            flights: Vec::new(),
            noise: noise(loss, "loss"),
            noise_of_acks: (loss_ack != Loss::None).then(|| noise(loss_ack, "loss_acknowledgement")),
            hearing,
        }
    }

    /// Station `from` transmits to `to` until `end`. What overlaps is spoiled, each of the two where its receiver hears the other.
    pub fn began(&mut self, [from, to]: [usize; 2], start: Instant, end: Instant) {
        self.flights.retain(|flight| flight.end + CCA >= start);
        let mut flight = Flight { from, to, start, end, spoiled: false };
        for other in &mut self.flights {
            let overlaps = other.start < end && start < other.end;
            other.spoiled |= overlaps && self.hearing.hears(other.to, from);
            flight.spoiled |= overlaps && self.hearing.hears(to, other.from);
        }
        self.flights.push(flight);
    }

    /// Flag: somebody that `at` hears was on the air between `since` and `now`, which is no more than an assessment later. Who asks was not.
    pub fn was_busy(&self, at: usize, since: Instant, now: Instant) -> bool {
        let under_way = |flight: &&Flight| flight.start < now && since < flight.end;
        self.flights.iter().filter(under_way).any(|flight| self.hearing.hears(at, flight.from))
    }

    /// Flag: the transmission of `from` that began at `start` overlapped with another one.
    pub fn was_spoiled(&self, from: usize, start: Instant) -> bool {
        self.flights.iter().any(|flight| flight.from == from && flight.start == start && flight.spoiled)
    }

    /// Fate at station `at` of a frame with a PSDU of `octets`, or of an acknowledgement, that began at `start`. A wrong bit of preamble or start-of-frame
    /// delimiter hides it: a receiver that forgives one is not modelled, *assumed*.
    pub fn fate(&mut self, at: usize, start: Instant, octets: usize, is_ack: bool) -> Fate {
        let sync = 8 * SHR_OCTETS as u32;
        let noise = self.noise_of_acks.as_mut().filter(|_| is_ack).unwrap_or(&mut self.noise);
        noise[at].fate(start, sync, bits(octets) - sync)
    }

    /// Random numbers drawn so far.
    pub fn random_draws(&self) -> u64 {
        self.noise.iter().chain(self.noise_of_acks.iter().flatten()).map(LossProcess::drawn).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(us: u64) -> Instant {
        Instant::from_nanos(us * 1_000)
    }

    #[test]
    fn transmissions_collide_that_share_time() {
        for (start, end, collide) in
            [(0, 100, false), (50, 101, true), (120, 130, true), (199, 300, true), (200, 300, false)]
        {
            let mut medium = Medium::new(Hearing::all(2), Loss::None, Loss::None, 1);
            let mut flights = [(0, start, end), (1, 100, 200)];
            flights.sort_unstable_by_key(|&(_, start, _)| start);
            flights.into_iter().for_each(|(from, start, end)| medium.began([from, 1 - from], at(start), at(end)));
            let spoiled = [medium.was_spoiled(0, at(start)), medium.was_spoiled(1, at(100))];
            assert_eq!(spoiled, [collide; 2], "{start}..{end}");
        }
    }

    #[test]
    fn an_assessment_hears_what_is_on_the_air_within_it() {
        for (start, end, busy) in
            [(0, 100, false), (0, 101, true), (227, 400, true), (228, 400, false), (150, 160, true)]
        {
            let mut medium = Medium::new(Hearing::all(2), Loss::None, Loss::None, 1);
            medium.began([1, 0], at(start), at(end));
            assert_eq!(medium.was_busy(0, at(100), at(228)), busy, "{start}..{end}");
        }
    }

    /// 0 and 2 hear 1 and not each other: what 2 sends to 3 spoils nothing at 0, and is spoiled by nothing of 0.
    #[test]
    fn a_hidden_station_is_neither_sensed_nor_in_the_way_beyond_its_reach() {
        let mut medium = Medium::new(Hearing::new(alloc::vec![0, 1, 2, 3], Some(1)), Loss::None, Loss::None, 1);
        medium.began([2, 3], at(0), at(100));
        assert!(medium.was_busy(1, at(10), at(20)) && !medium.was_busy(0, at(10), at(20)));
        medium.began([0, 1], at(50), at(150));
        assert!(medium.was_spoiled(0, at(50)), "1 hears both");
        assert!(!medium.was_spoiled(2, at(0)), "3 does not hear 0");
    }

    /// A station that begins at the very end of a transmission may be heard of before that has ended for its receiver.
    #[test]
    fn a_transmission_is_remembered_until_its_receiver_has_it() {
        let mut medium = Medium::new(Hearing::all(3), Loss::None, Loss::None, 1);
        medium.began([0, 1], at(0), at(100));
        medium.began([1, 2], at(90), at(200));
        medium.began([2, 0], at(200), at(300));
        assert!(medium.was_spoiled(1, at(90)) && !medium.was_spoiled(2, at(200)));
        medium.began([0, 1], at(1_000), at(1_100));
        assert_eq!(medium.flights.len(), 1, "and no longer than an assessment may ask for it");
    }

    #[test]
    fn receivers_lose_by_streams_of_their_own() {
        let lost = |medium: &mut Medium, at: usize| -> Vec<bool> {
            (0..64).map(|i| medium.fate(at, Instant::from_nanos(i * 1_000_000), 20, false) == Fate::Damaged).collect()
        };
        let mut medium = Medium::new(Hearing::all(3), Loss::Packet { per: 0.5 }, Loss::None, 3);
        let first = lost(&mut medium, 1);
        assert_ne!(first, lost(&mut medium, 2));
        let mut other = Medium::new(Hearing::all(3), Loss::Packet { per: 0.5 }, Loss::None, 3);
        let _ = lost(&mut other, 2);
        assert_eq!((lost(&mut other, 1), other.random_draws()), (first, 128));
    }

    #[test]
    fn a_wrong_bit_hides_a_frame_or_damages_it_by_its_place() {
        let mut medium = Medium::new(Hearing::all(1), Loss::Bit { ber: 1e-3 }, Loss::None, 3);
        let mut counts = [0u32; 3];
        (0..50_000).for_each(|i| counts[medium.fate(0, Instant::from_nanos(i * 10_000_000), 127, false) as usize] += 1);
        // Five octets of synchronisation: 1 − (1 − 10⁻³)^40 = 3.92 %. What is found has 1 + 127 octets behind it:
        // (1 − 10⁻³)^40 · (1 − (1 − 10⁻³)^1024) = 61.6 %.
        let [_, damaged, missed] = counts;
        assert!((1_785..2_140).contains(&missed) && (30_350..31_240).contains(&damaged), "{counts:?}");
    }
}
