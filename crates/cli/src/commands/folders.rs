//! `airtime merge`, `list` and `show`: run folders that are there.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};

use super::utc::utc;
use airtime_lab::Record;
use airtime_report::{Align, List, Sheet, SheetKind, Table, json};
use airtime_study::{KeptFolder, Merged, NotMerged, RECORDS_FILE};
use serde::Serialize;

use crate::arguments::{ListArguments, MergeArguments, ShowArguments};
use crate::exit::{Exit, Failure};
use crate::output::{self, Form};
use crate::place::{NOTHING, Place};
use crate::request::Manner;
use crate::results;

/// The schema of the list.
const SCHEMA: &str = "airtime/folders/1";

/// Puts the folders of all parts of a grid together.
pub fn merge(arguments: &MergeArguments, manner: Manner) -> Result<Exit, Failure> {
    let MergeArguments { shards, output: folder, force } = arguments;
    let kept = shards.iter().map(|shard| Ok(KeptFolder::read(shard)?)).collect::<Result<Vec<_>, Failure>>()?;
    let merged = Merged::of(kept).map_err(|error| match error {
        NotMerged::Folder(error) => Failure::Folder(error),
        other => Failure::BadInput(other.to_string()),
    })?;
    let path = folder.join(RECORDS_FILE);
    let is_foreign = !path.exists() && fs::read_dir(folder).is_ok_and(|mut files| files.next().is_some());
    if is_foreign && !force {
        let folder = folder.display();
        return Err(Failure::BadInput(format!("`{folder}` holds other files, and no run: name another folder")));
    }
    fs::create_dir_all(folder).map_err(|source| Failure::Open { path: folder.clone(), source })?;
    let mut place = Place::claim(&path, *force, NOTHING)?;
    let mut out = io::BufWriter::new(&mut place);
    merged.write(&path, &mut out)?;
    out.into_inner().map_err(|error| crate::place::unwritten(&path, error.into_error()))?;
    place.put()?;
    if !manner.quiet {
        let (points, parts) = (merged.len() as u64, shards.len() as u64);
        let (points, parts) = (output::counted(points, "point"), output::counted(parts, "folder"));
        output::say(&format!("{}: {points} of {parts}", folder.display()));
    }
    Ok(Exit::Ok)
}

/// Run folder of a list. Fields are added, never renamed.
#[derive(Debug, Serialize)]
struct Entry {
    folder: String,
    of: Option<String>,
    points: usize,
    parts: Vec<String>,
    written: Option<String>,
    versions: Vec<String>,
    failed: usize,
    lowest_kbps: Option<f64>,
    highest_kbps: Option<f64>,
    best: Option<String>,
}

/// Lists run folders, with what is in each.
pub fn list(arguments: &ListArguments, manner: Manner) -> Result<Exit, Failure> {
    let mut folders: Vec<PathBuf> = Vec::new();
    for folder in &arguments.folders {
        let below = run_folders(folder)?;
        if below.is_empty() {
            let folder = folder.display();
            return Err(Failure::BadInput(format!(
                "`{folder}`: no run folder, and none in it: they hold {RECORDS_FILE}"
            )));
        }
        folders.extend(below);
    }
    let entries = folders.iter().map(|folder| entry(folder)).collect::<Result<Vec<_>, _>>()?;
    output::print(&output::rendered(|out| match manner.form {
        Form::Json => json(&List { schema: SCHEMA, name: "folders", entries: &entries }, out),
        form => form.exporter().export_table(&table(&entries), out),
    })?)?;
    Ok(Exit::Ok)
}

/// `folder` itself where it is one of a run, or those in it, by name.
fn run_folders(folder: &Path) -> Result<Vec<PathBuf>, Failure> {
    let is_one = |folder: &Path| folder.join(RECORDS_FILE).is_file();
    if is_one(folder) {
        return Ok(vec![folder.to_owned()]);
    }
    let below = fs::read_dir(folder).map_err(|source| Failure::Open { path: folder.to_owned(), source })?;
    let mut found: Vec<PathBuf> = below.flatten().map(|entry| entry.path()).filter(|path| is_one(path)).collect();
    found.sort();
    Ok(found)
}

fn entry(folder: &Path) -> Result<Entry, Failure> {
    let kept = KeptFolder::read(folder)?;
    let mut best: Option<Record> = None;
    let (mut failed, mut lowest) = (0, None::<f64>);
    kept.each(|record| {
        let kbps = record.goodput_kbps.median;
        failed += usize::from(airtime_report::failed(&record));
        lowest = Some(lowest.map_or(kbps, |lowest| lowest.min(kbps)));
        if best.as_ref().is_none_or(|best| kbps > best.goodput_kbps.median) {
            best = Some(record);
        }
    })?;
    let seconds = |time: SystemTime| time.duration_since(UNIX_EPOCH).map(|since| since.as_secs()).ok();
    Ok(Entry {
        folder: folder.display().to_string(),
        points: kept.len(),
        parts: kept.parts.iter().map(|part| part.shard.clone()).collect(),
        written: kept.written.and_then(seconds).map(utc),
        of: kept.of,
        versions: kept.versions,
        failed,
        lowest_kbps: lowest,
        highest_kbps: best.as_ref().map(|best| best.goodput_kbps.median),
        best: best.map(|best| best.id),
    })
}

fn table(entries: &[Entry]) -> Table {
    let kbps = |kbps: Option<f64>| kbps.map(|kbps| format!("{kbps:.1}")).unwrap_or_default();
    let mut table = Table::default();
    table.column("folder", Align::Left, entries.iter().map(|entry| &entry.folder));
    table.column("plans", Align::Left, entries.iter().map(|entry| entry.of.clone().unwrap_or_default()));
    table.column("points", Align::Right, entries.iter().map(|entry| entry.points.to_string()));
    table.column_if_any("part", Align::Left, entries.iter().map(|entry| entry.parts.join(", ")));
    let failed = |entry: &Entry| if entry.failed == 0 { String::new() } else { entry.failed.to_string() };
    table.column_if_any("failed", Align::Right, entries.iter().map(failed));
    table.column("lowest kbps", Align::Right, entries.iter().map(|entry| kbps(entry.lowest_kbps)));
    table.column("highest kbps", Align::Right, entries.iter().map(|entry| kbps(entry.highest_kbps)));
    table.column("written", Align::Left, entries.iter().map(|entry| entry.written.clone().unwrap_or_default()));
    table.detail_if_any("airtime", Align::Left, entries.iter().map(|entry| entry.versions.join(", ")));
    table.detail_if_any("best", Align::Left, entries.iter().map(|entry| entry.best.clone().unwrap_or_default()));
    table
}

/// Shows the records of results that were kept as `run` and `sweep` show them.
pub fn show(arguments: &ShowArguments, manner: Manner) -> Result<Exit, Failure> {
    let asked = arguments.point.as_deref();
    let mut documents = Vec::new();
    for kept in &arguments.results {
        let mut shown = results::find_of(&kept.to_string_lossy(), asked)?.unwrap_or_default();
        shown.retain(|document| !document.records.is_empty());
        if shown.is_empty() {
            let of = asked.map(|asked| format!(" of {asked}")).unwrap_or_default();
            return Err(Failure::BadInput(format!("`{}` has no record{of}", kept.display())));
        }
        documents.extend(shown);
    }
    let sheet = Sheet::new(SheetKind::Runs, documents);
    output::stream(|out| manner.form.exporter().export(&sheet, out))?;
    Ok(Exit::Ok)
}
