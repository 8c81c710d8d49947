//! Serial port of a small board that raw frames come from.

use airtime_core::{Duration, Instant};

/// Bits of an octet on the line: start, eight, stop.
const BITS: u64 = 10;

/// Octets of the receive buffer of an Arduino's `HardwareSerial`: 64 places, one of which stays empty.
pub const BUFFER: u64 = 63;

/// Serial port into which somebody sends without a pause.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Serial {
    baud: u32,
    start: Instant,
    /// Octets that had come when the program last looked.
    seen: u64,
    /// Octets in the buffer then.
    held: u64,
}

impl Serial {
    /// A port at `baud` bit/s, at least 1, whose first octet begins at `start`.
    pub const fn new(baud: u32, start: Instant) -> Self {
        Self { baud, start, seen: 0, held: 0 }
    }

    /// Looks at it at `now`: `Serial.available()`, and octets that found the buffer full since the last look.
    pub fn look(&mut self, now: Instant) -> (u64, u64) {
        let came = self.came(now);
        let more = self.held + (came - self.seen);
        let lost = more.saturating_sub(BUFFER);
        (self.seen, self.held) = (came, more - lost);
        (self.held, lost)
    }

    /// Takes `octets`, as many as were there at the last look or fewer.
    pub fn take(&mut self, octets: u64) {
        self.held -= octets.min(self.held);
    }

    /// Instant at which `octets` are there, if none is taken and none has come since the last look.
    pub fn when(&self, octets: u64) -> Instant {
        let number = self.seen + octets.saturating_sub(self.held);
        let ns = (number * BITS * 1_000_000_000).div_ceil(u64::from(self.baud));
        self.start + Duration::from_nanos(ns)
    }

    /// Octets that have come by `now`.
    fn came(&self, now: Instant) -> u64 {
        let ns = u128::from(now.saturating_since(self.start).as_nanos());
        (ns * u128::from(self.baud) / u128::from(BITS * 1_000_000_000)) as u64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(us: u64) -> Instant {
        Instant::ZERO + Duration::from_micros(us)
    }

    #[test]
    fn octets_come_ten_bits_apart_and_are_there_when_it_says() {
        for baud in [9_600, 57_600, 115_200, 1_000_000] {
            let mut port = Serial::new(baud, at(100));
            assert_eq!(port.look(at(100)), (0, 0), "{baud}");
            let due = port.when(32);
            assert_eq!(port.look(due), (32, 0), "{baud}");
            port.take(32);
            assert!(port.when(32) > due, "{baud}");
            assert_eq!(port.look(due + Duration::from_nanos(1)).0, 0, "{baud}");
        }
    }

    #[test]
    fn what_finds_the_buffer_full_is_lost() {
        // 100 octets in a millisecond.
        let mut port = Serial::new(1_000_000, at(0));
        assert_eq!(port.look(at(1_000)), (BUFFER, 37));
        port.take(32);
        assert_eq!(port.look(at(1_000)), (31, 0));
        assert_eq!(port.look(at(1_400)), (BUFFER, 8));
    }
}
