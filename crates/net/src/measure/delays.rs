//! Delays of IP packets over the link when nothing in them says when they left.

use alloc::collections::VecDeque;

use airtime_core::{Duration, Instant};

/// Packets remembered for each direction: a TCP window of 64 kB of acknowledgements is fewer.
const OPEN_MAX: usize = 4_096;

/// The packets of one direction that are under way.
#[derive(Clone, Debug, Default)]
pub struct Delays {
    open: VecDeque<(u64, Instant)>,
}

impl Delays {
    /// A packet has entered the link.
    pub fn entered(&mut self, now: Instant, packet: &[u8]) {
        if self.open.len() == OPEN_MAX {
            self.open.pop_front();
        }
        self.open.push_back((hash(packet), now));
    }

    /// A packet has left it: how long it took, if it is known.
    pub fn left(&mut self, now: Instant, packet: &[u8]) -> Option<Duration> {
        let hash = hash(packet);
        let at = self.open.iter().position(|(known, _)| *known == hash)?;
        let (_, entered) = self.open.remove(at)?;
        Some(now - entered)
    }
}

/// FNV-1a, 64 bit.
fn hash(packet: &[u8]) -> u64 {
    packet
        .iter()
        .fold(0xcbf2_9ce4_8422_2325, |hash, octet| (hash ^ u64::from(*octet)).wrapping_mul(0x0000_0100_0000_01b3))
}
