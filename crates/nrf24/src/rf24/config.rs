//! Configuration of the driver and of the programs above it.

use airtime_core::{Duration, Instant};

use crate::air::{Crc, Rate};
use crate::host::Cost;

/// Length of the payloads of all pipes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
#[cfg_attr(feature = "plan", derive(airtime_keys::Words))]
pub enum Length {
    /// The same for every frame, which `setPayloadSize()` writes to RX_PW; the driver's default.
    #[default]
    Static,
    /// Said by the control field of each frame: `enableDynamicPayloads()`. It needs the auto-acknowledgement of its pipe (7.3.4), and
    /// without it a receiver falls back to RX_PW.
    Dynamic,
}

/// Call by which a program hands a frame to the driver.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
#[cfg_attr(feature = "plan", derive(airtime_keys::Words))]
pub enum Write {
    /// `writeFast()`: waits for room in the TX FIFO and returns; CE stays high.
    #[default]
    Fast,
    /// `write()`: waits until the frame is out or given up, then CE falls.
    Blocking,
}

/// Configuration of a radio; both ends alike, but for the addresses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Config {
    /// RF channel, 0..=125.
    pub channel: u8,
    /// Air data rate.
    pub rate: Rate,
    /// Octets of addresses, 3..=5.
    pub address_width: u8,
    /// Check of every frame.
    pub crc: Crc,
    /// `setAutoAck()` of all pipes.
    pub auto_ack: bool,
    /// Length of payloads.
    pub length: Length,
    /// `setPayloadSize()`, 1..=32: octets of every payload where the length is static. What has no length of its own has 32.
    pub payload_size: u8,
    /// Retransmission delay in steps of 250 µs less one, 0..=15.
    pub ard: u8,
    /// Retransmissions by the chip, 0..=15.
    pub arc: u8,
    /// Output power, 0..=3: −18, −12, −6, 0 dBm.
    pub power: u8,
    /// Address of pipe 1, on which it listens, least significant octet first.
    pub listens_at: [u8; 5],
    /// Address that it writes to, least significant octet first.
    pub writes_to: [u8; 5],
}

/// Frames that a program sends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sending {
    /// Octets of each, 1..=32.
    pub payload: u8,
    /// Call by which each is handed over.
    pub write: Write,
    /// Leaves TX whenever four milliseconds have passed by `millis()`, as the driver's documentation asks of whoever sends
    /// without acknowledgement: `if (millis() - pauseTime > 3) radio.txStandBy()`.
    pub pauses: bool,
    /// Source of its octets.
    pub source: Source,
    /// The first frame leaves no earlier.
    pub start: Instant,
    /// No frame is handed over from then on.
    pub end: Instant,
}

/// Source of the octets of raw frames.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Source {
    /// Memory: frames are there as fast as the calls return.
    Memory,
    /// A timer: one frame each time.
    Every(Duration),
    /// The serial port at this rate in bit/s: a frame is sent once its octets are in the receive buffer.
    Serial(u32),
}

/// Program of a node of raw frames.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Program {
    /// Program that sends frames.
    Sends(Sending),
    /// Listens, and reads whatever comes.
    Receives,
}

/// Configuration of a node of raw frames.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RawConfig {
    /// Settings of its radio.
    pub radio: Config,
    /// Program that runs on it.
    pub program: Program,
    /// Costs of its host to reach the chip.
    pub cost: Cost,
}
