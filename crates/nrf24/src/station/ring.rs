//! The bounded ring between radio and reassembly.

use crate::air::PAYLOAD_MAX;

/// Payloads as they came from the receiving chip, oldest first. When it is full, the newest is turned away and counted:
/// the tunnel's acknowledgements bring it back, and the radio never waits for reassembly.
#[derive(Clone, Debug)]
pub struct Ring {
    slots: [Slot; Ring::CAPACITY],
    first: usize,
    len: usize,
    dropped: u64,
}

#[derive(Clone, Copy, Debug)]
struct Slot {
    octets: [u8; PAYLOAD_MAX],
    len: u8,
}

impl Ring {
    /// Payloads it holds: 20 ms of gap-less frames of 32 octets at 2 Mbit/s, longer than any stall it is meant for.
    pub const CAPACITY: usize = 128;

    /// An empty ring.
    pub const fn new() -> Self {
        let slot = Slot { octets: [0; PAYLOAD_MAX], len: 0 };
        Self { slots: [slot; Self::CAPACITY], first: 0, len: 0, dropped: 0 }
    }

    /// Puts a payload of at most 32 octets behind the others; false when there is no room.
    pub fn put(&mut self, payload: &[u8]) -> bool {
        if self.len == Self::CAPACITY {
            self.dropped += 1;
            return false;
        }
        let slot = &mut self.slots[(self.first + self.len) % Self::CAPACITY];
        let len = payload.len().min(PAYLOAD_MAX);
        slot.octets[..len].copy_from_slice(&payload[..len]);
        slot.len = len as u8;
        self.len += 1;
        true
    }

    /// Takes the oldest payload; its octets.
    pub fn take(&mut self, payload: &mut [u8; PAYLOAD_MAX]) -> Option<usize> {
        let len = self.len.checked_sub(1)?;
        let slot = &self.slots[self.first];
        *payload = slot.octets;
        let octets = usize::from(slot.len);
        self.first = (self.first + 1) % Self::CAPACITY;
        self.len = len;
        Some(octets)
    }

    /// Payloads in it.
    pub const fn len(&self) -> usize {
        self.len
    }

    /// True if it holds none.
    pub const fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Payloads turned away so far.
    pub const fn dropped(&self) -> u64 {
        self.dropped
    }
}

impl Default for Ring {
    fn default() -> Self {
        Self::new()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn payloads_come_out_in_order_and_a_full_ring_turns_the_newest_away() {
        let mut ring = Ring::new();
        let mut payload = [0; PAYLOAD_MAX];
        for round in 0..3 {
            for index in 0..=Ring::CAPACITY {
                let octets = [index as u8; PAYLOAD_MAX];
                assert_eq!(ring.put(&octets[..1 + index % PAYLOAD_MAX]), index < Ring::CAPACITY);
            }
            assert_eq!(ring.dropped(), round + 1);
            for index in 0..Ring::CAPACITY {
                let octets = ring.take(&mut payload).expect("as many as were put");
                assert_eq!(octets, 1 + index % PAYLOAD_MAX);
                assert!(payload[..octets].iter().all(|octet| usize::from(*octet) == index));
            }
            assert_eq!(ring.take(&mut payload), None);
        }
    }
}
