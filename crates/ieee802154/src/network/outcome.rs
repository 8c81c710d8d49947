//! Figures of a run.

use alloc::vec::Vec;

use airtime_core::Duration;
use airtime_core::units::Bitrate;

use super::Counters;

/// Figures of a run, all senders together and one by one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Outcome {
    /// Virtual time that has passed.
    pub elapsed: Duration,
    /// Counts of all senders.
    pub total: Counters,
    /// Counts of each sender; the first is station 1.
    pub stations: Vec<Counters>,
    /// Counts of all routers: of the frames that they pass on.
    pub routers: Counters,
    /// Plain frames, or datagrams, that were handed over and may still arrive. What neither has nor may is lost.
    pub waiting: u64,
    /// Octets of payload that arrived in each second; seconds behind the last arrival are left out.
    pub per_second: Vec<u64>,
    /// Time from the hand-over to the MAC to the reception, of each frame in the order of arrival.
    pub latencies: Vec<Duration>,
    /// Random numbers drawn by backoffs, phases and losses.
    pub random_draws: u64,
}

impl Outcome {
    /// Plain frames, or datagrams, that were handed over and will not arrive.
    pub fn lost(&self) -> u64 {
        self.total.units().saturating_sub(self.total.arrived + self.waiting)
    }

    /// Payload that arrived per second.
    pub fn goodput(&self) -> Bitrate {
        Bitrate::of(self.total.payload, self.elapsed)
    }

    /// Payload of one sender that arrived per second; the first is 0 here.
    pub fn goodput_of(&self, sender: usize) -> Bitrate {
        Bitrate::of(self.stations[sender].payload, self.elapsed)
    }

    /// The latency that this many thousandths of all frames stay within; none when nothing arrived.
    pub fn latency(&self, per_mille: u64) -> Option<Duration> {
        let mut sorted = self.latencies.clone();
        sorted.sort_unstable();
        let last = sorted.len().checked_sub(1)? as u64;
        sorted.get((last * per_mille.min(1_000) / 1_000) as usize).copied()
    }
}
