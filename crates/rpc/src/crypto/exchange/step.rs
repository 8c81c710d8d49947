//! The octets of a step: its number and what belongs to it.

use core::fmt;

use super::super::ExchangeError;
use super::super::gcm::{Key, NONCE_OCTETS, TAG_OCTETS};

/// Numbers of the steps.
pub const CLIENT_KEY: u8 = 1;
pub const SERVER_KEY: u8 = 2;
pub const CLIENT_CONFIRMS: u8 = 3;
pub const SERVER_CONFIRMS: u8 = 4;

/// Word that each end seals to show that it has the key.
pub const CLIENT_WORD: &[u8; WORD] = b"BLERPC_CONFIRM_C";
pub const SERVER_WORD: &[u8; WORD] = b"BLERPC_CONFIRM_P";
const WORD: usize = 16;

/// One step of a key exchange: the payload of a control container.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Step {
    octets: [u8; Self::OCTETS_MAX],
    len: u8,
}

impl Step {
    /// Octets of the longest one, which is the second.
    pub const OCTETS_MAX: usize = 129;

    /// Octets of the step.
    pub fn octets(&self) -> &[u8] {
        &self.octets[..self.len.into()]
    }

    pub(super) fn new(number: u8, parts: &[&[u8]]) -> Self {
        let mut octets = [0; Self::OCTETS_MAX];
        octets[0] = number;
        let mut len = 1;
        for part in parts {
            octets[len..len + part.len()].copy_from_slice(part);
            len += part.len();
        }
        Self { octets, len: len as u8 }
    }

    /// The word of this end, sealed.
    pub(super) fn confirm(number: u8, key: &Key, nonce: &[u8; NONCE_OCTETS], word: &[u8; WORD]) -> Self {
        let mut seal = key.seal(0, nonce);
        let mut sealed = *word;
        seal.update(&mut sealed);
        Self::new(number, &[nonce, &sealed, &seal.finish()])
    }
}

/// Proves that a confirmation is that of the other end.
///
/// # Errors
/// [`ExchangeError::Malformed`] by its length, else [`ExchangeError::NotGenuine`].
pub fn confirmed(body: &[u8], key: &Key, word: &[u8; WORD]) -> Result<(), ExchangeError> {
    let malformed = ExchangeError::Malformed;
    let (nonce, rest) = body.split_first_chunk::<NONCE_OCTETS>().ok_or(malformed)?;
    let (sealed, rest) = rest.split_first_chunk::<WORD>().ok_or(malformed)?;
    let tag: &[u8; TAG_OCTETS] = rest.try_into().map_err(|_| malformed)?;
    let genuine = key.verify(nonce, sealed, tag).ok_or(ExchangeError::NotGenuine)?;
    let mut opened = *sealed;
    genuine.open(&mut opened);
    if opened == *word { Ok(()) } else { Err(ExchangeError::NotGenuine) }
}

impl AsRef<[u8]> for Step {
    fn as_ref(&self) -> &[u8] {
        self.octets()
    }
}

impl fmt::Debug for Step {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Step").field(&self.octets()).finish()
    }
}
