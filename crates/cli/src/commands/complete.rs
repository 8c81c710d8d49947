//! `airtime complete`: the words that fit where a shell's cursor is, a line each, for the scripts of `airtime completions`. What it
//! leaves to those scripts, because it is always the same: commands, options, files.

use airtime_lab::personality::Personality;
use airtime_lab::schema::{KEYS, Key, Kind, Scope, scope};
use airtime_lab::{Library, Plan};
use clap::{Command, CommandFactory};

use super::{accounts, keys};
use crate::arguments::Arguments;
use crate::catalog;
use crate::exit::{Exit, Failure};
use crate::measure::parse;
use crate::output;
use crate::request::Changes;

/// Nobody chooses among more points than that.
const POINTS_MAX: usize = 1_000;

/// Prints what `words` can end in: those behind `airtime`, of which the last is the one to complete.
pub fn complete(words: &[String]) -> Result<Exit, Failure> {
    let (last, before) = words.split_last().map_or(("", words), |(last, before)| (last.as_str(), before));
    let mut fitting: Vec<String> = Vec::new();
    for word in candidates(before, last) {
        // An account of two links is one word.
        if word.starts_with(last) && word != last && !fitting.contains(&word) {
            fitting.push(word);
        }
    }
    let lines: String = fitting.iter().map(|word| format!("{word}\n")).collect();
    output::print(lines.as_bytes())?;
    Ok(Exit::Ok)
}

fn candidates(before: &[String], last: &str) -> Vec<String> {
    let line = Line::of(before);
    match line.option.as_deref() {
        Some("point") => return line.points(),
        Some("free") if line.commands == ["fit"] => return device_keys(),
        Some("plan" | "against") => return catalog::all().map(str::to_owned).collect(),
        Some("set" | "with" | "free") => return settings(last, line.plan().as_ref()),
        Some(_) => return Vec::new(),
        None if last.starts_with('-') => return Vec::new(),
        None => {}
    }
    let owned = |words: &mut dyn Iterator<Item = &'static str>| words.map(str::to_owned).collect();
    match line.commands.join(" ").as_str() {
        "run" | "explain" | "sweep" | "report" | "compare" | "tune" | "trace" | "check" => owned(&mut catalog::all()),
        "live nrf24" | "live wifi" | "hw nrf24" | "hw bench" => owned(&mut catalog::all()),
        "field" | "fit" => owned(&mut catalog::shipped("field").filter_map(|name| name.rsplit('/').next())),
        "accounts" => owned(&mut accounts::words()),
        "keys" => owned(&mut keys::names()),
        "personality show" => Library::builtin().names().into_iter().map(str::to_owned).collect(),
        _ => Vec::new(),
    }
}

/// Keys of devices in tables, which `fit` can free.
fn device_keys() -> Vec<String> {
    let keys = airtime_lab::links::device_kinds().iter().flat_map(|kind| kind.keys);
    keys.filter(|key| key.name.contains('.')).map(|key| key.name.to_owned()).collect()
}

/// Words of a line so far, by what they are.
#[derive(Debug, Default)]
struct Line {
    commands: Vec<String>,
    /// Option whose value comes next.
    option: Option<String>,
    positionals: Vec<String>,
    set: Vec<String>,
}

impl Line {
    fn of(words: &[String]) -> Self {
        let mut line = Self::default();
        let mut command = Arguments::command();
        for word in words {
            if let Some(option) = line.option.take() {
                line.set.extend((option == "set").then(|| word.clone()));
            } else if let Some(name) = word.strip_prefix('-') {
                line.option = awaits_value(&command, name.trim_start_matches('-'));
            } else if let Some(below) = command.find_subcommand(word).filter(|_| line.positionals.is_empty()).cloned() {
                command = below;
                line.commands.push(word.clone());
            } else {
                line.positionals.push(word.clone());
            }
        }
        line
    }

    /// The plan that the line names, with what it changes, if all of that can be read.
    fn plan(&self) -> Option<Plan> {
        let named = self.positionals.first()?;
        let change = |set: &String| set.split_once('=').map(|(key, value)| (key.to_owned(), value.to_owned()));
        let changes = Changes(self.set.iter().filter_map(change).collect());
        let folder = if self.commands == ["field"] { "field" } else { "" };
        parse(&[catalog::find(named, folder).ok()?], &changes).ok()?.pop()
    }

