//! IP over the nRF24L01+: a virtual chip at register and SPI level, the medium between chips, our own
//! driver and tunnel above the bus, and the books of the air.
//!
//! The seam is the chip's own: SPI, CE and IRQ. Everything above it (driver, tunnel, station) runs on silicon too;
//! everything below it (chip, medium) is a sans-IO node.
//!
//! - [`air`]: how long frames and cycles take · [`wire`]: frames, commands and registers, bit-exact
//! - [`chip`]: the nRF24L01+ · [`medium`]: what reaches whom, and what happens to it on the way
//! - [`wires`]: SPI, CE, IRQ and delays of a virtual host, as `embedded-hal-async` has them, and the tasks that use them
//! - [`driver`]: our driver · [`tunnel`]: IP packets over frames of 32 octets, sans-IO, no allocation
//! - [`station`]: driver and tunnel as one daemon · [`legacy`]: the tunnel of the published report
//! - [`network`]: all of it as one plant · [`ledger`]: where the air went
//! - `plan` (feature `plan`): the keys of a plan, and the scenario they come to · `run`: a run of it, and its figures
#![no_std]
#![warn(missing_docs)]

extern crate alloc;

pub mod air;
pub mod chip;
pub mod driver;
pub mod host;
pub mod ledger;
pub mod legacy;
pub mod medium;
pub mod network;
#[cfg(feature = "plan")]
pub mod plan;
#[cfg(feature = "plan")]
pub mod run;
pub mod stall;
pub mod station;
pub mod trace;
pub mod tunnel;
pub mod wire;
pub mod wires;
