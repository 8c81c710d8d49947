//! Arguments of `airtime live`.

use std::path::PathBuf;

use clap::{Args, Subcommand, ValueHint};

use super::ChangeArguments;
use super::number::octets;

/// `airtime live`.
#[derive(Debug, Subcommand)]
pub enum LiveCommand {
    /// Bluetooth LE controllers on one medium, an HCI (H4) endpoint each
    Ble(LiveBleArguments),
    /// One of our own hosts with the test application, on a controller behind an HCI (H4) socket
    Host(LiveHostArguments),
    /// A server of remote procedure calls, and an HCI (H4) endpoint for each outside host that is to call it
    Rpc(LiveRpcArguments),
    /// Two nRF24L01+ nodes that join two network namespaces: ping, iperf3, ssh run through them
    Nrf24(LiveNrf24Arguments),
    /// The pipeline of an ESP host, bus, co-processor and air, between two network namespaces
    Wifi(LiveWifiArguments),
}

/// `airtime live ble`.
#[derive(Debug, Args)]
pub struct LiveBleArguments {
    /// A controller for an outside host, at tcp:HOST:PORT, unix:PATH, pty or pty:LINK; behind a comma what
    /// differs: personality=NAME, address=C0:…, seed=N, loss.per=P, acl.count=N, controller.KEY=VALUE
    #[arg(long, value_name = "PLACE[,KEY=VALUE…]", required = true)]
    pub hci: Vec<String>,
    /// One of our own hosts on the same medium: coc-source, coc-sink, gatt-source or gatt-sink; behind a
    /// comma what differs: role=central, sdu=N, interval=15ms, phy=1M, credits=NAME, any key of a plan
    #[arg(long, value_name = "KIND[,KEY=VALUE…]")]
    pub peer: Vec<String>,
    /// Interference: none, or links that meet on a channel destroy each other's packets
    #[arg(long, value_name = "KIND", value_parser = ["none", "co-channel"], default_value = "none")]
    pub interference: String,
    /// Captures of it.
    #[command(flatten)]
    pub captures: LiveCaptureArguments,
    /// Let other machines reach the TCP endpoints, and take any controller, without a password
    #[arg(long)]
    pub allow_remote: bool,
    /// Time it goes on, and messages meanwhile.
    #[command(flatten)]
    pub time: LiveTimeArguments,
}

/// Captures of a live server.
#[derive(Debug, Args)]
pub struct LiveCaptureArguments {
    /// Write down what happens: .pcapng (the air), .btsnoop (HCI, a file for each controller) or .perfetto (the time
    /// line); may be repeated
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub capture: Vec<PathBuf>,
    /// Octets of a file, 64K at least; one that is full becomes FILE.1.…, and FILE begins anew
    #[arg(long, value_name = "OCTETS", value_parser = octets, default_value = "128M", requires = "capture")]
    pub capture_size: u32,
    /// Files of a capture; of more the oldest goes
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1_000), default_value_t = 4, requires = "capture")]
    pub capture_files: u32,
    /// Replace captures that are there, whatever they are
    #[arg(long, requires = "capture")]
    pub force: bool,
}

/// `airtime live rpc`.
#[derive(Debug, Args)]
pub struct LiveRpcArguments {
    /// A controller for an outside host, at tcp:HOST:PORT, unix:PATH, pty or pty:LINK; behind a comma what differs, as with
    /// `live ble`
    #[arg(long, value_name = "PLACE[,KEY=VALUE…]", required = true)]
    pub hci: Vec<String>,
    /// Name to advertise
    #[arg(long, value_name = "NAME", default_value = "blerpc")]
    pub name: String,
    /// Serve without encryption
    #[arg(long, conflicts_with = "identity")]
    pub open: bool,
    /// The seed of the server's Ed25519 key, 64 hexadecimal digits in a file of mode 600; made at the first use [default:
    /// airtime/rpc-identity in $XDG_STATE_HOME or ~/.local/state]
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub identity: Option<PathBuf>,
    /// Extended mode, offered or not to clients that ask for it
    #[arg(long, value_name = "on|off", value_parser = ["on", "off"], default_value = "on")]
    pub extended: String,
    /// Octets of the server's memory: 65536, 64K or 64KiB (1024 each), 16M or 16MiB (1024²)
    #[arg(long, value_name = "OCTETS", value_parser = octets, default_value = "1M")]
    pub memory: u32,
    /// Change a parameter of the server's host and radio: peripheral.personality=zephyr-ll, acl.count=20, rpc.window=32kB; may
    /// be repeated
    #[arg(long, value_name = "KEY=VALUE")]
    pub set: Vec<String>,
    /// Captures of it.
    #[command(flatten)]
    pub captures: LiveCaptureArguments,
    /// Let other machines reach the TCP endpoints, and take any controller, without a password
    #[arg(long)]
    pub allow_remote: bool,
    /// Time it goes on, and messages meanwhile.
    #[command(flatten)]
    pub time: LiveTimeArguments,
}

