//! Reply to a command.

use airtime_core::bytes::Reader;

/// The answer to a command.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Reply {
    /// Number of the command.
    pub command: u16,
    /// Outcome of the command: a [`status`](crate::rpc::status).
    pub status: i32,
}

impl Reply {
    /// Octets of the reply, as its structure has them.
    pub fn octets(&self) -> [u8; 6] {
        let mut octets = [0; 6];
        octets[..2].copy_from_slice(&self.command.to_le_bytes());
        octets[2..].copy_from_slice(&self.status.to_le_bytes());
        octets
    }

    /// Reads its structure; none of fewer octets. What follows it is nobody's.
    pub fn parse(octets: &[u8]) -> Option<Self> {
        let mut reader = Reader::new(octets);
        Some(Self { command: reader.u16()?, status: reader.u32()?.cast_signed() })
    }
}
