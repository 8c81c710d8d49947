//! Chunks back to IP packets, in the published way and with the two remedies that the report names.

use super::Framing;
use super::ip;

/// Octets of the receiver's buffer.
pub(super) const BUFFER: usize = 1_500;

/// Fewest octets that the published receiver asks whether they parse: more than this.
const TOO_SHORT: usize = 6;

/// Begins a start packet. *Assumed*: the report names the remedy and not its octets. Total length and its complement follow,
/// so that a tail of eight octets is hardly ever taken for one.
const START: [u8; 4] = *b"STRT";

/// Octets of a start packet.
pub(super) const START_OCTETS: usize = 8;

/// The start packet of an IP packet of `len` octets.
pub(super) fn start_packet(len: usize) -> [u8; START_OCTETS] {
    let mut octets = [0; START_OCTETS];
    let len = len as u16;
    octets[..4].copy_from_slice(&START);
    octets[4..6].copy_from_slice(&len.to_be_bytes());
    octets[6..].copy_from_slice(&(!len).to_be_bytes());
    octets
}

/// Reassembly of chunks into IP packets.
#[derive(Debug)]
pub(super) struct Assembly {
    framing: Framing,
    buffer: [u8; BUFFER],
    end: usize,
    overflowed: bool,
    /// With a framing: chunks are thrown away until a packet starts.
    lost: bool,
    /// Number of the next chunk within its IP packet.
    next: u8,
    /// Octets thrown away, not yet told.
    thrown: u32,
}

impl Assembly {
    pub(super) fn new(framing: Framing) -> Self {
        let lost = framing != Framing::None;
        Self { framing, buffer: [0; BUFFER], end: 0, overflowed: false, lost, next: 0, thrown: 0 }
    }

    /// A payload from the radio. With a framing, the IP packet that it completes; whoever takes it calls
    /// [`taken`](Self::taken). As published, nothing is looked at before the RX FIFO is empty.
    pub(super) fn payload(&mut self, payload: &[u8]) -> Option<&[u8]> {
        match self.framing {
            Framing::None => {
                self.append(payload);
                return None;
            }
            Framing::StartPacket if is_start(payload) => {
                self.restart();
                return None;
            }
            Framing::StartPacket => self.append_unless_lost(payload),
            Framing::Sequence => {
                let (number, chunk) = payload.split_first()?;
                if *number == 0 {
                    self.restart();
                } else if *number != self.next {
                    self.lost = true;
                }
                self.next = number.wrapping_add(1);
                self.append_unless_lost(chunk);
            }
        }
        let whole = !self.lost && !self.overflowed && ip::parses(&self.buffer[..self.end]);
        whole.then(|| &self.buffer[..self.end])
    }

    /// The RX FIFO is empty. As published, everything since the last packet, once it parses.
    pub(super) fn drained(&mut self) -> Option<&[u8]> {
        if self.framing != Framing::None {
            return None;
        }
        if self.overflowed {
            self.throw();
            self.overflowed = false;
            return None;
        }
        let written = &self.buffer[..self.end];
        (self.end > TOO_SHORT && ip::parses(written)).then_some(written)
    }

    /// Takes note that the octets of [`payload`](Self::payload) or [`drained`](Self::drained) were written to the TUN
    /// device; `accepted` of them came through the kernel. Those behind them are gone.
    pub(super) fn taken(&mut self, accepted: usize) {
        self.thrown += (self.end - accepted) as u32;
        self.end = 0;
        // Until the next start there is no packet that chunks could belong to.
        self.lost = self.framing != Framing::None;
    }

    /// Octets thrown away since the last call.
    pub(super) fn thrown(&mut self) -> u32 {
        core::mem::take(&mut self.thrown)
    }

    fn restart(&mut self) {
        self.throw();
        self.overflowed = false;
        self.lost = false;
    }

    fn append_unless_lost(&mut self, chunk: &[u8]) {
        match self.lost {
            true => {
                self.throw();
                self.thrown += chunk.len() as u32;
            }
            false => self.append(chunk),
        }
    }

