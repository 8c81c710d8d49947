//! Remote procedure calls over Bluetooth LE, sans-IO (octets in, octets out, no radio and no clock) and without allocation: the
//! published bleRPC protocol as it is, and an extension of it that old peers never notice.
//!
//! A [`Client`](client::Client) and a [`Server`](server::Server) exchange *frames*: one frame is one value of a GATT
//! characteristic or one SDU of a credit-based channel. Frames that came are given to `receive`; frames that are to go are
//! pulled with `transmit` when the transport has room, so that neither end queues any. The octets of messages are pulled
//! in the same way from whoever has them ([`Caller`], [`Service`]): a message is never whole in memory because of this crate,
//! but for an encrypted one of the published protocol that is received.
//!
//! A server without a transport: the octets of one call in, those of its answer out.
//!
//! ```
//! use airtime_core::Instant;
//! use airtime_rpc::crypto::ServerSecrets;
//! use airtime_rpc::server::{Server, ServerConfig};
//! use airtime_rpc::service::{RamFlash, TestService};
//!
//! let mut server: Server<16_384> = Server::new(ServerConfig::default());
//! let mut service = TestService::new(RamFlash::<65_536>::default());
//!
//! // A connection at an ATT MTU of 247. The secrets are for a key exchange, which an open connection has no use for.
//! let (now, secrets) = (Instant::ZERO, ServerSecrets { identity: [5; 32], ephemeral: [6; 32], nonce: [7; 12] });
//! server.connected(now, 244, secrets);
//!
//! // A call of `echo` with "hello": container, command, message.
//! server.receive(now, b"\x02\x00\x00\x0f\x00\x0f\x00\x04echo\x07\x00\x0a\x05hello", &mut service);
//! let mut frame = [0; 244];
//! let octets = server.transmit(now, &mut frame, &mut service).expect("it answers");
//! assert_eq!(&frame[..octets], b"\x02\x00\x00\x0f\x00\x0f\x80\x04echo\x07\x00\x0a\x05hello", "a set bit: response");
//! assert_eq!(server.transmit(now, &mut frame, &mut service), None, "one frame is the whole answer");
//! ```
//!
//! The three types to begin with:
//!
//! - [`server::Server`]: the called end of one connection; [`Service`] is what it calls
//! - [`client::Client`]: the calling end; [`Caller`] has its requests and takes the answers
//! - [`CallError`]: every way in which a call can end without an answer
//!
//! # Features
//!
//! - `plan`: words of methods, checks and modes as plans write them; off unless it is asked for
#![no_std]
#![warn(missing_docs)]
#![allow(clippy::large_enum_variant, reason = "there is no heap for what is large: a state holds what it needs")]

#[cfg(test)]
extern crate std;

mod call;
pub mod client;
pub mod compatible;
pub mod crypto;
pub mod extended;
mod faults;
mod limits;
pub mod message;
pub mod server;
pub mod service;
pub mod suite;
pub mod wire;

pub use call::{CallError, CallId, Caller, Kind, Next, Refused, Service, Status};
pub use faults::Faults;
pub use limits::{CALLS_MAX, COMPATIBLE_FRAME_MAX, NAME_MAX};
