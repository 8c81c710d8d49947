//! `airtime new`: a commented plan to begin with.

use airtime_lab::Library;
use airtime_lab::plan::{Place, PlanError, personality_files};
use airtime_lab::template::template;

use crate::arguments::NewArguments;
use crate::catalog;
use crate::exit::{Exit, Failure};
use crate::output;
use crate::place;

/// Name of the plan in its own comments where it goes to standard output.
const UNNAMED: &str = "mine.toml";

/// Writes the plan to where it was asked for.
pub fn new(arguments: &NewArguments) -> Result<Exit, Failure> {
    let file = arguments.output.as_deref();
    let name = file.map_or_else(|| UNNAMED.to_owned(), |file| file.display().to_string());
    let named = [("central.personality", &arguments.central), ("peripheral.personality", &arguments.peripheral)];
    let devices: Vec<(&str, &str)> = named.iter().filter_map(|(key, name)| Some((*key, name.as_deref()?))).collect();
    let mut library = Library::builtin();
    let set: Vec<(String, String)> =
        devices.iter().map(|(key, name)| ((*key).to_owned(), (*name).to_owned())).collect();
    for path in personality_files("", &set) {
        library.add(&path, &catalog::read(&path)?.text)?;
    }
    // What was written down here is no `--set` option.
    let said = |error| PlanError { file: "airtime new".to_owned(), place: Place::File, ..error };
    let text = template(&name, &arguments.link, &devices, &library).map_err(said)?;
    match file {
        None => output::print(text.as_bytes())?,
        Some(file) => {
            // One that is there is kept, for somebody may have worked on it.
            place::write(file, arguments.force, text.as_bytes())?;
            output::say(&format!("{name}: try `airtime run {name}`, then `airtime explain {name}`"));
        }
    }
    Ok(Exit::Ok)
}
