//! `airtime hw bench`: boards flashed, reset and measured by one call, which goes on where an earlier one was stopped.
//!
//! - [`mod@file`], [`words`]: `bench.toml`, and the commands in it · [`planned`]: the plan
//! - [`step`]: one command · [`listen`]: logs while they come · [`measure`]: resets, and figures · [`records`]: what came of it
//! - [`journal`]: what is done · [`interrupt`]: Ctrl-C

mod file;
mod interrupt;
mod journal;
mod listen;
mod measure;
mod planned;
mod records;
mod step;
mod words;

use std::fs;
use std::path::Path;

use airtime_core::Duration;
use airtime_lab::run::quoted;
use airtime_lab::spelling::nearest;
use sha2::{Digest as _, Sha256};

use self::file::{Bench, Board, Host, Log};
use self::interrupt::Interrupt;
use self::journal::{Flashed, Journal};
use self::measure::{Measurement, Outcome, central};
use self::planned::Planned;
use self::step::Step;
use super::log;
use crate::arguments::HwBenchArguments;
use crate::catalog;
use crate::exit::{Exit, Failure};
use crate::output::{self, Form};
use crate::request::Manner;

/// Time for all that comes before a stream of boards: start, scan, connection. *Assumed.*
const SETUP: Duration = Duration::from_secs(60);

/// The measurement, among the steps. Its logs are read by every call: that costs nothing, and may need a word more in the bench's file.
const MEASURE: &str = "measure";

/// Carries a bench through.
pub fn bench(arguments: &HwBenchArguments, manner: Manner) -> Result<Exit, Failure> {
    let file = arguments.bench.to_string_lossy();
    let bench = file::read(&file, &catalog::read(&file)?.text)?;
    let planned = Planned::of(&arguments.plan, &arguments.changes)?;
    let carrier = bench.host.as_ref().map(|_| planned.carrier()).transpose()?;
    let setup = if bench.host.is_some() { Duration::ZERO } else { SETUP };
    let length = arguments.length.unwrap_or(planned.duration + setup);
    if length.is_zero() {
        return Err(Failure::BadInput("--for 0: expected a time such as 60s".to_owned()));
    }
    let again = again(arguments, &bench)?;
    let images = images(&bench)?;
    let mut work = Work {
        interrupt: Interrupt::listen()?,
        journal: Journal::open(&arguments.folder)?,
        folder: &arguments.folder,
        bench: &bench,
        quiet: manner.quiet,
    };
    if !work.flash(&images, &again)? {
        return Ok(Exit::Interrupted);
    }
    let of = digest([planned.digest.as_str(), &length.to_string(), &described(&bench)], &images);
    let name = planned.folder();
    let folder = arguments.folder.join(&name);
    let central = bench.host.as_ref().zip(carrier).map(|(host, carrier)| {
        (central(host, &arguments.plan, bench.boards.first(), length, &arguments.changes), carrier)
    });
    let measurement = Measurement { bench: &bench, folder: &folder, length, quiet: manner.quiet };
    let is_done = work.journal.has_measured(&name, &of) && folder.is_dir();
    if is_done && !again.includes(MEASURE) {
        work.say(&format!("{MEASURE}: done before, with these images and this plan (--from {MEASURE} measures anew)"));
    } else {
        work.put_aside(&name)?;
        let outcome = measurement.carry_out(central.as_ref(), &work.interrupt)?;
        let Outcome::Done(record) = outcome else {
            output::say("stopped: the measurement is not done; the same call begins it again");
            return Ok(Exit::Interrupted);
        };
        record.map(|record| records::keep(*record, &folder)).transpose()?;
        work.journal.measured(&name, Some(of))?;
    }
    let document = records::records(&bench, &planned, &replay(arguments), &folder)?;
    work.say(&format!("records: `{}`", records::path(&folder).display()));
    output::print(&match manner.form {
        Form::Json => output::rendered(|out| airtime_report::json(&document, out))?,
        form => {
            let records: Vec<_> = document.records.iter().map(|record| record.into_owned()).collect();
            output::rendered(|out| form.exporter().export_table(&log::table(&records), out))?
        }
    })?;
    Ok(Exit::Ok)
}

/// State of a call: the journal, and the bench that it is of.
struct Work<'a> {
    interrupt: Interrupt,
    journal: Journal,
    folder: &'a Path,
    bench: &'a Bench,
    quiet: bool,
}

