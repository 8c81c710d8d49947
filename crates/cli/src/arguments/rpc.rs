//! `airtime rpc` as it was written.

use std::path::PathBuf;

use airtime_core::Duration;
use clap::{Args, Subcommand, ValueEnum, ValueHint};

/// Commands to begin with.
const EXAMPLES: &str = "\
Examples:
  airtime rpc call echo message=hello                          on virtual radios, in virtual time
  airtime rpc read 0x0 64K -o flash.bin --over rpc-sealed  the same, both ends as a plan has them
  airtime live rpc --hci tcp:127.0.0.1:9000 --hci unix:hci1    a server in real time, and a controller for each of two hosts
  airtime rpc conformance --over tcp:127.0.0.1:9000            our host on one of them calls it
  airtime rpc bench --over serial:/dev/ttyACM0@1000000         on a dongle: any server in the air called `blerpc`
  airtime rpc bench --adapter any                              the same by the Bluetooth that this machine has

A server's key is remembered at the first meeting (--known-keys), and a server with another key is called no more. Servers without
encryption are called with --open only.";

/// `airtime rpc`.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct RpcArguments {
    /// Command to carry out.
    #[command(subcommand)]
    pub command: RpcCommand,
    /// Server to talk to.
    #[command(flatten)]
    pub server: ServerArguments,
}

/// Command for a server.
#[derive(Debug, Subcommand)]
pub enum RpcCommand {
    /// Call a method with one message, and print what it answers
    Call(CallArguments),
    /// Read memory of the server's; goes on where it stopped when the link is lost
    Read(ReadArguments),
    /// Write a file to the server; goes on where it stopped when the link is lost, in extended mode
    Write(WriteArguments),
    /// Stream counters from the server, to it, or text both ways
    Stream(StreamArguments),
    /// Run the published checks; exit code 1 when one fails
    Conformance,
    /// Run the published benchmarks
    Bench(BenchArguments),
}

/// `airtime rpc call`.
#[derive(Debug, Args)]
pub struct CallArguments {
    /// The method: echo, flash_read, … or any other the server has
    #[arg(value_name = "METHOD")]
    pub method: String,
    /// Fields of the request, by name for the methods of the test service, else by number: message=hello, 1=42, 2=0x00ff
    /// (octets), 3=-7
    #[arg(value_name = "FIELD=VALUE")]
    pub fields: Vec<String>,
    /// The encoded request in hexadecimal, instead of fields
    #[arg(long, value_name = "HEX", conflicts_with = "fields")]
    pub hex: Option<String>,
    /// Kind of the call: messages each way [default: as the test service has it, else unary]
    #[arg(long, value_name = "KIND")]
    pub kind: Option<KindArgument>,
}

/// Kind of a call: the number of messages each way.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum KindArgument {
    /// One request, one response
    Unary,
    /// One request, a stream of responses
    Down,
    /// A stream of requests, here of one, and one response
    Up,
    /// A stream each way; extended mode only
    Both,
}

/// `airtime rpc read`.
#[derive(Debug, Args)]
pub struct ReadArguments {
    /// Address of the first octet: 4096, 0x1000, 4K or 4KiB (1024 each)
    #[arg(value_name = "ADDRESS", value_parser = super::number::octets)]
    pub address: u32,
    /// Octets: 8192, 0x2000, 64K or 64KiB (1024 each), 1M or 1MiB (1024²)
    #[arg(value_name = "LENGTH", value_parser = super::number::octets)]
    pub length: u32,
    /// File to write, instead of standard output
    #[arg(short, long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub output: Option<PathBuf>,
    /// Replace the file if it is there
    #[arg(long, requires = "output")]
    pub force: bool,
}

/// `airtime rpc write`.
#[derive(Debug, Args)]
pub struct WriteArguments {
    /// File with the octets to write; - is standard input
    #[arg(value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub file: PathBuf,
    /// Address of the first octet: 4096, 0x1000, 4K or 4KiB (1024 each); without it, a server in compatible mode counts the octets
    /// and a server in extended mode has them at 0
    #[arg(long, value_name = "ADDRESS", value_parser = super::number::octets)]
    pub at: Option<u32>,
}

/// `airtime rpc stream`.
#[derive(Debug, Args)]
pub struct StreamArguments {
    /// Direction of the stream
    #[arg(value_name = "WAY")]
    pub way: Way,
    /// Items
    #[arg(value_name = "COUNT", value_parser = clap::value_parser!(u32).range(1..=10_000))]
    pub count: u32,
}

/// Direction of a stream.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Way {
    /// counter_stream: from the server
    Down,
    /// counter_upload: to the server
    Up,
    /// chat: text both ways; extended mode only
    Both,
}

/// `airtime rpc bench`.
#[derive(Debug, Args)]
pub struct BenchArguments {
    /// Calls under way at a time; more than one needs extended mode
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u8).range(1..=8))]
    pub outstanding: u8,
}

/// Server to talk to, and the manner of talking.
#[derive(Debug, Args)]
pub struct ServerArguments {
    /// Server, reached by our host on a controller at tcp:HOST:PORT, unix:PATH, serial:DEVICE@BAUD (1000000 without
    /// @BAUD), usb, usb:VENDOR:PRODUCT or hci0, in real time; or on the virtual radios of a plan of ble-rpc (a file, or the name of a shipped one), in
    /// virtual time [default: virtual radios, extended mode]
    // The name that `hw ble` has for it.
    #[arg(long, alias = "hci", value_name = "PLACE|PLAN", global = true)]
    pub over: Option<String>,
    /// This machine's own Bluetooth instead: the one that is powered (any), or on Linux the adapter with this address
    #[arg(long, value_name = "ADDRESS", global = true, conflicts_with = "over")]
    pub adapter: Option<String>,
    /// Point of that plan, by its id, where it has several
    #[arg(long, value_name = "ID", global = true, requires = "over")]
    pub point: Option<String>,
    /// Name that the server advertises
    #[arg(long, value_name = "NAME", global = true)]
    pub name: Option<String>,
    /// The mode to ask for; a server without extended mode is called in compatible mode [default: extended, or as the plan has
    /// it]
    #[arg(long, value_name = "MODE", global = true)]
    pub mode: Option<ModeArgument>,
    /// Call without encryption
    #[arg(long, global = true, conflicts_with = "pin")]
    pub open: bool,
    /// Take only the server with this Ed25519 key: 64 hexadecimal digits
    #[arg(long, value_name = "HEX", global = true)]
    pub pin: Option<String>,
    /// Keys of servers met before [default: airtime/rpc-known-keys in $XDG_STATE_HOME or ~/.local/state]
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath, global = true)]
    pub known_keys: Option<PathBuf>,
    /// Give up when nothing has happened for so long
    #[arg(long, value_name = "TIME", default_value = "10s", global = true)]
    pub timeout: Duration,
    /// Change a parameter of the plan, or of our host: ble.conn_interval=15ms, rpc.transport=coc; may be repeated
    #[arg(long, value_name = "KEY=VALUE", global = true)]
    pub set: Vec<String>,
    /// Seed of a virtual run
    #[arg(long, value_name = "N", global = true)]
    pub seed: Option<u64>,
}

/// A mode.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum ModeArgument {
    /// The published protocol
    Compatible,
    /// The extension of it
    Extended,
}
