//! Traffic that crossed a TUN device.

use serde::Serialize;

/// Traffic that crossed a device.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Crossed {
    /// Packets into the link.
    pub packets_in: u64,
    /// Octets of the packets into the link.
    pub bytes_in: u64,
    /// Packets out of the link.
    pub packets_out: u64,
    /// Octets of the packets out of the link.
    pub bytes_out: u64,
}

impl Crossed {
    /// A packet goes into the link, or comes out of it.
    pub fn packet(&mut self, into: bool, octets: usize) {
        let (packets, bytes) = match into {
            true => (&mut self.packets_in, &mut self.bytes_in),
            false => (&mut self.packets_out, &mut self.bytes_out),
        };
        *packets += 1;
        *bytes += octets as u64;
    }
}