    fn append(&mut self, chunk: &[u8]) {
        let end = self.end + chunk.len();
        if self.overflowed || end > BUFFER {
            self.overflowed = true;
            self.thrown += chunk.len() as u32;
            return;
        }
        self.buffer[self.end..end].copy_from_slice(chunk);
        self.end = end;
    }

    fn throw(&mut self) {
        self.thrown += self.end as u32;
        self.end = 0;
    }
}

fn is_start(payload: &[u8]) -> bool {
    payload.len() == START_OCTETS
        && payload[..4] == START
        && u16::from_be_bytes([payload[4], payload[5]]) == !u16::from_be_bytes([payload[6], payload[7]])
}

#[cfg(test)]
mod tests {
    use alloc::vec;
    use alloc::vec::Vec;

    use super::*;

    fn packet(len: usize) -> Vec<u8> {
        let mut packet = vec![0xAA; len];
        packet[..2].copy_from_slice(&[0x45, 0]);
        packet[2..4].copy_from_slice(&(len as u16).to_be_bytes());
        packet
    }

    /// Chunks as the transmitter makes them.
    fn chunks(framing: Framing, packet: &[u8]) -> Vec<Vec<u8>> {
        match framing {
            Framing::None => packet.chunks(32).map(<[u8]>::to_vec).collect(),
            Framing::StartPacket => {
                let start = [start_packet(packet.len()).to_vec()];
                start.into_iter().chain(packet.chunks(32).map(<[u8]>::to_vec)).collect()
            }
            Framing::Sequence => {
                let numbered = |(number, chunk): (usize, &[u8])| [&[number as u8][..], chunk].concat();
                packet.chunks(31).enumerate().map(numbered).collect()
            }
        }
    }

    /// Feeds payloads, the FIFO drained after each `batch`; lengths of what was written.
    fn feed(assembly: &mut Assembly, payloads: &[Vec<u8>], batch: usize) -> Vec<usize> {
        let mut written = Vec::new();
        for batch in payloads.chunks(batch) {
            for payload in batch {
                let whole = assembly.payload(payload).map(<[u8]>::len);
                written.extend(whole);
                whole.inspect(|len| assembly.taken(*len));
            }
            let whole = assembly.drained().map(<[u8]>::len);
            written.extend(whole);
            whole.inspect(|len| assembly.taken(*len));
        }
        written
    }

    #[test]
    fn every_framing_brings_packets_back() {
        for framing in [Framing::None, Framing::StartPacket, Framing::Sequence] {
            let mut assembly = Assembly::new(framing);
            for len in [60, 576, 1_500] {
                assert_eq!(feed(&mut assembly, &chunks(framing, &packet(len)), 1), [len], "{framing:?}");
            }
            assert_eq!(assembly.thrown(), 0);
        }
    }

    #[test]
    fn published_two_packets_at_once_lose_the_second_and_what_follows_waits_for_an_overflow() {
        let mut assembly = Assembly::new(Framing::None);
        let mut payloads = chunks(Framing::None, &packet(60));
        payloads.extend(chunks(Framing::None, &packet(60)));
        // Three at once: the first packet and the head of the second.
        assert_eq!(feed(&mut assembly, &payloads, 3), [92]);
        let later: Vec<_> = (0..25).flat_map(|_| chunks(Framing::None, &packet(60))).collect();
        let written = feed(&mut assembly, &later, 1);
        assert!(written.is_empty(), "a tail of 28 octets stands in front: {written:?}");
        assert!(assembly.thrown() >= BUFFER as u32 - 32);
    }

    #[test]
    fn a_framing_costs_the_packet_that_was_hit_and_no_other() {
        for framing in [Framing::StartPacket, Framing::Sequence] {
            let mut assembly = Assembly::new(framing);
            let mut payloads = chunks(framing, &packet(576));
            payloads.remove(3);
            payloads.extend(chunks(framing, &packet(576)));
            payloads.extend(chunks(framing, &packet(60)));
            let written = feed(&mut assembly, &payloads, 3);
            // A start packet does not tell that a chunk is missing: the next start does.
            assert_eq!(written, [576, 60], "{framing:?}");
            assert!(assembly.thrown() > 0);
        }
    }
}
