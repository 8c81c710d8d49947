//! What a command printed, and what the lab predicts for it.

use std::process::Command;

use airtime_ble_link::plan::Scenario;
use airtime_lab::{Library, Plan};
use libtest_mimic::Failed;
use serde_json::Value;

use crate::program::airtime;

/// Runs `command` to its end and gives what it printed.
pub fn output(command: &mut Command) -> Result<String, Failed> {
    let output = command.output()?;
    if !output.status.success() {
        let says = String::from_utf8_lossy(&output.stderr);
        return Err(format!("{command:?} ended with {}: {says}", output.status).into());
    }
    Ok(String::from_utf8(output.stdout)?)
}

/// Goodput in kbps that the lab predicts for a plan with these keys.
pub fn predicted_kbps(set: &[(&str, &str)]) -> Result<f64, Failed> {
    let folder = tempfile::tempdir()?;
    let plan = folder.path().join("predicted.toml");
    std::fs::write(&plan, "link = \"ble-coc\"\n")?;
    let mut command = airtime();
    command.arg("run").arg(&plan).arg("--json");
    for (key, value) in set {
        command.args(["--set", &format!("{key}={value}")]);
    }
    let document: Value = serde_json::from_str(&output(&mut command)?)?;
    let goodput = &document["records"][0]["goodput_kbps"]["median"];
    goodput.as_f64().ok_or_else(|| format!("no goodput in {document}").into())
}

/// The scenario of a plan with these keys.
pub fn scenario(set: &[(&str, &str)]) -> Result<Scenario, Failed> {
    let set: Vec<(String, String)> = set.iter().map(|(key, value)| ((*key).into(), (*value).into())).collect();
    let plan = Plan::parse("predicted", "", &Library::builtin(), &set)?;
    let point = plan.point(0).ok_or("a plan has a point")?;
    point.scenario.of::<airtime_ble_link::plan::Scenario>().cloned().ok_or_else(|| "it is a Bluetooth LE link".into())
}

/// Fails with both figures unless `figure` is within `tolerance` of `expected`, as a share of it.
pub fn close(what: &str, figure: f64, expected: f64, tolerance: f64) -> Result<(), Failed> {
    let off = figure / expected - 1.0;
    println!("{what}: {figure:.1}, predicted {expected:.1} ({:+.1} %)", 100.0 * off);
    if off.abs() <= tolerance {
        return Ok(());
    }
    Err(format!("{what}: {figure:.1}, predicted {expected:.1}: {:+.1} %", 100.0 * off).into())
}
