//! Registers of SDIO function 1 and their bits: the low ten bits of the addresses of SLCHOST. Source: `sdio_reg.h`.

/// Bits 27..16: receive buffers loaded so far.
pub const TOKEN_RDATA: u32 = 0x044;
/// Interrupts raised, enabled or not.
pub const INT_RAW: u32 = 0x050;
/// Interrupts raised and enabled.
pub const INT_ST: u32 = 0x058;
/// Bits 19..0: octets made available so far.
pub const PACKET_LEN: u32 = 0x060;
/// Scratch register 7: interrupts from the host, one bit each.
pub const TO_SLAVE: u32 = 0x08c;
/// Clears the interrupts whose bits are written.
pub const INT_CLR: u32 = 0x0d4;
/// Interrupts that drive the line.
pub const INT_ENA: u32 = 0x0dc;
/// End of the data window: `n` octets are moved at `WINDOW_END - n`.
pub const WINDOW_END: u32 = 0x1_f800;

/// Octets from [`INT_RAW`] to the end of [`PACKET_LEN`]: the host reads them in one go.
pub const STATUS_OCTETS: u16 = (PACKET_LEN - INT_RAW + 4) as u16;

/// The co-processor wants the host to stop sending for its station.
pub const INT_START_THROTTLE: u32 = 1 << 7;
/// Interrupt: the host may send again.
pub const INT_STOP_THROTTLE: u32 = 1 << 6;
/// The host has read more than there was.
pub const INT_RX_UNDERFLOW: u32 = 1 << 16;
/// The host has written without a buffer.
pub const INT_TX_OVERFLOW: u32 = 1 << 17;
/// Octets are available.
pub const INT_NEW_PACKET: u32 = 1 << 23;

/// Interrupts that esp-hosted enables: a new packet and the eight of the application. Source: `sdio_slave_api.c`.
pub const INT_HOSTED: u32 = INT_NEW_PACKET | 0xff;

/// The host is up and its data may come. Source: `enum` of `ESP_OPEN_DATA_PATH` on.
pub const OPEN_DATA_PATH: u32 = 1 << 0;
/// No more data.
pub const CLOSE_DATA_PATH: u32 = 1 << 1;
/// Defined, and ignored by the co-processor's firmware 2.x.
pub const RESET: u32 = 1 << 2;
/// The host goes to sleep.
pub const POWER_SAVE_ON: u32 = 1 << 3;
/// The host is awake again.
pub const POWER_SAVE_OFF: u32 = 1 << 4;
