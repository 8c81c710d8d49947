//! Blocking programs above virtual nRF24L01+, unmodified drivers in them.
//!
//! A program is a stackful coroutine: wherever a driver calls its bus, a pin or a delay, the coroutine says until when that takes
//! and is resumed by the event loop then, so that everything due before has happened. A transaction reads STATUS and data when
//! CSN falls and acts when CSN rises. Nothing here reads a clock, and nothing waits.
//!
//! - [`Program`] is the coroutine as a [`Host`](airtime_nrf24::host::Host) of the network · [`Machine`] is what it runs on
//! - [`Wires`] are the faces of one radio in `embedded-hal` 1.0 · [`v02`] are those of `embedded-hal` 0.2
//!
//! The asynchronous faces (`embedded-hal-async`) are those of [`airtime_nrf24::wires`].

mod faces;
mod machine;
mod program;
pub mod v02;

pub use faces::{Ce, Delay, Irq, Spi, Wires};
pub use machine::Machine;
pub use program::Program;
