//! One message: a request, a reply or an event, with its envelope.

use alloc::vec::Vec;

use prost::Message as _;

use super::catalogue::{Event, Request, Response, Rpc};
use super::envelope::{Endpoint, Envelope, EnvelopeError};

/// Content of a message.
#[derive(Clone, Debug, PartialEq)]
pub enum Body {
    /// The host asks.
    Request(Request),
    /// The co-processor answers.
    Response(Response),
    /// The co-processor speaks unasked.
    Event(Event),
}

impl Body {
    /// Number of the message.
    pub const fn id(&self) -> u32 {
        match self {
            Self::Request(request) => request.id(),
            Self::Response(response) => response.id(),
            Self::Event(event) => event.id(),
        }
    }

    /// The field `msg_type`.
    const fn kind(&self) -> i32 {
        match self {
            Self::Request(_) => 1,
            Self::Response(_) => 2,
            Self::Event(_) => 3,
        }
    }
}

/// Message of either side: number of its call, and content.
#[derive(Clone, Debug, PartialEq)]
pub struct Message {
    /// Number of the call, by which its reply is told; counts from 1, and is 0 in events.
    pub uid: u32,
    /// Content of the message.
    pub body: Body,
}

/// Reason that octets are no message.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum RpcError {
    /// The envelope is broken.
    #[error(transparent)]
    Envelope(#[from] EnvelopeError),
    /// The protobuf is broken.
    #[error("not a protobuf message of this kind")]
    Protobuf,
    /// Neither request, reply nor event.
    #[error("message type {0}")]
    Kind(i32),
    /// A number that nobody knows, or that the file declares and nobody implements.
    #[error("message {0} is not known")]
    Unknown(u32),
    /// The payload is that of another message.
    #[error("message {id} with the payload of {payload}")]
    Mismatch {
        /// Number of the message.
        id: u32,
        /// Number of its payload.
        payload: u32,
    },
}

/// Counts of each [`RpcError`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct RpcFaults {
    /// Number of messages refused with [`RpcError::Envelope`].
    pub envelope: u64,
    /// Number of messages refused with [`RpcError::Protobuf`].
    pub protobuf: u64,
    /// Number of messages refused with [`RpcError::Kind`].
    pub kind: u64,
    /// Number of messages refused with [`RpcError::Unknown`].
    pub unknown: u64,
    /// Number of messages refused with [`RpcError::Mismatch`].
    pub mismatch: u64,
}

impl RpcFaults {
    /// Counts one `error` by its kind.
    pub const fn count(&mut self, error: RpcError) {
        let counter = match error {
            RpcError::Envelope(_) => &mut self.envelope,
            RpcError::Protobuf => &mut self.protobuf,
            RpcError::Kind(_) => &mut self.kind,
            RpcError::Unknown(_) => &mut self.unknown,
            RpcError::Mismatch { .. } => &mut self.mismatch,
        };
        *counter += 1;
    }

    /// Total of all faults.
    pub const fn total(&self) -> u64 {
        self.envelope + self.protobuf + self.kind + self.unknown + self.mismatch
    }
}

impl Message {
    /// Message that is a request.
    pub const fn request(uid: u32, request: Request) -> Self {
        Self { uid, body: Body::Request(request) }
    }

    /// Message that is a reply.
    pub const fn response(uid: u32, response: Response) -> Self {
        Self { uid, body: Body::Response(response) }
    }

    /// Message that is an event.
    pub const fn event(event: Event) -> Self {
        Self { uid: 0, body: Body::Event(event) }
    }

    /// Reads a whole message. Fields that nobody knows are skipped; one without payload has nothing but defaults.
    ///
    /// # Errors
    /// When it is none.
    pub fn parse(octets: &[u8]) -> Result<Self, RpcError> {
        let envelope = Envelope::parse(octets)?;
        let rpc = Rpc::decode(envelope.data).map_err(|_| RpcError::Protobuf)?;
        let id = rpc.msg_id;
        let body = match rpc.msg_type {
            1 => rpc.request.or_else(|| Request::of(id)).map(Body::Request),
            2 => rpc.response.or_else(|| Response::of(id, 0)).map(Body::Response),
            3 => rpc.event.or_else(|| Event::of(id)).map(Body::Event),
            kind => return Err(RpcError::Kind(kind)),
        };
        let body = body.ok_or(RpcError::Unknown(id))?;
        match body.id() {
            payload if payload != id => Err(RpcError::Mismatch { id, payload }),
            _ => Ok(Self { uid: rpc.uid, body }),
        }
    }

    /// Appends the message, envelope included, to `out`.
    ///
    /// # Panics
    /// When it is longer than 65,535 octets: custom data have [a bound](super::CUSTOM_DATA_MAX).
    pub fn emit(&self, out: &mut Vec<u8>) {
        let endpoint = if matches!(self.body, Body::Event(_)) { Endpoint::Events } else { Endpoint::Calls };
        let mut rpc = Rpc { msg_type: self.body.kind(), msg_id: self.body.id(), uid: self.uid, ..Rpc::default() };
        match self.body.clone() {
            Body::Request(request) => rpc.request = Some(request),
            Body::Response(response) => rpc.response = Some(response),
            Body::Event(event) => rpc.event = Some(event),
        }
        Envelope::emit(endpoint, out, |out| rpc.encode(out).expect("a vector grows"));
    }
}
