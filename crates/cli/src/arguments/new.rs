//! The command line of `airtime new` as it was written.

use std::path::PathBuf;

use clap::{Args, ValueHint};

/// `airtime new`.
#[derive(Debug, Args)]
pub struct NewArguments {
    /// Kind of link: ble-coc, ble-gatt, ble-rpc, nrf24-ip, wifi-hosted or ieee802154
    #[arg(value_name = "LINK")]
    pub link: String,
    /// Device at the end that connects, of links that have one: a personality such as iphone, or its file
    #[arg(long, value_name = "NAME", value_hint = ValueHint::AnyPath)]
    pub central: Option<String>,
    /// Device at the end that advertises, which is the board as a rule
    #[arg(long, value_name = "NAME", value_hint = ValueHint::AnyPath)]
    pub peripheral: Option<String>,
    /// File to write; without it the plan goes to standard output
    #[arg(short, long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub output: Option<PathBuf>,
    /// Replace the file if it is there
    #[arg(long, requires = "output")]
    pub force: bool,
}