impl Work<'_> {
    /// Flashes every board that does not hold its image yet; false if somebody has stopped that.
    fn flash(&mut self, images: &[Option<String>], again: &Again) -> Result<bool, Failure> {
        for (board, sha256) in self.bench.boards.iter().zip(images) {
            let Some(sha256) = sha256 else { continue };
            let wanted = Flashed { serial: board.serial.clone(), sha256: sha256.clone(), command: board.flash.clone() };
            let name = format!("{}-flash", board.role);
            if self.journal.holds(board, &wanted) && !again.includes(&name) {
                self.say(&format!("{name}: done before, with this image (--from {name} flashes it again)"));
                continue;
            }
            // A flash that is cut holds neither image.
            self.journal.forget(board)?;
            let said = self.folder.join(format!("{name}.log"));
            let step = Step { name: "flash", board, command: &board.flash, folder: &self.bench.folder, said: &said };
            if !step.carry_out(self.bench.limit, &self.interrupt.stop)? {
                output::say(&format!("stopped: {name} is not done; the same call begins with it"));
                return Ok(false);
            }
            self.journal.flashed(board, wanted)?;
            self.say(&format!("{name}: done"));
        }
        Ok(true)
    }

    /// Makes an empty folder of this name for a measurement. What an earlier one has left with records is kept beside it.
    fn put_aside(&mut self, name: &str) -> Result<(), Failure> {
        let folder = self.folder.join(name);
        let open = |source| Failure::Open { path: folder.clone(), source };
        self.journal.measured(name, None)?;
        if records::path(&folder).is_file() {
            let beside = (1..).map(|number| self.folder.join(format!("{name}.{number}"))).find(|path| !path.exists());
            let beside = beside.expect("numbers do not end");
            fs::rename(&folder, &beside).map_err(open)?;
            self.say(&format!("{MEASURE}: what was measured before is in `{}`", beside.display()));
        }
        fs::create_dir_all(&folder).map_err(open)
    }

    fn say(&self, prose: &str) {
        if !self.quiet {
            output::say(prose);
        }
    }
}

/// First of the steps that are done again.
struct Again {
    steps: Vec<String>,
    first: Option<usize>,
}

impl Again {
    /// Tells if `step` is to be done again.
    fn includes(&self, step: &str) -> bool {
        let at = self.steps.iter().position(|known| known == step);
        self.first.is_some_and(|first| at.is_some_and(|at| first <= at))
    }
}

fn again(arguments: &HwBenchArguments, bench: &Bench) -> Result<Again, Failure> {
    let flashed = bench.boards.iter().filter(|board| !board.flash.is_empty());
    let mut steps: Vec<String> = flashed.map(|board| format!("{}-flash", board.role)).collect();
    steps.push(MEASURE.to_owned());
    let first = match arguments.from.as_deref() {
        None => arguments.again.then_some(0),
        Some("flash") => Some(0),
        Some(step) => Some(steps.iter().position(|known| known == step).ok_or_else(|| {
            let nearest = nearest(step, steps.iter().map(String::as_str));
            let meant = nearest.map(|nearest| format!("did you mean `{nearest}`? ")).unwrap_or_default();
            Failure::BadInput(format!("--from {step}: {meant}the steps are flash, {}", steps.join(", ")))
        })?),
    };
    Ok(Again { steps, first })
}

/// SHA-256 of each board's image; none where nothing is flashed.
fn images(bench: &Bench) -> Result<Vec<Option<String>>, Failure> {
    let image = |board: &Board| {
        let Some(path) = board.image.as_ref().filter(|_| !board.flash.is_empty()) else { return Ok(None) };
        let octets = fs::read(path).map_err(|error| {
            let (path, place) = (path.display(), &board.place);
            Failure::BadInput(format!(
                "{place}: cannot read the image `{path}` of {}: {error}; build it first",
                board.role
            ))
        })?;
        Ok(Some(format!("{:x}", Sha256::digest(&octets))))
    };
    bench.boards.iter().map(image).collect()
}

/// All of a bench that a measurement depends on, but for the images.
fn described(bench: &Bench) -> String {
    let of_board = |board: &Board| {
        let log = match &board.log {
            Log::Console(port, baud) => format!("{}@{baud}", port.display()),
            Log::Command(words) => words.join("\0"),
            Log::None => String::new(),
        };
        let commands = [&board.flash, &board.reset].map(|words| words.join("\0")).join("\0");
        [board.role.clone(), board.board.clone(), board.serial.clone().unwrap_or_default(), commands, log]
    };
    let host = bench.host.iter().flat_map(Host::words);
    bench.boards.iter().flat_map(of_board).chain(host).collect::<Vec<_>>().join("\n")
}

fn digest<'a>(parts: impl IntoIterator<Item = &'a str>, images: &'a [Option<String>]) -> String {
    let mut hash = Sha256::new();
    let images = images.iter().map(|image| image.as_deref().unwrap_or("none"));
    for part in parts.into_iter().chain(images) {
        hash.update(part.as_bytes());
        hash.update([0]);
    }
    format!("{:x}", hash.finalize())
}

/// The command that measures the same.
fn replay(arguments: &HwBenchArguments) -> String {
    let mut words = vec!["airtime hw bench".to_owned(), quoted(&arguments.plan)];
    let options: [(&str, Option<String>); 4] = [
        ("--bench", Some(arguments.bench.display().to_string())),
        ("--for", arguments.length.map(|length| length.to_string())),
        ("--point", arguments.changes.point.clone()),
        ("--seed", arguments.changes.seed.map(|seed| seed.to_string())),
    ];
    let sets = arguments.changes.set.iter().map(|set| ("--set", Some(set.clone())));
    for (option, value) in options.into_iter().chain(sets) {
        words.extend(value.map(|value| format!("{option} {}", quoted(&value))));
    }
    words.join(" ")
}
