//! `airtime completions`: a script for a shell. Commands, options and files are in the script; plans, points, keys and other words are
//! asked of the program while somebody types ([`complete`](super::complete)).

use clap::CommandFactory;
use clap_complete::Shell;

use crate::arguments::Arguments;
use crate::exit::{Exit, Failure};
use crate::output;

/// Functions that ask the program, and leave to those of clap what it has no word for. Other shells have clap's alone.
const BASH: &str = include_str!("completions.bash");
const ZSH: &str = include_str!("completions.zsh");
const FISH: &str = include_str!("completions.fish");

/// Prints the script for `shell`.
pub fn completions(shell: Shell) -> Result<Exit, Failure> {
    let asks = match shell {
        Shell::Bash => BASH,
        Shell::Zsh => ZSH,
        Shell::Fish => FISH,
        _ => "",
    };
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut Arguments::command(), "airtime", &mut script);
    script.extend_from_slice(asks.as_bytes());
    output::print(&script)?;
    Ok(Exit::Ok)
}
