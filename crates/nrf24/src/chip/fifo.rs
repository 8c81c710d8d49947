//! The two FIFOs of three payloads each. 8.4.

use crate::air::PAYLOAD_MAX;

/// Payloads of a FIFO. 8.4.
pub const DEPTH: usize = 3;

/// Purpose of a payload in the TX FIFO.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UploadKind {
    /// To be sent, and acknowledged unless `no_ack`.
    Payload {
        /// Written by W_TX_PAYLOAD_NOACK.
        no_ack: bool,
    },
    /// To ride on an acknowledgement of this pipe.
    Ack {
        /// The pipe, 0..=5.
        pipe: u8,
    },
}

/// A payload of the TX FIFO.
#[derive(Clone, Copy, Debug)]
pub struct Upload {
    octets: [u8; PAYLOAD_MAX],
    len: u8,
    /// Purpose of the payload.
    pub kind: UploadKind,
    /// Packet identity. 7.3.3.2.
    pub pid: u8,
    /// Its number among all payloads written to the chip.
    pub number: u32,
}

impl Upload {
    /// Octets of the payload.
    pub fn payload(&self) -> &[u8] {
        &self.octets[..usize::from(self.len)]
    }
}

/// The TX FIFO: payloads to be sent and payloads of acknowledgements share its three places.
#[derive(Debug)]
pub struct TxFifo {
    slots: [Upload; DEPTH],
    /// A permutation of the places: first those in use, oldest first; the rest are free, the last one freed last.
    order: [u8; DEPTH],
    len: u8,
    freed: bool,
    /// REUSE_TX_PL is in force.
    pub reuse: bool,
}

impl TxFifo {
    /// FIFO without a payload.
    pub const fn new() -> Self {
        let slot =
            Upload { octets: [0; PAYLOAD_MAX], len: 0, kind: UploadKind::Payload { no_ack: false }, pid: 0, number: 0 };
        Self { slots: [slot; DEPTH], order: [0, 1, 2], len: 0, freed: false, reuse: false }
    }

    /// Payloads in it.
    pub const fn len(&self) -> usize {
        self.len as usize
    }

    /// True if it has none.
    pub const fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// True if there is no place left.
    pub const fn is_full(&self) -> bool {
        self.len() == DEPTH
    }

    /// Appends a payload of at most 32 octets; false if there is no place.
    pub fn push(&mut self, payload: &[u8], kind: UploadKind, pid: u8, number: u32) -> bool {
        if self.is_full() {
            return false;
        }
        let slot = &mut self.slots[usize::from(self.order[self.len()])];
        let len = payload.len().min(PAYLOAD_MAX);
        slot.octets[..len].copy_from_slice(&payload[..len]);
        (slot.len, slot.kind, slot.pid, slot.number) = (len as u8, kind, pid, number);
        self.len += 1;
        true
    }

    /// Payload that a transmitter sends next: the oldest, whatever it was written for, or again the last one sent.
    pub fn next(&self) -> Option<&Upload> {
        let place = if !self.is_empty() {
            0
        } else if self.reuse && self.freed {
            DEPTH - 1
        } else {
            return None;
        };
        Some(&self.slots[usize::from(self.order[place])])
    }

    /// The oldest payload for acknowledgements of `pipe`.
    pub fn ack_of(&self, pipe: u8) -> Option<&Upload> {
        self.iter().find(|upload| upload.kind == UploadKind::Ack { pipe })
    }

    /// The payload with this number.
    pub fn numbered(&self, number: u32) -> Option<&Upload> {
        self.iter().find(|upload| upload.number == number)
    }

    /// Takes out the payload with this number; false if it is not there any more.
    pub fn remove(&mut self, number: u32) -> bool {
        let Some(place) = self.iter().position(|upload| upload.number == number) else { return false };
        self.order[place..].rotate_left(1);
        self.len -= 1;
        self.freed = true;
        true
    }

    /// Empties it and ends REUSE_TX_PL. Table 20.
    pub fn flush(&mut self) {
        (self.len, self.freed, self.reuse) = (0, false, false);
    }

    /// Payloads in the FIFO, oldest first.
    pub fn iter(&self) -> impl Iterator<Item = &Upload> {
        self.order[..self.len()].iter().map(|&slot| &self.slots[usize::from(slot)])
    }
}

/// A payload of the RX FIFO.
#[derive(Clone, Copy, Debug)]
pub struct Arrived {
    octets: [u8; PAYLOAD_MAX],
    /// Length of the payload in octets.
    pub len: u8,
    /// Pipe it came by.
    pub pipe: u8,
}

impl Arrived {
    /// Octets of the payload.
    pub fn payload(&self) -> &[u8] {
        &self.octets[..usize::from(self.len)]
    }
}

/// The RX FIFO, shared by all pipes.
#[derive(Debug)]
pub struct RxFifo {
    slots: [Arrived; DEPTH],
    first: u8,
    len: u8,
    /// The newest of them that has come, but that the bus does not see before its interrupt: 0 or 1.
    hidden: u8,
}

impl RxFifo {
    /// FIFO without a payload.
    pub const fn new() -> Self {
        let slot = Arrived { octets: [0; PAYLOAD_MAX], len: 0, pipe: 0 };
        Self { slots: [slot; DEPTH], first: 0, len: 0, hidden: 0 }
    }

    /// True if no place is left for a payload from the air.
    pub const fn is_full(&self) -> bool {
        self.len as usize == DEPTH
    }

    /// Payloads that the bus sees.
    pub const fn visible(&self) -> usize {
        (self.len - self.hidden) as usize
    }

    /// Appends a payload, hidden until [`reveal`](Self::reveal); nothing happens when full.
    pub fn push(&mut self, octets: &[u8; PAYLOAD_MAX], len: u8, pipe: u8) {
        if self.is_full() {
            return;
        }
        let slot = (usize::from(self.first) + usize::from(self.len)) % DEPTH;
        self.slots[slot] = Arrived { octets: *octets, len, pipe };
        self.len += 1;
        self.hidden = 1;
    }

    /// The bus sees all of it.
    pub fn reveal(&mut self) {
        self.hidden = 0;
    }

    /// The oldest that the bus sees.
    pub fn first(&self) -> Option<&Arrived> {
        (self.visible() > 0).then(|| &self.slots[usize::from(self.first)])
    }

    /// Takes the oldest out that the bus sees.
    pub fn pop(&mut self) {
        if self.visible() > 0 {
            self.first = (self.first + 1) % DEPTH as u8;
            self.len -= 1;
        }
    }

    /// Flushes the FIFO: no payload is left.
    pub fn flush(&mut self) {
        (self.len, self.hidden) = (0, 0);
    }
}
