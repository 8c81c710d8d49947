//! Arguments of `airtime hw log`.

use std::path::PathBuf;

use airtime_core::Duration;
use clap::{Args, ValueHint};

/// `airtime hw log`.
#[derive(Debug, Args)]
pub struct HwLogArguments {
    /// The log: a file, or - for standard input; a serial console goes through `cat` or a probe: `probe-rs run … | airtime hw log -`
    #[arg(value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub file: PathBuf,
    /// Name of the records [default: that of the program that wrote the log]
    #[arg(long, value_name = "NAME")]
    pub name: Option<String>,
    /// Kind of link, where the log does not say: ble-coc, ble-gatt, nrf24-ip, wifi-hosted, ieee802154
    #[arg(long, value_name = "LINK")]
    pub link: Option<String>,
    /// End of the stream that wrote the log, where it does not say
    #[arg(long, value_name = "END", value_parser = ["sender", "receiver"])]
    pub end: Option<String>,
    /// Time from the first figure on that does not count
    #[arg(long, value_name = "TIME", default_value = "1s")]
    pub warmup: Duration,
    /// Source of the log, in words [default: the file's name]
    #[arg(long, value_name = "WORDS")]
    pub source: Option<String>,
    /// Board, such as nrf54l15dk/nrf54l15/cpuapp
    #[arg(long, value_name = "NAME")]
    pub board: Option<String>,
    /// Serial number of the board
    #[arg(long, value_name = "NUMBER")]
    pub serial: Option<String>,
    /// Firmware of the board, and its version
    #[arg(long, value_name = "NAME")]
    pub firmware: Option<String>,
    /// Operating system of the far end, and its version
    #[arg(long, value_name = "NAME")]
    pub os: Option<String>,
    /// Controller of the far end
    #[arg(long, value_name = "NAME")]
    pub controller: Option<String>,
    /// Date of the run
    #[arg(long, value_name = "DATE")]
    pub date: Option<String>,
    /// Distance between the antennas, with its unit
    #[arg(long, value_name = "LENGTH")]
    pub distance: Option<String>,
    /// Anything else about the place: channel, who else was on the air
    #[arg(long, value_name = "WORDS")]
    pub conditions: Option<String>,
}
