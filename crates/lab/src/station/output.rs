//! What a station tells the laboratory.

use airtime_app::{Outcome, Unit};
use airtime_ble::host::{ConnHandle, HostEvent};
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
