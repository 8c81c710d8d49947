//! Outputs of the co-processor.

use airtime_core::Packet;

use super::{CoprocessorDrop, Radio};

/// Output of the co-processor.
#[derive(Debug)]
#[non_exhaustive]
pub enum CoprocessorOutput {
    /// An Ethernet frame for the air; answered with [`offered`](super::Coprocessor::offered) before anything else.
    Offer(Packet),
    /// The interrupt line to the host.
    Interrupt(bool),
    /// An SDIO buffer is free again, for a task of Wi-Fi that was blocked.
    Room,
    /// Request to the radio.
    Radio(Radio),
    /// A custom message that the application has [registered](super::Coprocessor::register) for.
    Custom {
        /// Number of the message.
        id: u32,
        /// Payload of the message.
        data: Packet,
    },
    /// It restarts into other firmware; the host finds its card gone.
    Restarts,
    /// It has lost a frame.
    Dropped {
        /// Place of the loss.
        at: CoprocessorDrop,
        /// Octets of its payload.
        octets: u32,
    },
}

/// State of the task that takes frames from the host to the Wi-Fi driver.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum CoprocessorState {
    /// It is in reset, boots, or the host has not opened the data path.
    Down,
    /// It has nothing to do.
    Idle,
    /// It has a frame in hand.
    Processing,
    /// The Wi-Fi driver has been offered a frame.
    Offering,
    /// The Wi-Fi driver had no buffer; the task sleeps until it tries again.
    Retrying,
}

/// Frames in the co-processor.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CoprocessorDepth {
    /// From the host, by priority; the one in hand is not among them.
    pub receive: [u16; crate::wire::PRIORITIES],
    /// SDIO buffers that the host may fill.
    pub loaded: u16,
    /// SDIO buffers to the host in use.
    pub transmit: u16,
}
