//! ESP-Hosted-MCU 2.x without a radio: everything that goes over the bus between a host MCU and its Wi-Fi co-processor, as
//! octets, and both sides of it as state machines. Source: espressif/esp-hosted-mcu, `common/` and `docs/`, at `d8af9691` (2.11.7)
//! unless said otherwise.
//!
//! - [`wire`]: frame header, interfaces, start-up TLVs, fragments · [`rpc`]: protobuf messages and their envelope
//! - [`sdio`]: registers, credits, lengths · [`host`], [`coprocessor`]: both sides, sans-IO: they are told the time, and say what
//!   is to be transferred
//! - [`raw`]: raw 802.11 frames over custom RPC · [`costs`]: time of the bus, and of the tasks at both of its ends
//!
//! A frame is made, and read from what one transfer of the bus has brought; one wrong bit is found by the checksum:
//!
//! ```
//! use airtime_core::Pool;
//! use airtime_esp_hosted::wire::{Frame, FrameError, Header, Interface, Layout};
//!
//! let layout = Layout { checksum: true, ..Layout::SDIO };
//! let mut octets = Pool::new().packet();
//! Header::new(Interface::Station).emit(&layout, b"an Ethernet frame", &mut octets);
//! assert_eq!(octets.len(), 12 + 17, "the header has 12 octets");
//!
//! let frame = Frame::new_checked(&octets, &layout).expect("what was made can be read");
//! assert_eq!((frame.header.interface, frame.payload), (Interface::Station, &b"an Ethernet frame"[..]));
//!
//! let mut damaged = octets.to_vec();
//! damaged[20] ^= 1;
//! assert!(matches!(Frame::new_checked(&damaged, &layout), Err(FrameError::Checksum { .. })));
//! ```
//!
//! The three types to begin with:
//!
//! - [`wire::Frame`]: one frame of the bus, read in place; [`wire::Header`] writes one
//! - [`host::Host`]: the side of the host MCU
//! - [`coprocessor::Coprocessor`]: the side of the chip with the radio
//!
//! # Features
//!
//! - `plan`: words of the mode of the bus as plans write them; off unless it is asked for
#![no_std]
#![warn(missing_docs)]

extern crate alloc;

pub mod coprocessor;
pub mod costs;
pub mod host;
pub mod raw;
pub mod rpc;
pub mod sdio;
pub mod spi_hd;
pub mod wire;

use airtime_core::Instant;

/// The earlier of two deadlines.
pub(crate) fn earliest(a: Option<Instant>, b: Option<Instant>) -> Option<Instant> {
    match (a, b) {
        (Some(a), Some(b)) => Some(a.min(b)),
        (a, b) => a.or(b),
    }
}
