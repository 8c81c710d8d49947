//! RPC over Bluetooth LE, sans-IO and without allocation: the published bleRPC protocol as it is, and an extension of it that
//! old peers never notice.
//!
//! A [`Client`](client::Client) and a [`Server`](server::Server) exchange *frames*: one frame is one value of a GATT
//! characteristic or one SDU of a credit-based channel. Frames that came are given to `receive`; frames that are to go are
//! pulled with `transmit` when the transport has room, so that neither end queues any. The octets of messages are pulled
//! in the same way from whoever has them ([`Caller`], [`Service`]): a message is never whole in memory because of this crate,
//! but for an encrypted one of the published protocol that is received.
#![no_std]
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
