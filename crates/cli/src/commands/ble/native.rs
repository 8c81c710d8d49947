//! The back end of macOS and Windows: the system's own Bluetooth, by CoreBluetooth or WinRT.

use airtime_ble_link::plan::Carrier;
use airtime_core::Duration;
use airtime_live::PeerConfig;
use airtime_live::ble::native::{Heard as Device, Native, NativeConfig, NativeError};
use airtime_live::ble::system::{Part, SystemHost, Values, Wanted, Way};

use super::Opened;
use super::scan::Heard;
use super::through::{Through, way};
use crate::arguments::ble::{HwBleArguments, HwBleScanArguments};
use crate::commands::rpc::session::ANY_ADAPTER;
use crate::exit::{Exit, Failure};
use crate::interrupt::stop_on_signal;
use crate::output;

/// Time in which a board that is looked for by its name has to be heard, as the published test has it.
const SCAN: Duration = Duration::from_secs(15);

/// Time in which `doctor` listens.
const LISTEN: Duration = Duration::from_secs(3);

/// Back end for what `arguments` ask for.
pub fn open(adapter: &str, arguments: &HwBleArguments, config: &PeerConfig) -> Result<Opened, Failure> {
    only(adapter)?;
    let (part, way) = match config.scenario.link {
        Carrier::BleGatt => (Part::Stream, way(arguments, config)?),
        _ => (Part::Psm, taken(arguments, config)?),
    };
    let name = config.scenario.connection.name.clone();
    let wanted = Wanted { adapter: None, name, within: SCAN, part };
    let native = native(NativeConfig { wanted, psm: arguments.psm })?;
    let stopper = native.stopper();
    let values = Values::new(native, way, config.scenario.run.warmup);
    Ok((Box::new(Through::new(values, stopper.clone())), stopper))
}

/// Everybody whom the system hears, and whether somebody has stopped it.
pub fn scan(adapter: &str, arguments: &HwBleScanArguments) -> Result<(Vec<Heard>, bool), Failure> {
    only(adapter)?;
    let mut native = native(listening(arguments.name.clone(), arguments.length))?;
    stop_on_signal(native.stopper())?;
    let heard = native.scan().map_err(failed)?;
    Ok((heard.iter().map(Heard::from).collect(), native.is_stopped()))
}

/// Steps to a scan, and what to do where one fails.
pub fn doctor(adapter: &str) -> Result<Exit, Failure> {
    only(adapter)?;
    let mut native = native(listening(None, LISTEN))?;
    stop_on_signal(native.stopper())?;
    let heard = native.scan().map_err(failed)?;
    output::say(&format!("ok: Bluetooth is on, and has heard {} devices within {LISTEN}", heard.len()));
    Ok(Exit::Ok)
}

/// The way of a channel, on which the system lets a program only take.
fn taken(arguments: &HwBleArguments, config: &PeerConfig) -> Result<Way, Failure> {
    if arguments.address.is_some() {
        return Err(Failure::BadInput("--address is for Linux: this system knows boards by their --name".to_owned()));
    }
    if config.name.ends_with("source") {
        let what = "--adapter: on macOS a channel is measured from the board to this machine, for what its stream has taken in the other \
                    direction is no figure; --hci sends, and so does `airtime hw ble gatt`";
        return Err(Failure::BadInput(what.to_owned()));
    }
    Ok(Way::Notified)
}

/// Refuses every name of an adapter but the one for whichever there is.
pub fn only(adapter: &str) -> Result<(), Failure> {
    if adapter == ANY_ADAPTER {
        return Ok(());
    }
    let what = format!("--adapter {adapter}: this system has one adapter for programs: --adapter {ANY_ADAPTER}");
    Err(Failure::BadInput(what))
}

fn listening(name: Option<String>, within: Duration) -> NativeConfig {
    let wanted = Wanted { adapter: None, name: name.unwrap_or_default(), within, part: Part::Address };
    NativeConfig { wanted, psm: None }
}

/// The system's Bluetooth.
pub fn native(config: NativeConfig) -> Result<Native, Failure> {
    Native::open(config).map_err(|error| Failure::Machine(format!("cannot begin a thread: {error}")))
}

fn failed(error: NativeError) -> Failure {
    Failure::Machine(error.to_string())
}

impl From<&Device> for Heard {
    fn from(device: &Device) -> Self {
        Self {
            address: device.id.clone(),
            name: device.name.clone(),
            rssi_dbm: device.rssi_dbm,
            connectable: Some(device.connectable),
        }
    }
}
