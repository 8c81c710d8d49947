//! Randomness that nobody can guess, which only the system has.

use std::io;

/// Octets of the system's randomness.
///
/// # Errors
/// When there is none to be had.
pub fn random<const N: usize>() -> io::Result<[u8; N]> {
    let mut octets = [0; N];
    getrandom::fill(&mut octets).map_err(io::Error::from)?;
    Ok(octets)
}
