//! The board as the plan of the throughput test wants it.
#![no_std]

mod start;

pub use start::start;