    fn points(&self) -> Vec<String> {
        let Some(plan) = self.plan() else { return Vec::new() };
        let ids = (0..plan.len().min(POINTS_MAX)).map(|index| plan.id(index));
        let mut words: Vec<String> = Vec::new();
        for id in ids {
            // The id of a row stands for all of its points.
            let row = id.split('/').next().unwrap_or_default().to_owned();
            for word in [row, id] {
                if !words.contains(&word) {
                    words.push(word);
                }
            }
        }
        words
    }
}

/// Name of the option, where it is one that takes a value in a word of its own.
fn awaits_value(command: &Command, name: &str) -> Option<String> {
    let is_it = |argument: &&clap::Arg| {
        argument.get_long() == Some(name) || argument.get_short().is_some_and(|short| name == short.to_string())
    };
    let argument = command.get_arguments().find(is_it)?;
    let takes = argument.get_action().takes_values() && !argument.is_require_equals_set();
    takes.then(|| argument.get_id().to_string())
}

/// `KEY=` of every key of the plan's link, or `KEY=WORD` where `last` has the key already and its values are words.
fn settings(last: &str, plan: Option<&Plan>) -> Vec<String> {
    let link = plan.and_then(|plan| Some(plan.point(0)?.scenario.link.link()));
    let library = Library::builtin();
    let fits = |key: &&&'static Key| link.is_none_or(|link| scope(key).covers(link));
    match last.split_once('=') {
        None => KEYS.iter().filter(fits).map(|key| format!("{}=", key.name)).collect(),
        Some((name, _)) => {
            let key = KEYS.iter().filter(|key| key.name == name);
            key.flat_map(|key| words(key, &library)).map(|word| format!("{name}={word}")).collect()
        }
    }
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

#[cfg(test)]
mod tests {
    use super::*;

    fn found(line: &str) -> Vec<String> {
        let words: Vec<String> = line.split(' ').map(str::to_owned).collect();
        let (last, before) = words.split_last().unwrap();
        candidates(before, last).into_iter().filter(|word| word.starts_with(last.as_str())).collect()
    }

    #[test]
    fn plans_are_named_where_one_is_wanted() {
        assert!(found("run coc-m").contains(&"coc-mac".to_owned()));
        assert!(found("explain --set coc.sdu=5 nrf").contains(&"nrf24-legacy".to_owned()));
        assert_eq!(
            found("field wifi"),
            ["wifi_aggregation", "wifi_esp_now", "wifi_hosted", "wifi_linux", "wifi_loss", "wifi_spi"]
        );
        assert!(found("run -o ").is_empty() && found("run --thr").is_empty() && found("plans ").is_empty());
    }

    #[test]
    fn points_are_those_of_the_plan() {
        assert_eq!(found("explain rpc-bench --point echo"), ["echo_roundtrip"]);
        let of_grid = found("run encrypted --set ble.phy=1M --point encrypted/ble.conn_interval=15ms");
        assert!(of_grid.len() == 2 && of_grid[1].ends_with("ble.encrypted=true"), "{of_grid:?}");
        assert!(found("run no-such-plan --point ").is_empty());
    }

    #[test]
    fn keys_are_those_of_the_link_and_values_are_words() {
        assert!(found("run coc-mac --set coc.s").contains(&"coc.sdu=".to_owned()));
        assert!(found("run nrf24-tcp --set coc.").is_empty() && !found("run --set coc.").is_empty());
        assert_eq!(found("run --set central.personality=mac"), ["central.personality=macos"]);
        assert!(found("run --set central.personality=esp32-p4").is_empty(), "of another kind");
        assert_eq!(found("run --set ble.encrypted="), ["ble.encrypted=true", "ble.encrypted=false"]);
    }

    #[test]
    fn words_are_those_of_the_commands_that_explain_them() {
        assert!(found("accounts idle.cre").contains(&"idle.credits".to_owned()));
        assert_eq!(found("keys coc.sd"), ["coc.sdu"]);
        assert!(found("personality show mac").contains(&"macos".to_owned()));
    }
}
