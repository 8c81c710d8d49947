//! Numbers of datagrams: the two numberings that are understood.

use airtime_net::payload::Stamp;
use airtime_net::tally::{Order, Tally};

/// The header of iperf 2 in a datagram: number, seconds, microseconds, each of four octets, big endian (iperf 2,
/// include/payloads.h, `struct UDP_datagram`). The last datagrams of a test have negative numbers.
const IPERF2_OCTETS: usize = 12;
/// The first datagram of a test has one of the first numbers, however many were lost before it.
const IPERF2_FIRST_MAX: i32 = 10_000;
/// Microseconds of a second.
const MICROSECONDS: u32 = 1_000_000;

/// Numbering of a sender's datagrams, which its first one shows, and the tally by it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Numbers {
    /// By iperf 2.
    Iperf2 {
        /// Tally of the arrivals.
        tally: Tally,
        /// The first number of a test: 0, and 1 from iperf 2.0.14 on. Where number 0 of an older one is lost, that loss is not told.
        base: u64,
    },
    /// By the stamp of our own tests, whose octets are verified too.
    Airtime {
        /// Tally of the arrivals.
        tally: Tally,
        /// Datagrams whose octets are not what was sent.
        damaged: u64,
    },
    /// Not in a way that is known: nothing is said of loss.
    Unknown,
}

impl Numbers {
    /// Numbering that the first datagram shows.
    pub fn of(first: &[u8]) -> Self {
        if Stamp::read(first).is_some() {
            return Self::Airtime { tally: Tally::default(), damaged: 0 };
        }
        match iperf2(first) {
            Some((number @ 0..=IPERF2_FIRST_MAX, seconds, microseconds))
                if seconds > 0 && microseconds < MICROSECONDS =>
            {
                Self::Iperf2 { tally: Tally::default(), base: u64::from(number == 1) }
            }
            _ => Self::Unknown,
        }
    }

    /// Takes a datagram; whether it counts as arrived: repetitions and damaged ones do not, nor does what ends a test.
    pub fn take(&mut self, datagram: &[u8]) -> bool {
        match self {
            Self::Unknown => true,
            Self::Iperf2 { tally, base } => match iperf2(datagram) {
                Some((number, ..)) if number >= 0 => tally.note((number as u64).saturating_sub(*base)) != Order::Again,
                _ => false,
            },
            Self::Airtime { tally, damaged } => match Stamp::read(datagram) {
                Some(stamp) => tally.note(stamp.sequence) != Order::Again,
                None => {
                    *damaged += 1;
                    false
                }
            },
        }
    }

    /// The books, if there are numbers.
    pub fn tally(&self) -> Option<&Tally> {
        match self {
            Self::Iperf2 { tally, .. } | Self::Airtime { tally, .. } => Some(tally),
            Self::Unknown => None,
        }
    }

    /// Datagrams whose octets are not what was sent, as far as one can know.
    pub fn damaged(&self) -> u64 {
        if let Self::Airtime { damaged, .. } = self { *damaged } else { 0 }
    }

    /// Name of the numbering.
    pub fn name(&self) -> &'static str {
        match self {
            Self::Iperf2 { .. } => "iperf2",
            Self::Airtime { .. } => "airtime",
            Self::Unknown => "unknown",
        }
    }
}

/// Number, seconds and microseconds of iperf 2.
fn iperf2(datagram: &[u8]) -> Option<(i32, u32, u32)> {
    let head = datagram.first_chunk::<IPERF2_OCTETS>()?;
    let word = |at: usize| [head[at], head[at + 1], head[at + 2], head[at + 3]];
    Some((i32::from_be_bytes(word(0)), u32::from_be_bytes(word(4)), u32::from_be_bytes(word(8))))
}

#[cfg(test)]
mod tests {
    use airtime_core::Instant;

    use super::*;

    fn iperf2(number: i32) -> Vec<u8> {
        let mut datagram = number.to_be_bytes().to_vec();
        datagram.extend_from_slice(&1_700_000_000_u32.to_be_bytes());
        datagram.extend_from_slice(&999_999_u32.to_be_bytes());
        datagram.resize(1_470, b'7');
        datagram
    }

    #[test]
    fn the_first_datagram_shows_the_numbering() {
        let mut ours = [0; 64];
        Stamp { sequence: 5, sent_at: Instant::from_nanos(7) }.fill(&mut ours);
        assert_eq!(Numbers::of(&ours).name(), "airtime");
        assert_eq!(Numbers::of(&iperf2(3)).name(), "iperf2");
        for other in [&[0x55; 1_400][..], &[], &[0; 11], &[0; 100], &iperf2(-1), &iperf2(20_000)] {
            assert_eq!(Numbers::of(other).name(), "unknown");
        }
    }

    #[test]
    fn lost_late_and_repeated_datagrams_of_iperf() {
        let mut numbers = Numbers::of(&iperf2(0));
        let counted = [0, 1, 4, 3, 3, -5, -5].map(|number| numbers.take(&iperf2(number)));
        assert_eq!(counted, [true, true, true, true, false, false, false]);
        let tally = numbers.tally().unwrap();
        assert_eq!((tally.arrived, tally.missing(), tally.late, tally.again), (4, 1, 1, 1));
    }

    #[test]
    fn numbers_that_begin_with_one_miss_none() {
        let mut numbers = Numbers::of(&iperf2(1));
        assert!([1, 2, 3].iter().all(|number| numbers.take(&iperf2(*number))));
        assert_eq!(numbers.tally().unwrap().missing(), 0);
    }

    #[test]
    fn damage_shows_in_our_own_datagrams() {
        let mut ours = [0; 64];
        Stamp { sequence: 0, sent_at: Instant::from_nanos(7) }.fill(&mut ours);
        let mut numbers = Numbers::of(&ours);
        assert!(numbers.take(&ours));
        ours[40] ^= 1;
        assert!(!numbers.take(&ours));
        assert_eq!((numbers.damaged(), numbers.tally().unwrap().arrived), (1, 1));
    }
}
