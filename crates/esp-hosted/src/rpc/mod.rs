//! Remote procedure calls: the protobuf messages, their envelope on the serial interface, requests under way.
//!
//! [`Message`] is one call, reply or event. [`Port`] carries messages over frames, whichever side it is on; [`Calls`] is the
//! host's list of requests under way; [`Handlers`] is a table of custom messages. `common/proto/esp_hosted_rpc.proto`,
//! `host/drivers/rpc/core/rpc_core.c`.

mod calls;
mod catalogue;
mod envelope;
mod handlers;
mod message;
mod port;
pub mod proto;
pub mod status;

pub use calls::{CallFaults, Calls, Expired, OUTSTANDING_MAX, Settled, TooMany, timeout};
pub use catalogue::{Event, Request, Response};
pub use envelope::{Endpoint, Envelope, EnvelopeError};
pub use handlers::{CUSTOM_DATA_MAX, CUSTOM_ID_RESERVED, HANDLERS_DEFAULT, HANDLERS_MAX, Handlers, RegisterError};
pub use message::{Body, Message, RpcError, RpcFaults};
pub use port::{Port, PortError, TooLong};
