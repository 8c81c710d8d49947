//! The command line as it was written; [`crate::request`] makes sense of it.

mod bench;
pub mod ble;
mod check;
mod compare;
mod config;
mod explore;
mod fit;
mod folders;
pub mod live;
mod log;
mod new;
mod number;
pub mod ota;
pub mod rpc;
mod tune;

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand, ValueEnum, ValueHint};
use clap_complete::Shell;

pub use bench::HwBenchArguments;
use ble::HwBleCommand;
pub use check::CheckArguments;
pub use compare::CompareArguments;
pub use config::ConfigArguments;
pub use explore::ExploreArguments;
pub use fit::FitArguments;
#[cfg(feature = "parquet")]
pub use folders::ExportArguments;
pub use folders::{ListArguments, MergeArguments, ShowArguments};
use live::{LiveCommand, LiveTimeArguments};
pub use log::HwLogArguments;
pub use new::NewArguments;
use ota::OtaCommand;
use rpc::RpcArguments;
pub use tune::TuneArguments;

/// Three commands to begin with.
pub const EXAMPLES: &str = "\
Examples:
  airtime run coc-nrf --set ble.phy=1M   a plan, with one thing changed
  airtime explain coc-mac                where its throughput goes
  airtime field                          published figures and the lab's";

/// Headline of the help.
const ABOUT: &str = "Where did my throughput go?";

/// Headline of the long help, and the paragraph below it.
const LONG_ABOUT: &str = "\
Where did my throughput go?

Measures, explains and tunes the throughput of small radios on virtual radios whose timing is exact. Without a command: \
a line for each kind of link, and the commands to go on with.";

/// Command line of `airtime`.
#[derive(Debug, Parser)]
#[command(name = "airtime", version, about = ABOUT, long_about = LONG_ABOUT)]
#[command(after_help = EXAMPLES)]
pub struct Arguments {
    /// Command to carry out; none for the first screen.
    #[command(subcommand)]
    pub command: Option<Command>,
    /// Form of the output.
    #[command(flatten)]
    pub form: FormArguments,
}

/// Command to carry out.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Run plans and print a table; without a plan, the tour
    Run(RunArguments),
    /// Replay published measurements: measured, lab, error, per row and in total
    Field(FieldArguments),
    /// Say where the throughput of a plan went, and what would gain most
    Explain(ExplainArguments),
    /// Run a plan's grid, in parallel, resumable; the best row is marked
    Sweep(SweepArguments),
    /// Write one page on plans, run folders or records: the answer, figures, tables, sources, commands; with the records inside
    Report(ReportArguments),
    /// Say which of two is better, by how much, and if that is real: plans, variants of one, records, run folders
    Compare(Box<CompareArguments>),
    /// Search for the best values of several keys together, within limits
    Tune(Box<TuneArguments>),
    /// Find the device model that measured figures fit: known devices ranked, then values, and what would decide between them
    Fit(Box<FitArguments>),
    /// Put the run folders of all parts of a grid together: those of `sweep --shard`, or of `tune --shard`
    Merge(MergeArguments),
    /// List run folders: plans, points, when, best and worst
    List(ListArguments),
    /// Show the records of run folders, reports and documents, as `run` and `sweep` print them
    Show(ShowArguments),
    /// Export the records of run folders, reports and documents as a table: Parquet, for DuckDB, polars and pandas
    #[cfg(feature = "parquet")]
    Export(ExportArguments),
    /// Write down what is on the air and between hosts and controllers, for Wireshark and Perfetto
    Trace(TraceArguments),
    /// Virtual radios in real time, for outside programs
    #[command(subcommand)]
    Live(LiveCommand),
    /// Call a server of remote procedure calls over Bluetooth LE: virtual, live or real
    Rpc(RpcArguments),
    /// The same nodes on real radios
    #[command(subcommand)]
    Hw(HwCommand),
    /// Look for hazards in an sdkconfig, by rule, and show them by short runs; or read a plan for mistakes
    Check(CheckArguments),
    /// Firmware of a co-processor over the hosted link: stage it, look at it, carry the update out
    #[command(subcommand)]
    Ota(OtaCommand),
    /// Measure a live or real tunnel with iperf3 and ping: goodput, loss and delay against offered load
    Perf(PerfArguments),
    /// List, show or check the devices that plans name
    #[command(subcommand)]
    Personality(PersonalityCommand),
    /// Serve the explorer, the laboratory as a page, on loopback
    Explore(ExploreArguments),
    /// Write a commented plan for a case of your own: every key of a link, with its value, its owner and its range
    New(NewArguments),
    /// List the shipped plans
    Plans,
    /// Explain the words of tables: accounts of every link, columns, verdicts
    Accounts {
        /// A word, or the first part of several; without one, all
        word: Option<String>,
    },
    /// Explain the keys of plans: values, default, who can turn them, configuration lines
    Keys {
        /// A key, a table of keys, or an option such as CONFIG_LWIP_TCP_SND_BUF_DEFAULT; without one, all
        word: Option<String>,
    },
    /// Print a completion script for a shell
    Completions {
        /// Shell to complete in
        shell: Shell,
    },
    /// Print the words that a line can go on with, for completion scripts
    #[command(hide = true)]
    Complete {
        /// Words behind `airtime`, the last of which is to be completed
        #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
        words: Vec<String>,
    },
}

