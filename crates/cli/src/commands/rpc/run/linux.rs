//! A job in real time, on an adapter of Linux's own Bluetooth.

use airtime_core::Duration;
use airtime_live::ble::linux::bluez::{BluezError, Calls, SystemBus};
use airtime_live::rpc::Job;
use airtime_live::rpc::secrets::Noted;
use airtime_live::rpc::work::Peer;

use super::real::no_randomness;
use super::{Done, Ran, show};
use crate::commands::live::stop_on_signal;
use crate::commands::rpc::session::Session;
use crate::exit::Failure;
use crate::progress::Progress;

/// Interval at which a bar moves.
const LOOK_EVERY: Duration = Duration::from_millis(100);

/// Does `job` by the `adapter` with this address, or the one that is powered.
///
/// # Errors
/// When there is no bus, or no randomness.
pub fn by_adapter(
    session: &Session,
    adapter: Option<&str>,
    job: Job,
    peer: Peer,
    progress: &Progress,
) -> Result<Done, Failure> {
    let secrets = Noted::from_system(None, peer).map_err(no_randomness)?;
    let bus = SystemBus::open().map_err(|error| Failure::Machine(BluezError::from(error).to_string()))?;
    let stopper = bus.stopper();
    stop_on_signal(stopper.clone())?;
    let mut calls = Calls::new(bus, adapter.map(str::to_owned), &session.calling, job, secrets);
    let mut error = None;
    while error.is_none() && !stopper.is_asked() && !calls.central().is_over() {
        // Whoever asks is told by the stopper.
        error = calls.run(LOOK_EVERY).err().filter(|error| !matches!(error, BluezError::Stopped));
        show(progress, calls.central().script());
    }
    let (elapsed, interrupted) = (calls.now(), stopper.is_asked());
    calls.hang_up();
    Ok(Done { ran: Ran::Linux(Box::new(calls), error.map(|error| error.to_string())), elapsed, interrupted })
}
