//! `airtime check`: what a configuration does to the throughput, by rule, and shown by short runs.

mod shown;

use std::path::Path;

use airtime_lab::configurations::{self, Block, Build, End, File, Files, Finding, Gain, Line, Weight};

use crate::arguments::CheckArguments;
use crate::catalog::{self, Source};
use crate::config;
use crate::exit::{Exit, Failure};
use crate::measure;
use crate::output::{self, Form};
use crate::request::{Changes, Manner};

/// Outcome of a look at a file.
#[derive(Debug, Default)]
struct Checked {
    /// Findings, each with the runs that show it, where any do.
    findings: Vec<(Finding, Option<Gain>)>,
    /// Lines of a build configuration, with what each sets.
    lines: Vec<Line>,
    /// Lines to paste.
    block: Block,
    /// Runs with all of them, or as it is where there are none.
    gains: Vec<Gain>,
}

/// Kind of a file, by its name or by the option that names it.
#[derive(Clone, Copy, PartialEq, Eq)]
enum FileKind {
    Plan,
    Component,
    Zephyr,
    Esp,
    Chip,
}

/// Checks the files; a hazard ends with 3.
pub fn check(arguments: &CheckArguments, manner: Manner) -> Result<Exit, Failure> {
    let named = |path: &std::path::PathBuf| path.to_string_lossy().into_owned();
    let Some(file) = &arguments.file else {
        let esp = arguments.config.sdkconfig.iter().map(|path| (FileKind::Esp, named(path)));
        let zephyr = arguments.config.prj_conf.iter().map(|path| (FileKind::Zephyr, named(path)));
        let chip = arguments.config.sdk_config.iter().map(|path| (FileKind::Chip, named(path)));
        let files: Vec<(FileKind, String)> = esp.chain(zephyr).chain(chip).collect();
        if files.len() > 1 && matches!(manner.form, Form::Json | Form::Csv) {
            return Err(Failure::BadInput("--json and --csv print one document: check one file at a time".to_owned()));
        }
        let exits = files.into_iter().map(|(kind, name)| one(kind, &name, arguments, manner));
        let exits = exits.collect::<Result<Vec<_>, _>>()?;
        return Ok(exits.into_iter().find(|exit| *exit != Exit::Ok).unwrap_or(Exit::Ok));
    };
    let name = Path::new(file).file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    let shipped = !Path::new(file).exists() && catalog::find(file, "").is_ok();
    let kind = match name.rsplit('.').next() {
        _ if shipped => FileKind::Plan,
        Some("toml") => FileKind::Plan,
        Some("h") => FileKind::Chip,
        Some("yml" | "yaml") if catalog::read(file)?.text.contains("syscfg.") => FileKind::Chip,
        Some("yml" | "yaml") => FileKind::Component,
        // What is in it counts for more than its name.
        _ => match configurations::build_of(&config::file(Path::new(file))?) {
            Some(Build::Zephyr) => FileKind::Zephyr,
            _ => FileKind::Esp,
        },
    };
    let others = &arguments.config;
    let alone = others.prj_conf.is_none() && others.sdk_config.is_none() && others.sdkconfig.is_empty();
    let files = if kind != FileKind::Plan && alone { Files::default() } else { config::files(&arguments.config)? };
    if kind != FileKind::Plan && !files.is_empty() {
        return Err(Failure::BadInput(format!(
            "`{file}` is no plan, which is what --sdkconfig, --prj-conf and --sdk-config go with"
        )));
    }
    if kind == FileKind::Plan {
        plan(catalog::find(file, "")?, &files, manner)
    } else {
        one(kind, file, arguments, manner)
    }
}

fn one(kind: FileKind, file: &str, arguments: &CheckArguments, manner: Manner) -> Result<Exit, Failure> {
    let source = catalog::read(file)?;
    let runs = !arguments.no_runs;
    let checked = match kind {
        FileKind::Component => component(&source)?,
        FileKind::Zephyr => kconfig((Build::Zephyr, config::of(&source)?), config::end(&arguments.config), runs)?,
        FileKind::Chip => chip(&source, config::end(&arguments.config))?,
        FileKind::Esp | FileKind::Plan => {
            kconfig((Build::Esp, config::of(&source)?), config::end(&arguments.config), runs)?
        }
    };
    shown::print(file, &checked, manner)?;
    let hazard = checked.findings.iter().any(|(finding, _)| finding.weight == Weight::Hazard);
    Ok(if hazard { Exit::BelowThreshold } else { Exit::Ok })
}