/// `airtime run`.
#[derive(Debug, Args)]
pub struct RunArguments {
    /// Plans: files, or names of shipped plans
    #[arg(value_name = "PLAN", value_hint = ValueHint::FilePath)]
    pub plans: Vec<String>,
    /// Build configurations to run with.
    #[command(flatten)]
    pub config: ConfigArguments,
    /// Manner of measuring.
    #[command(flatten)]
    pub measuring: MeasuringArguments,
}

/// `airtime field`.
#[derive(Debug, Args)]
pub struct FieldArguments {
    /// Field plans: files, or names of shipped ones; without any, all that are shipped
    #[arg(value_name = "SOURCE", value_hint = ValueHint::FilePath)]
    pub sources: Vec<String>,
    /// Put the records of a real run, what `airtime hw log --json` printed, into the one field plan as rows of it; runs nothing. A plan
    /// that is not there is begun
    #[arg(long, value_name = "RECORDS", value_hint = ValueHint::FilePath)]
    pub add: Option<PathBuf>,
    /// Manner of measuring.
    #[command(flatten)]
    pub measuring: MeasuringArguments,
}

/// `airtime explain`.
#[derive(Debug, Args)]
pub struct ExplainArguments {
    /// A plan: a file, or the name of a shipped plan
    #[arg(value_name = "PLAN", value_hint = ValueHint::FilePath)]
    pub plan: String,
    /// Rungs of the ladder at most: 1 for the first remedy alone
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    pub depth: Option<u16>,
    /// Goods that may be given up for throughput as well
    #[arg(long, value_name = "GOODS", value_enum, value_delimiter = ',')]
    pub also: Vec<Good>,
    /// Keep the explanation in a file ending in .json, .csv, .md or .txt, or in .svg, .png or .html for figures; may be repeated
    #[arg(short, long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub output: Vec<PathBuf>,
    /// Replace what is there, whatever it is
    #[arg(long, requires = "output")]
    pub force: bool,
    /// Build configurations to run with.
    #[command(flatten)]
    pub config: ConfigArguments,
    /// Changes to the plan.
    #[command(flatten)]
    pub changes: ChangeArguments,
}

/// Good that no throughput is worth unless somebody says so.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Good {
    /// Secrecy and authenticity of what is sent
    Security,
    /// Rules of the protocol, and the rights of others on the channel
    Protocol,
}

/// `airtime sweep`.
#[derive(Debug, Args)]
pub struct SweepArguments {
    /// A plan with a grid: a file, or the name of a shipped plan
    #[arg(value_name = "PLAN", value_hint = ValueHint::FilePath)]
    pub plan: String,
    /// Manner of measuring.
    #[command(flatten)]
    pub measuring: MeasuringArguments,
}

/// `airtime report`.
#[derive(Debug, Args)]
pub struct ReportArguments {
    /// Plans, which are run, one of a single point explained as well; run folders; documents of --json; or earlier reports
    #[arg(value_name = "WHAT", value_hint = ValueHint::AnyPath, required = true)]
    pub subjects: Vec<String>,
    /// The page to write, which needs no network and no other file: ends in .html
    #[arg(short, long, value_name = "FILE", value_hint = ValueHint::FilePath, default_value = "report.html")]
    pub output: PathBuf,
    /// Replace what is there, whatever it is
    #[arg(long)]
    pub force: bool,
    /// Changes to the plans.
    #[command(flatten)]
    pub changes: ChangeArguments,
}

