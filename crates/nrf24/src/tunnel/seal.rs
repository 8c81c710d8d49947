//! Encryption and authentication of packets: ChaCha20-Poly1305 (RFC 8439) under a key that both ends have.
//!
//! As it travels: `counter:32 | ciphertext | tag:128`. The nonce is the sender's epoch and the counter, which goes on for as
//! long as the epoch lives, whatever sessions begin. The receiver's epoch and generation are authenticated with it, so that
//! nothing of another session is ever accepted.

use core::fmt;

use chacha20poly1305::{AeadInOut, ChaCha20Poly1305, Key, KeyInit, Nonce, Tag};

/// Octets of the counter in front of a packet.
pub(super) const COUNTER: usize = 4;

/// Octets of the tag behind it.
pub(super) const TAG: usize = 16;

/// An epoch and its generation.
pub(super) type Side = (u64, u32);

/// The cipher, and the counters of both directions.
pub(super) struct Seal {
    cipher: ChaCha20Poly1305,
    sent: u32,
    opened: Option<u32>,
}

impl fmt::Debug for Seal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Seal").field("sent", &self.sent).field("opened", &self.opened).finish_non_exhaustive()
    }
}

impl Seal {
    pub(super) fn new(key: &[u8; 32]) -> Self {
        Self { cipher: ChaCha20Poly1305::new(&Key::from(*key)), sent: 0, opened: None }
    }

    /// True once the counter has come to its end: this epoch must not send any more.
    pub(super) fn is_exhausted(&self) -> bool {
        self.sent == u32::MAX
    }

    /// The other end has another epoch than before, and its own counter.
    pub(super) fn forget_counter(&mut self) {
        self.opened = None;
    }

    /// Seals `octets[COUNTER..len]` in place: the counter is put in front and the tag behind. The new length.
    pub(super) fn seal(&mut self, octets: &mut [u8], len: usize, from: Side, to: Side) -> usize {
        assert!(!self.is_exhausted(), "asked before");
        let (counter, rest) = octets.split_at_mut(COUNTER);
        let (packet, rest) = rest.split_at_mut(len - COUNTER);
        counter.copy_from_slice(&self.sent.to_le_bytes());
        let tag = self
            .cipher
            .encrypt_inout_detached(&nonce(from.0, self.sent), &associated(to), packet.into())
            .expect("a packet is far below the 256 GiB that the cipher takes");
        rest[..TAG].copy_from_slice(&tag);
        self.sent += 1;
        len + TAG
    }

    /// Opens a packet in place; none if it is not from `from` to `to`, was changed, or is not newer than the last.
    pub(super) fn open<'a>(&mut self, octets: &'a mut [u8], from: Side, to: Side) -> Option<&'a mut [u8]> {
        let (counter, rest) = octets.split_first_chunk_mut::<COUNTER>()?;
        let (packet, tag) = rest.split_last_chunk_mut::<TAG>()?;
        let counter = u32::from_le_bytes(*counter);
        if self.opened.is_some_and(|opened| counter <= opened) {
            return None;
        }
        let tag = Tag::from(*tag);
        let nonce = nonce(from.0, counter);
        self.cipher.decrypt_inout_detached(&nonce, &associated(to), (&mut *packet).into(), &tag).ok()?;
        self.opened = Some(counter);
        Some(packet)
    }
}

fn nonce(epoch: u64, counter: u32) -> Nonce {
    let mut nonce = [0; 12];
    nonce[..8].copy_from_slice(&epoch.to_le_bytes());
    nonce[8..].copy_from_slice(&counter.to_le_bytes());
    nonce.into()
}

fn associated((epoch, generation): Side) -> [u8; 12] {
    let mut octets = [0; 12];
    octets[..8].copy_from_slice(&epoch.to_le_bytes());
    octets[8..].copy_from_slice(&generation.to_le_bytes());
    octets
}

#[cfg(test)]
mod tests {
    use super::*;

    const A: Side = (1, 0);
    const B: Side = (2, 3);

    fn sealed(seal: &mut Seal) -> [u8; COUNTER + 5 + TAG] {
        let mut octets = [0; COUNTER + 5 + TAG];
        octets[COUNTER..COUNTER + 5].copy_from_slice(b"hello");
        assert_eq!(seal.seal(&mut octets, COUNTER + 5, A, B), octets.len());
        octets
    }

    #[test]
    fn a_packet_opens_once_and_only_as_it_was_sealed() {
        let (mut sender, mut receiver) = (Seal::new(&[7; 32]), Seal::new(&[7; 32]));
        let packet = sealed(&mut sender);
        for bit in 0..packet.len() * 8 {
            let mut changed = packet;
            changed[bit / 8] ^= 1 << (bit % 8);
            assert!(receiver.open(&mut changed, A, B).is_none(), "bit {bit}");
        }
        for (from, to) in [(B, B), (A, A), (A, (2, 4)), (A, (3, 3))] {
            assert!(receiver.open(&mut packet.clone(), from, to).is_none());
        }
        assert!(Seal::new(&[8; 32]).open(&mut packet.clone(), A, B).is_none());
        assert_eq!(receiver.open(&mut packet.clone(), A, B).as_deref(), Some(&b"hello"[..]));
        assert!(receiver.open(&mut packet.clone(), A, B).is_none(), "a second time");
        assert!(receiver.open(&mut sealed(&mut sender), A, B).is_some());
    }

    #[test]
    fn the_same_octets_never_look_the_same() {
        let mut sender = Seal::new(&[7; 32]);
        assert_ne!(sealed(&mut sender)[COUNTER..], sealed(&mut sender)[COUNTER..]);
    }

    #[test]
    fn the_last_counter_is_the_end() {
        let mut sender = Seal::new(&[7; 32]);
        sender.sent = u32::MAX - 1;
        sealed(&mut sender);
        assert!(sender.is_exhausted());
    }
}