/// A plan is read with everything it names.
fn plan(source: Source, files: &Files, manner: Manner) -> Result<Exit, Failure> {
    let name = source.name.clone();
    let plans = config::apply(measure::parse(&[source], &Changes::default())?, files)?;
    // A large grid is read without a look at every point.
    plans.iter().try_for_each(|(plan, _)| plan.check_all())?;
    if !manner.quiet {
        for (plan, lines) in &plans {
            config::say(&plan.name, lines)?;
        }
        let points: u64 = plans.iter().map(|(plan, _)| plan.len() as u64).sum();
        let right = if points == 1 { "as it should be" } else { "all as they should be" };
        output::say(&format!("{name}: {}, {right}", output::counted(points, "point")));
    }
    Ok(Exit::Ok)
}

/// A file in Kconfig's language: its findings, with the runs that show them, its lines, and what to paste.
fn kconfig((build, file): (Build, File), asked: Option<End>, runs: bool) -> Result<Checked, Failure> {
    configurations::expect(build, &file)?;
    let config = &file.config;
    let end = configurations::end(build, config, asked);
    let block = configurations::block(build, config, end);
    let proved = |finding: Finding| {
        let shown = if runs { configurations::prove(build, config, &finding, end) } else { None };
        (finding, shown)
    };
    // A name of today in place of one that is gone changes nothing of a run.
    let renamed = |line: &&String| block.gone.iter().any(|gone| gone.instead.as_ref() == Some(*line));
    let others: Vec<String> = block.lines.iter().filter(|line| !renamed(line)).cloned().collect();
    let gains = match (runs, others.is_empty()) {
        (false, _) => Vec::new(),
        (true, true) => configurations::figures(build, config, end),
        (true, false) => configurations::gains(build, config, &others, end),
    };
    let findings = configurations::check(build, config, end).into_iter().map(proved).collect();
    Ok(Checked { findings, lines: configurations::told(build, file, end), block, gains })
}

/// A chip with a SoftDevice or with Mynewt: its lines, and what they leave short.
fn chip(source: &Source, end: Option<End>) -> Result<Checked, Failure> {
    let (build, file) = config::chip(source)?;
    let findings = configurations::check(build, &file.config, end).into_iter().map(|finding| (finding, None)).collect();
    // Neither a header nor YAML is ended by a line at its end: what to write instead is in the table.
    Ok(Checked { findings, lines: configurations::told(build, file, end), ..Checked::default() })
}

/// The dependencies of a component: `esp_hosted` of any version.
fn component(source: &Source) -> Result<Checked, Failure> {
    let Source { name: file, text } = source;
    if !text.contains("esp_hosted") {
        return Err(Failure::BadInput(format!(
            "{file}: it names no espressif/esp_hosted, which is all that there is a rule about in such a file"
        )));
    }
    let any = |line: &str| {
        let (name, version) = line.split_once(':')?;
        let name = name.trim().trim_matches(['"', '\'']);
        let version = version.split('#').next().unwrap_or_default().trim().trim_matches(['"', '\'']);
        (matches!(name, "espressif/esp_hosted" | "esp_hosted") && version == "*")
            .then(|| (name.to_owned(), version.to_owned()))
    };
    let finding = |(number, line): (usize, &str)| {
        let (name, value) = any(line)?;
        Some(Finding {
            line: number as u32 + 1,
            column: (line.len() - line.trim_start().len()) as u32 + 1,
            name,
            value,
            weight: Weight::Hazard,
            says: "any version: the callbacks of custom messages take one more argument from 2.12.4 on, and what was written \
                   before does not build with it"
                .to_owned(),
            advice: Some("espressif/esp_hosted: \"~2.11.7\"".to_owned()),
            source: "esp-hosted-mcu, CHANGELOG of 2.12.4",
            change: Vec::new(),
        })
    };
    let findings = text.lines().enumerate().filter_map(finding).map(|finding| (finding, None)).collect();
    Ok(Checked { findings, ..Checked::default() })
}