/// `airtime trace`.
#[derive(Debug, Args)]
#[command(args_conflicts_with_subcommands = true, subcommand_negates_reqs = true)]
pub struct TraceArguments {
    /// Or read one.
    #[command(subcommand)]
    pub command: Option<TraceCommand>,
    /// A plan: a file, or the name of a shipped plan
    #[arg(value_name = "PLAN", value_hint = ValueHint::FilePath, required = true)]
    pub plan: Option<String>,
    /// File to write: .pcapng (the air), .btsnoop (HCI, a file for each host) or .perfetto (the time line); .svg, .png or .html (a cycle of
    /// it, to scale); may be repeated
    #[arg(short, long, value_name = "FILE", value_hint = ValueHint::FilePath, required = true)]
    pub output: Vec<PathBuf>,
    /// Replace files that are there, whatever they are
    #[arg(long)]
    pub force: bool,
    /// In a .pcapng, add an interface with what each device sent and received
    #[arg(long)]
    pub apart: bool,
    /// Changes to the plan.
    #[command(flatten)]
    pub changes: ChangeArguments,
}

/// Command about captures besides writing them.
#[derive(Debug, Subcommand)]
pub enum TraceCommand {
    /// Explain a capture, ours or anybody's: of the air of Bluetooth LE, of an HCI, of Wi-Fi or of 802.15.4
    Read(TraceReadArguments),
}

/// `airtime trace read`.
#[derive(Debug, Args)]
pub struct TraceReadArguments {
    /// A .pcapng, .pcap or btsnoop file: Bluetooth LE (link types 256, 251, 272), HCI (187, 201, 254, btsnoop), 802.11 (127, 105), 802.15.4
    /// (195, 230, 283)
    #[arg(value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub file: PathBuf,
    /// The stamps of the air are exact, as in captures of virtual runs; else those of a sniffer: 1 µs from a clock of ±50 ppm
    #[arg(long)]
    pub exact: bool,
    /// Compare what it says with a run of this plan, captured the same way: terms, goodput, where the time went
    #[arg(long, value_name = "PLAN", value_hint = ValueHint::FilePath)]
    pub against: Option<String>,
    /// Changes to the plan that it is compared with.
    #[command(flatten)]
    pub changes: ChangeArguments,
}

/// `airtime hw`.
#[derive(Debug, Subcommand)]
pub enum HwCommand {
    /// The central of the Bluetooth LE test on a real controller: kbps each second, what was negotiated, a record
    #[command(subcommand)]
    Ble(HwBleCommand),
    /// A node with one or two nRF24L01+ on SPI and GPIO, such as a Raspberry Pi
    Nrf24(Box<HwNrf24Arguments>),
    /// A receiver of datagrams and streams for a real board: rates by the second, loss by number
    Sink(HwSinkArguments),
    /// Records from the log of a real board or program: kbps each second, steady state, what was negotiated
    Log(Box<HwLogArguments>),
    /// Flash, reset and measure the boards of bench.toml with a plan; a call that was stopped goes on
    Bench(Box<HwBenchArguments>),
    /// An adapter of this machine's own Bluetooth stack from a controller behind H4, until it is stopped
    Vhci(HwVhciArguments),
}

/// `airtime hw vhci`.
#[derive(Debug, Args)]
pub struct HwVhciArguments {
    /// The controller: tcp:HOST:PORT or unix:PATH, where `airtime live ble` listens, or serial:DEVICE@BAUD
    #[arg(long, value_name = "PLACE")]
    pub hci: String,
}

/// `airtime hw sink`.
#[derive(Debug, Args)]
pub struct HwSinkArguments {
    /// Take datagrams at this port; loss is told of those of iperf 2 and of airtime
    #[arg(long, value_name = "PORT", required_unless_present = "tcp")]
    pub udp: Option<u16>,
    /// Take streams at this port
    #[arg(long, value_name = "PORT")]
    pub tcp: Option<u16>,
    /// The address to take them at [default: 127.0.0.1, or 0.0.0.0 with --allow-remote]
    #[arg(long, value_name = "ADDRESS")]
    pub bind: Option<std::net::IpAddr>,
    /// Let other machines reach it, such as the board
    #[arg(long)]
    pub allow_remote: bool,
    /// Time it goes on, and messages meanwhile.
    #[command(flatten)]
    pub time: LiveTimeArguments,
}

