//! `airtime personality`: the devices that plans name.

use airtime_lab::{Library, Personality, spelling};
use airtime_report::{Align, Table, Weight};
use serde_json::Value;

use crate::arguments::PersonalityCommand;
use crate::catalog;
use crate::exit::{Exit, Failure};
use crate::output;
use crate::request::Manner;

/// Lists, shows or checks personalities.
pub fn personality(command: &PersonalityCommand, manner: Manner) -> Result<Exit, Failure> {
    let library = Library::builtin();
    match command {
        PersonalityCommand::List => print(&list(&library), manner)?,
        PersonalityCommand::Show { name } => print(&show(&find(library, name)?), manner)?,
        PersonalityCommand::Check { file } => {
            let found = read(library, file)?;
            if !manner.quiet {
                output::say(&format!("{file}: {} values, all as they should be", found.describe().len()));
            }
        }
    }
    Ok(Exit::Ok)
}

fn print(table: &Table, manner: Manner) -> Result<(), Failure> {
    output::print(&output::rendered(|out| manner.form.exporter().export_table(table, out))?)
}

fn list(library: &Library) -> Table {
    let mut table = Table::default();
    table.column("personality", Align::Left, library.iter().map(|found| found.name.as_str()));
    table.column("device", Align::Left, library.iter().map(|found| found.description.as_str()));
    table
}

fn show(found: &Personality) -> Table {
    let traits = found.describe();
    let mut table = Table::new(format!("{}: {}", found.name, found.description));
    table.column("key", Align::Left, traits.iter().map(|entry| entry.key));
    table.column("value", Align::Left, traits.iter().map(|entry| value(&entry.value)));
    table.column("status", Align::Left, traits.iter().map(|entry| entry.status.name()));
    table.detail_if_any("from", Align::Left, traits.iter().map(|entry| entry.from.clone().unwrap_or_default()));
    table.column("source", Align::Left, traits.iter().map(|entry| entry.source.as_str()));
    table.weigh("source", Weight::Note);
    table.detail_if_any("checked against", Align::Left, traits.iter().map(|entry| entry.checked.join(", ")));
    table
}

/// A value as the file writes it, without quotation marks.
fn value(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}

/// A shipped personality, or one in a file.
fn find(library: Library, name: &str) -> Result<Personality, Failure> {
    if let Some(found) = library.get(name) {
        return Ok(found.clone());
    }
    if name.ends_with(".toml") || name.contains(['/', '\\']) {
        return read(library, name);
    }
    let nearest = spelling::nearest(&name.to_lowercase(), library.names());
    let hint = nearest.map_or_else(|| ";".to_owned(), |nearest| format!("; did you mean `{nearest}`?"));
    let all = library.names().join(", ");
    Err(Failure::BadInput(format!("there is no personality `{name}`{hint} shipped are: {all}")))
}

fn read(mut library: Library, file: &str) -> Result<Personality, Failure> {
    library.add(file, &catalog::read(file)?.text)?;
    let found = library.get(file).cloned();
    found.ok_or_else(|| Failure::BadInput(format!("`{file}` holds no personality")))
}
