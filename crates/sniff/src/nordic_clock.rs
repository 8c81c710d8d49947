//! The clock of nRF Sniffer, and the numbers of its messages.

use airtime_ble::capture::{Clock, Nordic};
use airtime_core::{Duration, Instant};

/// Beyond this the sniffer's clock and the stamps of the file are of different beginnings: the sniffer was started anew. *Assumed*: more
/// than a computer's clock is set by in a capture, less than a start takes.
const APART_NS: u64 = 1_000_000_000;
/// Nanoseconds after which the sniffer's clock begins anew.
const WRAP_NS: i64 = (1 << 32) * 1000;
/// Time goes no further than a file's stamps can: 292 years.
const LAST_NS: u64 = i64::MAX as u64;

/// The packet before.
#[derive(Clone, Copy, Debug)]
struct Before {
    /// Its stamp in the file.
    file: Instant,
    at: Instant,
    /// Its time on the air.
    air: Duration,
    counter: u16,
    clock: Clock,
}

/// Follows the sniffer's clock, which is better than that of the computer that stamps the file.
#[derive(Clone, Debug, Default)]
pub(super) struct NordicClock {
    before: Option<Before>,
    /// Messages since then that are in the file and are no packets.
    others: u16,
}

impl NordicClock {
    /// Notes a message that is no packet: it is numbered among them, and is not lost.
    pub const fn other(&mut self) {
        self.others = self.others.saturating_add(1);
    }

    /// Start of a packet that the file stamps with `file`, and the messages that were lost in front of it.
    pub fn at(&mut self, file: Instant, packet: &Nordic<'_>) -> (Instant, u16) {
        let frame = &packet.frame;
        let others = core::mem::take(&mut self.others);
        let (at, lost) = self.before.map_or((file, 0), |before| before.next(file, packet, others));
        let air = frame.phy.packet(frame.air_octets() as u64);
        self.before = Some(Before { file, at, air, counter: packet.counter, clock: packet.clock });
        (at, lost)
    }
}

impl Before {
    /// Start of the packet behind this one, and the messages that are missing between them; `others` are there and are no packets.
    fn next(&self, file: Instant, packet: &Nordic<'_>, others: u16) -> (Instant, u16) {
        let between = packet.counter.wrapping_sub(self.counter).wrapping_sub(1);
        let lost = between.saturating_sub(others);
        // Stamps are foreign octets: they may be as far apart as they can be written.
        let passed = file.as_nanos().saturating_sub(self.file.as_nanos()).min(LAST_NS) as i64;
        let own = self.own(packet.clock, lost == 0, passed);
        // A sniffer that is started anew counts from 0 on both clocks: what is between is no loss.
        let anew = between > u16::MAX / 2 || own.is_some_and(|own| own.abs_diff(passed) >= APART_NS);
        let passed = own.filter(|_| !anew).unwrap_or(passed).max(0) as u64;
        let at = Instant::from_nanos(self.at.as_nanos().saturating_add(passed).min(LAST_NS));
        (at, if anew { 0 } else { lost })
    }

    /// Nanoseconds from this packet to one of this time, by the sniffer's clock; `passed` by that of the file.
    fn own(&self, clock: Clock, next: bool, passed: i64) -> Option<i64> {
        match (self.clock, clock) {
            (Clock::Start(before), Clock::Start(us)) => {
                let own = i64::from(us.wrapping_sub(before)) * 1000;
                // The clock may have begun anew several times.
                let wraps = passed.saturating_sub(own).saturating_add(WRAP_NS / 2).div_euclid(WRAP_NS);
                Some(own.saturating_add(wraps.saturating_mul(WRAP_NS)))
            }
            (_, Clock::Since(us)) if next => Some(self.air.as_nanos() as i64 + i64::from(us) * 1000),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use airtime_ble::air::Phy;
    use airtime_ble::capture::{Frame, Kind};

    /// An empty packet on 1M, 80 µs long.
    fn packet(counter: u16, clock: Clock) -> Nordic<'static> {
        let frame = Frame {
            channel: 0,
            phy: Phy::Le1M,
            kind: Kind::Data { from_central: true },
            access_address: 1,
            offenses: None,
            signal_dbm: None,
            noise_dbm: None,
            pdu: &[1, 0],
            crc: [0; 3],
            crc_valid: Some(true),
            decrypted: false,
            mic_valid: None,
        };
        Nordic { counter, event_counter: 0, clock, frame }
    }

    fn us(at: u64) -> Instant {
        Instant::from_nanos(at * 1000)
    }

    #[test]
    fn starts_are_the_sniffers_over_its_wrap() {
        let mut clock = NordicClock::default();
        assert_eq!(clock.at(us(10), &packet(0xffff, Clock::Start(u32::MAX - 9))), (us(10), 0));
        // The computer was 300 µs late.
        assert_eq!(clock.at(us(540), &packet(0, Clock::Start(220))), (us(240), 0));
        // 5000 s later, longer than the clock goes; two messages were lost.
        let (at, lost) = clock.at(us(5_000_000_540), &packet(3, Clock::Start((5_000_000_220_u64 % (1 << 32)) as u32)));
        assert_eq!((at, lost), (us(5_000_000_240), 2));
    }

    #[test]
    fn distances_are_from_end_to_start() {
        let mut clock = NordicClock::default();
        clock.at(us(0), &packet(7, Clock::Since(99)));
        assert_eq!(clock.at(us(900), &packet(8, Clock::Since(150))), (us(230), 0));
        assert_eq!(clock.at(us(20_900), &packet(10, Clock::Since(150))), (us(20_230), 1), "one is missing between");
    }

    #[test]
    fn messages_that_are_no_packets_are_not_lost() {
        let mut clock = NordicClock::default();
        clock.other();
        clock.at(us(0), &packet(5, Clock::Since(99)));
        clock.other();
        assert_eq!(clock.at(us(900), &packet(7, Clock::Since(150))), (us(230), 0), "number 6 was a message");
        clock.other();
        assert_eq!(clock.at(us(900), &packet(10, Clock::Since(150))).1, 1, "one of two was none");
        assert_eq!(clock.at(us(900), &packet(12, Clock::Since(150))).1, 1);
    }

    #[test]
    fn stamps_as_far_apart_as_they_can_be_written_are_followed() {
        let (first, last) = (Instant::ZERO, Instant::from_nanos(i64::MAX as u64));
        for time in [Clock::Start(7), Clock::Since(7)] {
            let mut clock = NordicClock::default();
            let mut before = Instant::ZERO;
            for (number, file) in [first, last, first, last, first, last].into_iter().enumerate() {
                let (at, lost) = clock.at(file, &packet(number as u16, time));
                assert!(at >= before && lost == 0);
                before = at;
            }
        }
    }

    #[test]
    fn a_sniffer_that_is_started_anew_is_followed_by_the_file() {
        let mut clock = NordicClock::default();
        clock.at(us(0), &packet(40_000, Clock::Start(900_000_000)));
        assert_eq!(clock.at(us(3_000_000), &packet(1, Clock::Start(150))), (us(3_000_000), 0));
        assert_eq!(clock.at(us(3_000_500), &packet(2, Clock::Start(380))), (us(3_000_230), 0));
    }
}
