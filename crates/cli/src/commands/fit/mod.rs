//! `airtime fit`: the device model that measured figures fit.

mod operands;

use std::io::Write as _;
use std::path::Path;
use std::sync::atomic::Ordering;

use airtime_lab::fit::{DeviceAxis, axis, devices, ends};
use airtime_lab::schema::Key;
use airtime_report::fit::{FitDocument, fitted, fitted_csv};
use airtime_study::fit::{Fitted, Free, Measurements, NotFitted, Request, fit as search};

use crate::arguments::FitArguments;
use crate::exit::{Exit, Failure};
use crate::interrupt;
use crate::output::{self, Form};
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
    let claim = |path: &Path| Place::claim(path, arguments.force, NOTHING);
    let place = arguments.output.as_deref().map(claim).transpose()?;
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
    print(&found, manner)?;
    if found.stopped {
        output::say(STOPPED);
        return Ok(Exit::Interrupted);
    }
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

/// Sentence on a search that was stopped.
const STOPPED: &str = "stopped: the best so far was printed, its intervals may be too narrow, and no file was written";

/// The values that are free by name.
fn free(measured: &Measurements, end: &'static Key, named: &[String]) -> Result<Vec<DeviceAxis>, Failure> {
    let Some(point) = measured.points.first() else { return Ok(Vec::new()) };
    let known = devices(&measured.plan, point, end);
    let mut found: Vec<DeviceAxis> = Vec::new();
    for text in named {
        let (name, values) = text.split_once('=').unwrap_or((text, ""));
        let values = super::split(values).into_iter().map(|value| value.trim().to_owned());
        let values: Vec<String> = values.filter(|value| !value.is_empty()).collect();
        let bad = |why: String| Failure::BadInput(format!("--free {text}: {why}"));
        let one = axis(&known, name.trim(), &values).map_err(|error| bad(error.to_string()))?;
        if found.iter().any(|known| known.key.name == one.key.name) {
            return Err(bad("it is free already".to_owned()));
        }
        found.push(one);
    }
    Ok(found)
}

fn print(found: &Fitted, manner: Manner) -> Result<(), Failure> {
    output::print(&output::rendered(|out| match manner.form {
        Form::Json => airtime_report::json(&FitDocument::of(found), out),
        Form::Csv => Form::Csv.exporter().export_table(&fitted_csv(found), out),
        form => form.exporter().export_tables(&fitted(found, manner.quiet), out),
    })?)
}

/// The key of the end that is `asked` for, or of the only one.
fn end(measured: &Measurements, asked: Option<&str>) -> Result<&'static Key, Failure> {
    let point = measured.points.first();
    let all = point.map(ends).unwrap_or_default();
    let named = |key: &&'static Key| asked.is_some_and(|asked| asked == key.table() || asked == key.name);
    let names = || all.iter().map(|key| key.table()).collect::<Vec<_>>().join(" or ");
    match (all.as_slice(), asked) {
        ([], _) => {
            let link = point.map_or("this link", |point| point.scenario.link());
            Err(Failure::BadInput(format!("no end of {link} is described by a personality: there is nothing to fit")))
        }
        ([only], None) => Ok(only),
        (_, None) => Err(Failure::BadInput(format!("which end was measured? --end {}", names()))),
        (all, Some(asked)) => all
            .iter()
            .copied()
            .find(|key| named(key))
            .ok_or_else(|| Failure::BadInput(format!("--end {asked}: no end of that name; expected {}", names()))),
    }
}
