//! Build configurations that plans run with: read, applied, and each line told.

use std::path::Path;

use airtime_lab::Plan;
use airtime_lab::configurations::{
    self, Build, Configuration, End, Fate, File, Files, Line, NOT_MODELLED, header, syscfg,
};
use airtime_lab::plan::PlanError;
use airtime_report::{Align, Table};

use crate::arguments::ConfigArguments;
use crate::catalog::{self, Source};
use crate::exit::Failure;
use crate::output::{self, Form};

/// The files that `arguments` name.
///
/// # Errors
/// The first that cannot be read, with the line that makes no sense.
pub fn files(arguments: &ConfigArguments) -> Result<Files, Failure> {
    let none = arguments.prj_conf.is_none() && arguments.sdk_config.is_none() && arguments.sdkconfig.is_empty();
    if arguments.board.is_some() && none {
        let needs =
            "--board says which end a configuration is of: it needs --prj-conf, --sdk-config or --sdkconfig FILE";
        return Err(Failure::BadInput(needs.to_owned()));
    }
    let mut files = Vec::new();
    for path in &arguments.sdkconfig {
        files.push((Build::Esp, file(path)?));
    }
    if let Some(path) = &arguments.prj_conf {
        files.push((Build::Zephyr, file(path)?));
    }
    if let Some(path) = &arguments.sdk_config {
        files.push(chip(&catalog::read(&path.to_string_lossy())?)?);
    }
    Ok(Files { files, end: end(arguments) })
}

/// End of the link that was asked for.
pub fn end(arguments: &ConfigArguments) -> Option<End> {
    arguments.board.as_deref().map(|end| if end == "central" { End::Central } else { End::Peripheral })
}

/// The file at `path`, read.
///
/// # Errors
/// When it cannot be, with the line that makes no sense.
pub fn file(path: &Path) -> Result<File, Failure> {
    of(&catalog::read(&path.to_string_lossy())?)
}

/// The file that `source` is.
///
/// # Errors
/// The line that makes no sense.
pub fn of(source: &Source) -> Result<File, Failure> {
    let config = Configuration::parse(&source.name, &source.text).map_err(PlanError::from)?;
    Ok(File { config, name: source.name.clone() })
}

/// The file that `source` is, of a chip with another build than Kconfig's: YAML of Mynewt by its name, else the header of the nRF5 SDK.
///
/// # Errors
/// When it sets nothing.
pub fn chip(source: &Source) -> Result<(Build, File), Failure> {
    let yaml = [".yml", ".yaml"].iter().any(|end| source.name.ends_with(end));
    let (build, config) =
        if yaml { (Build::Mynewt, syscfg(&source.text)) } else { (Build::SoftDevice, header(&source.text)) };
    if config.settings().is_empty() {
        let what = if yaml { "no `syscfg.vals` of Mynewt" } else { "no `#define` with a value" };
        return Err(Failure::BadInput(format!("{}: it has {what}", source.name)));
    }
    Ok((build, File { name: source.name.clone(), config }))
}

/// `plans` with the files, each with what became of their lines.
///
/// # Errors
/// When a plan is impossible with them.
pub fn apply(plans: Vec<Plan>, files: &Files) -> Result<Vec<(Plan, Vec<Line>)>, Failure> {
    plans.into_iter().map(|plan| Ok(configurations::apply(plan, files)?)).collect()
}

/// Says what became of `lines` in the plan of this name.
///
/// # Errors
/// Never, for it is written into memory.
pub fn say(plan: &str, lines: &[Line]) -> Result<(), Failure> {
    if lines.is_empty() {
        return Ok(());
    }
    let table = table(&format!("{plan}: lines of its build configurations"), lines);
    let text = output::rendered(|out| Form::Text.exporter().export_table(&table, out))?;
    output::say(String::from_utf8_lossy(&text).trim_end());
    Ok(())
}

/// Most lines that are all shown: an sdkconfig as the build writes it has some two thousand.
const SHOWN_MAX: usize = 40;

/// A row for each line; of a long file those that the lab does not model are counted.
pub fn table(title: &str, lines: &[Line]) -> Table {
    let mut table = Table::new(title);
    let all = lines;
    let shown: Vec<Line> =
        all.iter().filter(|line| all.len() <= SHOWN_MAX || line.why != NOT_MODELLED).cloned().collect();
    let lines = shown.as_slice();
    table.column("line", Align::Left, lines.iter().map(place));
    table.column("option", Align::Left, lines.iter().map(Line::text));
    table.column("status", Align::Left, lines.iter().map(|line| line.fate.word()));
    table.column_if_any("sets", Align::Left, lines.iter().map(|line| line.sets.join(", ")));
    table.column_if_any("why", Align::Left, lines.iter().map(|line| line.why.clone()));
    let count = |fate: Fate| all.iter().filter(|line| line.fate == fate).count();
    let counts: Vec<String> = [Fate::Used, Fate::Default, Fate::Contradicts, Fate::Ignored]
        .into_iter()
        .filter(|fate| count(*fate) > 0)
        .map(|fate| format!("{} {}", count(fate), fate.word()))
        .collect();
    let left = all.len() - lines.len();
    let left =
        if left > 0 { format!("; {left} of those ignored are not shown: {NOT_MODELLED}") } else { String::new() };
    table.remarks.push(format!("{}{left}", counts.join(", ")));
    table
}

fn place(line: &Line) -> String {
    if line.line == 0 { format!("{}: missing", line.file) } else { format!("{}:{}", line.file, line.line) }
}
