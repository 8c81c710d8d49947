//! The extension: several calls under way, statuses, deadlines, cancelling, credit windows, streams both ways, transfers that go
//! on where they stopped. `docs/rpc-protocol.md` specifies it.
//!
//! The machines here begin when the negotiation is over; [`client::Client`](crate::client::Client) and
//! [`server::Server`](crate::server::Server) do that, and hand over.

mod client;
mod faults;
mod flow;
mod frame;
mod pump;
mod record;
mod server;
mod status;
mod transfer;
mod writer;

pub use client::Client;
pub use faults::Faults;
pub use frame::FRAME_MIN;
pub use record::{Limits, Record, Records, Truncated, VERSION};
pub use server::Server;
pub use transfer::{Direction, Object, Transfer, TransferConfig, TransferError};
pub use writer::Writer;

/// Octets of requests that a client may send on a call before it hears of more. Whoever serves takes that many on each call
/// from its opening on: more than the requests of most unary calls, and little enough to keep for each call. *Assumed*.
pub const INITIAL_WINDOW: u32 = 512;
