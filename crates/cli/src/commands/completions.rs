//! `airtime completions`: a script for a shell.

use clap::CommandFactory;
use clap_complete::Shell;

use crate::arguments::Arguments;
use crate::exit::{Exit, Failure};
use crate::output;

/// Prints the script for `shell`.
pub fn completions(shell: Shell) -> Result<Exit, Failure> {
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut Arguments::command(), "airtime", &mut script);
    output::print(&script)?;
    Ok(Exit::Ok)
}
