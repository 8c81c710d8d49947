//! The wired hop between the access point and the far end: a queue, a rate and a delay in each direction.

use alloc::collections::VecDeque;

use airtime_core::units::Bitrate;
use airtime_core::{Duration, Instant, Packet};

use crate::memo::Memo;

/// Path behind the access point.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PathConfig {
    /// Time there and back without any queue.
    pub rtt: Duration,
    /// Rate of the hop, in each direction; zero is no limit.
    pub rate: Bitrate,
    /// Packets that wait in front of it, in each direction; one more is dropped (tail drop).
    pub queue: u16,
    /// Packets from the far end that the access point holds besides those in its transmit buffers.
    pub ap_queue: u16,
}

impl Default for PathConfig {
    /// Gigabit Ethernet to a PC beside the access point: *assumed*, nobody logged it.
    fn default() -> Self {
        Self { rtt: Duration::from_millis(1), rate: Bitrate(1_000_000_000), queue: 1_000, ap_queue: 512 }
    }
}

/// A packet under way.
#[derive(Debug)]
struct Passage {
    /// Instant at which its first bit leaves, so that it waits no longer.
    leaves: Instant,
    arrives: Instant,
    frame: Packet,
}

/// One direction of the hop.
#[derive(Debug)]
pub(super) struct Wire {
    delay: Duration,
    rate: Bitrate,
    queue: usize,
    under_way: VecDeque<Passage>,
    /// Number of packets at the front of `under_way` that have left.
    left: usize,
    free_at: Instant,
    /// Time of the wire for the octets it was asked about last.
    span: Memo<usize, Duration>,
}

impl Wire {
    pub(super) fn new(config: &PathConfig) -> Self {
        Self {
            delay: config.rtt / 2,
            rate: config.rate,
            queue: usize::from(config.queue),
            under_way: VecDeque::new(),
            left: 0,
            free_at: Instant::ZERO,
            span: Memo::new(),
        }
    }

    /// Takes a frame, or gives it back because the queue is full.
    pub(super) fn send(&mut self, now: Instant, frame: Packet) -> Result<(), Packet> {
        let leaves = self.free_at.max(now);
        if leaves > now && self.waiting(now) >= self.queue {
            return Err(frame);
        }
        let rate = self.rate;
        self.free_at = leaves + self.span.of(frame.len(), |octets| span(octets, rate));
        self.under_way.push_back(Passage { leaves, arrives: self.free_at + self.delay, frame });
        Ok(())
    }

    /// Frames that have not begun to leave.
    pub(super) fn waiting(&mut self, now: Instant) -> usize {
        while self.under_way.get(self.left).is_some_and(|passage| passage.leaves <= now) {
            self.left += 1;
        }
        self.under_way.len() - self.left
    }

    /// The next frame that has arrived.
    pub(super) fn arrived(&mut self, now: Instant) -> Option<Packet> {
        self.under_way.front().filter(|passage| passage.arrives <= now)?;
        // What has arrived has left, whether or not anybody has looked since.
        self.left = self.left.saturating_sub(1);
        self.under_way.pop_front().map(|passage| passage.frame)
    }

    /// True while its rate is what frames wait for: those in front of it take longer to leave than the way takes. A frame that is
    /// merely under way takes its time, and holds up nobody who may send more.
    pub(super) fn is_narrow(&self, now: Instant) -> bool {
        self.free_at > now + self.delay
    }

    pub(super) fn deadline(&self) -> Option<Instant> {
        self.under_way.front().map(|passage| passage.arrives)
    }
}

/// Time of a wire of this `rate` for so many octets.
fn span(octets: usize, rate: Bitrate) -> Duration {
    let bits = octets as u64 * 8;
    Duration::from_nanos(if rate.0 == 0 { 0 } else { (bits * 1_000_000_000).div_ceil(rate.0) })
}

#[cfg(test)]
mod tests {
    use airtime_core::Pool;

    use super::*;

    fn us(us: u64) -> Instant {
        Instant::from_nanos(us * 1_000)
    }

    #[test]
    fn frames_leave_one_after_the_other_and_the_queue_is_bounded() {
        let config = PathConfig { rtt: Duration::from_micros(200), rate: Bitrate(8_000_000), queue: 2, ap_queue: 1 };
        let (mut wire, pool) = (Wire::new(&config), Pool::new());
        // One leaves at once, two wait, one is too many. An octet takes 1 us.
        for octets in [100, 50, 25] {
            assert!(wire.send(us(0), pool.copy(&[0; 100][..octets])).is_ok());
        }
        assert_eq!(wire.waiting(us(0)), 2);
        assert!(!wire.is_narrow(us(75)) && wire.is_narrow(us(74)), "175 us of octets, and a way of 100 us");
        assert!(wire.send(us(0), pool.copy(&[0; 9])).is_err());
        assert_eq!(wire.waiting(us(100)), 1);
        assert!(wire.send(us(100), pool.copy(&[0; 9])).is_ok());
        for (arrives, octets) in [(200, 100), (250, 50), (275, 25), (284, 9)] {
            assert_eq!(wire.deadline(), Some(us(arrives)));
            assert!(wire.arrived(us(arrives - 1)).is_none());
            assert_eq!(wire.arrived(us(arrives)).map(|frame| frame.len()), Some(octets));
        }
        assert_eq!(wire.waiting(us(300)), 0);
    }
}
