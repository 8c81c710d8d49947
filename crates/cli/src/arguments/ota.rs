//! The command line of `airtime ota` as it was written.

use std::path::PathBuf;

use airtime_core::Duration;
use clap::{Args, Subcommand, ValueHint};

/// `airtime ota`.
#[derive(Debug, Subcommand)]
pub enum OtaCommand {
    /// Put an image of the co-processor's firmware into a partition image for the host's flash
    Stage(StageArguments),
    /// Say what a partition image, a dump of the host's flash, or a firmware image holds
    Status(StatusArguments),
    /// Carry out the host's boot sequence with what is staged, on a virtual link
    Run(RunArguments),
}

/// Flash in question, by its partition table.
#[derive(Debug, Args)]
pub struct TableArguments {
    /// The partition table of the host's flash [default: the published one, with slave_fw of 2 MB at 0x210000]
    #[arg(long, value_name = "CSV", value_hint = ValueHint::FilePath)]
    pub partitions: Option<String>,
}

/// `airtime ota stage`.
#[derive(Debug, Args)]
pub struct StageArguments {
    /// The firmware image, such as network_adapter.bin
    #[arg(value_name = "IMAGE", value_hint = ValueHint::FilePath)]
    pub image: PathBuf,
    /// The partition image to write; what it holds already has to be erased
    #[arg(short, long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub output: PathBuf,
    /// Erase the partition image first
    #[arg(long)]
    pub erase: bool,
    /// Flash in question.
    #[command(flatten)]
    pub table: TableArguments,
}

/// `airtime ota status`.
#[derive(Debug, Args)]
pub struct StatusArguments {
    /// A partition image, a dump of the whole flash, or a firmware image
    #[arg(value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub file: PathBuf,
    /// Flash in question.
    #[command(flatten)]
    pub table: TableArguments,
}

/// `airtime ota run`.
#[derive(Debug, Args)]
pub struct RunArguments {
    /// The partition image, as `airtime ota stage` writes it
    #[arg(value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub file: PathBuf,
    /// Link to run on
    #[arg(long, value_name = "LINK", value_parser = ["virtual"], default_value = "virtual")]
    pub over: String,
    /// The co-processor's flash, 4 MB: read if it is there; without it, one with firmware 2.11.7
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub coprocessor: Option<PathBuf>,
    /// Write what the flashes hold in the end, or when stopped, back to their files; the next run goes on from there
    #[arg(long)]
    pub in_place: bool,
    /// Cut the power of both at this time of the link's, and switch on again
    #[arg(long, value_name = "TIME")]
    pub cut: Option<Duration>,
    /// Change a parameter, such as ota.transport=18s; may be repeated
    #[arg(long, value_name = "KEY=VALUE")]
    pub set: Vec<String>,
    /// Flash in question.
    #[command(flatten)]
    pub table: TableArguments,
}
