//! What a station tells the laboratory.

use airtime_app::Outcome;
use airtime_ble::host::{ChannelId, ConnHandle, HostEvent};
use airtime_core::Packet;

/// Something a station says.
#[derive(Debug)]
pub enum StationOutput {
    /// One H4 packet for the controller.
    Hci(Packet),
    /// The host has taken an SDU.
    Submitted(Unit),
    /// An SDU has arrived.
    Delivered(Unit),
    /// The first SDU of a connection was submitted or has arrived at this end.
    StreamStarted {
        /// Number of the link.
        link: usize,
        /// Its handle.
        conn: ConnHandle,
    },
    /// The host said something other than that an SDU was sent or has arrived. The application has
    /// been told before.
    Host(HostEvent),
    /// The test with one peripheral has ended.
    Ended {
        /// Number of the link.
        link: usize,
        /// How.
        outcome: Outcome,
    },
}

/// One SDU, or one value of the stream characteristic.
///
/// `link` and `lane` are the same at both ends, save that a peripheral has link 0 only; `conn` and
/// `channel` are this end's own numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Unit {
    /// Number of the link.
    pub link: usize,
    /// Number of the channel in the order of opening.
    pub lane: usize,
    /// Connection handle.
    pub conn: ConnHandle,
    /// Channel identifier; 4 for a value.
    pub channel: ChannelId,
    /// Octets.
    pub octets: u16,
    /// Number in the stream of its lane, from zero. Of an arrived unit shorter than eight octets,
    /// only the low bits that it had room for.
    pub sequence: u64,
}
