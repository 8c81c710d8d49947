//! What every driver is asked to do, and what a host costs while it does.

use std::cell::RefCell;
use std::rc::Rc;

use airtime_core::Duration;
use airtime_nrf24::host::Cost;

/// Payloads of a measurement.
pub const COUNT: u32 = 2_000;

/// Octets of each.
pub const OCTETS: usize = 32;

/// What both ends are set to, as SPI has it.
pub const ADDRESS: [u8; 5] = *b"Node1";

/// The channel of both ends.
pub const CHANNEL: u8 = 76;

/// The sender begins this long after the start: every receiver listens by then.
pub const HEAD_START_MS: u32 = 30;

/// How a payload is sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Style {
    /// One after another: a payload is across before the next is written.
    Send,
    /// CE stays high and the TX FIFO is kept full; auto-ack.
    Stream,
    /// The same without acknowledgement.
    NoAck,
}

/// A host with this SPI clock in MHz and this cost of a transaction in µs; it wakes at once.
pub const fn cost(mhz: u32, transaction_us: u64) -> Cost {
    Cost {
        spi_hz: mhz * 1_000_000,
        transaction: Duration::from_micros(transaction_us),
        pin: Duration::ZERO,
        wake: Duration::ZERO,
        sleep_slack: Duration::ZERO,
        tun: Duration::ZERO,
    }
}

/// Payload number `index`: no two of a measurement are alike.
pub fn payload(index: u32) -> [u8; OCTETS] {
    let mut octets = [0; OCTETS];
    for (at, octet) in octets.iter_mut().enumerate() {
        *octet = (index >> (8 * (at % 4))) as u8 ^ (at as u8).wrapping_mul(37);
    }
    octets
}

/// What the receiving program read, in order.
pub type Inbox = Rc<RefCell<Vec<[u8; OCTETS]>>>;
