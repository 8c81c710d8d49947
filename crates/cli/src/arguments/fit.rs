//! The command line of `airtime fit` as it was written.

use std::path::PathBuf;

use airtime_study::fit::RUNS_MAX;
use clap::{Args, ValueHint};

use super::ChangeArguments;

/// Examples below the help.
const EXAMPLES: &str = "\
Examples:
  airtime fit sweep.csv --plan coc-mac --end central
  airtime fit sweep.csv --plan coc-mac --end central -o my-phone.toml
  airtime fit ble_coc --end peripheral --rank
  airtime fit runs.json one.pcapng --plan coc-nrf --end central --free controller.margin --free controller.budget";

/// `airtime fit`.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct FitArguments {
    /// Measured figures: a sweep in CSV (a column for each key and `goodput`), records of real runs, captures, or one field plan
    #[arg(value_name = "MEASURED", required = true, value_hint = ValueHint::AnyPath)]
    pub measured: Vec<String>,
    /// Plan that says the rest of every point: a file, or the name of a shipped plan
    #[arg(long, value_name = "PLAN", value_hint = ValueHint::FilePath)]
    pub plan: Option<String>,
    /// End that is looked for: central, peripheral, wifi; needed where the link has several
    #[arg(long, value_name = "END")]
    pub end: Option<String>,
    /// Repeatability of the figures, in per cent [default: that of repeated figures, or 1]
    #[arg(long, value_name = "PERCENT")]
    pub noise: Option<f64>,
    /// Only rank the known devices, and look for no values
    #[arg(long, conflicts_with = "free")]
    pub rank: bool,
    /// A value of the device that is free, with what it may be; without any, all that known devices differ in and that the figures show. May
    /// be repeated
    #[arg(long, value_name = "KEY[=V1,V2,…]")]
    pub free: Vec<String>,
    /// Runs at most
    #[arg(long, value_name = "N", default_value_t = RUNS_MAX)]
    pub runs: usize,
    /// Threads to run on [default: one per core]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub threads: Option<u16>,
    /// Write the device as a personality to this file, or figures to one ending in .svg, .png or .html; may be repeated
    #[arg(short, long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub output: Vec<PathBuf>,
    /// Replace what is there, whatever it is
    #[arg(long, requires = "output")]
    pub force: bool,
    /// Changes to the plan.
    #[command(flatten)]
    pub changes: ChangeArguments,
}
