//! A caller, a service and a pipe between them.

mod caller;
mod pair;
mod service;
mod session;

pub use caller::{Person, Talk};
pub use pair::{FRAME, Pair};
pub use service::Works;
pub use session::sessions;

/// Octet `at` of the text that `seed` names.
pub fn octet(seed: u32, at: u32) -> u8 {
    let mixed = (seed ^ at.rotate_left(9)).wrapping_mul(0x9e37_79b1);
    (mixed >> 24) as u8
}

/// `length` octets of the text that `seed` names.
pub fn text(seed: u32, length: usize) -> Vec<u8> {
    (0..length as u32).map(|at| octet(seed, at)).collect()
}

/// A request of the test's methods: a number that no other call has, and how much is wanted.
pub fn request(number: u32, wanted: u32) -> Vec<u8> {
    [number.to_le_bytes(), wanted.to_le_bytes()].concat()
}

/// An open frame by hand.
pub fn frame(number: u16, records: &[u8]) -> Vec<u8> {
    let head = number % 4096 + 4096 * ((records.len() + 2) % 15) as u16;
    [&head.to_le_bytes()[..], records].concat()
}
