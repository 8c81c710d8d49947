//! A radio co-processor behind a UART, as OpenThread has one: frames go to it in Spinel messages, and each is confirmed by one.
//!
//! The MAC of this crate is then in the co-processor, whose firmware has OpenThread's; the host gives it one frame at a time and waits for
//! its confirmation. What a co-processor has heard goes to its host as it comes, from a buffer that may be full. What a host takes besides is [`load`](crate::network::Config::load).
//!
//! - [`transmit`], [`Confirmation`], [`receive`]: the messages, octet by octet · [`hdlc`]: frames on a line · [`Uart`]: their time

pub mod hdlc;
mod spinel;

use airtime_core::Duration;

pub use spinel::{Attributes, Confirmation, receive, transmit};

/// Bits of an octet on the line: start, eight of data, stop. No parity, *assumed*: it is what RCP firmware is built with.
const BITS: u64 = 10;

/// Line between a host and its co-processor; both directions are of one rate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Uart {
    /// Bits per second, of which an octet takes ten.
    pub baud: u32,
}

impl Uart {
    /// Time of `octets` back to back, in whole nanoseconds.
    pub const fn time(self, octets: usize) -> Duration {
        Duration::from_nanos(octets as u64 * BITS * 1_000_000_000 / self.baud as u64)
    }
}
