//! Remote calls between a [`Central`] and a [`Peripheral`]: the set-up of the throughput test, then frames of `airtime-rpc` in
//! the place of its stream.
//!
//! Both take the same events and give the same commands as the machines of the test, and beside them whole SDUs or values
//! ([`receive`](Central::receive)). Neither queues a frame: one is made when the host has room for it.

mod carrier;
mod central;
mod peripheral;
mod secrets;
#[cfg(test)]
mod tests;
mod witness;

pub use central::{Central, CentralConfig};
pub use peripheral::{Peripheral, PeripheralConfig};
pub use secrets::Secrets;

/// Longest message, command header and seal included, that either end puts together in compatible mode: more than the 12 288
/// octets of the published firmware.
pub const BUFFER: usize = 16_384;

/// Longest frame, in octets: four K-frames of 247 octets are 986.
pub const FRAME_MAX: usize = 1_024;

/// Most frames with a host: what one queues of a channel.
const IN_FLIGHT_MAX: u16 = 64;

/// Transport of frames.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FrameConfig {
    /// Frames with the host at most, 1..=64; as many as its controller has buffers keep a connection event full. Default 6.
    pub in_flight: u16,
    /// Octets of a frame at most; a peer that takes less gets less, and on a credit-based channel a frame is cut back to whole
    /// link layer PDUs. Default [`FRAME_MAX`].
    pub octets: u16,
}

impl Default for FrameConfig {
    fn default() -> Self {
        Self { in_flight: 6, octets: FRAME_MAX as u16 }
    }
}
