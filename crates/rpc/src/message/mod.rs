//! Messages of the test service, typed calls, and octets of messages that are too long to be held.
//!
//! Types and traits are made when this crate is built, from `proto/blerpc.proto`.

mod fields;
mod octets;

use micropb::{MessageDecode, MessageEncode, PbDecoder, PbEncoder};

use crate::Kind;

pub use fields::{Field, FieldReader};
pub use made::*;
pub use octets::Octets;

/// Code that the generator makes of the protocol file.
#[allow(clippy::all, missing_docs, nonstandard_style, unused, reason = "made by a generator")]
mod made {
    mod file {
        include!(concat!(env!("OUT_DIR"), "/blerpc.rs"));
    }
    pub use file::blerpc_::*;
}

/// A method as a type: what a client calls, with the types of its messages.
pub trait Call {
    /// Its name on the wire.
    const NAME: &'static str;
    /// Kind of the call: the number of messages each way.
    const KIND: Kind;
    /// Message of the client.
    type Request: MessageEncode + MessageDecode + Default;
    /// Message of the server.
    type Response: MessageEncode + MessageDecode + Default;
}

/// Octets that are no message of the type wanted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NoMessage;

impl core::fmt::Display for NoMessage {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str("the octets are no message of this type")
    }
}

impl core::error::Error for NoMessage {}

/// Octets of the encoded message, including those that stay on the wire.
pub fn size(message: &impl MessageEncode) -> u32 {
    u32::try_from(message.compute_size()).unwrap_or(u32::MAX)
}

/// Writes `message` to the beginning of `into` and says how many octets it took; octets that stay on the wire are left out,
/// so that a message that ends with them is its head.
///
/// # Panics
/// If `into` is too short: messages of this crate have at most [`MESSAGE_MAX`] octets without those that stay on the wire.
pub fn encode(message: &impl MessageEncode, into: &mut [u8]) -> usize {
    let room = into.len();
    let mut encoder = PbEncoder::new(&mut *into);
    assert!(message.encode(&mut encoder).is_ok(), "a buffer of {room} octets is too short for a message");
    room - encoder.into_writer().len()
}

/// The message that `octets` are.
///
/// # Errors
/// If they are none: cut short, of other types, or with text that is longer than it may be or no UTF-8.
pub fn decode<M: MessageDecode + Default>(octets: &[u8]) -> Result<M, NoMessage> {
    let mut message = M::default();
    message.decode(&mut PbDecoder::new(octets), octets.len()).map_err(|_| NoMessage)?;
    Ok(message)
}

/// Longest encoded message without octets that stay on the wire: an echo of 256 octets with tag and length.
pub const MESSAGE_MAX: usize = 256 + 3;
