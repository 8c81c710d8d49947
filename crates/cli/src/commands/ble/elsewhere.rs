//! Systems whose own Bluetooth nobody asks.

use airtime_live::PeerConfig;

use super::Opened;
use super::scan::Heard;
use crate::arguments::ble::{HwBleArguments, HwBleScanArguments};
use crate::exit::{Exit, Failure};

/// Back end for a stream.
pub fn open(_: &str, _: &HwBleArguments, _: &PeerConfig) -> Result<Opened, Failure> {
    Err(refused())
}

/// Everybody who is heard.
pub fn scan(_: &str, _: &HwBleScanArguments) -> Result<(Vec<Heard>, bool), Failure> {
    Err(refused())
}

/// Steps to a scan.
pub fn doctor(_: &str) -> Result<Exit, Failure> {
    Err(refused())
}

fn refused() -> Failure {
    Failure::Machine("--adapter needs Linux, macOS or Windows; --hci is for every UNIX".to_owned())
}