/// `airtime live host`.
#[derive(Debug, Args)]
pub struct LiveHostArguments {
    /// Task: coc-source, coc-sink, gatt-source or gatt-sink; behind a comma what differs, as with --peer of `live ble`, and
    /// psm=0x0080 where the other end has no GATT that publishes it
    #[arg(value_name = "KIND[,KEY=VALUE…]")]
    pub test: String,
    /// The controller: tcp:HOST:PORT, unix:PATH, serial:DEVICE@BAUD (1000000 without @BAUD), usb or usb:VENDOR:PRODUCT, hci0
    #[arg(long, value_name = "PLACE")]
    pub hci: String,
    /// Role in the test, the same as role= behind the kind [default: sources are peripherals, sinks are centrals]
    #[arg(long, value_name = "ROLE", value_parser = ["central", "peripheral"])]
    pub role: Option<String>,
    /// Time it goes on, and messages meanwhile.
    #[command(flatten)]
    pub time: LiveTimeArguments,
}

/// `airtime live nrf24`.
#[derive(Debug, Args)]
pub struct LiveNrf24Arguments {
    /// A plan of this link: a file, or the name of a shipped plan; its traffic is left aside
    #[arg(value_name = "PLAN", value_hint = ValueHint::FilePath, default_value = "nrf24-stream")]
    pub plan: String,
    /// Make the namespaces NAME-a and NAME-b; without a name, airtime-PID-a and airtime-PID-b
    #[arg(long, value_name = "NAME", num_args = 0..=1, require_equals = true, required = true)]
    pub netns: Option<Option<String>>,
    /// Read commands from standard input, a line each: kill a, start a, restart b
    #[arg(long)]
    pub commands: bool,
    /// Changes to the plan.
    #[command(flatten)]
    pub changes: ChangeArguments,
    /// Time it goes on, and messages meanwhile.
    #[command(flatten)]
    pub time: LiveTimeArguments,
}

/// `airtime live wifi`.
#[derive(Debug, Args)]
pub struct LiveWifiArguments {
    /// A plan of this link: a file, or the name of a shipped plan; its traffic and its stack are left aside
    #[arg(value_name = "PLAN", value_hint = ValueHint::FilePath, default_value = "wifi-tcp-tx")]
    pub plan: String,
    /// Make the namespaces NAME-a and NAME-b; without a name, airtime-PID-a and airtime-PID-b
    #[arg(long, value_name = "NAME", num_args = 0..=1, require_equals = true, required = true)]
    pub netns: Option<Option<String>>,
    /// Changes to the plan.
    #[command(flatten)]
    pub changes: ChangeArguments,
    /// Time it goes on, and messages meanwhile.
    #[command(flatten)]
    pub time: LiveTimeArguments,
}

/// Time that something live goes on, and its messages meanwhile.
#[derive(Debug, Args)]
pub struct LiveTimeArguments {
    /// End after this time, such as 10s
    #[arg(long = "for", value_name = "TIME")]
    pub length: Option<airtime_core::Duration>,
    /// Say how it goes every so often, such as 1s
    #[arg(long, value_name = "TIME")]
    pub every: Option<airtime_core::Duration>,
}
