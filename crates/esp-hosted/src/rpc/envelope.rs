//! Envelope of a message: two TLVs in front of the protobuf that name its endpoint.
//! `host/drivers/virtual_serial_if/serial_if.h`.

use alloc::vec::Vec;

use airtime_core::bytes::Reader;

/// Type of the TLV that names the endpoint.
const TYPE_ENDPOINT: u8 = 1;
/// Type of the TLV that is the message.
const TYPE_DATA: u8 = 2;

/// Endpoint of a message. Both names have the same length.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Endpoint {
    /// Requests and replies: `RPCRsp` in both directions.
    Calls,
    /// Endpoint of events: `RPCEvt`.
    Events,
}

impl Endpoint {
    /// Its name on the bus.
    pub const fn name(self) -> &'static [u8; 6] {
        match self {
            Self::Calls => b"RPCRsp",
            Self::Events => b"RPCEvt",
        }
    }
}

/// Reason that octets are no message.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum EnvelopeError {
    /// It ends before its lengths say.
    #[error("a message that is cut off")]
    Cut,
    /// More octets than its lengths say: fragments of several messages.
    #[error("{0} octets behind the message")]
    Trailing(usize),
    /// Another TLV than the one that belongs there.
    #[error("TLV of type {0}")]
    Type(u8),
    /// No such endpoint.
    #[error("an endpoint that nobody knows")]
    Endpoint,
}

/// A message and whom it is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Envelope<'a> {
    /// Endpoint that the message is for.
    pub endpoint: Endpoint,
    /// Octets of the protobuf message.
    pub data: &'a [u8],
}

impl<'a> Envelope<'a> {
    /// Octets in front of the protobuf.
    pub const OCTETS: usize = 3 + 6 + 3;

    /// Reads a whole message.
    ///
    /// # Errors
    /// When it is none.
    pub fn parse(octets: &'a [u8]) -> Result<Self, EnvelopeError> {
        let mut reader = Reader::new(octets);
        let mut tlv = |expected: u8| {
            let kind = reader.u8().ok_or(EnvelopeError::Cut)?;
            if kind != expected {
                return Err(EnvelopeError::Type(kind));
            }
            let len = reader.u16().ok_or(EnvelopeError::Cut)?;
            reader.take(len.into()).ok_or(EnvelopeError::Cut)
        };
        let name = tlv(TYPE_ENDPOINT)?;
        let data = tlv(TYPE_DATA)?;
        let endpoint = [Endpoint::Calls, Endpoint::Events].into_iter().find(|endpoint| endpoint.name() == name);
        let endpoint = endpoint.ok_or(EnvelopeError::Endpoint)?;
        match reader.rest().len() {
            0 => Ok(Self { endpoint, data }),
            more => Err(EnvelopeError::Trailing(more)),
        }
    }

    /// Appends a message to `out`; `data` appends its protobuf.
    ///
    /// # Panics
    /// When that is longer than 65,535 octets.
    pub fn emit(endpoint: Endpoint, out: &mut Vec<u8>, data: impl FnOnce(&mut Vec<u8>)) {
        let name = endpoint.name();
        out.extend_from_slice(&[TYPE_ENDPOINT, name.len() as u8, 0]);
        out.extend_from_slice(name);
        out.extend_from_slice(&[TYPE_DATA, 0, 0]);
        let start = out.len();
        data(out);
        let len = u16::try_from(out.len() - start).expect("a message fits its length field");
        out[start - 2..start].copy_from_slice(&len.to_le_bytes());
    }
}
