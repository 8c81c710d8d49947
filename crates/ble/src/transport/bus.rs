//! Buses between a host and a controller, and the time of a packet on each.

use airtime_core::Duration;

use crate::hci::EVENT;

/// Bits of an octet on a UART with H4: a start bit, eight of data, a stop bit, and no parity. Core 6.0, Vol 4, Part A, 3.
const UART_BITS: u64 = 10;

/// Bits of an octet on a three-wire UART, with its even parity. Core 6.0, Vol 4, Part D.
const THREE_WIRE_BITS: u64 = 11;

/// Octets around the payload of a three-wire frame: a delimiter at each end and a header. Core 6.0, Vol 4, Part D, 3.1 and 4.
const FRAME: u64 = 2 + 4;

/// Octets of a check over header and payload. Core 6.0, Vol 4, Part D, 5.
const CHECK: u64 = 2;

/// Octets of a packet of a bulk endpoint, and what a transaction costs beside them (USB 2.0, 5.8.3 and 5.8.4); of an interrupt endpoint for
/// events as Core 6.0, Vol 4, Part B, suggests them, *assumed* of every dongle.
const BULK: u64 = 64;
const INTERRUPT: u64 = 16;
const TRANSACTION: u64 = 13;

/// Bit rate of USB at full speed.
const USB_BITS_PER_SECOND: u32 = 12_000_000;

/// Frames of USB, in each of which the endpoint for events is asked once: a `bInterval` of 1, *assumed*.
pub(super) const USB_FRAME: Duration = Duration::from_millis(1);

/// Octets of the header that goes both ways in front of a piece, and most octets of a piece: zephyr, drivers/bluetooth/hci/spi.c
/// (`header_master`, `SPI_MAX_MSG_LEN`), after ST's BlueNRG. What is longer goes in pieces, as in hci_spi_st.c; spi.c refuses it.
const SPI_HEADER: u64 = 5;
const SPI_PIECE: u64 = 255;

/// Bus between a host and its controller.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum Bus {
    /// None: both are on one chip, or share its memory, and nothing takes time.
    #[default]
    Memory,
    /// A UART with H4.
    Uart {
        /// Bits a second.
        baud: u32,
    },
    /// A UART without flow control (H5): frames that are numbered and acknowledged.
    ThreeWire {
        /// Bits a second.
        baud: u32,
        /// Frames that may be without acknowledgement, 1 to 7.
        window: u8,
        /// Check behind each payload.
        crc: bool,
    },
    /// USB at full speed, with an endpoint each for events, which are asked for, and for data in either direction.
    Usb,
    /// SPI, whose one clock serves one direction at a time.
    Spi {
        /// Bits a second.
        hz: u32,
        /// Time from a header to its data.
        delay: Duration,
    },
    /// Memory that two cores share.
    Ipc {
        /// Time of a packet from one core to the other.
        delay: Duration,
    },
}

impl Bus {
    /// Time of an H4 packet of so many octets, its type among them, where nothing is before it; of an event of USB, from the frame in which
    /// it is asked for; of a three-wire frame, where nothing in it is escaped.
    pub const fn time(self, kind: u8, octets: u64) -> Duration {
        // The type is said by the endpoint of USB, and by the header of a frame.
        let untyped = octets.saturating_sub(1);
        match self {
            Self::Memory => Duration::ZERO,
            Self::Uart { baud } => bits(octets * UART_BITS, baud),
            Self::ThreeWire { baud, crc, .. } => frame_time(baud, untyped + FRAME + if crc { CHECK } else { 0 }),
            Self::Usb => usb(kind, untyped),
            Self::Spi { hz, delay } => {
                let pieces = pieces(octets, SPI_PIECE);
                let clocked = bits((octets + pieces * SPI_HEADER) * 8, hz);
                Duration::from_nanos(clocked.as_nanos() + delay.as_nanos() * pieces)
            }
            Self::Ipc { delay } => delay,
        }
    }
}

/// Time of a three-wire frame of so many octets on the line.
pub(super) const fn frame_time(baud: u32, octets: u64) -> Duration {
    bits(octets * THREE_WIRE_BITS, baud)
}

/// Time of a packet of USB without its type.
const fn usb(kind: u8, octets: u64) -> Duration {
    let most = if kind == EVENT { INTERRUPT } else { BULK };
    let transactions = pieces(octets, most);
    if kind == EVENT {
        // Each further piece waits for its own frame.
        let before = USB_FRAME.as_nanos() * (transactions - 1);
        let last = octets - (transactions - 1) * most;
        Duration::from_nanos(before + bits((last + TRANSACTION) * 8, USB_BITS_PER_SECOND).as_nanos())
    } else {
        bits((octets + transactions * TRANSACTION) * 8, USB_BITS_PER_SECOND)
    }
}

/// Pieces of at most so many octets; one of nothing.
const fn pieces(octets: u64, most: u64) -> u64 {
    if octets == 0 { 1 } else { octets.div_ceil(most) }
}

/// Time of so many bits, rounded up to a whole nanosecond.
const fn bits(bits: u64, per_second: u32) -> Duration {
    Duration::from_nanos((bits * 1_000_000_000).div_ceil(per_second as u64))
}
