//! The command line of `airtime check` as it was written.

use clap::{Args, ValueHint};

use super::ConfigArguments;

/// `airtime check`.
#[derive(Debug, Args)]
pub struct CheckArguments {
    /// An ESP-IDF sdkconfig or sdkconfig.defaults, a prj.conf of Zephyr, an sdk_config.h of the nRF5 SDK, a syscfg.yml of Mynewt, an idf_component.yml, or a plan (.toml, or the name of a shipped one). A plan is only read,
    /// with everything it names and with the files below; `airtime explain` says what its values cost
    #[arg(value_name = "FILE", value_hint = ValueHint::FilePath, required_unless_present_any = ["sdkconfig", "prj_conf", "sdk_config"])]
    pub file: Option<String>,
    /// Build configurations that a plan is to be read with; without a plan, that are to be checked, whatever they are called.
    #[command(flatten)]
    pub config: ConfigArguments,
    /// Only the rules: no runs
    #[arg(long)]
    pub no_runs: bool,
}
