//! IP over the nRF24L01+: a virtual chip at register and SPI level, the medium between chips, our own
//! driver and tunnel above the bus, and the books of the air.
//!
//! The seam is the chip's own: SPI, CE and IRQ. Everything above it (driver, tunnel, station) runs on silicon too;
//! everything below it (chip, medium) is a sans-IO node.
//!
//! - [`air`]: how long frames and cycles take · [`wire`]: frames, commands and registers, bit-exact
//! - [`chip`]: the nRF24L01+ · [`medium`]: what reaches whom, and what happens to it on the way
#![no_std]
#![warn(missing_docs)]

extern crate alloc;

pub mod air;
pub mod chip;
pub mod host;
pub mod medium;
pub mod trace;
pub mod wire;
