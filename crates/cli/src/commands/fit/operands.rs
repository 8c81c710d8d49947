//! Measured figures as the command line names them: tables, records, captures, a field plan.

use std::path::{Path, PathBuf};

use airtime_lab::{Plan, Point, Record};
use airtime_study::field::has_figure;
use airtime_study::fit::{Measurements, NotMeasured};
use serde_json::Value;

use super::super::field::FOLDER;
use super::super::trace::connections;
use crate::arguments::FitArguments;
use crate::catalog;
use crate::exit::Failure;
use crate::measure::parse;
use crate::request::Changes;
use crate::results;
use airtime_study::request::single;

/// Endings of captures.
const CAPTURES: [&str; 4] = ["pcapng", "pcap", "btsnoop", "cap"];

/// Points with their figures of everything that is named.
///
/// # Errors
/// The first thing that is wrong with any of it.
pub fn measurements(arguments: &FitArguments, stop: &dyn Fn() -> bool) -> Result<Measurements, Failure> {
    if let ([only], None) = (arguments.measured.as_slice(), &arguments.plan)
        && !is_file_of_figures(only)
    {
        return field(only, arguments);
    }
    let Some(plan) = &arguments.plan else {
        return Err(Failure::BadInput(
            "--plan PLAN says the rest of every point: link, peer, PHY, payload; `airtime new ble-coc` prints one"
                .to_owned(),
        ));
    };
    let plans = parse(&[catalog::find(plan, "")?], &Changes::of(&arguments.changes)?)?;
    let selected = single(&plans, arguments.changes.point.as_deref(), "varied")?;
    let base = selected.point(&plans)?;
    let mut measured = Measurements::of(plans[selected.plan].clone());
    for name in &arguments.measured {
        add(&mut measured, name, &base, stop)?;
    }
    if measured.points.is_empty() {
        return Err(Failure::BadInput("there is no measured figure".to_owned()));
    }
    Ok(measured)
}

fn field(name: &str, arguments: &FitArguments) -> Result<Measurements, Failure> {
    let plans = parse(&[catalog::find(name, FOLDER)?], &Changes::of(&arguments.changes)?)?;
    let plan: Plan = plans.into_iter().next().ok_or_else(|| Failure::BadInput(format!("{name}: no plan")))?;
    let none = |why: &str| Failure::BadInput(format!("{name}: {why}"));
    if !has_figure(&plan) {
        return Err(none("no row has a measured figure; figures of your own are a table in CSV, with --plan"));
    }
    let mut measured = Measurements::of_field(plan);
    if let Some(asked) = &arguments.changes.point {
        measured.points.retain(|point| {
            point.id.strip_prefix(asked.as_str()).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
        });
    }
    if measured.points.is_empty() {
        return Err(none("no row has a figure that counts"));
    }
    Ok(measured)
}

fn is_file_of_figures(name: &str) -> bool {
    !catalog::is_shipped(name, FOLDER)
        && (has_ending(name, &["csv"]) || has_ending(name, &CAPTURES) || results::is_kept(name))
}

fn has_ending(name: &str, endings: &[&str]) -> bool {
    let ending = Path::new(name).extension().and_then(|ending| ending.to_str());
    ending.is_some_and(|ending| endings.iter().any(|known| ending.eq_ignore_ascii_case(known)))
}

fn add(measured: &mut Measurements, name: &str, base: &Point, stop: &dyn Fn() -> bool) -> Result<(), Failure> {
    let bad = |error: NotMeasured| Failure::BadInput(error.to_string());
    if has_ending(name, &CAPTURES) {
        let record = captured(Path::new(name), stop).map_err(|why| Failure::BadInput(format!("{name}: {why}")))?;
        return measured.add_captured(name, &terms(&record), record.goodput_kbps.median, base).map_err(bad);
    }
    if let Some(documents) = results::find(name)? {
        for record in documents.iter().flat_map(|document| &document.records) {
            measured.add_record(&record, base).map_err(bad)?;
        }
        return Ok(());
    }
    if !has_ending(name, &["csv"]) {
        return Err(Failure::BadInput(format!(
            "`{name}` is no table (.csv), no records (.json) and no capture (.pcapng); a field plan stands alone, without --plan"
        )));
    }
    let text = catalog::read(name)?.text;
    let folder = Path::new(name).parent().map(Path::to_owned).unwrap_or_default();
    let of_capture = |file: &str| {
        let path: PathBuf = folder.join(file);
        captured(&path, stop).map(|record| record.goodput_kbps.median)
    };
    measured.add_csv(name, &text, base, &of_capture).map_err(bad)
}

/// Record of the one connection with a stream that the capture at `path` has.
fn captured(path: &Path, stop: &dyn Fn() -> bool) -> Result<Record, String> {
    let found = connections(path, stop).map_err(|failure| failure.to_string())?;
    let mut streams = found.links.into_iter().map(|link| link.record).filter(|record| record.outcome == "ok");
    match (streams.next(), streams.next()) {
        (Some(record), None) => Ok(record),
        (None, _) => Err("it has no connection with a stream".to_owned()),
        _ => Err("it has several connections with a stream, and a figure is of one".to_owned()),
    }
}

/// Terms of a captured connection that are keys of a plan.
fn terms(record: &Record) -> Vec<(String, Value)> {
    let Some(terms) = &record.negotiated else { return Vec::new() };
    vec![
        ("ble.conn_interval".to_owned(), terms.conn_interval.as_str().into()),
        ("ble.phy".to_owned(), terms.phy.as_str().into()),
    ]
}
