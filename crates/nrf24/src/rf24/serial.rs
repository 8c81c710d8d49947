//! Serial port of a small board that raw frames come from.

use airtime_core::{Duration, Instant};

/// Nanoseconds in which a port at `baud` bit/s brings `baud` octets: ten bits each on the line, which are start, eight, stop.
const TEN_SECONDS: u64 = 10_000_000_000;

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
        let baud = u64::from(self.baud);
        let rest = Duration::from_nanos((number % baud * TEN_SECONDS).div_ceil(baud));
        self.start + Duration::from_nanos(TEN_SECONDS) * (number / baud) + rest
    }

    /// Octets that have come by `now`.
    fn came(&self, now: Instant) -> u64 {
        let (ns, baud) = (now.saturating_since(self.start).as_nanos(), u64::from(self.baud));
        ns / TEN_SECONDS * baud + ns % TEN_SECONDS * baud / TEN_SECONDS
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
    fn a_port_that_has_run_for_a_month_is_as_exact_as_one_that_began() {
        // 115200 bit/s are 11520 octets a second, and an octet lasts 86805 5/9 ns.
        let month = Duration::from_secs(30 * 86_400);
        for (baud, octets) in [(115_200, 30 * 86_400 * 11_520), (3_000_000, 30 * 86_400 * 300_000)] {
            let mut port = Serial { held: 0, seen: octets - 1, ..Serial::new(baud, at(100)) };
            assert_eq!(port.when(1), at(100) + month, "{baud}");
            assert_eq!(port.look(port.when(1)), (1, 0), "{baud}");
            port.take(1);
            let next = Duration::from_nanos(if baud == 115_200 { 86_806 } else { 3_334 });
            assert_eq!(port.when(1), at(100) + month + next, "{baud}");
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
