//! ESP-Hosted-MCU 2.x: what goes over the bus between a host MCU and its Wi-Fi co-processor. Source: espressif/esp-hosted-mcu,
//! `common/` and `docs/`, at `d8af9691` (2.11.7) unless said otherwise.
//!
//! - [`wire`]: frame header, interfaces, start-up TLVs, fragments · [`rpc`]: protobuf messages and their envelope
//! - [`sdio`]: registers, credits, lengths · [`host`], [`coprocessor`]: both sides, sans-IO
//! - [`raw`]: raw 802.11 frames over custom RPC
#![no_std]
#![warn(missing_docs)]

extern crate alloc;

pub mod coprocessor;
pub mod host;
pub mod raw;
pub mod rpc;
pub mod sdio;
pub mod wire;

use airtime_core::Instant;

/// The earlier of two deadlines.
pub(crate) fn earliest(a: Option<Instant>, b: Option<Instant>) -> Option<Instant> {
    match (a, b) {
        (Some(a), Some(b)) => Some(a.min(b)),
        (a, b) => a.or(b),
    }
}
