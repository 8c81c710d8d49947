//! The command line of `airtime tune` as it was written.

use std::path::PathBuf;

use airtime_lab::Condition;
use airtime_lab::schema::Turns;
use airtime_lab::tune::Aim;
use airtime_study::Shard;
use airtime_study::tune::{EXHAUSTIVE_MAX, RESTARTS};
use clap::{Args, ValueEnum, ValueHint};

use super::ChangeArguments;

/// Examples below the help.
const EXAMPLES: &str = "\
Examples:
  airtime tune coc-nrf --free coc.sdu --free ble.conn_interval=15ms,30ms,50ms
  airtime tune gatt-notify --who firmware --limit 'delay_p99 < 20ms'
  airtime tune nrf24-stream --who daemon --goal delay_p99 --limit 'goodput > -5%' -o tuned
  airtime tune wifi-tcp --who host --goal 'goodput + 0.5*ram'";

/// `airtime tune`.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct TuneArguments {
    /// A plan: a file, or the name of a shipped plan
    #[arg(value_name = "PLAN", value_hint = ValueHint::FilePath)]
    pub plan: String,
    /// A key that is free, with the values that it may take; without values, those that `explain` would try. May be repeated
    #[arg(long, value_name = "KEY[=V1,V2,…]", required_unless_present = "who")]
    pub free: Vec<String>,
    /// All keys that these can turn and that have a part in the throughput are free
    #[arg(long, value_name = "ROLE", value_enum, value_delimiter = ',')]
    pub who: Vec<Role>,
    /// Figure that is to be best: goodput, worst_link, delay_p50, delay_p95, delay_p99, loss, call_time, call_p99, setup, ram, ledger.ACCOUNT;
    /// or several with weights, each as so many times today's: 'goodput + 0.5*ram'
    #[arg(long, value_name = "FIGURE", default_value = "goodput")]
    pub goal: Aim,
    /// Limit that has to hold, such as 'delay_p99 < 50ms', 'goodput > -5%' (of the plan as it is), 'ram < 40000'; may be repeated
    #[arg(long, value_name = "CONDITION", allow_hyphen_values = true)]
    pub limit: Vec<Condition>,
    /// Points up to which every one is run; in a larger space, coordinate descent from several starts
    #[arg(long, value_name = "N", default_value_t = EXHAUSTIVE_MAX)]
    pub exhaustive: u64,
    /// Starts of the descent besides the plan as it is
    #[arg(long, value_name = "N", default_value_t = RESTARTS)]
    pub restarts: usize,
    /// Threads to run on [default: one per core]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub threads: Option<u16>,
    /// Keep the records of all points in this run folder, or figures in a file ending in .svg, .png or .html; may be repeated
    #[arg(short, long, value_name = "FOLDER", value_hint = ValueHint::AnyPath)]
    pub output: Vec<PathBuf>,
    /// Do only this part of the search, for a run folder that `merge` puts together with the others: 2/4 is the second of four
    #[arg(long, value_name = "I/N", requires = "output")]
    pub shard: Option<Shard>,
    /// Go on with the folder's unfinished points
    #[arg(long, requires = "output")]
    pub resume: bool,
    /// Replace what is there, whatever it is
    #[arg(long, requires = "output", conflicts_with = "resume")]
    pub force: bool,
    /// Changes to the plan.
    #[command(flatten)]
    pub changes: ChangeArguments,
}

/// Owner of keys.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Role {
    /// The firmware of the peripheral
    Firmware,
    /// The application on the central
    Central,
    /// The program at one end, or its options
    Application,
    /// The daemon that carries IP
    Daemon,
    /// The build configuration of the host's firmware
    Host,
    /// The build configuration of the co-processor's firmware
    Coprocessor,
    /// Whoever sets up the access point
    AccessPoint,
    /// Whoever sets up the machine that runs it
    Machine,
}

impl From<Role> for Turns {
    fn from(role: Role) -> Self {
        match role {
            Role::Firmware => Self::Firmware,
            Role::Central => Self::CentralApplication,
            Role::Application => Self::Application,
            Role::Daemon => Self::Daemon,
            Role::Host => Self::HostFirmware,
            Role::Coprocessor => Self::CoprocessorFirmware,
            Role::AccessPoint => Self::AccessPoint,
            Role::Machine => Self::Machine,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn roles_are_called_as_elsewhere() {
        let called = |role: &Role| role.to_possible_value().map(|value| value.get_name().to_owned());
        let roles: Vec<_> =
            Role::value_variants().iter().map(|role| (called(role).unwrap(), Turns::from(*role))).collect();
        assert_eq!(roles, Turns::ROLES.map(|(word, turns)| (word.to_owned(), turns)));
    }
}
