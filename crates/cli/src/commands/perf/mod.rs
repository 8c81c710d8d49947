//! `airtime perf`: a live or real tunnel measured with iperf3 and ping.

mod keep;
mod request;

use std::sync::atomic::{AtomicBool, Ordering};

use airtime_core::Duration;
use airtime_live::perf::{Bench, BenchError};
use airtime_study::RunFolder;
use airtime_study::perf::{Failed, Load, Measured, Outcome, rows};

use crate::arguments::{PerfArguments, PerfCommand};
use crate::exit::{Exit, Failure};
use crate::interrupt;
use crate::output;
use crate::request::Manner;
use keep::Kept;
use request::Request;

/// Measures what `arguments` ask for, keeps it, and prints a row per load.
pub fn perf(arguments: &PerfArguments, manner: Manner) -> Result<Exit, Failure> {
    let request = match &arguments.command {
        None => Request::udp(arguments)?,
        Some(PerfCommand::Speedtest(bench)) => Request::speedtest(bench)?,
    };
    // The folder is opened, and proved to take a line, before anything is measured.
    let folder = RunFolder::open(&request.output, &format!("perf of {}", request.settings.server), request.opening)?;
    let kept = Kept::open(&request.output)?;
    let stop = listen()?;
    let bench =
        Bench::new(&request.settings, request.places.clone(), kept.raw(), request.patience, stop).map_err(refused)?;
    let (done, exit) = measure(&request, &bench, &folder, manner)?;
    let rows = rows(&done.measured);
    kept.write(keep::tunnel(&request, &rows, &done)?)?;
    keep::print(&request.settings, &rows, &done, manner)?;
    if !manner.quiet {
        let raw = kept.raw();
        let kinds = if rows.iter().any(|row| row.load == "udp") { "plots" } else { "figures" };
        output::say(&format!("{kinds} in {}, raw output in {}", kept.page().display(), raw.display()));
    }
    Ok(exit)
}

/// After so many runs without figures there is little hope for the next.
const FAILURES_MAX: u32 = 3;

/// Outcome of the runs.
#[derive(Debug, Default)]
struct Done {
    measured: Vec<Measured>,
    failed: Vec<Failed>,
}

/// Measures every point that an earlier run has not finished.
fn measure(request: &Request, bench: &Bench<'_>, folder: &RunFolder, manner: Manner) -> Result<(Done, Exit), Failure> {
    let points = request.settings.points();
    let mut done = Done::default();
    let mut exit = Exit::Ok;
    let mut in_a_row = 0;
    for point in &points {
        let digest = request.settings.digest(point);
        if let Some(measured) = folder.finished(digest) {
            done.measured.push(measured);
            continue;
        }
        let said = match bench.measure(point) {
            Ok(Outcome::Measured(measured)) => {
                folder.keep(digest, &measured)?;
                let said = summary(&measured, point.load);
                done.measured.push(measured);
                in_a_row = 0;
                said
            }
            Ok(Outcome::Failed(failed)) => {
                let said = format!("{}: {}", failed.name, failed.why);
                done.failed.push(failed);
                in_a_row += 1;
                exit = Exit::Failed;
                said
            }
            Err(BenchError::Stopped) => return Ok((done, Exit::Interrupted)),
            // Without one, none of the others would come to anything.
            Err(error @ BenchError::NoServer { .. }) => {
                output::say(&format!("error: {error}; --resume goes on"));
                done.failed.push(Failed { name: point.name(), why: error.to_string() });
                return Ok((done, Exit::Failed));
            }
            Err(error) => return Err(refused(error)),
        };
        if !manner.quiet {
            output::say(&format!("{}/{} {said}", done.measured.len(), points.len()));
        }
        if in_a_row == FAILURES_MAX {
            output::say(&format!(
                "{FAILURES_MAX} runs in a row have failed: the others are left out, --resume goes on"
            ));
            break;
        }
    }
    Ok((done, exit))
}

/// A run in a line.
fn summary(measured: &Measured, load: Load) -> String {
    let answered = measured.probes.round_trips_ms.len();
    let pings = format!("{answered} of {} pings answered", measured.probes.sent);
    match load {
        Load::Idle => format!("{}: {pings}", measured.name),
        _ => format!("{}: {:.1} kbps at the receiver, {pings}", measured.name, measured.goodput_kbps),
    }
}

/// Begins to listen for Ctrl-C: once to end the run that is under way and keep the others, twice to end at once.
fn listen() -> Result<&'static AtomicBool, Failure> {
    static ASKED: AtomicBool = AtomicBool::new(false);
    let asked = || {
        if ASKED.swap(true, Ordering::SeqCst) {
            std::process::exit(Exit::Interrupted as i32);
        }
        output::say("stopping; what was measured is kept, --resume goes on");
    };
    interrupt::on_signal(asked)?;
    Ok(&ASKED)
}

fn refused(error: BenchError) -> Failure {
    Failure::Machine(error.to_string())
}

/// Whole seconds of `time`.
fn seconds(what: &str, time: Duration) -> Result<u32, Failure> {
    let whole =
        u32::try_from(time.as_nanos() / 1_000_000_000).ok().filter(|_| time.as_nanos().is_multiple_of(1_000_000_000));
    whole.ok_or_else(|| Failure::BadInput(format!("{what} {time}: expected whole seconds, such as 20s")))
}
