//! The SDIO slave as the host sees it: registers, credits, lengths, the data window. Source: esp-hosted-mcu
//! `host/drivers/transport/sdio/`, ESP-IDF `components/hal/sdio_slave_hal.c` and `esp_sdio_slave_protocol.rst`.
//!
//! - [`register`]: offsets and bits · [`Credits`], [`Length`]: the two counters that wrap
//! - [`blocks`], [`window`]: what a transfer is on the bus · [`Slave`]: the peripheral with its buffers

mod counter;
pub mod register;
mod slave;
mod transaction;

pub use counter::{Credits, Length};
pub use slave::{Overflow, Slave};
pub use transaction::{BusError, Completion, Transaction, blocks, window};

/// Octets of a block: CMD53 moves whole blocks only, the last one padded. Source: `ESP_BLOCK_SIZE`.
pub const BLOCK: u32 = 512;

/// Octets of an SDIO buffer of the co-processor, which is also the largest frame. Source: `MAX_TRANSPORT_BUF_SIZE`.
pub const BUFFER: u32 = 1536;
