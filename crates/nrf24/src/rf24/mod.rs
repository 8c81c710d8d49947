//! The published driver RF24, as its source has it, and the programs people run on it: calls that poll STATUS over SPI and wait for no
//! interrupt, and one radio that either sends or listens.
//!
//! ```text
//!   frames of the application ─► [send]    ── radio ~~~ radio ── [receive] ─► application
//! ```
//!
//! Behaviour is that of <https://github.com/nRF24/RF24> at 1.6.2, rewritten: which registers each call reads and writes, in which
//! order, and what it waits for. Left out is its handling of failures, which starts the chip anew after 95 ms without progress.
//!
//! IP over it, by RF24Network and RF24Gateway, is in [`gateway`].
//!
//! [`Rf24`] and the programs know neither the lab nor Linux: they stand on `embedded-hal-async` and on a [`Bench`]. [`RawNode`] is
//! the bench of the lab's virtual time.

mod bench;
mod config;
mod frames;
pub mod gateway;
mod node;
mod programs;
mod radio;
mod serial;
mod setup;
mod virtual_bench;

pub use bench::Bench;
pub use config::{Config, Length, Program, RawConfig, Sending, Source, Write};
pub use frames::{fill, is_whole};
pub use node::RawNode;
pub use programs::{receive, send};
pub use radio::Rf24;
pub use serial::{BUFFER, Serial};
