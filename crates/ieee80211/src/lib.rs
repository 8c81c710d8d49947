//! IEEE 802.11 without a chip: frames as octets, what a receiver says of them, and how long everything takes.
//!
//! - [`air`]: how long a PPDU and a cycle take, closed forms · [`wire`]: 802.11 frames and radiotap
#![no_std]
#![warn(missing_docs)]

extern crate alloc;

pub mod air;
pub mod wire;
