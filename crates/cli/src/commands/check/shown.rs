//! Findings, lines and the block to paste, as people and programs read them.

use airtime_lab::configurations::{Block, Finding, Follows, Gain};
use airtime_report::{Align, Table};
use serde_json::{Value, json};

use super::Checked;
use crate::config;
use crate::exit::Failure;
use crate::output::{self, Form};
use crate::request::Manner;

/// Prints what was found in `file`.
pub fn print(file: &str, checked: &Checked, manner: Manner) -> Result<(), Failure> {
    output::print(&output::rendered(|out| match manner.form {
        Form::Json => airtime_report::json(&document(file, checked), out),
        Form::Csv => Form::Csv.exporter().export_table(&rows(checked), out),
        form => {
            let mut tables = vec![table(file, checked, manner.quiet)];
            if !checked.lines.is_empty() && !manner.quiet {
                tables.push(config::table("what its lines set", &checked.lines));
            }
            form.exporter().export_tables(&tables, out)
        }
    })?)
}

/// Findings for people, with the block below.
fn table(file: &str, checked: &Checked, quiet: bool) -> Table {
    let mut table = Table::new(file);
    let findings = || checked.findings.iter().map(|(finding, _)| finding);
    table.column("line", Align::Right, findings().map(place));
    table.column("verdict", Align::Left, findings().map(|finding| finding.weight.name()));
    table.column("option", Align::Left, findings().map(|finding| finding.name.as_str()));
    table.column("value", Align::Left, findings().map(|finding| finding.value.as_str()));
    table.column_if_any("instead", Align::Left, findings().map(|finding| finding.advice.clone().unwrap_or_default()));
    if quiet {
        table.remarks.extend(checked.block.lines.iter().map(|line| format!("  {line}")));
        return table;
    }
    for (finding, shown) in &checked.findings {
        table.remarks.push(format!("{}: {} ({})", finding.name, finding.says, finding.source));
        table.remarks.extend(shown.as_ref().map(run));
    }
    if checked.findings.is_empty() {
        table.remarks.push("nothing found".to_owned());
    }
    table.remarks.extend(paste(&checked.block, &checked.gains));
    table.remarks.extend(starts(file, checked));
    table
}

/// Commands that start from the runs as configured and climb on.
fn starts(file: &str, checked: &Checked) -> Vec<String> {
    let command = |gain: &Gain| format!("  {}", explain(&gain.explain, file));
    let commands: Vec<String> = checked.gains.iter().map(command).collect();
    let head = (!commands.is_empty()).then(|| "from the same runs to the limit of the link:".to_owned());
    head.into_iter().chain(commands).collect()
}

/// The command that these arguments begin and the name of the file ends.
fn explain(arguments: &str, file: &str) -> String {
    format!("airtime explain {arguments} {}", airtime_lab::run::quoted(file))
}

/// The block with its head.
fn paste(block: &Block, gains: &[Gain]) -> Vec<String> {
    let as_it_is = |gain: &Gain| format!("as it is, {}: {:.0} kbps", gain.of, gain.after_kbps);
    if block.lines.is_empty() {
        return gains.iter().map(as_it_is).chain(taken_out(block)).collect();
    }
    let left = if block.left.is_empty() {
        "no hazard is found".to_owned()
    } else {
        format!("{} stays", block.left.join(", "))
    };
    let gains = gains.iter().map(|gain| format!("with all of it, {}", gained(gain)));
    let mut lines: Vec<String> = gains.collect();
    lines.push(format!("to paste at the end of the file, {left} with it:"));
    lines.extend(block.lines.iter().map(|line| format!("  {line}")));
    let follows = |line: &Follows| format!("{} follows from the others: {} ({})", line.line, line.says, line.source);
    lines.extend(block.follows.iter().map(follows));
    lines.extend(taken_out(block));
    lines
}

/// The lines to take out, whose names are gone.
fn taken_out(block: &Block) -> Option<String> {
    let lines: Vec<String> = block.gone.iter().map(|gone| format!("{} ({})", gone.line, gone.option)).collect();
    let one = if lines.len() == 1 { "line" } else { "lines" };
    (!lines.is_empty()).then(|| format!("and to take out for a build of today: {one} {}", lines.join(", ")))
}

fn gained(gain: &Gain) -> String {
    let Gain { of, before_kbps, after_kbps, .. } = gain;
    let share = if *before_kbps > 0.0 {
        format!(" ({:+.0} %)", 100.0 * (after_kbps - before_kbps) / before_kbps)
    } else {
        String::new()
    };
    format!("{of}: {before_kbps:.0} kbps, {after_kbps:.0}{share}")
}

fn place(finding: &Finding) -> String {
    if finding.line == 0 { "missing".to_owned() } else { format!("{}:{}", finding.line, finding.column) }
}

