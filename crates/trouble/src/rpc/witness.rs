//! Witness of a peripheral that is called: the laboratory's record, a firmware's log, or nobody.

use core::fmt::Debug;

use airtime_app::{Address, Phy};
use airtime_core::{Duration, Instant};
use airtime_rpc::server::Faults;
use bt_hci::param::Status;
use trouble_host::Error;

/// A witness of connections and frames. Every method has an empty default; `()` is the witness who does not care.
///
/// Methods are called while nothing is borrowed, and must not wait.
pub trait Witness {
    /// The controller has not taken the data length that it was to suggest.
    fn data_length_refused(&self, now: Instant, error: &dyn Debug) {
        let _ = (now, error);
    }

    /// A connection stands; it is about to be served.
    fn connected(&self, now: Instant, conn: u16, peer: Address, interval: Duration) {
        let _ = (now, conn, peer, interval);
    }

    /// The interval wanted could not be asked for.
    fn update_refused(&self, now: Instant, conn: u16, error: &dyn Debug) {
        let _ = (now, conn, error);
    }

    /// The connection has another interval.
    fn interval(&self, now: Instant, conn: u16, interval: Duration) {
        let _ = (now, conn, interval);
    }

    /// Link layer PDUs have so many octets from now on, out and in.
    fn data_length(&self, now: Instant, conn: u16, tx_octets: u16, rx_octets: u16) {
        let _ = (now, conn, tx_octets, rx_octets);
    }

    /// The PHY towards the peer has changed.
    fn phy(&self, now: Instant, conn: u16, tx: Phy) {
        let _ = (now, conn, tx);
    }

    /// The first frame of a connection has come: with the ATT MTU as it stands, a notification has room for `value` octets.
    fn begun(&self, now: Instant, conn: u16, att_mtu: u16, value: u16) {
        let _ = (now, conn, att_mtu, value);
    }

    /// A frame has come, and the server is about to be given it.
    fn received(&self, now: Instant, conn: u16, octets: u16) {
        let _ = (now, conn, octets);
    }

    /// A frame is given to the host.
    fn submitted(&self, now: Instant, conn: u16, octets: u16) {
        let _ = (now, conn, octets);
    }

    /// The frame that was given to the host last was not sent: it had no packet for it.
    fn not_sent(&self, now: Instant, conn: u16, error: &Error) {
        let _ = (now, conn, error);
    }

    /// The connection is gone; `faults` is what its server has dropped or refused.
    fn disconnected(&self, now: Instant, conn: u16, reason: Status, faults: &Faults) {
        let _ = (now, conn, reason, faults);
    }
}

impl Witness for () {}
