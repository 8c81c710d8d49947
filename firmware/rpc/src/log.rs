//! Log for the probe: connections, and what was not as it should be.

use core::fmt::Debug;

use airtime_app::Address;
use airtime_core::{Duration, Instant};
use airtime_rpc::server::Faults;
use airtime_trouble::rpc::Witness;
use bt_hci::param::Status;
use common::Stack;
use defmt::{Debug2Format, info, warn};
use trouble_host::Error;

/// Logs what happens to connections, but no frame.
pub(crate) struct Log;

impl Witness for Log {
    fn data_length_refused(&self, _now: Instant, error: &dyn Debug) {
        warn!("suggested data length: {}", Debug2Format(error));
    }

    fn connected(&self, _now: Instant, _conn: u16, _peer: Address, _interval: Duration) {
        info!("connected");
    }

    fn update_refused(&self, _now: Instant, _conn: u16, error: &dyn Debug) {
        warn!("interval of 15 to 30 ms: {}", Debug2Format(error));
    }

    fn begun(&self, _now: Instant, _conn: u16, _att_mtu: u16, value: u16) {
        info!("frames of up to {} octets", value);
    }

    fn not_sent(&self, _now: Instant, _conn: u16, error: &Error) {
        warn!("a frame was not sent: {}", error);
    }

    fn disconnected(&self, _now: Instant, _conn: u16, reason: Status, faults: &Faults) {
        info!("disconnected: {}", reason);
        info!("dropped or refused: {}", Debug2Format(faults));
        info!("{}", Stack::look());
    }
}
