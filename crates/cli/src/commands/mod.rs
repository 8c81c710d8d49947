//! One file per command.

mod accounts;
mod add;
#[cfg(target_os = "linux")]
mod bench;
pub mod ble;
pub mod check;
mod compare;
mod complete;
mod completions;
mod explain;
mod explore;
#[cfg(feature = "parquet")]
mod export;
mod field;
mod first_screen;
mod fit;
mod folders;
#[cfg(target_os = "linux")]
mod hw;
mod keys;
#[cfg(unix)]
mod live;
mod log;
mod new;
pub mod ota;
#[cfg(unix)]
mod perf;
mod personality;
mod plans;
mod reasons;
mod report;
pub mod rpc;
mod run;
#[cfg(unix)]
mod sink;
mod sweep;
mod trace;
mod tune;
#[cfg(not(target_os = "linux"))]
mod unsupported;
mod utc;
#[cfg(target_os = "linux")]
mod vhci;

// What is not to be had here is refused by functions of the same names.
#[cfg(not(target_os = "linux"))]
use unsupported as hw;
#[cfg(not(unix))]
use unsupported as live;
#[cfg(not(unix))]
use unsupported as perf;

use crate::arguments::{Arguments, Command};
use crate::exit::{Exit, Failure};
use crate::request::Manner;

/// Carries out the command in `arguments`.
///
/// # Errors
/// Why it could not be done.
pub fn carry_out(arguments: Arguments) -> Result<Exit, Failure> {
    let manner = Manner::of(&arguments.form)?;
    match arguments.command {
        None => first_screen::first(manner),
        Some(Command::Run(arguments)) => run::run(&arguments, manner),
        Some(Command::Field(arguments)) => field::field(&arguments, manner),
        Some(Command::Explain(arguments)) => explain::explain(&arguments, manner),
        Some(Command::Sweep(arguments)) => sweep::sweep(&arguments, manner),
        Some(Command::Report(arguments)) => report::report(&arguments, manner),
        Some(Command::Compare(arguments)) => compare::compare(&arguments, manner),
        Some(Command::Tune(arguments)) => tune::tune(&arguments, manner),
        Some(Command::Fit(arguments)) => fit::fit(&arguments, manner),
        Some(Command::Merge(arguments)) => folders::merge(&arguments, manner),
        Some(Command::List(arguments)) => folders::list(&arguments, manner),
        Some(Command::Show(arguments)) => folders::show(&arguments, manner),
        #[cfg(feature = "parquet")]
        Some(Command::Export(arguments)) => export::export(&arguments, manner),
        Some(Command::Trace(arguments)) => trace::trace(&arguments, manner),
        Some(Command::Live(command)) => live::live(&command, manner),
        Some(Command::Rpc(arguments)) => rpc::rpc(&arguments, manner),
        Some(Command::Hw(command)) => hw::hw(&command, manner),
        Some(Command::Check(arguments)) => check::check(&arguments, manner),
        Some(Command::Ota(command)) => ota::ota(&command, manner),
        Some(Command::Perf(arguments)) => perf::perf(&arguments, manner),
        Some(Command::Personality(command)) => personality::personality(&command, manner),
        Some(Command::Explore(arguments)) => explore::explore(&arguments),
        Some(Command::New(arguments)) => new::new(&arguments),
        Some(Command::Plans) => plans::plans(manner),
        Some(Command::Accounts { word }) => accounts::accounts(word.as_deref(), manner),
        Some(Command::Keys { word }) => keys::keys(word.as_deref(), manner),
        Some(Command::Completions { shell }) => completions::completions(shell),
        Some(Command::Complete { words }) => complete::complete(&words),
    }
}

/// `text` at the commas that are outside of brackets and quotes.
fn split(text: &str) -> Vec<String> {
    let (mut parts, mut depth, mut quoted) = (vec![String::new()], 0_usize, false);
    for c in text.chars() {
        match c {
            '"' => quoted = !quoted,
            '{' | '[' if !quoted => depth += 1,
            '}' | ']' if !quoted => depth = depth.saturating_sub(1),
            _ => {}
        }
        if c == ',' && depth == 0 && !quoted {
            parts.push(String::new());
        } else if let Some(part) = parts.last_mut() {
            part.push(c);
        }
    }
    parts
}

#[cfg(test)]
mod tests {
    use super::split;

    #[test]
    fn commas_within_a_value_part_nothing() {
        assert_eq!(split("ble.phy=1M,coc.sdu=495"), ["ble.phy=1M", "coc.sdu=495"]);
        let credits = "coc.credits={ initial = 1, every = 2 }";
        assert_eq!(split(&format!("{credits},a=\"x,y\"")), [credits, "a=\"x,y\""]);
    }
}
