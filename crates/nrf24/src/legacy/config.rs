//! Configuration of an end of the published tunnel, with the parameters that the study turns.

use airtime_core::Duration;

use crate::air::{Crc, Rate};
use crate::host::Cost;
use crate::station::StationEnd;

/// Configuration of an end of the published tunnel. Its transmitter is radio 0, its receiver radio 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Config {
    /// RF channel of its transmitter, 0..=125.
    pub transmit_channel: u8,
    /// RF channel of its receiver, 0..=125.
    pub receive_channel: u8,
    /// Address its transmitter sends to, least significant octet first.
    pub transmit_address: [u8; 5],
    /// Address of its receiver, least significant octet first.
    pub receive_address: [u8; 5],
    /// Air data rate.
    pub rate: Rate,
    /// Octets of addresses, 3..=5.
    pub address_width: u8,
    /// Check of every frame; the chip forces one octet while it acknowledges.
    pub crc: Crc,
    /// Off: EN_AA is cleared but DYNPD is not, and nothing waits for the chip between CE pulses.
    pub auto_ack: bool,
    /// Retransmission delay in steps of 250 µs less one, 0..=15.
    pub ard: u8,
    /// Retransmissions by the chip, 0..=15.
    pub arc: u8,
    /// Payloads pushed before each send, at least 1. The FIFO has room for three; with more the published program ends in a
    /// panic, and so does the task here.
    pub batch: u8,
    /// Sleep after each batch; the published program had 20 µs of it, then none.
    pub delay: Duration,
    /// MTU of the TUN device, 28..=1500.
    pub mtu: u16,
    /// Rule by which the receiver finds the start of an IP packet.
    pub framing: Framing,
    /// Costs of its host to reach chips and kernel.
    pub cost: Cost,
}

/// Rule by which the receiver finds the start of an IP packet.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
#[cfg_attr(feature = "plan", derive(airtime_keys::Words))]
pub enum Framing {
    /// As published: whatever has come since the last packet is one, once it parses as an IP packet.
    #[default]
    None,
    /// A radio packet of its own in front of each IP packet.
    StartPacket,
    /// One octet in front of each chunk: its number within the IP packet, from 0.
    Sequence,
}

impl Config {
    /// The last published version, with this host.
    pub const fn published(end: StationEnd, cost: Cost) -> Self {
        // Published: `ad` and the digit of the end that transmits, which is also the last octet of its IP address.
        let (transmit_channel, receive_channel, own, other) = match end {
            StationEnd::A => (108, 116, b'1', b'2'),
            StationEnd::B => (116, 108, b'2', b'1'),
        };
        Self {
            transmit_channel,
            receive_channel,
            transmit_address: [b'a', b'd', own, 0, 0],
            receive_address: [b'a', b'd', other, 0, 0],
            rate: Rate::M2,
            address_width: 3,
            crc: Crc::Two,
            auto_ack: true,
            ard: 2,
            arc: 15,
            batch: 3,
            delay: Duration::ZERO,
            mtu: 1_500,
            framing: Framing::None,
            cost,
        }
    }
}
