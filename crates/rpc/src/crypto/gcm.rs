//! AES-128-GCM in pieces, with a nonce of 96 bits and no associated data. NIST SP 800-38D.

use core::fmt;

use aes::Aes128Enc;
use aes::cipher::{BlockEncrypt, InnerIvInit, KeyInit, StreamCipher, StreamCipherCoreWrapper};
use ctr::{Ctr32BE, CtrCore};
use ghash::GHash;
use ghash::universal_hash::UniversalHash;
use subtle::ConstantTimeEq;

/// Octets that a seal adds to what it seals: a counter of 4 and a tag of 16.
pub const SEAL_OCTETS: usize = COUNTER_OCTETS + TAG_OCTETS;

pub(super) const COUNTER_OCTETS: usize = 4;
pub(super) const TAG_OCTETS: usize = 16;
pub(super) const NONCE_OCTETS: usize = 12;
const BLOCK_OCTETS: usize = 16;

/// A message that is being sealed: its octets become ciphertext in pieces, and the tag follows the last one.
///
/// What goes is the [counter](Self::counter), the ciphertext, the [tag](Self::finish).
pub struct Seal {
    counter: [u8; COUNTER_OCTETS],
    stream: Ctr32BE<Aes128Enc>,
    tag: Tag,
}

impl Seal {
    /// The counter of the message: its first octets, in the clear.
    pub const fn counter(&self) -> [u8; COUNTER_OCTETS] {
        self.counter
    }

    /// Makes ciphertext of the message's next octets, in place. Pieces may be of any length.
    pub fn update(&mut self, octets: &mut [u8]) {
        self.stream.apply_keystream(octets);
        self.tag.absorb(octets);
    }

    /// The tag behind the ciphertext.
    pub fn finish(self) -> [u8; TAG_OCTETS] {
        self.tag.finish()
    }
}

impl fmt::Debug for Seal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Seal").field("counter", &self.counter).field("octets", &self.tag.octets).finish_non_exhaustive()
    }
}

/// A key, made ready once.
#[derive(Clone)]
pub(super) struct Key {
    cipher: Aes128Enc,
    hash: GHash,
}

impl Key {
    pub fn new(key: &[u8; 16]) -> Self {
        let cipher = Aes128Enc::new(key.into());
        // The hash key is the cipher of the zero block. SP 800-38D, 7.1, step 1.
        let mut hash_key = ghash::Key::default();
        cipher.encrypt_block(&mut hash_key);
        Self { hash: GHash::new(&hash_key), cipher }
    }

    /// Begins a message of `counter` under `nonce`.
    pub fn seal(&self, counter: u32, nonce: &[u8; NONCE_OCTETS]) -> Seal {
        // The first counter block masks the tag; those after it are the stream. SP 800-38D, 7.1, steps 2 and 3.
        let mut block = [0; BLOCK_OCTETS];
        block[..NONCE_OCTETS].copy_from_slice(nonce);
        block[BLOCK_OCTETS - 1] = 1;
        let mut stream = StreamCipherCoreWrapper::from_core(CtrCore::inner_iv_init(self.cipher.clone(), &block.into()));
        let mut mask = [0; TAG_OCTETS];
        stream.apply_keystream(&mut mask);
        Seal { counter: counter.to_le_bytes(), stream, tag: Tag::new(self.hash.clone(), mask) }
    }

    /// Verifies `sealed` by its `tag` and gives the means to open it, when the tag is genuine; nothing has been
    /// deciphered then.
    pub fn verify(&self, nonce: &[u8; NONCE_OCTETS], sealed: &[u8], tag: &[u8; TAG_OCTETS]) -> Option<Genuine> {
        let Seal { stream, tag: mut expected, .. } = self.seal(0, nonce);
        expected.absorb(sealed);
        bool::from(expected.finish().ct_eq(tag)).then_some(Genuine(stream))
    }
}

/// Deciphers octets whose tag is genuine.
pub(super) struct Genuine(Ctr32BE<Aes128Enc>);

impl Genuine {
    pub fn open(mut self, sealed: &mut [u8]) {
        self.0.apply_keystream(sealed);
    }
}

/// The tag of ciphertext that comes in pieces: the hash takes whole blocks only.
struct Tag {
    hash: GHash,
    mask: [u8; TAG_OCTETS],
    /// The beginning of a block, as many octets as `octets` leaves over.
    rest: [u8; BLOCK_OCTETS],
    octets: u64,
}

impl Tag {
    fn new(hash: GHash, mask: [u8; TAG_OCTETS]) -> Self {
        Self { hash, mask, rest: [0; BLOCK_OCTETS], octets: 0 }
    }

    fn absorb(&mut self, mut octets: &[u8]) {
        let filled = (self.octets % BLOCK_OCTETS as u64) as usize;
        self.octets += octets.len() as u64;
        if filled > 0 {
            let (head, rest) = octets.split_at(octets.len().min(BLOCK_OCTETS - filled));
            self.rest[filled..filled + head.len()].copy_from_slice(head);
            if filled + head.len() < BLOCK_OCTETS {
                return;
            }
            self.hash.update(&[self.rest.into()]);
            octets = rest;
        }
        let (blocks, rest) = octets.split_at(octets.len() - octets.len() % BLOCK_OCTETS);
        self.hash.update_padded(blocks);
        self.rest[..rest.len()].copy_from_slice(rest);
    }

    fn finish(mut self) -> [u8; TAG_OCTETS] {
        let filled = (self.octets % BLOCK_OCTETS as u64) as usize;
        self.hash.update_padded(&self.rest[..filled]);
        // The lengths in bits of the associated data, which is empty, and of the ciphertext. SP 800-38D, 7.1, step 5.
        let mut lengths = [0; BLOCK_OCTETS];
        lengths[8..].copy_from_slice(&(self.octets * 8).to_be_bytes());
        self.hash.update(&[lengths.into()]);
        let hash: [u8; TAG_OCTETS] = self.hash.finalize().into();
        core::array::from_fn(|at| hash[at] ^ self.mask[at])
    }
}
