//! The books of one sender: octets by the second, in bounded memory.

use std::net::SocketAddr;

use airtime_core::{Duration, Instant};

use super::numbers::Numbers;

/// Seconds that are kept of a flow; what comes later is in the sums only.
pub const SECONDS_MAX: usize = 3_600;

const SECOND: Duration = Duration::from_secs(1);

/// Flow from one address and port.
#[derive(Clone, Debug)]
pub struct Flow {
    /// Address of the sender.
    pub from: SocketAddr,
    /// Numbering of its datagrams; none: it is a stream.
    pub numbers: Option<Numbers>,
    /// Octets of payload that arrived, repetitions and damaged ones excluded.
    pub octets: u64,
    /// Datagrams, or reads of a stream, that brought them.
    pub arrivals: u64,
    /// Arrival of the first octets.
    pub first: Instant,
    /// Arrival of the last octets.
    pub last: Instant,
    /// Octets of each second from the first arrival on, at most [`SECONDS_MAX`].
    pub seconds: Vec<u64>,
    /// Set once its sender has closed it; streams only.
    pub closed: bool,
}

impl Flow {
    /// A stream that was opened at `now`.
    pub fn stream(from: SocketAddr, now: Instant) -> Self {
        let (octets, arrivals) = (0, 0);
        Self { from, numbers: None, octets, arrivals, first: now, last: now, seconds: vec![], closed: false }
    }

    /// A flow of datagrams that begins with `first` at `now`; it is not taken yet.
    pub fn datagrams(from: SocketAddr, now: Instant, first: &[u8]) -> Self {
        Self { numbers: Some(Numbers::of(first)), ..Self::stream(from, now) }
    }

    /// A datagram has come.
    pub fn take_datagram(&mut self, now: Instant, datagram: &[u8]) {
        if self.numbers.as_mut().is_none_or(|numbers| numbers.take(datagram)) {
            self.take(now, datagram.len());
        }
    }

    /// Octets have come.
    pub fn take(&mut self, now: Instant, octets: usize) {
        self.octets += octets as u64;
        self.arrivals += 1;
        self.last = now;
        let second = now.saturating_since(self.first) / SECOND;
        if second < SECONDS_MAX as u64 {
            let second = second as usize;
            if self.seconds.len() <= second {
                self.seconds.resize(second + 1, 0);
            }
            self.seconds[second] += octets as u64;
        }
    }

    /// Bits per second between the first and the last arrival; none of a single one.
    pub fn goodput(&self) -> Option<f64> {
        let span = self.last.saturating_since(self.first);
        (!span.is_zero()).then(|| self.octets as f64 * 8.0 / span.as_secs_f64())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(ms: u64) -> Instant {
        Instant::ZERO + Duration::from_millis(ms)
    }

    #[test]
    fn octets_are_booked_to_their_second() {
        let mut flow = Flow::stream(([10, 0, 0, 1], 5).into(), at(500));
        for (ms, octets) in [(500, 100), (1_499, 10), (1_500, 1), (4_000, 7)] {
            flow.take(at(ms), octets);
        }
        assert_eq!(flow.seconds, [110, 1, 0, 7]);
        assert_eq!((flow.octets, flow.arrivals), (118, 4));
        assert_eq!(flow.goodput(), Some(118.0 * 8.0 / 3.5));
    }

    #[test]
    fn a_flow_without_end_has_sums_in_bounded_memory() {
        let mut flow = Flow::stream(([10, 0, 0, 1], 5).into(), at(0));
        for second in 0..10_000 {
            flow.take(at(second * 1_000), 1);
        }
        assert_eq!((flow.octets, flow.seconds.len()), (10_000, SECONDS_MAX));
    }
}
