//! `airtime report`: one page on plans and on results that were kept.

use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};

use airtime_figures::GENERATOR;
use airtime_lab::{Document, Plan, run, time_line};
use airtime_report::figures::{Subject, report as page};
use airtime_report::{Explanation, SheetKind};
use airtime_study::Depth;

use super::explain::explained;
use crate::arguments::ReportArguments;
use crate::catalog;
use crate::exit::{Exit, Failure};
use crate::interrupt;
use crate::keep::command;
use crate::measure::{parse, ran};
use crate::output;
use crate::place::{Place, unwritten};
use crate::request::{Changes, Manner, Measuring};
use crate::results;
use airtime_study::field::has_figure;
use airtime_study::request::select;

/// Writes the page. All subjects are read, and its place is proved, before anything is run.
pub fn report(arguments: &ReportArguments, manner: Manner) -> Result<Exit, Failure> {
    let measuring = Measuring {
        changes: Changes::of(&arguments.changes)?,
        point: arguments.changes.point.clone(),
        ..Measuring::default()
    };
    let asked = arguments.subjects.iter().map(|name| Asked::of(name, &measuring)).collect::<Result<Vec<_>, _>>()?;
    let mut place = place(&arguments.output, arguments.force)?;
    let cancel = interrupt::listen()?;
    let subjects = asked.into_iter().map(|asked| asked.subject(&measuring, manner, cancel));
    let subjects = subjects.collect::<Result<Vec<_>, _>>()?;
    if cancel.load(Ordering::SeqCst) {
        output::say("stopped: there is no report");
        return Ok(Exit::Interrupted);
    }
    let html = page(&subjects, &command()).html();
    output::streamed(&mut place, |out| out.write_all(html.as_bytes()))
        .map_err(|source| unwritten(&arguments.output, source))?;
    place.put()?;
    if !manner.quiet {
        output::say(&format!(
            "{}: one page, {} kB; it needs no network",
            arguments.output.display(),
            html.len() / 1000
        ));
    }
    Ok(Exit::Ok)
}

/// Place of the page: what an earlier report has left there is replaced.
fn place(path: &Path, force: bool) -> Result<Place, Failure> {
    if !matches!(path.extension().and_then(|extension| extension.to_str()), Some("html" | "htm")) {
        return Err(Failure::BadInput(format!("-o {}: a report is a page, which ends in .html", path.display())));
    }
    Place::claim(path, force, &|head| head.windows(GENERATOR.len()).any(|part| part == GENERATOR.as_bytes()))
}

/// Subject as it was asked for.
enum Asked {
    /// Results that are there.
    Kept(Vec<Document>),
    /// A plan to run.
    Plan(Box<Plan>),
}

impl Asked {
    /// Subject that `name` names: results, or else a plan.
    fn of(name: &str, measuring: &Measuring) -> Result<Self, Failure> {
        if let Some(documents) = results::find(name)? {
            let has_changes = !measuring.changes.0.is_empty() || measuring.point.is_some();
            return match has_changes {
                false => Ok(Self::Kept(documents)),
                true => Err(Failure::BadInput(format!(
                    "{name}: its results are there already, and --set, --seed and --point change what a plan runs"
                ))),
            };
        }
        let plans = parse(&[catalog::find(name, "")?], &measuring.changes)?;
        let plan = plans.into_iter().next().ok_or_else(|| Failure::BadInput(format!("{name}: there is no plan")))?;
        Ok(Self::Plan(Box::new(plan)))
    }

    fn subject(self, measuring: &Measuring, manner: Manner, cancel: &AtomicBool) -> Result<Subject, Failure> {
        let plans = match self {
            Self::Kept(documents) => return Ok(Subject::of(documents)),
            Self::Plan(plan) => [*plan],
        };
        if let [selected] = select(&plans, measuring.point.as_deref())?.as_slice() {
            return explanation(&plans[0], selected.index, manner, cancel);
        }
        let kind = if has_figure(&plans[0]) { SheetKind::Field } else { SheetKind::Grid };
        let ran = ran(&plans, Vec::new(), measuring, manner, kind, None, cancel)?;
        Ok(Subject::Records(Box::new(ran.sheet)))
    }
}

fn explanation(plan: &Plan, index: usize, manner: Manner, cancel: &AtomicBool) -> Result<Subject, Failure> {
    let point = plan.made(index)?;
    // The records inside are those that `airtime run` makes: whole runs of every seed.
    let record = run::record_unless(plan, &point, &|| cancel.load(Ordering::Relaxed));
    let document = Document { note: plan.note.clone(), records: vec![record].into(), ..Document::new(&plan.name) };
    let explained = explained(plan, &point, &Depth::default(), manner, cancel);
    Ok(Subject::Explained {
        cycle: time_line::cycle(&*point.scenario.link).ok(),
        document: Box::new(document),
        explanation: Box::new(Explanation::from(explained)),
    })
}
