//! Packets in blocks of one fixed array: no allocation, no fragmentation, no copying about.

/// Octets of a block. *Assumed*: small, so that small packets waste little.
const BLOCK: usize = 64;

/// Blocks of the arena: 32 KiB, which is 160 ms at 1.6 Mbit/s.
const BLOCKS: usize = 512;

/// No block.
const NONE: u16 = u16::MAX;

/// Place of a packet in the room.
#[derive(Clone, Copy, Debug)]
pub(super) struct Place {
    first: u16,
    len: u16,
}

impl Place {
    /// Place of nothing.
    pub(super) const EMPTY: Self = Self { first: NONE, len: 0 };

    /// Octets of the packet.
    pub(super) fn len(self) -> usize {
        usize::from(self.len)
    }
}

/// The array, and the chain of its free blocks.
#[derive(Debug)]
pub(super) struct Arena {
    octets: [[u8; BLOCK]; BLOCKS],
    next: [u16; BLOCKS],
    free: u16,
    free_blocks: usize,
}

impl Arena {
    pub(super) fn new() -> Self {
        let mut next = [NONE; BLOCKS];
        for (block, next) in next.iter_mut().enumerate().take(BLOCKS - 1) {
            *next = block as u16 + 1;
        }
        Self { octets: [[0; BLOCK]; BLOCKS], next, free: 0, free_blocks: BLOCKS }
    }

    /// Tells if a packet of this length fits now.
    pub(super) fn fits(&self, len: usize) -> bool {
        len.div_ceil(BLOCK) <= self.free_blocks
    }

    /// Copies a packet in. It has to fit.
    pub(super) fn put(&mut self, packet: &[u8]) -> Place {
        assert!(self.fits(packet.len()), "the queue makes room first");
        let first = self.free;
        let mut last = NONE;
        for piece in packet.chunks(BLOCK) {
            last = self.free;
            self.octets[usize::from(last)][..piece.len()].copy_from_slice(piece);
            self.free = self.next[usize::from(last)];
            self.free_blocks -= 1;
        }
        if last == NONE {
            return Place::EMPTY;
        }
        self.next[usize::from(last)] = NONE;
        Place { first, len: packet.len() as u16 }
    }

    /// Copies a packet out.
    pub(super) fn read(&self, place: Place, packet: &mut [u8]) {
        let mut block = place.first;
        for piece in packet[..place.len()].chunks_mut(BLOCK) {
            piece.copy_from_slice(&self.octets[usize::from(block)][..piece.len()]);
            block = self.next[usize::from(block)];
        }
    }

    /// Frees a packet's blocks.
    pub(super) fn free(&mut self, place: Place) {
        let mut block = place.first;
        while block != NONE {
            let next = self.next[usize::from(block)];
            self.next[usize::from(block)] = self.free;
            self.free = block;
            self.free_blocks += 1;
            block = next;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn packets_come_out_as_they_went_in_and_nothing_is_lost_of_the_arena() {
        let mut arena = Arena::new();
        let mut packet = [0_u8; 1500];
        for round in 0..2_000_usize {
            for (i, octet) in packet.iter_mut().enumerate() {
                *octet = (i * 7 + round) as u8;
            }
            let len = 1 + round * 37 % 1500;
            let mut read = [0; 1500];
            let place = arena.put(&packet[..len]);
            let other = arena.put(&packet[..1]);
            arena.read(place, &mut read);
            assert_eq!(read[..len], packet[..len]);
            arena.free(place);
            arena.free(other);
        }
        assert!(arena.fits(BLOCK * BLOCKS) && !arena.fits(BLOCK * BLOCKS + 1));
    }
}
