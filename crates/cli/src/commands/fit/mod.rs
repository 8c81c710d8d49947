//! `airtime fit`: the device model that measured figures fit.

mod operands;

use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::sync::atomic::Ordering;

use airtime_lab::fit::DeviceAxis;
use airtime_lab::schema::Key;
use airtime_report::figures;
use airtime_report::fit::{FitDocument, fitted, fitted_csv};
use airtime_study::fit::{Free, Measurements, NotFitted, Request, end, fit as search, free_values};

use crate::answer::Answer;
use crate::arguments::FitArguments;
use crate::exit::{Exit, Failure};
use crate::interrupt;
use crate::keep::{Keep, is_picture};
use crate::output;
use crate::place::{NOTHING, Place, unwritten};
use crate::progress::Progress;
use crate::request::Manner;

/// Largest repeatability that somebody may say, in per cent, *assumed*: what is half off tells nothing.
const NOISE_MAX_PCT: f64 = 50.0;

/// Ranks the known devices, looks for the values of one, and says what would decide between those that are left.
pub fn fit(arguments: &FitArguments, manner: Manner) -> Result<Exit, Failure> {
    if let Some(noise) = arguments.noise.filter(|noise| !(*noise > 0.0 && *noise <= NOISE_MAX_PCT)) {
        return Err(Failure::BadInput(format!(
            "--noise {noise}: a repeatability is above 0 and at most {NOISE_MAX_PCT} %"
        )));
    }
    let cancel = interrupt::listen()?;
    let stop = || cancel.load(Ordering::Relaxed);
    let measured = operands::measurements(arguments, &stop)?;
    let end = end(&measured, arguments.end.as_deref())?;
    let free = free(&measured, end, &arguments.free)?;
    let (mut pictures, place) = outputs(arguments)?;
    let progress = Progress::of(manner.quiet, "{spinner} {pos} runs{msg}");
    let request = Request {
        measured: &measured,
        end,
        noise_pct: arguments.noise,
        free: match free.as_slice() {
            _ if arguments.rank => Free::Nothing,
            [] => Free::Sensitive,
            free => Free::These(free),
        },
        runs_max: arguments.runs,
        threads: arguments.threads.map(usize::from).unwrap_or_default(),
    };
    let found = search(&request, &|runs| progress.set(runs, runs), cancel);
    drop(progress);
    let found = match found {
        Ok(found) => found,
        Err(NotFitted::Stopped) => {
            output::say(&NotFitted::Stopped.to_string());
            return Ok(Exit::Interrupted);
        }
        Err(error) => return Err(Failure::BadInput(error.to_string())),
    };
    let answer = Answer {
        title: &format!("{}: {}", found.plan, found.end),
        json: &|out| airtime_report::json(&FitDocument::of(&found), out),
        lines: fitted_csv(&found),
        tables: fitted(&found, manner.quiet),
        figures: figures::fitted(&found),
    };
    answer.print(manner.form)?;
    if found.stopped {
        output::say(STOPPED);
        return Ok(Exit::Interrupted);
    }
    pictures.finish_answer(&answer)?;
    match (place, &found.device) {
        (Some(mut place), Some(device)) => {
            place.write_all(device.toml.as_bytes()).map_err(|source| unwritten(place.path(), source))?;
            place.put()?;
        }
        (Some(_), None) => {
            return Err(Failure::BadInput("nothing was found to write: --runs allows too few runs".to_owned()));
        }
        (None, _) => {}
    }
    Ok(Exit::Ok)
}

/// Pictures and pages to keep, and the place of the personality.
fn outputs(arguments: &FitArguments) -> Result<(Keep, Option<Place>), Failure> {
    let (pictures, files): (Vec<PathBuf>, Vec<_>) = arguments.output.iter().cloned().partition(|path| is_picture(path));
    let bad = |path: &Path, says: &str| Err(Failure::BadInput(format!("-o {}: {says}", path.display())));
    let place = match files.as_slice() {
        [] => None,
        [path, ..] if arguments.rank => {
            return bad(
                path,
                "--rank looks for no values, so that there is no personality; .svg, .png and .html are figures",
            );
        }
        [path] => Some(Place::claim(path, arguments.force, NOTHING)?),
        [_, second, ..] => return bad(second, "one personality is enough; .svg, .png and .html are figures"),
    };
    Ok((Keep::pictures(&pictures, arguments.force)?, place))
}

/// Sentence on a search that was stopped.
const STOPPED: &str = "stopped: the best so far was printed, its intervals may be too narrow, and no file was written";

/// The values that are free by name.
fn free(measured: &Measurements, end: &'static Key, named: &[String]) -> Result<Vec<DeviceAxis>, Failure> {
    let free = |text: &String| {
        let (name, values) = text.split_once('=').unwrap_or((text, ""));
        let values = super::split(values).into_iter().map(|value| value.trim().to_owned());
        (name.trim().to_owned(), values.filter(|value| !value.is_empty()).collect())
    };
    let free: Vec<(String, Vec<String>)> = named.iter().map(free).collect();
    Ok(free_values(measured, end, &free)?)
}
