//! Output of a station for the laboratory.

use airtime_app::{Outcome, Unit};
use airtime_ble::host::{ConnHandle, HostEvent};
use airtime_core::Packet;
use airtime_rpc::suite::Report;

/// Output of a station.
#[derive(Debug)]
pub enum StationOutput {
    /// One H4 packet for the controller.
    Hci(Packet),
    /// The host has taken an SDU, or a frame of calls.
    Submitted(Unit),
    /// A value found no room in the host, whose application did not look: it is gone.
    Dropped(Unit),
    /// An SDU, or a frame of calls, has arrived.
    Delivered(Unit),
    /// The first SDU of a connection was submitted or has arrived at this end; of remote calls, the central's client is ready.
    StreamStarted {
        /// Number of the link.
        link: usize,
        /// Handle of the connection.
        conn: ConnHandle,
    },
    /// The host said something other than that an SDU was sent or has arrived. The application has
    /// been told before.
    Host(HostEvent),
    /// The script of a central that calls reports this.
    Rpc(Report),
    /// The test with one peripheral has ended.
    Ended {
        /// Number of the link.
        link: usize,
        /// Outcome of the test.
        outcome: Outcome,
    },
}
