//! The command line of `airtime check` as it was written.

use clap::{Args, ValueHint};

/// `airtime check`.
#[derive(Debug, Args)]
pub struct CheckArguments {
    /// An ESP-IDF sdkconfig or sdkconfig.defaults, an idf_component.yml, or a plan (.toml). A plan is only read, with everything
    /// it names: no rule looks at what it sets, and nothing is run; `airtime explain` says what its values cost
    #[arg(value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub file: String,
    /// Only the rules: no runs
    #[arg(long)]
    pub no_runs: bool,
}
