//! Arguments of `airtime hw ble`.

use airtime_core::Duration;
use clap::{Args, Subcommand, ValueHint};

use super::rpc::RpcArguments;

/// `airtime hw ble`.
#[derive(Debug, Subcommand)]
pub enum HwBleCommand {
    /// List who advertises: address, name, strength; or look for a name
    Scan(HwBleScanArguments),
    /// Take the stream of a board over a credit-based channel, or send one: kbps each second, and a record
    Coc(Box<HwBleArguments>),
    /// The same over GATT: values that are notified, indicated, read or written
    Gatt(Box<HwBleArguments>),
    /// Call a board's remote calls: `airtime rpc` with --hci PLACE, for our host on a controller, or --adapter ADDRESS
    Rpc(Box<RpcArguments>),
    /// See if a controller or an adapter can be used, step by step, and say what to do
    Doctor {
        /// The controller: usb or usb:VENDOR:PRODUCT, hci0 (Linux, switched off), serial:DEVICE@BAUD (1000000 without @BAUD), tcp:HOST:PORT or unix:PATH
        #[arg(long, value_name = "PLACE", required_unless_present = "adapter", conflicts_with = "adapter")]
        hci: Option<String>,
        /// This machine's own Bluetooth instead: the one that is powered (any), or on Linux the adapter with this address
        #[arg(long, value_name = "ADDRESS")]
        adapter: Option<String>,
    },
}

/// `airtime hw ble scan`.
#[derive(Debug, Args)]
pub struct HwBleScanArguments {
    /// The controller: usb or usb:VENDOR:PRODUCT, hci0 (Linux, switched off), serial:DEVICE@BAUD (1000000 without @BAUD), tcp:HOST:PORT or unix:PATH
    #[arg(long, value_name = "PLACE", required_unless_present = "adapter", conflicts_with = "adapter")]
    pub hci: Option<String>,
    /// This machine's own Bluetooth instead: the one that is powered (any), or on Linux the adapter with this address
    #[arg(long, value_name = "ADDRESS")]
    pub adapter: Option<String>,
    /// Name that ends the scan once it is heard; exit code 1 when it is not
    #[arg(long, value_name = "NAME")]
    pub name: Option<String>,
    /// Time to listen
    #[arg(long = "for", value_name = "TIME", default_value = "15s")]
    pub length: Duration,
}

/// `airtime hw ble coc`, `airtime hw ble gatt`.
#[derive(Debug, Args)]
pub struct HwBleArguments {
    /// The controller: usb or usb:VENDOR:PRODUCT, hci0 (Linux, switched off), serial:DEVICE@BAUD (1000000 without @BAUD), tcp:HOST:PORT or unix:PATH
    #[arg(long, value_name = "PLACE", required_unless_present = "adapter")]
    pub hci: Option<String>,
    /// This machine's own Bluetooth instead: whichever adapter it takes (any), or on Linux the one with this address
    #[arg(long, value_name = "ADDRESS", conflicts_with = "hci")]
    pub adapter: Option<String>,
    /// Address of the board, which needs no BlueZ on Linux then: C0:00:5E:00:01:01, or random:C0:00:5E:00:01:01
    #[arg(long, value_name = "ADDRESS", requires = "adapter", conflicts_with = "name")]
    pub address: Option<String>,
    /// A plan whose values it takes: interval, PHY, data length, credits, SDUs, warm-up; a file, or the name of a shipped plan
    #[arg(long, value_name = "PLAN", value_hint = ValueHint::FilePath)]
    pub plan: Option<String>,
    /// Name that the board advertises, or this end as the peripheral, instead of the plan's
    #[arg(long, value_name = "NAME")]
    pub name: Option<String>,
    /// PSM of the channel, where the board has no characteristic that publishes it: 0x0080
    #[arg(long, value_name = "PSM", value_parser = psm)]
    pub psm: Option<u16>,
    /// Role of this end: the central looks for the board, the peripheral advertises and is the board of somebody else
    #[arg(long, value_name = "ROLE", value_parser = ["central", "peripheral"], default_value = "central")]
    pub role: String,
    /// Length of the stream that counts, warm-up included
    #[arg(long = "for", value_name = "TIME", default_value = "10s")]
    pub length: Duration,
    /// Radio of the record [default: live behind a socket, where a virtual controller is, else real]
    #[arg(long, value_name = "RADIO", value_parser = ["real", "live"])]
    pub radio: Option<String>,
    /// Board at the other end
    #[arg(long, value_name = "NAME")]
    pub board: Option<String>,
    /// Changes to the plan.
    #[command(flatten)]
    pub changes: super::ChangeArguments,
}

/// An LE PSM. Core 6.0, Vol 3, Part A, 4.22.
fn psm(text: &str) -> Result<u16, String> {
    let digits = text.strip_prefix("0x").map_or_else(|| text.parse(), |digits| u16::from_str_radix(digits, 16));
    let known = digits.ok().filter(|psm| (0x01..=0xff).contains(psm));
    known.ok_or_else(|| "expected 0x0001 to 0x00FF, such as 0x0080".to_owned())
}