/// The runs that show a finding.
fn run(shown: &Gain) -> String {
    let Gain { of, before_kbps, after_kbps, timeouts, .. } = shown;
    match timeouts {
        Some([timeouts_before, timeouts_after]) => format!(
            "    a run of 5 s, {of}: {before_kbps:.0} kbps and {timeouts_before} timeouts as configured, {after_kbps:.0} kbps \
             and {timeouts_after} with the change"
        ),
        None => format!("    {of}: {before_kbps:.0} kbps as configured, {after_kbps:.0} kbps with the change"),
    }
}

/// Everything as one table of figures and words: findings, lines of the file, lines to paste.
fn rows(checked: &Checked) -> Table {
    let kbps = |kbps: f64| format!("{kbps:.1}");
    let mut rows: Vec<[String; 10]> = Vec::new();
    for (finding, shown) in &checked.findings {
        let of = |gain: &Gain| (kbps(gain.before_kbps), kbps(gain.after_kbps));
        let (before, after) = shown.as_ref().map(of).unwrap_or_default();
        let (line, column) = (finding.line.to_string(), finding.column.to_string());
        let instead = finding.advice.clone().unwrap_or_default();
        let (option, value) = (finding.name.clone(), finding.value.clone());
        let (fate, why) = (finding.weight.name().to_owned(), finding.says.clone());
        rows.push([fate, line, column, option, value, instead, why, finding.source.to_owned(), before, after]);
    }
    let none = String::new;
    for line in &checked.lines {
        let (place, column) = (line.line.to_string(), line.column.to_string());
        let (option, value, sets) = (line.option.clone(), line.value.clone(), line.sets.join("; "));
        rows.push([
            line.fate.word().to_owned(),
            place,
            column,
            option,
            value,
            sets,
            line.why.clone(),
            none(),
            none(),
            none(),
        ]);
    }
    for line in &checked.block.lines {
        let (option, value) = line.split_once('=').unwrap_or((line, ""));
        let [option, value] = [option, value].map(str::to_owned);
        let follows = checked.block.follows.iter().find(|follows| follows.line == *line);
        let (why, source) = follows.map_or((none(), none()), |of| (of.says.clone(), of.source.clone()));
        rows.push(["paste".to_owned(), none(), none(), option, value, line.clone(), why, source, none(), none()]);
    }
    for gone in &checked.block.gone {
        let (line, instead) = (gone.line.to_string(), gone.instead.clone().unwrap_or_default());
        let (option, what) = (gone.option.clone(), "take out".to_owned());
        rows.push([what, line, none(), option, none(), instead, none(), none(), none(), none()]);
    }
    for gain in &checked.gains {
        let (before, after) = (kbps(gain.before_kbps), kbps(gain.after_kbps));
        let what = if checked.block.lines.is_empty() { "figure" } else { "gain" };
        rows.push([what.to_owned(), none(), none(), none(), none(), none(), gain.of.clone(), none(), before, after]);
    }
    let mut table = Table::new("");
    let headings =
        ["what", "line", "column", "option", "value", "instead", "why", "source", "before_kbps", "after_kbps"];
    for (position, heading) in headings.into_iter().enumerate() {
        let figures = matches!(position, 1 | 2 | 8 | 9);
        let align = if figures { Align::Right } else { Align::Left };
        table.column(heading, align, rows.iter().map(|row| row[position].clone()));
    }
    table
}

fn document(file: &str, checked: &Checked) -> Value {
    let findings: Vec<Value> = checked.findings.iter().map(|of| finding(of, file)).collect();
    let gains: Vec<Value> = checked.gains.iter().map(|of| gain(of, file)).collect();
    json!({
        "schema": "airtime/check/1",
        "file": file,
        "findings": findings,
        "lines": checked.lines,
        "block": { "lines": checked.block.lines, "left": checked.block.left, "gone": checked.block.gone, "follows": checked.block.follows, "gains": gains },
    })
}

fn gain(gain: &Gain, file: &str) -> Value {
    json!({ "of": gain.of, "explain": explain(&gain.explain, file), "before_kbps": gain.before_kbps, "after_kbps": gain.after_kbps })
}

fn finding((finding, shown): &(Finding, Option<Gain>), file: &str) -> Value {
    let timed = |of: &Gain| {
        let [before, after] = of.timeouts?;
        Some(json!({
            "before_kbps": of.before_kbps,
            "after_kbps": of.after_kbps,
            "timeouts_before": before,
            "timeouts_after": after,
        }))
    };
    let run = shown.as_ref().and_then(timed);
    let gained = shown.as_ref().filter(|of| of.timeouts.is_none()).map(|of| gain(of, file));
    json!({
        "line": finding.line,
        "column": finding.column,
        "key": finding.name,
        "value": finding.value,
        "weight": finding.weight.name(),
        "hazard": finding.says,
        "advice": finding.advice,
        "source": finding.source,
        "run": run,
        "gain": gained,
    })
}
