//! Attributes of a MAC, as plain data.

use crate::trace::Parts;
use crate::wire::{Address, Addressing, BROADCAST, FrameControl, FrameType, Header, Security, fcs};

/// Way in which backoffs are drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
#[cfg_attr(feature = "plan", derive(airtime_keys::Words))]
pub enum Backoff {
    /// Uniform over 0 to 2^BE − 1 periods. 6.2.5.1.
    #[default]
    Random,
    /// Half of 2^BE − 1 periods exactly, so that a run equals the closed form. Stations that begin together collide for ever.
    Mean,
}

/// Attributes of one station, and whom it sends to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MacConfig {
    /// Its PAN. macPanId.
    pub pan: u16,
    /// Its own address, as it stands in the frames that it sends. macShortAddress, or the extended one.
    pub source: Address,
    /// Address of its peer, as it stands in the frames that it sends.
    pub destination: Address,
    /// Flag: it is the coordinator of the PAN, which takes frames without a destination.
    pub coordinator: bool,
    /// Flag: the PAN is named once where both ends have an address.
    pub pan_compression: bool,
    /// Security of its frames.
    pub security: Security,
    /// Flag: it asks for acknowledgements.
    pub ack: bool,
    /// Flag: it sends with CSMA-CA; without, it sends at once.
    pub csma: bool,
    /// Smallest backoff exponent, 0..=macMaxBe. macMinBe, 3 by default. 8.4.2.
    pub min_be: u8,
    /// Largest backoff exponent, 3..=8. macMaxBe, 5 by default. 8.4.2.
    pub max_be: u8,
    /// Backoffs behind the first until the channel counts as taken, 0..=5. macMaxCsmaBackoffs, 4 by default. 8.4.2.
    pub max_backoffs: u8,
    /// Retransmissions behind the first attempt, 0..=15. macMaxFrameRetries, 0..=7 and 3 by default, 8.4.2; OpenThread's own MAC has 15.
    pub retries: u8,
    /// Flag: an attempt that found no free channel counts as one without acknowledgement, and another one follows.
    pub retry_access: bool,
    /// Way in which backoffs are drawn.
    pub backoff: Backoff,
}

impl Default for MacConfig {
    /// Defaults of the standard, short addresses, no security.
    fn default() -> Self {
        Self {
            pan: 0x1A17,
            source: Address::Short(1),
            destination: Address::Short(0),
            coordinator: false,
            pan_compression: true,
            security: Security::default(),
            ack: true,
            csma: true,
            min_be: 3,
            max_be: 5,
            max_backoffs: 4,
            retries: 3,
            retry_access: false,
            backoff: Backoff::Random,
        }
    }
}

impl MacConfig {
    /// Frame control of its data. Frames with security are of version 1, others of version 0. 7.2.2.
    pub const fn control(&self) -> FrameControl {
        let security = self.security.header_octets() > 0;
        let (source, destination) = (self.source.addressing(), self.destination.addressing());
        let both = !matches!(source, Addressing::None) && !matches!(destination, Addressing::None);
        FrameControl {
            frame_type: FrameType::Data,
            security,
            pending: false,
            ack_request: self.ack,
            pan_compression: self.pan_compression && both,
            destination,
            version: security as u8,
            source,
        }
    }

    /// Octets of its PSDUs by what they are for, with a payload of `payload` octets.
    pub const fn parts(&self, payload: u8) -> Parts {
        let mac = 3 + self.control().addressing_octets() + fcs::OCTETS;
        Parts { payload, adaptation: 0, mac: mac as u8, security: self.security.octets() as u8 }
    }

    /// Filter of received data. 6.7.2.
    pub(super) fn accepts(&self, header: &Header) -> bool {
        let own = |pan: Option<u16>| pan.is_some_and(|pan| pan == self.pan || pan == BROADCAST);
        let known = match header.destination {
            Address::None => self.coordinator && header.source_pan.is_none_or(|pan| pan == self.pan),
            Address::Short(BROADCAST) => own(header.destination_pan),
            address => own(header.destination_pan) && address == self.source,
        };
        known && header.control.frame_type == FrameType::Data
    }
}
