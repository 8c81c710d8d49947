//! `airtime tune`: the best values of several keys together.

use std::path::{Path, PathBuf};
use std::sync::atomic::Ordering;

use airtime_lab::schema::Turns;
use airtime_lab::tune::{Goal, Space, Tuned};
use airtime_lab::{Plan, Point, run};
use airtime_report::figures;
use airtime_report::tune::{TuneDocument, conclusion, tuned, tuned_csv};
use airtime_study::request::{named_link, single};
use airtime_study::tune::{NotTuned, Search, free_space, tune as search};
use airtime_study::{RunFolder, Shard};

use crate::answer::Answer;
use crate::arguments::TuneArguments;
use crate::catalog;
use crate::exit::{Exit, Failure};
use crate::interrupt;
use crate::keep::{Keep, is_picture};
use crate::measure::parse;
use crate::output;
use crate::progress::Progress;
use crate::request::{Changes, Manner, opening};

/// Searches the space of the free keys.
pub fn tune(arguments: &TuneArguments, manner: Manner) -> Result<Exit, Failure> {
    let plans = parse(&[catalog::find(&arguments.plan, "")?], &Changes::of(&arguments.changes)?)?;
    let selected = single(&plans, arguments.changes.point.as_deref(), "tuned")?;
    let (plan, point) = (&plans[selected.plan], selected.point(&plans)?);
    let space = space(plan, &point, arguments)?;
    let goal = Goal::new(arguments.goal.clone(), arguments.limit.clone());
    let (mut pictures, kept_in) = outputs(arguments)?;
    let how = Search {
        exhaustive_max: arguments.exhaustive,
        restarts: arguments.restarts,
        threads: arguments.threads.map(usize::from).unwrap_or_default(),
        shard: arguments.shard.unwrap_or(Shard::WHOLE),
        ..Search::new(&space, &goal)
    };
    let (of, opening) = (named_link(plan, &point), opening(arguments.resume, arguments.force));
    let open = |folder| RunFolder::open_part(folder, &of, how.part(plan, &point), opening);
    let folder = kept_in.map(open).transpose()?;
    let cancel = interrupt::listen()?;
    let stop = || cancel.load(Ordering::Relaxed);
    let runner = |plan: &Plan, point: &Point| run::record_unless(plan, point, &stop);
    let progress = Progress::of(manner.quiet, "{spinner} {pos}/{len} points{msg}");
    let watch = |done: usize, total: Option<u64>| progress.set(done, total.map_or(done, |total| total as usize));
    let how = Search { folder: folder.as_ref(), ..how };
    let found = search(plan, &point, &how, &runner, &watch, cancel);
    drop(progress);
    let found = match found {
        Ok(found) => found,
        Err(NotTuned::Stopped) => {
            output::say(&NotTuned::Stopped.to_string());
            return Ok(Exit::Interrupted);
        }
        Err(NotTuned::Folder(error)) => return Err(error.into()),
        Err(error) => return Err(Failure::Machine(error.to_string())),
    };
    if let (Some(shard), Some(folder)) = (arguments.shard, kept_in) {
        return Ok(told(&found, shard, folder, manner));
    }
    let answer = Answer {
        title: &found.plan,
        json: &|out| airtime_report::json(&TuneDocument::of(&found), out),
        lines: tuned_csv(&found),
        tables: tuned(&found, manner.quiet),
        figures: figures::tuned(&found),
    };
    let kept = pictures.finish_answer(&answer);
    answer.print(manner.form)?;
    kept?;
    if found.stopped {
        return Ok(Exit::Interrupted);
    }
    // As of a run: whoever looks at the code alone learns that there is nothing.
    if found.best.is_none() {
        output::say(&format!("{}: {}", point.id, conclusion(&found)));
        return Ok(Exit::Failed);
    }
    Ok(Exit::Ok)
}

/// Says what a part of a search has kept: the answer is that of all parts.
fn told(found: &Tuned, shard: Shard, folder: &Path, manner: Manner) -> Exit {
    let points = output::counted(found.tried as u64, "point");
    if found.stopped {
        output::say(&format!("part {shard} was stopped after {points}: --resume goes on"));
        return Exit::Interrupted;
    }
    if !manner.quiet {
        let folder = folder.display();
        output::say(&format!(
            "part {shard}: {points} in `{folder}`; `airtime merge` puts all parts together, and the search without --shard and with \
             --resume in what comes of it answers"
        ));
    }
    Exit::Ok
}

/// Pictures and pages to keep, and the run folder.
fn outputs(arguments: &TuneArguments) -> Result<(Keep, Option<&Path>), Failure> {
    let (pictures, folders): (Vec<&PathBuf>, Vec<&PathBuf>) =
        arguments.output.iter().partition(|path| is_picture(path));
    let bad = |says: String| Err(Failure::BadInput(says));
    match (folders.as_slice(), pictures.first()) {
        ([_, second, ..], _) => {
            bad(format!("-o {}: one run folder is enough; the others are figures", second.display()))
        }
        (_, Some(picture)) if arguments.shard.is_some() => bad(format!(
            "-o {}: a part of a search has no answer to draw; --shard keeps a run folder",
            picture.display()
        )),
        ([], Some(picture)) if arguments.resume => {
            bad(format!("--resume goes on with a run folder, and `{}` is a file", picture.display()))
        }
        (folders, _) => {
            let pictures: Vec<PathBuf> = pictures.into_iter().cloned().collect();
            Ok((Keep::pictures(&pictures, arguments.force)?, folders.first().map(|folder| folder.as_path())))
        }
    }
}

/// The keys that are named, and those that somebody named can turn, each once.
fn space(plan: &Plan, point: &Point, arguments: &TuneArguments) -> Result<Space, Failure> {
    let free = |free: &String| {
        let (name, values) = free.split_once('=').unwrap_or((free, ""));
        let values = super::split(values).into_iter().map(|value| value.trim().to_owned());
        (name.trim().to_owned(), values.filter(|value| !value.is_empty()).collect())
    };
    let who: Vec<Turns> = arguments.who.iter().map(|role| (*role).into()).collect();
    let free: Vec<(String, Vec<String>)> = arguments.free.iter().map(free).collect();
    Ok(free_space(plan, point, &free, &who)?)
}
