//! Build configurations on the command line.

use std::path::PathBuf;

use clap::{Args, ValueHint};

/// Build configurations to run a plan with.
#[derive(Debug, Default, Args)]
pub struct ConfigArguments {
    /// Run with what this ESP-IDF sdkconfig sets, above the plan and below --set; may be repeated, for the host's and the co-processor's
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub sdkconfig: Vec<PathBuf>,
    /// Run with what this prj.conf of Zephyr sets in the board, likewise; lines that are missing are what Zephyr builds, and the version is that of the end's personality (zephyr-ll-v3.2, zephyr-host-v3.2)
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub prj_conf: Option<PathBuf>,
    /// Run with what this sdk_config.h of the nRF5 SDK, or syscfg.yml of Mynewt, sets in the board, likewise
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub sdk_config: Option<PathBuf>,
    /// End of the link that the board is, whose prj.conf, sdk_config.h or sdkconfig it is [default: the peripheral, or the central where only that is built with its application]
    #[arg(long, value_name = "END", value_parser = ["central", "peripheral"])]
    pub board: Option<String>,
}
