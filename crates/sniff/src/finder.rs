//! Infers the connection interval of a link whose beginning was not captured.

use alloc::vec::Vec;

use airtime_ble::ll::pdu::UNIT_1_25_MS;
use airtime_core::{Duration, Instant};

use super::sniffed::Stamps;

/// Distances between starts of events that are looked at.
const DISTANCES: usize = 24;
/// Of ten distances so many must be multiples of the interval: a start may be a packet within an event.
const AGREE_OF_TEN: usize = 9;
/// Without a channel, a gap this long is between two events rather than within one. *Assumed*: more than twice the
/// longest gap published for any controller, 430 µs.
const GAP: Duration = Duration::from_millis(1);

/// Distances between the starts of events.
#[derive(Clone, Debug, Default)]
pub(super) struct Finder {
    units: Vec<u64>,
    last: Option<Instant>,
    ended: Option<Instant>,
    channel: Option<u8>,
}

impl Finder {
    /// A packet of the link, from `at` to `end`; the interval, once it is known, at a packet that opens an event.
    pub fn take(
        &mut self,
        at: Instant,
        end: Instant,
        channel: Option<u8>,
        reply: bool,
        stamps: Stamps,
    ) -> Option<Duration> {
        let hopped = channel.is_some() && self.channel.is_some() && channel != self.channel;
        let apart = channel.is_none() && self.ended.is_some_and(|ended| at.saturating_since(ended) >= GAP);
        let first = self.ended.is_none();
        (self.channel, self.ended) = (channel.or(self.channel), Some(end));
        if reply || !(hopped || apart || first) {
            return None;
        }
        if let Some(last) = self.last.replace(at)
            && let Some(units) = units(at.saturating_since(last), stamps)
        {
            self.units.push(units);
        }
        (self.units.len() >= DISTANCES).then(|| self.decide()).flatten()
    }

    /// The longest interval that nearly all distances are multiples of.
    fn decide(&mut self) -> Option<Duration> {
        let mut candidates: Vec<u64> = Vec::new();
        for (i, a) in self.units.iter().enumerate() {
            candidates.extend(self.units[i..].iter().map(|b| gcd(*a, *b)));
        }
        candidates.sort_unstable();
        candidates.dedup();
        let agrees = |g: u64| 10 * self.units.iter().filter(|u| *u % g == 0).count() >= AGREE_OF_TEN * self.units.len();
        let found = candidates.into_iter().rev().find(|g| agrees(*g));
        self.units.clear();
        found.map(|units| UNIT_1_25_MS * units)
    }
}

/// A distance in units of 1.25 ms, if it is a multiple of them within what both clocks may be off.
fn units(distance: Duration, stamps: Stamps) -> Option<u64> {
    let unit = UNIT_1_25_MS.as_nanos();
    let units = (distance.as_nanos() + unit / 2) / unit;
    let off = distance.as_nanos().abs_diff(units * unit);
    let drift = distance.as_nanos() / 1_000_000 * (50 + u64::from(stamps.ppm));
    // Connection intervals are 7.5 ms to 4 s. Core 6.0, Vol 6, Part B, 4.5.1.
    let allowed = (stamps.distance().as_nanos() + 16_000 + drift).min(unit / 5 * 2);
    (off <= allowed && units >= 6).then_some(units)
}

fn gcd(a: u64, b: u64) -> u64 {
    if b == 0 { a } else { gcd(b, a % b) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(starts_us: impl Iterator<Item = u64>) -> Option<Duration> {
        let mut finder = Finder::default();
        let mut channel = 0;
        starts_us
            .filter_map(|us| {
                channel = (channel + 7) % 37;
                let at = Instant::from_nanos(us * 1_000);
                finder.take(at, at + Duration::from_micros(44), Some(channel), false, Stamps::SNIFFER)
            })
            .next()
    }

    #[test]
    fn finds_the_interval_of_a_drifting_clock() {
        for units in [6, 7, 12, 40, 3200] {
            let interval = units * 1_250;
            let drifted = (0..40u64).map(|n| n * interval + n * interval / 20_000 + n % 2);
            assert_eq!(found(drifted), Some(Duration::from_micros(interval)), "{interval}");
        }
    }

    #[test]
    fn missed_events_and_packets_within_events_do_not_mislead() {
        let seen = (0..60u64).filter(|n| n % 3 != 1).map(|n| n * 15_000 + if n == 20 { 1_392 } else { 0 });
        assert_eq!(found(seen), Some(Duration::from_millis(15)));
    }
}
