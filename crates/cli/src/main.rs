//! `airtime`: where did my throughput go?
//!
//! Reads what is asked for, turns it into values, measures, and writes what came of it. Data goes to
//! standard output; progress and prose go to standard error.

mod answer;
mod arguments;
mod capture;
mod catalog;
mod commands;
mod config;
mod exit;
mod interrupt;
mod judge;
mod keep;
mod measure;
mod output;
mod place;
mod png;
mod progress;
mod request;
mod results;
#[cfg(unix)]
mod ring;
mod screen;
mod shelf;
mod table;

use std::process::ExitCode;

use clap::Parser;
use clap::error::{ContextKind, ContextValue};

use arguments::Arguments;
use exit::{Exit, Failure};

fn main() -> ExitCode {
    let arguments = Arguments::try_parse().unwrap_or_else(|error| refused(&error));
    let exit = match commands::carry_out(arguments) {
        Ok(exit) => exit,
        // Whoever reads has enough: `airtime plans | head -1`.
        Err(Failure::PipeClosed) => Exit::Ok,
        Err(failure) => {
            output::say(&format!("error: {failure}"));
            failure.exit()
        }
    };
    exit.into()
}

/// Ends the program with what clap says of its arguments, and a hint where one was a plan's name in the place of a command.
fn refused(error: &clap::Error) -> ! {
    let _ = error.print();
    if let Some(ContextValue::String(name)) = error.get(ContextKind::InvalidSubcommand)
        && catalog::shipped("").any(|plan| plan == name)
    {
        output::say(&format!("\n`{name}` is a plan: `airtime run {name}`, `airtime explain {name}`"));
    }
    std::process::exit(error.exit_code())
}
