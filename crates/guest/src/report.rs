//! Reports of a guest with the test application on it, besides H4 packets.

use airtime_app::{Outcome, Unit};
use airtime_ble::host::{ConnHandle, HostEvent};

/// Report of something that happened at this end.
#[derive(Clone, Debug, PartialEq)]
pub enum Report {
    /// An SDU was given to the host.
    Submitted(Unit),
    /// An SDU has arrived.
    Delivered(Unit),
    /// The first SDU of a connection was submitted or has arrived at this end.
    StreamStarted {
        /// Number of the link.
        link: usize,
        /// Handle of the connection.
        conn: ConnHandle,
    },
    /// The host said something other than that an SDU was sent or has arrived. The application has
    /// been told before.
    Host(HostEvent),
    /// The test with one peripheral has ended.
    Ended {
        /// Number of the link.
        link: usize,
        /// Outcome of the test.
        outcome: Outcome,
    },
}
