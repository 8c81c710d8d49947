//! The command line of `airtime explore` as it was written.

use std::path::PathBuf;

use clap::{Args, ValueHint};

/// `airtime explore`.
#[derive(Debug, Args)]
pub struct ExploreArguments {
    /// Folder of the explorer, as `cargo xtask explorer` builds it; without it target/explorer here or beside the program
    #[arg(long, value_name = "FOLDER", value_hint = ValueHint::DirPath)]
    pub dir: Option<PathBuf>,
    /// Port on loopback; without it one that is free
    #[arg(long, value_name = "PORT")]
    pub port: Option<u16>,
    /// Open no browser; none is opened either where the output is no terminal, or where there is no display
    #[arg(long)]
    pub no_open: bool,
}
