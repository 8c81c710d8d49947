//! Arguments of `airtime hw bench`.

use std::path::PathBuf;

use airtime_core::Duration;
use clap::{Args, ValueHint};

/// `airtime hw bench`.
#[derive(Debug, Args)]
pub struct HwBenchArguments {
    /// The plan: a file, or the name of a shipped plan; the images are built with it
    #[arg(value_name = "PLAN", value_hint = ValueHint::FilePath)]
    pub plan: String,
    /// Description of the bench: roles, boards, serials, ports, images
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath, default_value = "bench.toml")]
    pub bench: PathBuf,
    /// Folder for logs, records, and the journal by which a later call goes on; one for all plans of the bench
    #[arg(long, value_name = "DIR", value_hint = ValueHint::DirPath, default_value = "bench")]
    pub folder: PathBuf,
    /// Length of the stream where this machine is the central, else the longest that is waited for figures
    /// [default: the plan's run.duration, and a minute for the set-up where boards measure]
    #[arg(long = "for", value_name = "TIME")]
    pub length: Option<Duration>,
    /// Do this step and those behind it again, though they are done: flash, ROLE-flash, measure
    #[arg(long, value_name = "STEP", conflicts_with = "again")]
    pub from: Option<String>,
    /// Do all steps again
    #[arg(long)]
    pub again: bool,
    /// Changes to the plan.
    #[command(flatten)]
    pub changes: super::ChangeArguments,
}
