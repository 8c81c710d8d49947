//! A job in real time, on the Bluetooth that the operating system has.

use airtime_core::Duration;
use airtime_live::Stopper;
#[cfg(target_os = "linux")]
use airtime_live::ble::linux::bluez::{Bluez, BluezError, SystemBus};
#[cfg(any(target_os = "macos", windows))]
use airtime_live::ble::native::{Native, NativeConfig};
use airtime_live::ble::system::{Calls, Wanted, called};
use airtime_live::rpc::Job;
use airtime_live::rpc::secrets::Noted;
use airtime_live::rpc::work::Peer;

use super::{Done, Ran, no_randomness, show};
use crate::commands::rpc::session::Session;
use crate::exit::Failure;
use crate::interrupt::stop_on_signal;
use crate::progress::Progress;

/// The system's Bluetooth.
#[cfg(target_os = "linux")]
pub type Host = Bluez<SystemBus>;
/// The system's Bluetooth.
#[cfg(any(target_os = "macos", windows))]
pub type Host = Native;

/// Interval at which a bar moves.
const LOOK_EVERY: Duration = Duration::from_millis(100);

/// Does `job` by the `adapter` with this address, or the one that is powered.
///
/// # Errors
/// When there is no Bluetooth, or no randomness.
pub fn by_adapter(
    session: &Session,
    adapter: Option<&str>,
    job: Job,
    peer: Peer,
    progress: &Progress,
) -> Result<Done, Failure> {
    let secrets = Noted::from_system(None, peer).map_err(no_randomness)?;
    let (host, stopper) = host(called(&session.calling, &job, adapter.map(str::to_owned)))?;
    stop_on_signal(stopper.clone())?;
    let mut calls = Calls::new(host, &session.calling, job, secrets);
    let mut error = None;
    while error.is_none() && !stopper.is_asked() && !calls.central().is_over() {
        // Whoever asks is told by the stopper.
        error = calls.run(LOOK_EVERY).err().filter(|_| !stopper.is_asked());
        show(progress, calls.central().script());
    }
    let (elapsed, interrupted) = (calls.now(), stopper.is_asked());
    calls.hang_up();
    Ok(Done { ran: Ran::System(Box::new(calls), error.map(|error| error.to_string())), elapsed, interrupted })
}

#[cfg(target_os = "linux")]
fn host(wanted: Wanted) -> Result<(Host, Stopper), Failure> {
    let bus = SystemBus::open().map_err(|error| Failure::Machine(BluezError::from(error).to_string()))?;
    let stopper = bus.stopper();
    Ok((Bluez::new(bus, wanted), stopper))
}

#[cfg(any(target_os = "macos", windows))]
fn host(wanted: Wanted) -> Result<(Host, Stopper), Failure> {
    use crate::commands::ble::native::{native, only};
    if let Some(adapter) = &wanted.adapter {
        only(adapter)?;
    }
    let native = native(NativeConfig { wanted, psm: None })?;
    let stopper = native.stopper();
    Ok((native, stopper))
}
