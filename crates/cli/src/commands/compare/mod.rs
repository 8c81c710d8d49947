//! `airtime compare`: which of two is better, and is that real.

mod operands;

use std::io::Write as _;
use std::path::Path;
use std::sync::atomic::Ordering;

use airtime_lab::compare::Comparison;
use airtime_lab::{Plan, Point, run};
use airtime_report::compare::{Comparisons, bmf, comparison, comparisons_csv, github, junit};
use airtime_report::figures;
use airtime_study::compare::{NotCompared, Pair, Question, compare as compared};

use crate::answer::Answer;
use crate::arguments::CompareArguments;
use crate::exit::{Exit, Failure};
use crate::interrupt;
use crate::keep::Keep;
use crate::output;
use crate::place::{NOTHING, Place, unwritten};
use crate::progress::Progress;
use crate::request::{Manner, opening, wishes};

use operands::pairs;

/// Compares each operand with the first.
pub fn compare(arguments: &CompareArguments, manner: Manner) -> Result<Exit, Failure> {
    let pairs = pairs(arguments)?;
    let claim = |path: &Path| Place::claim(path, arguments.force, NOTHING);
    let junit_place = arguments.junit.as_deref().map(claim).transpose()?;
    let bmf_place = arguments.bmf.as_deref().map(claim).transpose()?;
    let mut files = Keep::comparison(&wishes(&arguments.output, opening(false, arguments.force)))?;
    let cancel = interrupt::listen()?;
    let stop = || cancel.load(Ordering::Relaxed);
    let runner = |plan: &Plan, point: &Point| run::record_unless(plan, point, &stop);
    let progress = Progress::of(manner.quiet, "{spinner} {pos} runs{msg}");
    let mut found: Vec<Comparison> = Vec::new();
    let mut stopped = false;
    for Pair { a, b, point, thresholds } in &pairs {
        let question = Question {
            threshold: arguments.threshold,
            conditions: arguments.fail_if.iter().chain(thresholds).cloned().collect(),
            repeats_max: usize::try_from(arguments.repeats).unwrap_or(usize::MAX),
            ends: !arguments.no_ends,
            threads: arguments.threads.map(usize::from).unwrap_or_default(),
        };
        match compared([a, b], &question, &runner, &|runs| progress.set(runs, runs), cancel) {
            Ok(one) => found.push(Comparison { point: point.clone(), ..one }),
            Err(NotCompared::Stopped) => {
                stopped = true;
                break;
            }
            Err(error) => return Err(Failure::Machine(error.to_string())),
        }
    }
    drop(progress);
    let kept = keep(&found, junit_place, bmf_place);
    let title = found.first().map(|one| format!("{} and {}", one.a, one.b)).unwrap_or_default();
    let answer = Answer {
        title: &title,
        json: &|out| airtime_report::json(&Comparisons::of(&found), out),
        lines: comparisons_csv(&found),
        tables: found.iter().flat_map(|one| comparison(one, manner.quiet)).collect(),
        figures: figures::compared(&found, arguments.threshold),
    };
    // There is no picture of nothing.
    let kept = if found.is_empty() { kept } else { kept.and(files.finish_answer(&answer)) };
    answer.print(manner.form)?;
    if arguments.github {
        github(&found).iter().for_each(|line| output::say(line));
    }
    kept?;
    if stopped {
        output::say(&format!("stopped: {} of {} comparisons are in what was printed", found.len(), pairs.len()));
        return Ok(Exit::Interrupted);
    }
    let failed = found.iter().flat_map(|one| &one.conditions).filter(|checked| checked.has_failed());
    failed.for_each(|checked| output::say(&checked.says));
    Ok(if found.iter().any(Comparison::has_failed) { Exit::BelowThreshold } else { Exit::Ok })
}

/// Writes what build servers read.
fn keep(found: &[Comparison], cases: Option<Place>, metrics: Option<Place>) -> Result<(), Failure> {
    if let Some(mut place) = cases {
        junit(found, &mut place).map_err(|source| unwritten(place.path(), source))?;
        place.put()?;
    }
    if let Some(mut place) = metrics {
        let mut text = Vec::new();
        let written = airtime_report::json(&bmf(found), &mut text).and_then(|()| place.write_all(&text));
        written.map_err(|source| unwritten(place.path(), source))?;
        place.put()?;
    }
    Ok(())
}
