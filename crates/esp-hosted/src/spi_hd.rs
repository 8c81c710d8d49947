//! Registers of the co-processor's SPI in half duplex. Source: `common/transport/esp_hosted_transport_spi_hd.h` and `docs/spi_half_duplex.md`
//! at `4d9dc385` (2.12.12).
//!
//! They do what those of SDIO do: a count of the buffers that the host may fill, and one of the octets that it may read. One buffer each way is
//! with the DMA at a time (ESP-IDF `spi_slave_hd.c`), so that the host sees one credit and one frame at most. Counts wrap here as those
//! of SDIO do, the driver's at 2^32 and 2^24: both sides wrap alike, and nobody sees the difference.

/// 0xEE once the co-processor is ready.
pub const SLAVE_READY: u32 = 0x00;
/// Octets that the co-processor has made available so far.
pub const TX_BUF_LEN: u32 = 0x0c;
/// Buffers that it has handed to its DMA so far.
pub const RX_BUF_LEN: u32 = 0x10;
/// Bits by which the host controls it.
pub const SLAVE_CTRL: u32 = 0x14;

/// Bit of [`SLAVE_CTRL`]: data may come.
pub const DATAPATH_ON: u32 = 1;
