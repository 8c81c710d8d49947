//! `airtime completions`: a script for a shell.
//!
//! The words behind `--set` and `personality show` are put in while the script is made: the program itself reads them with all
//! the care of the plan's reader, and says what it knows instead.

use airtime_lab::Library;
use airtime_lab::personality::Personality;
use airtime_lab::schema::{KEYS, Key, Kind, Scope, scope};
use clap::builder::{PossibleValue, PossibleValuesParser};
use clap::{Command, CommandFactory};
use clap_complete::Shell;

use crate::arguments::Arguments;
use crate::exit::{Exit, Failure};
use crate::output;

/// Function of bash that completes `KEY=VALUE`, which bash takes for three words.
const BASH: &str = include_str!("completions.bash");

/// Prints the script for `shell`.
pub fn completions(shell: Shell) -> Result<Exit, Failure> {
    let library = Library::builtin();
    let mut command = with_settings(Arguments::command(), &settings(&library));
    let names: Vec<String> = library.names().into_iter().map(str::to_owned).collect();
    command = command.mut_subcommand("personality", |personality| {
        personality.mut_subcommand("show", |show| {
            show.mut_arg("name", |arg| arg.value_parser(PossibleValuesParser::new(names)))
        })
    });
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut command, "airtime", &mut script);
    if shell == Shell::Bash {
        script.extend_from_slice(BASH.as_bytes());
    }
    output::print(&script)?;
    Ok(Exit::Ok)
}

/// The command, and those below it, with words for every `--set`.
fn with_settings(mut command: Command, settings: &[PossibleValue]) -> Command {
    if command.get_arguments().any(|argument| argument.get_id() == "set") {
        command =
            command.mut_arg("set", |argument| argument.value_parser(PossibleValuesParser::new(settings.to_vec())));
    }
    let below: Vec<String> = command.get_subcommands().map(|command| command.get_name().to_owned()).collect();
    below
        .into_iter()
        .fold(command, |command, name| command.mut_subcommand(name, |below| with_settings(below, settings)))
}

/// `KEY=` of every key, and `KEY=WORD` where its values are words.
fn settings(library: &Library) -> Vec<PossibleValue> {
    let setting = |key: &&'static Key| {
        let words = words(key, library);
        let words = if words.is_empty() { vec![String::new()] } else { words };
        words.into_iter().map(|word| PossibleValue::new(format!("{}={word}", key.name)))
    };
    KEYS.iter().flat_map(setting).collect()
}

/// Words of a key, as far as they can be listed.
fn words(key: &Key, library: &Library) -> Vec<String> {
    let owned = |words: &[&str]| words.iter().map(|word| (*word).to_owned()).collect();
    match key.kind {
        Kind::Choice(words) | Kind::Forms { words, .. } => owned(words),
        Kind::Flag => owned(&["true", "false"]),
        Kind::Personality => library.iter().filter(|found| is_of(key, found)).map(|found| found.name.clone()).collect(),
        _ => Vec::new(),
    }
}

/// Tells if `key` can name this personality: the names of links begin with that of its kind.
fn is_of(key: &Key, personality: &Personality) -> bool {
    match scope(key) {
        Scope::Of(links) => links.iter().any(|link| link.starts_with(personality.kind.link)),
        Scope::Plan | Scope::Every => true,
    }
}
