//! `airtime ota`: firmware of a co-processor over the hosted link.

mod file;
mod keep;
mod run;
mod settings;
mod shown;
mod stage;
mod status;

use airtime_ota::partition::{HOST, Partition, SLAVE_FW, Table};

use crate::arguments::ota::{OtaCommand, TableArguments};
use crate::catalog;
use crate::exit::{Exit, Failure};
use crate::request::Manner;

/// Stages, looks, or runs.
pub fn ota(command: &OtaCommand, manner: Manner) -> Result<Exit, Failure> {
    match command {
        OtaCommand::Stage(arguments) => stage::stage(arguments, manner),
        OtaCommand::Status(arguments) => status::status(arguments, manner),
        OtaCommand::Run(arguments) => run::run(arguments, manner),
    }
}

/// The partition for the co-processor's firmware of the table that `arguments` name.
fn slave_fw(arguments: &TableArguments) -> Result<Partition, Failure> {
    let (name, text) = match &arguments.partitions {
        Some(path) => (path.as_str(), catalog::read(path)?.text),
        None => ("the published table", HOST.to_owned()),
    };
    let table = Table::parse(&text).map_err(|error| Failure::BadInput(format!("{name}:{error}")))?;
    let missing = || {
        Failure::BadInput(format!(
            "{name}: there is no partition `{SLAVE_FW}`, which the co-processor's firmware goes into"
        ))
    };
    table.find(SLAVE_FW).cloned().ok_or_else(missing)
}