/// `airtime hw nrf24`.
#[derive(Debug, Args)]
#[command(args_conflicts_with_subcommands = true, subcommand_negates_reqs = true)]
pub struct HwNrf24Arguments {
    /// Or something else.
    #[command(subcommand)]
    pub command: Option<HwNrf24Command>,
    /// A plan of this link, the same at both ends: a file, or the name of a shipped plan; its traffic is left aside
    #[arg(value_name = "PLAN", value_hint = ValueHint::FilePath, default_value = "nrf24-stream")]
    pub plan: String,
    /// End of the link that this is
    #[arg(long, value_name = "END", value_parser = ["a", "b"], required = true)]
    pub node: Option<String>,
    /// Name of the TUN device
    #[arg(long, value_name = "DEVICE", default_value = "longge")]
    pub tun: String,
    /// Its address with the length of its network [default: 10.0.0.1/24 for a, 10.0.0.2/24 for b]
    #[arg(long, value_name = "ADDRESS/LENGTH")]
    pub address: Option<String>,
    /// The bus of a radio, such as /dev/spidev0.0: first that which transmits, then that which receives
    #[arg(long, value_name = "DEVICE", value_hint = ValueHint::FilePath, required = true)]
    pub spi: Vec<PathBuf>,
    /// The CE pin of each radio, in the same order, such as gpiochip0:25
    #[arg(long, value_name = "CHIP:LINE", required = true)]
    pub ce: Vec<String>,
    /// The IRQ pin of each radio, in the same order
    #[arg(long, value_name = "CHIP:LINE", required = true)]
    pub irq: Vec<String>,
    /// Let what comes out of the tunnel leave by this device under its address, until the end
    #[arg(long, value_name = "DEVICE")]
    pub nat: Option<String>,
    /// Encrypt every packet with the key in this file: 64 hexadecimal digits, the same at both ends
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub key: Option<PathBuf>,
    /// Changes to the plan.
    #[command(flatten)]
    pub changes: ChangeArguments,
    /// Time it goes on, and messages meanwhile.
    #[command(flatten)]
    pub time: LiveTimeArguments,
}

/// Other things than a node.
#[derive(Debug, Subcommand)]
pub enum HwNrf24Command {
    /// See if a radio works, step by step, and say what to do: bus, registers, CE, IRQ, carriers on the air
    Doctor(HwNrf24DoctorArguments),
}

/// `airtime hw nrf24 doctor`.
#[derive(Debug, Args)]
pub struct HwNrf24DoctorArguments {
    /// The bus of the radio
    #[arg(long, value_name = "DEVICE", value_hint = ValueHint::FilePath, default_value = "/dev/spidev0.0")]
    pub spi: PathBuf,
    /// Its CE pin, such as gpiochip0:25
    #[arg(long, value_name = "CHIP:LINE")]
    pub ce: String,
    /// Its IRQ pin
    #[arg(long, value_name = "CHIP:LINE")]
    pub irq: String,
    /// Clock of the bus; the chip takes 10 MHz at most
    #[arg(long, value_name = "HZ", default_value_t = 8_000_000, value_parser = clap::value_parser!(u32).range(1_000..=10_000_000))]
    pub hz: u32,
}

/// `airtime perf`.
#[derive(Debug, Args)]
#[command(args_conflicts_with_subcommands = true, subcommand_negates_reqs = true)]
pub struct PerfArguments {
    /// Or something else.
    #[command(subcommand)]
    pub command: Option<PerfCommand>,
    /// Offered loads in bits of UDP payload per second, each measured with --repeat runs in an order of chance
    #[arg(long, value_name = "RATE,…", value_delimiter = ',', required = true)]
    pub load: Vec<airtime_core::units::Bitrate>,
    /// Octets of payload in a datagram; the published nRF24 figures were measured with 32
    #[arg(long, value_name = "OCTETS", default_value_t = 32)]
    pub payload: usize,
    /// Let the server send
    #[arg(long)]
    pub reverse: bool,
    /// Between whom, and how long.
    #[command(flatten)]
    pub bench: BenchArguments,
}

/// Command about measurements besides taking them.
#[derive(Debug, Subcommand)]
pub enum PerfCommand {
    /// Large packets both ways: a TCP stream up, and one down
    Speedtest(BenchArguments),
}

