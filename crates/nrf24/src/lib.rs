//! IP over the nRF24L01+, a radio of 2 Mbit/s whose frames carry 32 octets: a virtual chip at register and SPI level, the medium
//! between chips, a driver and a tunnel above the bus, and books that say where the time of the air went.
//!
//! The seam is the chip's own: SPI, CE and IRQ. Everything above it (driver, tunnel, station) runs on silicon too;
//! everything below it (chip, medium) is a sans-IO node: state machines without a clock, a bus or a thread of their own.
//!
//! The virtual chip under a few octets of SPI, and the most that its acknowledged mode can carry:
//!
//! ```
//! use airtime_core::{Duration, Instant};
//! use airtime_nrf24::air::{Framing, Rate};
//! use airtime_nrf24::chip::{Chip, Options};
//!
//! // The supply has been up for longer than the 100 ms of a power-on reset. Product Specification 1.0, 6.1.7.
//! let (mut chip, now) = (Chip::new(Options::default()), Instant::ZERO + Duration::from_millis(200));
//! let mut spi = |mosi: [u8; 2]| {
//!     let mut miso = mosi;
//!     chip.select(now, &mosi, &mut miso);
//!     chip.deselect(now, &mosi);
//!     miso
//! };
//! assert_eq!(spi([0x05, 0]), [0x0e, 2], "status, then RF_CH as a reset leaves it");
//! spi([0x20 | 0x05, 108]);
//! assert_eq!(spi([0x05, 0]), [0x0e, 108], "2508 MHz");
//!
//! // 32 octets of payload with addresses of 5 at 2 Mbit/s: settle, frame, settle, acknowledgement.
//! let framing = Framing::enhanced(Rate::M2, 5);
//! let cycle = framing.acked_cycle(32, 0);
//! assert_eq!(cycle, Duration::from_nanos(130_000 + 164_500 + 130_000 + 36_500));
//! assert_eq!(Framing::ceiling_bps(32, cycle), 555_314);
//! ```
//!
//! The three types to begin with:
//!
//! - [`chip::Chip`]: the nRF24L01+, to be put under a driver of one's own
//! - [`station::Station`]: our driver and tunnel as one daemon above one or two chips
//! - [`network::Network`]: chips, what drives them, traffic and the medium as one plant for an event loop
//!
//! The modules:
//!
//! - [`air`]: time of frames and cycles · [`wire`]: frames, commands and registers, bit-exact
//! - [`chip`]: the nRF24L01+ · [`medium`]: what reaches whom, and what happens to it on the way
//! - [`wires`]: SPI, CE, IRQ and delays of a virtual host, as `embedded-hal-async` has them, and the tasks that use them
//! - [`driver`]: our driver · [`tunnel`]: IP packets over frames of 32 octets, sans-IO, no allocation
//! - [`station`]: driver and tunnel as one daemon · [`legacy`]: the tunnel of the published report · [`rf24`]: the published
//!   driver RF24, and raw frames on it
//! - [`network`]: all of it as one plant · [`ledger`]: where the air went
//!
//! # Features
//!
//! - `plan`: modules `plan`, the keys of a plan and the scenario they come to, and `run`, a run of it and its figures; off unless
//!   it is asked for
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
pub mod rf24;
#[cfg(feature = "plan")]
pub mod run;
pub mod stall;
pub mod station;
pub mod trace;
pub mod tunnel;
pub mod wire;
pub mod wires;
