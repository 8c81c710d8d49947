//! `airtime trace read`: a capture, explained.

use std::path::Path;
use std::sync::atomic::Ordering;

use airtime_lab::captured::Captured;
use airtime_report::{Hearing, Told};
use airtime_sniff::Stamps;

use super::against;
use super::packets::fed;
use crate::arguments::TraceReadArguments;
use crate::exit::{Exit, Failure};
use crate::interrupt;
use crate::output::{self, Form};
use crate::request::Manner;

/// Reads the file piece by piece and says what it comes to; when stopped, what was read so far.
pub fn read(arguments: &TraceReadArguments, manner: Manner) -> Result<Exit, Failure> {
    let changes = &arguments.changes;
    if arguments.against.is_none() && (!changes.set.is_empty() || changes.seed.is_some() || changes.point.is_some()) {
        return Err(Failure::BadInput("--set, --seed and --point are of a plan: --against PLAN".to_owned()));
    }
    let cancel = interrupt::listen()?;
    let mut hearing = Hearing::new(stamps(arguments));
    let stopped = || cancel.load(Ordering::SeqCst);
    if let Some(cut) = fed(&arguments.file, stopped, &mut hearing)? {
        output::say(&format!("{cut}; what is in front of it was read"));
    }
    if hearing.has_something() || !stopped() {
        let told = told(hearing, &arguments.file)?;
        match &arguments.against {
            Some(plan) => against::print(&told, plan, arguments, manner.form, &stopped)?,
            None => print(&told, manner.form)?,
        }
    }
    Ok(if stopped() { Exit::Interrupted } else { Exit::Ok })
}

/// Stamps as good as the arguments say: of the capture, and of the run that it is beside.
pub const fn stamps(arguments: &TraceReadArguments) -> Stamps {
    if arguments.exact { Stamps::EXACT } else { Stamps::SNIFFER }
}

fn told(hearing: Hearing, path: &Path) -> Result<Told, Failure> {
    hearing.told().map_err(|why| Failure::BadInput(format!("`{}`: {why}", path.display())))
}

/// Connections of Bluetooth LE in the capture of the air at `path`.
///
/// # Errors
/// When it cannot be read, or holds something else.
pub fn connections(path: &Path, stop: &dyn Fn() -> bool) -> Result<Captured, Failure> {
    let mut hearing = Hearing::new(Stamps::SNIFFER);
    if let Some(cut) = fed(path, stop, &mut hearing)? {
        output::say(&format!("{cut}; what is in front of it was read"));
    }
    told(hearing, path)?.into_air().ok_or_else(|| {
        Failure::BadInput(format!("`{}`: it holds no packets of the air of Bluetooth LE", path.display()))
    })
}

/// Prints it as a document, as one sheet of figures, or as tables with the remarks.
fn print(told: &Told, form: Form) -> Result<(), Failure> {
    let printed = output::rendered(|out| match form {
        Form::Json => told.json(out),
        Form::Csv => form.exporter().export_table(&told.sheet(), out),
        form => form.exporter().export_tables(&told.tables(), out),
    })?;
    output::print(&printed)
}