/// Between whom, how long, and where to keep it.
#[derive(Debug, Args)]
pub struct BenchArguments {
    /// The address of the host with the iperf3 server, at the far end of the tunnel
    #[arg(long, value_name = "ADDRESS", required = true)]
    pub server: Option<String>,
    /// The port of the iperf3 server
    #[arg(long, value_name = "PORT", default_value_t = 5201)]
    pub port: u16,
    /// Start an iperf3 server for each test in this network namespace; without it, one has to run: iperf3 -s
    #[arg(long, value_name = "NAME")]
    pub server_netns: Option<String>,
    /// Run the iperf3 client and ping in this network namespace
    #[arg(long, value_name = "NAME")]
    pub client_netns: Option<String>,
    /// Runs of each load
    #[arg(long, value_name = "N", default_value_t = 3)]
    pub repeat: u32,
    /// Time that counts, in whole seconds
    #[arg(long = "for", value_name = "TIME", default_value = "20s")]
    pub length: airtime_core::Duration,
    /// Time before it that does not, in whole seconds
    #[arg(long, value_name = "TIME", default_value = "3s")]
    pub warm_up: airtime_core::Duration,
    /// Time between two echo requests during a test; none faster than 2 ms is allowed to ordinary users
    #[arg(long, value_name = "TIME", default_value = "50ms")]
    pub ping_every: airtime_core::Duration,
    /// Octets behind the ICMP header of an echo request
    #[arg(long, value_name = "OCTETS", default_value_t = 16)]
    pub ping_payload: usize,
    /// Time that a test may take beyond its seconds, and that the link may take to fall idle before it
    #[arg(long, value_name = "TIME", default_value = "60s")]
    pub patience: airtime_core::Duration,
    /// Seed of the order of the runs
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub seed: u64,
    /// Keep raw output, figures and, of --load, plots in this folder
    #[arg(short, long, value_name = "DIR", value_hint = ValueHint::DirPath, default_value = "perf")]
    pub output: PathBuf,
    /// Kind of link below the tunnel, such as nrf24-ip: the page then holds the runs as records, for `compare` and `fit`
    #[arg(long, value_name = "LINK")]
    pub link: Option<String>,
    /// Radios of that link, as the records name them
    #[arg(long, value_name = "RADIO", value_parser = ["real", "live"], default_value = "real", requires = "link")]
    pub radio: String,
    /// Go on with the folder's unfinished runs
    #[arg(long)]
    pub resume: bool,
    /// Begin anew, whatever the folder holds
    #[arg(long, conflicts_with = "resume")]
    pub force: bool,
}

/// `airtime personality`.
#[derive(Debug, Subcommand)]
pub enum PersonalityCommand {
    /// List the shipped personalities
    List,
    /// Print a personality's file, with the source and status of every value
    Show {
        /// Its name
        name: String,
    },
    /// Check a personality's file
    Check {
        /// The file
        #[arg(value_hint = ValueHint::FilePath)]
        file: String,
    },
}

/// Changes to the plans.
#[derive(Debug, Default, Args)]
pub struct ChangeArguments {
    /// Change a parameter of the plan, such as coc.sdu=495; may be repeated
    #[arg(long, value_name = "KEY=VALUE")]
    pub set: Vec<String>,
    /// Seed of the first run
    #[arg(long, value_name = "N")]
    pub seed: Option<u64>,
    /// Only the point, or row, of this id
    #[arg(long, value_name = "ID")]
    pub point: Option<String>,
}

/// Manner of measuring: changes, repeats, and the place of the records.
#[derive(Debug, Default, Args)]
pub struct MeasuringArguments {
    /// Changes to the plans.
    #[command(flatten)]
    pub changes: ChangeArguments,
    /// Threads to run on [default: one per core]
    #[arg(long, value_name = "N")]
    pub threads: Option<usize>,
    /// Keep the records: a folder (a line per finished point), or a file ending in .json, .csv, .parquet, .md or .txt, or in .svg, .png or .html
    /// for figures; may be repeated
    #[arg(short, long, value_name = "DIR", value_hint = ValueHint::AnyPath)]
    pub output: Vec<PathBuf>,
    /// Run only the i-th of n parts of the grid
    #[arg(long, value_name = "i/n")]
    pub shard: Option<String>,
    /// Go on with the folder's unfinished points
    #[arg(long)]
    pub resume: bool,
    /// Replace what is there, whatever it is
    #[arg(long, requires = "output", conflicts_with = "resume")]
    pub force: bool,
}

/// Form of the output.
#[derive(Debug, Args)]
pub struct FormArguments {
    /// Print one JSON document
    #[arg(long, global = true)]
    pub json: bool,
    /// Print comma-separated values, a line per record
    #[arg(long, global = true)]
    pub csv: bool,
    /// Print Markdown tables
    #[arg(long, global = true)]
    pub markdown: bool,
    /// Neither progress nor prose, only data and errors
    #[arg(short, long, global = true)]
    pub quiet: bool,
}
