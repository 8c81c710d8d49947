//! Configuration of a radio.

use crate::air::{Crc, Framing, Rate};
use crate::driver::{Error, Setting};

/// Configuration of a radio; both ends alike, but for the addresses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Config {
    /// RF channel, 0..=125.
    pub channel: u8,
    /// Air data rate.
    pub rate: Rate,
    /// Octets of addresses, 3..=5.
    pub address_width: u8,
    /// Check of every frame.
    pub crc: Crc,
    /// Auto-ack on the pipes, and with it Enhanced ShockBurst: dynamic payload length, NO_ACK by frame, ACK payloads.
    /// Without it every frame is a ShockBurst frame of 32 octets, and shorter payloads are filled with zeros.
    pub auto_ack: bool,
    /// Retransmission delay in steps of 250 µs less one, 0..=15.
    pub ard: u8,
    /// Retransmissions that are allowed (ARC), 0..=15.
    pub arc: u8,
    /// Output power, 0..=3: −18, −12, −6, 0 dBm.
    pub power: u8,
    /// The address, least significant octet first, as SPI has it.
    pub address: [u8; 5],
    /// Lets CE go low for a settling before 4 ms of TX have passed.
    pub pll_break: bool,
}

/// Role of a radio: its end of a link, the same as long as it runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// PTX: sends payloads, listens for acknowledgements only.
    Transmitter,
    /// PRX: listens on pipe 0, sends acknowledgements only.
    Receiver,
}

impl Config {
    /// Framing of a payload on the air.
    pub const fn framing(&self) -> Framing {
        Framing { rate: self.rate, address_width: self.address_width, crc: self.crc, enhanced: self.auto_ack }
    }

    /// The smallest [`ard`](Self::ard) that leaves time for acknowledgements with `octets` of payload. 7.4.2.
    pub const fn shortest_ard(rate: Rate, octets: u8) -> u8 {
        match (rate, octets) {
            (Rate::M2, 0..=15) | (Rate::M1, 0..=5) => 0,
            (Rate::M2 | Rate::M1, _) | (Rate::K250, 0) => 1,
            (Rate::K250, 1..=7) => 2,
            (Rate::K250, 8..=15) => 3,
            (Rate::K250, 16..=23) => 4,
            (Rate::K250, _) => 5,
        }
    }

    /// Checks the ranges.
    ///
    /// # Errors
    /// [`Error::Setting`] with the first value that is out of range.
    pub fn check(&self) -> Result<(), Error> {
        let rules = [
            (self.channel <= 125, Setting::Channel),
            ((3..=5).contains(&self.address_width), Setting::AddressWidth),
            (self.ard <= 15, Setting::Ard),
            (self.arc <= 15, Setting::Arc),
            (self.power <= 3, Setting::Power),
            // The chip forces a check as soon as one pipe acknowledges. 6.3.
            (!self.auto_ack || self.crc != Crc::None, Setting::Crc),
        ];
        match rules.iter().find(|(holds, _)| !holds) {
            Some((_, setting)) => Err(Error::Setting(*setting)),
            None => Ok(()),
        }
    }
}
