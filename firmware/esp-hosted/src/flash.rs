//! A board's flash as updates see it: octet by octet, on a chip that reads and programs whole words.

use airtime_ota::flash::{Storage, StorageError};
use embedded_storage::nor_flash::{NorFlash, NorFlashError, NorFlashErrorKind};

/// Octets that are copied at once, to have whole words in an array of words.
const PIECE: usize = 256;

/// The flash.
#[derive(Debug)]
pub struct Flash<F>(F);

impl<F: NorFlash> Flash<F> {
    /// Flash of a driver.
    ///
    /// # Panics
    /// When its words are larger than 256 octets, or do not divide them: there is no such flash.
    pub fn new(flash: F) -> Self {
        assert!(PIECE.is_multiple_of(F::READ_SIZE) && PIECE.is_multiple_of(F::WRITE_SIZE), "words of a power of two");
        Self(flash)
    }
}

fn failed(error: impl NorFlashError) -> StorageError {
    match error.kind() {
        NorFlashErrorKind::NotAligned => StorageError::Alignment,
        NorFlashErrorKind::OutOfBounds => StorageError::Range,
        _ => StorageError::Failed,
    }
}

/// Octets of a piece, as drivers want them.
#[repr(align(4))]
struct Words([u8; PIECE]);

/// Pieces of `octets` octets from `at` on that begin and end with words of `word` octets: where each begins, how many octets of it are
/// before those that are meant, and how many of those it has.
fn pieces(mut at: u32, mut octets: usize, word: usize) -> impl Iterator<Item = (u32, usize, usize)> {
    core::iter::from_fn(move || {
        let lead = at as usize % word;
        let meant = octets.min(PIECE - lead);
        let piece = (meant > 0).then_some((at - lead as u32, lead, meant));
        (at, octets) = (at + meant as u32, octets - meant);
        piece
    })
}

impl<F: NorFlash> Storage for Flash<F> {
    fn octets(&self) -> u32 {
        u32::try_from(self.0.capacity()).unwrap_or(u32::MAX)
    }

    fn read(&mut self, at: u32, into: &mut [u8]) -> Result<(), StorageError> {
        let mut rest = into;
        for (begin, lead, meant) in pieces(at, rest.len(), F::READ_SIZE) {
            let mut words = Words([0; PIECE]);
            let whole = (lead + meant).next_multiple_of(F::READ_SIZE);
            self.0.read(begin, &mut words.0[..whole]).map_err(failed)?;
            let (piece, others) = rest.split_at_mut(meant);
            piece.copy_from_slice(&words.0[lead..lead + meant]);
            rest = others;
        }
        Ok(())
    }

    /// The other octets of a word are programmed to ones, which leaves them as they are.
    fn program(&mut self, at: u32, octets: &[u8]) -> Result<(), StorageError> {
        let mut rest = octets;
        for (begin, lead, meant) in pieces(at, rest.len(), F::WRITE_SIZE) {
            let mut words = Words([0xFF; PIECE]);
            let whole = (lead + meant).next_multiple_of(F::WRITE_SIZE);
            let (piece, others) = rest.split_at(meant);
            words.0[lead..lead + meant].copy_from_slice(piece);
            self.0.write(begin, &words.0[..whole]).map_err(failed)?;
            rest = others;
        }
        Ok(())
    }

    fn erase(&mut self, at: u32, octets: u32) -> Result<(), StorageError> {
        let end = at.checked_add(octets).ok_or(StorageError::Range)?;
        self.0.erase(at, end).map_err(failed)
    }
}
