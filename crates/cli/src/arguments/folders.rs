//! The command lines of `airtime merge`, `list`, `show` and `export` as they were written.

use std::path::PathBuf;

use clap::{Args, ValueHint};

/// `airtime merge`.
#[derive(Debug, Args)]
pub struct MergeArguments {
    /// Run folders of all parts of one grid or search, as `airtime sweep PLAN --shard i/n -o FOLDER`, or `tune`, made them
    #[arg(value_name = "SHARD", value_hint = ValueHint::DirPath, required = true)]
    pub shards: Vec<PathBuf>,
    /// The run folder of the whole grid, which is made: its file is that of `airtime sweep PLAN --threads 1 -o FOLDER`
    #[arg(short, long, value_name = "FOLDER", value_hint = ValueHint::DirPath)]
    pub output: PathBuf,
    /// Replace the records that are there
    #[arg(long)]
    pub force: bool,
}

/// `airtime list`.
#[derive(Debug, Args)]
pub struct ListArguments {
    /// Run folders, or folders that have some
    #[arg(value_name = "FOLDER", value_hint = ValueHint::DirPath, default_value = ".")]
    pub folders: Vec<PathBuf>,
}

/// `airtime show`.
#[derive(Debug, Args)]
pub struct ShowArguments {
    /// Run folders, reports, or documents of --json
    #[arg(value_name = "RESULTS", value_hint = ValueHint::AnyPath, required = true)]
    pub results: Vec<PathBuf>,
    /// Only the point, or row, of this id
    #[arg(long, value_name = "ID")]
    pub point: Option<String>,
}

/// `airtime export`.
#[cfg(feature = "parquet")]
#[derive(Debug, Args)]
pub struct ExportArguments {
    /// Run folders, reports, or documents of --json
    #[arg(value_name = "RESULTS", value_hint = ValueHint::AnyPath, required = true)]
    pub results: Vec<PathBuf>,
    /// The Parquet file to write, a row for each record
    #[arg(
        short = 'o',
        long = "parquet",
        visible_alias = "output",
        value_name = "FILE",
        value_hint = ValueHint::FilePath,
        required = true
    )]
    pub output: PathBuf,
    /// Replace a file that is there
    #[arg(long)]
    pub force: bool,
}
