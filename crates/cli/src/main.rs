//! `airtime`: where did my throughput go?
//!
//! Reads what is asked for, turns it into values, measures, and writes what came of it. Data goes to
//! standard output; progress and prose go to standard error.

mod arguments;
mod capture;
mod catalog;
mod commands;
mod exit;
mod interrupt;
mod keep;
mod measure;
mod output;
mod progress;
mod request;
mod select;

use std::process::ExitCode;

use clap::Parser;

use arguments::Arguments;
use exit::{Exit, Failure};

fn main() -> ExitCode {
    let exit = match commands::carry_out(Arguments::parse()) {
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
