//! The published protocol, both ends: messages cut into containers and put together again, one call at a time.
//!
//! What the published implementations do wrong is done right here where it stays compatible: no container has the sequence
//! number 255 and none is longer than theirs take; lengths are proven; an answer is taken for the call whose transaction and
//! name it has; what comes too late is dropped.
//!
//! What nobody can mend is what the octets do not say: items of streams have no numbers and transactions of the server's own, so
//! that in the open a lost item, or one of a stream that its client gave up for want of patience, goes unnoticed. Sealed, the
//! counters tell.

mod assembler;
mod client;
mod controls;
mod items;
mod outgoing;
mod server;

pub use assembler::{Assembler, Defect, Message};
pub(crate) use client::Client;
pub(crate) use controls::{Controls, Reply};
pub(crate) use items::Items;
pub use outgoing::{Outgoing, TooLarge, capacity};
pub(crate) use server::Server;
