//! Records of a measurement: of this machine's own central, and of the logs of boards.

use std::fs;
use std::path::Path;

use airtime_lab::record::Environment;
use airtime_lab::{Document, Record, Records};
use airtime_study::log::{LogError, Options, firmware, read, since_start};
use airtime_system::replacement::{System, replace};

use super::file::{Bench, Board, CENTRAL, Log};
use super::listen::log;
use super::planned::Planned;
use crate::exit::Failure;
use crate::output;

/// Names of files beside the logs.
const RECORDS: &str = "records.json";
const HOST: &str = "central-record.json";

/// Keeps the record of this machine's own central, as it was measured.
pub fn keep(record: Record, folder: &Path) -> Result<(), Failure> {
    written(
        &folder.join(HOST),
        &Document { records: [record].into_iter().collect::<Records>(), ..Document::new("hw-bench") },
    )
}

/// The document of the measurement in `folder`, which is written there as well.
///
/// # Errors
/// When a log is cut or garbled, no log has a figure, or one is of another link than the plan.
pub fn records(bench: &Bench, planned: &Planned, replay: &str, folder: &Path) -> Result<Document, Failure> {
    let mut records = host(bench, planned, folder)?;
    let mut unknown = Vec::new();
    for board in bench.boards.iter().filter(|board| board.log != Log::None) {
        match of_log(board, planned, replay, folder)? {
            Some(of_board) => records.extend(of_board),
            None => unknown.push(log(board, folder).display().to_string()),
        }
    }
    if records.is_empty() {
        return Err(Failure::Machine(format!("no log has a figure that is known: {}", unknown.join(", "))));
    }
    let document =
        Document { records: records.into_iter().collect::<Records>(), ..Document::new(planned.name.clone()) };
    written(&folder.join(RECORDS), &document)?;
    Ok(document)
}

/// File of the records in `folder`.
pub fn path(folder: &Path) -> std::path::PathBuf {
    folder.join(RECORDS)
}

/// The record of this machine's own central, where it is one, with what is known of the board at the other end.
fn host(bench: &Bench, planned: &Planned, folder: &Path) -> Result<Vec<Record>, Failure> {
    if bench.host.is_none() {
        return Ok(Vec::new());
    }
    let path = folder.join(HOST);
    let octets = fs::read(&path).map_err(|source| Failure::Open { path: path.clone(), source })?;
    let document: Document = serde_json::from_slice(&octets)
        .map_err(|error| Failure::BadInput(format!("`{}`: {error}; --from measure measures anew", path.display())))?;
    let with = |mut record: Record| {
        record.id = format!("{}/{CENTRAL}", planned.name);
        if let Some(board) = bench.boards.first() {
            let environment = record.environment.get_or_insert_default();
            environment.serial.clone_from(&board.serial);
            environment.firmware = firmware(&text(board, folder));
        }
        record
    };
    Ok(document.records.iter().map(|record| with(record.into_owned())).collect())
}

/// Records of the log of `board`; none where nothing in it is known.
fn of_log(board: &Board, planned: &Planned, replay: &str, folder: &Path) -> Result<Option<Vec<Record>>, Failure> {
    let path = log(board, folder);
    let whole = text(board, folder);
    let text = since_start(&whole);
    let options = |link: Option<&str>| Options {
        name: Some(format!("{}/{}", planned.name, board.role)),
        link: link.map(str::to_owned),
        end: board.end,
        warmup: planned.warmup,
        source: format!("log {}", path.display()),
        environment: Environment {
            board: Some(board.board.clone()),
            serial: board.serial.clone(),
            ..Environment::default()
        },
    };
    let read = match read(text, &options(None)) {
        Err(LogError::Link) => read(text, &options(Some(&planned.link))),
        read => read,
    };
    let mut records = match read {
        Err(LogError::Unknown | LogError::Empty) => return Ok(None),
        Err(error) => return Err(refused(board, &path, &whole, text, &error)),
        Ok(records) => records,
    };
    for record in &mut records {
        if record.link != planned.link {
            let (is, wants) = (&record.link, &planned.link);
            let what = format!(
                "`{}` is of {is}, and the plan {} of {wants}: the image runs something else",
                path.display(),
                planned.file
            );
            return Err(Failure::Machine(what));
        }
        record.replay = replay.to_owned();
        if let Some(other) = other_plan(record, planned) {
            let remark = format!("The image says that it was built with plan {other}, not {}.", planned.name);
            record.note = Some(record.note.take().map_or(remark.clone(), |note| format!("{note} {remark}")));
        }
    }
    Ok(Some(records))
}

/// Plan that the image was built with, by its own words, where that is another than `planned`.
fn other_plan<'a>(record: &'a Record, planned: &Planned) -> Option<&'a str> {
    let firmware = record.environment.as_ref()?.firmware.as_deref()?;
    let (_, plan) = firmware.split_once(", plan ")?;
    (planned.name != plan && !planned.name.starts_with(&format!("{plan}/"))).then_some(plan)
}

fn refused(board: &Board, path: &Path, whole: &str, text: &str, error: &LogError) -> Failure {
    let before = whole.lines().count() - text.lines().count();
    let behind = if before > 0 {
        format!(" (lines are counted from line {} on, where the board starts)", before + 1)
    } else {
        String::new()
    };
    let remedy = match error {
        LogError::End { .. } => format!("end = \"sender\" or end = \"receiver\" of the board at {}", board.place),
        LogError::Short { .. } => "a longer measurement, or a plan with a shorter run.warmup".to_owned(),
        _ => "--from measure measures anew".to_owned(),
    };
    Failure::Machine(format!("`{}`: {error}{behind}; {remedy}", path.display()))
}

fn text(board: &Board, folder: &Path) -> String {
    let octets = fs::read(log(board, folder)).unwrap_or_default();
    String::from_utf8_lossy(&octets).into_owned()
}

fn written(path: &Path, document: &Document) -> Result<(), Failure> {
    let octets = output::rendered(|out| airtime_report::json(document, out))?;
    replace(&mut System, &[(path, &octets)]).map_err(|error| Failure::Machine(error.to_string()))
}
