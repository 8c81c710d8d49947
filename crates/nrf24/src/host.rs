//! Host above the wires of one or two chips: our station, the published tunnel, a foreign driver.

use airtime_core::{Duration, Instant, Packet};

use crate::trace::Note;

/// A host with one or two chips, and a TUN device on its other side.
///
/// It holds its chips itself ([`wires`](crate::wires)); the network drains their outputs after every mutation of the host.
pub trait Host {
    /// Its deadline has come: its tasks run until all of them wait.
    fn wake(&mut self, now: Instant);
    /// The IRQ line of its chip `radio` has changed; `asserted` is low on the line. Nothing of the host runs before
    /// its own wake-up time has passed.
    fn irq(&mut self, now: Instant, radio: usize, asserted: bool);
    /// An IP packet comes in through the TUN device.
    fn packet(&mut self, now: Instant, packet: &[u8]);
    /// The next output of the last mutation; drained to none.
    fn poll(&mut self, now: Instant) -> Option<HostOutput>;
    /// True if [`poll`](Self::poll) surely has nothing to say; quicker than to ask it.
    fn is_quiet(&self) -> bool {
        false
    }
    /// Turns its notes on or off: a host that nobody watches need not make any. Until it is told, somebody watches.
    fn watched(&mut self, watched: bool) {
        let _ = watched;
    }
    /// Instant at which it next wants to be woken.
    fn deadline(&self) -> Option<Instant>;
}

/// Output of a host to the world.
#[derive(Debug)]
pub enum HostOutput {
    /// An IP packet goes out through the TUN device.
    Packet(Packet),
    /// Note for the observer.
    Note(Note),
}

/// User of a TUN device: traffic of a plan, or a socket.
pub trait TunUser {
    /// Its deadline has come.
    fn wake(&mut self, now: Instant);
    /// An IP packet comes out of the tunnel.
    fn packet(&mut self, now: Instant, packet: &[u8]);
    /// The next IP packet for the tunnel; drained to none.
    fn poll(&mut self, now: Instant) -> Option<Packet>;
    /// Instant at which it next wants to be woken.
    fn deadline(&self) -> Option<Instant>;
}

/// Nothing above: packets are acted in from outside and taken from the observer.
impl TunUser for () {
    fn wake(&mut self, _: Instant) {}
    fn packet(&mut self, _: Instant, _: &[u8]) {}
    fn poll(&mut self, _: Instant) -> Option<Packet> {
        None
    }
    fn deadline(&self) -> Option<Instant> {
        None
    }
}

/// Costs in time for a host to reach its chips and its kernel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cost {
    /// SPI clock in Hz; the chip takes at most 10 MHz.
    pub spi_hz: u32,
    /// CPU time of a transaction besides its octets (a system call, chip select).
    pub transaction: Duration,
    /// CPU time of a change of the CE pin.
    pub pin: Duration,
    /// From an interrupt to the task that waits for it.
    pub wake: Duration,
    /// Time by which a sleep is longer than asked for.
    pub sleep_slack: Duration,
    /// A read from or a write to the TUN device.
    pub tun: Duration,
}

impl Cost {
    /// Time of one SPI transaction of `octets`, never zero.
    pub fn spi(&self, octets: usize) -> Duration {
        self.clocked(octets) + self.transaction
    }

    /// Time of the octets alone.
    pub fn clocked(&self, octets: usize) -> Duration {
        Duration::from_nanos((octets.max(1) as u64 * 8_000_000_000).div_ceil(u64::from(self.spi_hz)))
    }

    /// Time of each octet, if it is a whole number of nanoseconds.
    pub fn octet(&self) -> Option<Duration> {
        let ns = 8_000_000_000 / u64::from(self.spi_hz);
        (ns * u64::from(self.spi_hz) == 8_000_000_000).then_some(Duration::from_nanos(ns))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whole_octets_add_up_to_what_is_clocked() {
        for spi_hz in [1_000_000, 3_000_000, 4_000_000, 7_800_000, 8_000_000, 10_000_000] {
            let none = Duration::ZERO;
            let cost = Cost { spi_hz, transaction: none, pin: none, wake: none, sleep_slack: none, tun: none };
            assert_eq!(cost.octet().is_some(), 8_000_000_000 % u64::from(spi_hz) == 0);
            for octets in 1..=64 {
                let sum = cost.octet().map(|octet| octet * octets as u64);
                assert!(sum.is_none_or(|sum| sum == cost.clocked(octets)), "{octets} at {spi_hz} Hz");
            }
        }
    }
}
