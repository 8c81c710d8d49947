//! Requests to the radio.

use crate::raw::RadioRequest;

/// Request to the radio. Each has to be carried out by somebody, so whoever matches matches all.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Radio {
    /// Request of raw frames; answered with [`raw_done`](super::super::Coprocessor::raw_done), in order.
    Raw(RadioRequest),
    /// Wi-Fi starts: with so many dynamic transmit buffers, and this Block Ack window for what it receives.
    Start {
        /// Transmit buffers.
        tx_buffers: u16,
        /// Block Ack window for what is received.
        rx_ba_window: u16,
    },
    /// Wi-Fi stops.
    Stop,
    /// The station joins its access point; [`connected`](super::super::Coprocessor::connected) says when it has.
    Connect,
    /// It leaves.
    Disconnect,
    /// It goes to a channel.
    Channel {
        /// Primary channel.
        primary: u8,
        /// Secondary channel of 40 MHz: 0 none, 1 above, 2 below.
        second: u8,
    },
}
