//! `airtime check`: what a configuration does to the throughput, by rule, and shown by short runs.

use std::path::Path;

use airtime_lab::sdkconfig::{self, Finding, Proof, Sdkconfig, Weight};
use airtime_report::{Align, Table};
use serde_json::{Value, json};

use crate::arguments::CheckArguments;
use crate::catalog::{self, Source};
use crate::exit::{Exit, Failure};
use crate::measure;
use crate::output::{self, Form};
use crate::request::{Changes, Manner};

/// Findings of a file, each with the runs that show it.
type Checked = Vec<(Finding, Option<Proof>)>;

/// Checks the file; a hazard ends with 3.
pub fn check(arguments: &CheckArguments, manner: Manner) -> Result<Exit, Failure> {
    let source = catalog::read(&arguments.file)?;
    let name =
        Path::new(&arguments.file).file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    if name.ends_with(".toml") {
        return plan(source, manner);
    }
    if name.ends_with(".conf") {
        return Err(Failure::BadInput(format!(
            "`{}`: the rules are those of an ESP-IDF sdkconfig, and this is named like a configuration of Zephyr's; what its \
             buffers and lengths cost is shown by a plan: airtime explain coc-nrf --set acl.count=3 --set coc.tx_buffers=3",
            arguments.file
        )));
    }
    let checked = if name.ends_with(".yml") || name.ends_with(".yaml") {
        component(&source.text).into_iter().map(|finding| (finding, None)).collect()
    } else {
        configuration(&source, !arguments.no_runs)?
    };
    print(&arguments.file, &checked, manner)?;
    let hazard = checked.iter().any(|(finding, _)| finding.weight == Weight::Hazard);
    Ok(if hazard { Exit::BelowThreshold } else { Exit::Ok })
}

/// A plan is read with everything it names.
fn plan(source: Source, manner: Manner) -> Result<Exit, Failure> {
    let name = source.name.clone();
    let plans = measure::parse(&[source], &Changes::default())?;
    if !manner.quiet {
        let points: u64 = plans.iter().map(|plan| plan.points().len() as u64).sum();
        let right = if points == 1 { "as it should be" } else { "all as they should be" };
        output::say(&format!("{name}: {}, {right}", output::counted(points, "point")));
    }
    Ok(Exit::Ok)
}

fn configuration(source: &Source, runs: bool) -> Result<Checked, Failure> {
    let config = Sdkconfig::parse(&source.name, &source.text)?;
    let findings = sdkconfig::check(&config);
    let proved = |finding: Finding| {
        let proof = if runs { sdkconfig::prove(&config, &finding) } else { None };
        (finding, proof)
    };
    Ok(findings.into_iter().map(proved).collect())
}

/// The dependencies of a component: `esp_hosted` of any version.
fn component(text: &str) -> Vec<Finding> {
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
    text.lines().enumerate().filter_map(finding).collect()
}

fn print(file: &str, checked: &Checked, manner: Manner) -> Result<(), Failure> {
    if manner.form == Form::Json {
        let findings: Vec<Value> = checked.iter().map(document).collect();
        let whole = json!({ "schema": "airtime/check/1", "file": file, "findings": findings });
        return output::print(&output::rendered(|out| airtime_report::json(&whole, out))?);
    }
    let mut table = Table::new(file);
    let findings = || checked.iter().map(|(finding, _)| finding);
    table.column("line", Align::Right, findings().map(place));
    table.column("", Align::Left, findings().map(|finding| finding.weight.name()));
    table.column("option", Align::Left, findings().map(|finding| finding.name.as_str()));
    table.column("value", Align::Left, findings().map(|finding| finding.value.as_str()));
    table.column_if_any("instead", Align::Left, findings().map(|finding| finding.advice.clone().unwrap_or_default()));
    for (finding, proof) in checked {
        table.remarks.push(format!("{}: {} ({})", finding.name, finding.says, finding.source));
        table.remarks.extend(proof.as_ref().map(shown));
    }
    if checked.is_empty() {
        table.remarks.push("nothing found".to_owned());
    }
    output::print(&output::rendered(|out| manner.form.exporter().export_table(&table, out))?)
}

fn place(finding: &Finding) -> String {
    if finding.line == 0 { "missing".to_owned() } else { format!("{}:{}", finding.line, finding.column) }
}

fn shown(proof: &Proof) -> String {
    let Proof { before_kbps, after_kbps, timeouts_before, timeouts_after } = proof;
    format!(
        "    a run of 5 s, TCP up at 4 ms: {before_kbps:.0} kbps and {timeouts_before} timeouts as configured, {after_kbps:.0} kbps \
         and {timeouts_after} with the change"
    )
}

fn document((finding, proof): &(Finding, Option<Proof>)) -> Value {
    let run = proof.as_ref().map(|proof| {
        json!({
            "before_kbps": proof.before_kbps,
            "after_kbps": proof.after_kbps,
            "timeouts_before": proof.timeouts_before,
            "timeouts_after": proof.timeouts_after,
        })
    });
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
    })
}
