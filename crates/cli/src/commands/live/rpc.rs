//! `airtime live rpc`: a server of remote procedure calls in real time, for outside hosts.

use airtime_live::Config;
use airtime_live::ble::options::default_address;
use airtime_live::rpc::{ServedConfig, identity};

use super::ble::{check, endpoints, library, serve};
use super::check_time;
use crate::arguments::live::LiveRpcArguments;
use crate::commands::rpc::session::{scenario, state};
use crate::exit::{Exit, Failure};
use crate::output;
use crate::request::Manner;

/// Most octets of a server's memory.
const MEMORY_MAX: u32 = 1 << 30;

/// Serves until it is stopped, or for the time that was asked for, and reports.
pub fn rpc(arguments: &LiveRpcArguments, manner: Manner) -> Result<Exit, Failure> {
    check_time(&arguments.time)?;
    let config = config(arguments, manner.quiet)?;
    serve(&config, &arguments.captures, &arguments.time, manner)
}

fn config(arguments: &LiveRpcArguments, quiet: bool) -> Result<Config, Failure> {
    if arguments.memory > MEMORY_MAX {
        return Err(Failure::BadInput(format!("--memory {}: at most {MEMORY_MAX} octets", arguments.memory)));
    }
    let set = [format!("ble.name={}", arguments.name)].into_iter().chain(arguments.set.iter().cloned());
    let scenario = scenario(set, None).map_err(|error| Failure::BadInput(format!("--set: {error}")))?;
    let mut config = Config {
        endpoints: endpoints(&arguments.hci, &library(arguments.hci.iter())?)?,
        allow_remote: arguments.allow_remote,
        ..Config::default()
    };
    config.served.push(ServedConfig {
        address: default_address(config.endpoints.len(), scenario.run.seed),
        scenario,
        // The file is made last: whoever mistypes an option finds no key of his afterwards.
        identity: if arguments.open { None } else { Some(seed(arguments, quiet)?) },
        extended: arguments.extended == "on",
        memory: arguments.memory,
    });
    check(&config)?;
    Ok(config)
}

/// The seed of the server's identity.
fn seed(arguments: &LiveRpcArguments, quiet: bool) -> Result<[u8; 32], Failure> {
    let path = arguments.identity.clone().map_or_else(|| state("rpc-identity", "--identity"), Ok)?;
    let (seed, fresh) = identity(&path).map_err(|error| Failure::Machine(error.to_string()))?;
    if fresh && !quiet {
        output::say(&format!("a new identity was made in `{}`", path.display()));
    }
    Ok(seed)
}
