//! Builds of what cargo alone does not make: `cargo xtask explorer` builds the explorer into `target/explorer`.
#![forbid(unsafe_code)]

mod explorer;

use std::env;
use std::process::ExitCode;

const USAGE: &str =
    "usage: cargo xtask explorer   builds the explorer into target/explorer, which any static host serves";

fn main() -> ExitCode {
    let words: Vec<String> = env::args().skip(1).collect();
    let done = match words.iter().map(String::as_str).collect::<Vec<_>>().as_slice() {
        ["explorer"] => explorer::build(),
        _ => Err(USAGE.to_owned()),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}
