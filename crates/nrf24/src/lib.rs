//! IP over the nRF24L01+: a virtual chip at register and SPI level, the medium between chips, our own
//! driver and tunnel above the bus, and the books of the air.
//!
//! The seam is the chip's own: SPI, CE and IRQ. Everything above it runs on silicon too; everything below it is a
//! sans-IO node.
#![no_std]
#![warn(missing_docs)]

pub mod air;
pub mod host;
pub mod trace;
