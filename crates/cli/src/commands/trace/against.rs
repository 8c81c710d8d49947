//! `airtime trace read --against`: a capture beside a run of a plan that is captured the same way.

use std::path::Path;

use airtime_capture::Sink;
use airtime_lab::links::{Capture, Captures, Origin};
use airtime_report::{Hearing, Told};
use airtime_sniff::Stamps;
use airtime_study::request::single;

use crate::answer::Answer;
use crate::arguments::TraceReadArguments;
use crate::catalog;
use crate::exit::Failure;
use crate::measure::parse;
use crate::output::Form;
use crate::request::Changes;

use super::read::stamps;

/// Runs the point of `plan` once, and prints what `told` says beside it.
pub fn print(
    told: &Told,
    plan: &str,
    arguments: &TraceReadArguments,
    form: Form,
    stop: &dyn Fn() -> bool,
) -> Result<(), Failure> {
    let path = arguments.file.as_path();
    let bad = |why: String| Failure::BadInput(format!("`{}`: {why}", path.display()));
    let captured_as = told.form().map_err(bad)?;
    let changes = Changes::of(&arguments.changes)?;
    let plans = parse(&[catalog::find(plan, "")?], &changes)?;
    let point = single(&plans, arguments.changes.point.as_deref(), "compared")?.point(&plans)?;
    let scenario = &*point.scenario.link;
    let views = scenario.captures(captured_as).map_err(|why| Failure::BadInput(format!("{}: {why}", point.id)))?;
    let mut ears: Vec<Ear> = views.iter().map(|_| Ear::new(stamps(arguments))).collect();
    let wanted = ears.iter_mut().enumerate().map(|(view, sink)| Capture { form: captured_as, view, sink });
    let captures = Captures { wanted: wanted.collect(), origin: Origin::VIRTUAL, apart: false, stop };
    scenario.captured(scenario.run().seed, captures);
    let runs = ears.into_iter().map(Ear::told).collect::<Result<Vec<_>, _>>();
    let runs = runs.map_err(|why| Failure::Machine(format!("{}: its own capture: {why}", point.id)))?;
    let found = told.against(&runs, [&point.id, &name(path)]).map_err(bad)?;
    let answer = Answer {
        title: plan,
        json: &|out| found.json(out),
        lines: found.sheet(),
        tables: found.tables(),
        figures: Vec::new(),
    };
    answer.print(form)
}

/// Name of the file, without the folders that it is in.
fn name(path: &Path) -> String {
    path.file_name().map_or_else(|| path.display().to_string(), |name| name.to_string_lossy().into_owned())
}

/// Reads a capture as it is written, so that a run of any length needs no room.
struct Ear {
    hearing: Hearing,
    fault: Option<String>,
}

impl Ear {
    fn new(stamps: Stamps) -> Self {
        Self { hearing: Hearing::new(stamps), fault: None }
    }

    fn told(mut self) -> Result<Told, String> {
        match self.fault {
            Some(fault) => Err(fault),
            None => self.hearing.end().and_then(|_| self.hearing.told()),
        }
    }
}

impl Sink for Ear {
    fn put(&mut self, bytes: &[u8]) {
        if self.fault.is_none() {
            self.fault = self.hearing.take(bytes).err();
        }
    }

    fn has_failed(&self) -> bool {
        self.fault.is_some()
    }
}
