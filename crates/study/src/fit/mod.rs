//! Fit of device models to measured figures: which known devices explain them, and which values of one do.
//!
//! - `measured`: figures as points of a plan · `bench`: candidates at all of them, each run once · `rank`: known devices by their errors
//! - `search`: the values with the least error · `decide`: all values within the noise, and the measurement that would tell them apart

mod ask;
mod bench;
mod decide;
mod device;
mod measured;
mod rank;
mod search;

use std::sync::atomic::AtomicBool;

use airtime_lab::fit::{DeviceAxis, devices};
use airtime_lab::schema::Key;
use serde::Serialize;
use serde_json::Value;
use thiserror::Error;

use bench::Bench;

pub use ask::{end, free_values};
pub use decide::{FittedValue, Next};
pub use device::FittedDevice;
pub use measured::{Captured, Measurements, NotMeasured, POINTS_MAX};
pub use rank::Ranked;

/// The schema's name, first in the document that `airtime fit --json` prints.
pub const SCHEMA: &str = "airtime/fit/1";
/// Repeatability of a measured figure in per cent, where neither somebody nor repeated figures say otherwise, *assumed*.
pub const NOISE_PCT: f64 = 1.0;
/// Least repeatability that repeated figures are believed to show, in per cent, *assumed*: a few that are equal by chance show none.
const NOISE_MIN_PCT: f64 = 0.1;
/// Runs at most, unless somebody says otherwise.
pub const RUNS_MAX: usize = 20_000;

/// Request for a fit.
#[derive(Clone, Copy, Debug)]
pub struct Request<'a> {
    /// Figures that are to be explained.
    pub measured: &'a Measurements,
    /// Key of the end that is looked for: `central.personality`.
    pub end: &'static Key,
    /// Repeatability of the figures, in per cent, where it is known.
    pub noise_pct: Option<f64>,
    /// Values that are looked for.
    pub free: Free<'a>,
    /// Runs at most.
    pub runs_max: usize,
    /// Threads; zero: one per core.
    pub threads: usize,
}

/// Values that are looked for.
#[derive(Clone, Copy, Debug)]
pub enum Free<'a> {
    /// None: known devices are ranked, and that is all.
    Nothing,
    /// Those that known devices differ in and that change a figure.
    Sensitive,
    /// These.
    These(&'a [DeviceAxis]),
}

/// Reason that a fit came to nothing.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum NotFitted {
    /// Somebody stopped it before every known device was run.
    #[error("stopped before every known device was run")]
    Stopped,
    /// The budget does not suffice for the known devices.
    #[error("{devices} known devices at {points} points take {} runs, and --runs is {runs}", devices * points)]
    Budget {
        /// Known devices.
        devices: usize,
        /// Measured points.
        points: usize,
        /// Runs at most.
        runs: usize,
    },
    /// None of the known devices can be at any of the points.
    #[error("no known device can be there: {0}")]
    Impossible(String),
}

/// A measured point as it is told.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Given {
    /// Name of it.
    pub id: String,
    /// Measured figure.
    pub measured: f64,
    /// Unit of it.
    pub unit: String,
}

/// Outcome of a fit.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Fitted {
    /// Plan that the points are of.
    pub plan: String,
    /// Key of the end that was looked for.
    pub end: &'static str,
    /// Repeatability of the figures, in per cent: errors up to it are none.
    pub noise_pct: f64,
    /// Origin of the repeatability: `given`, `repeats` or `assumed`.
    pub noise_from: &'static str,
    /// Measured points.
    pub points: Vec<Given>,
    /// Points that were left out, each with the reason.
    pub left_out: Vec<String>,
    /// Known devices, that with the least error first.
    pub ranking: Vec<Ranked>,
    /// The device with the values that explain the figures best, where they were looked for.
    pub device: Option<FittedDevice>,
    /// Runs that were made.
    pub runs: usize,
    /// Set if it was stopped from outside before it was at its end.
    pub stopped: bool,
}

/// Ranks the known devices by their errors, and looks for the values of one like the first of them. `watch` is told how many runs were made; a set `cancel` ends it.
///
/// # Errors
/// When it was stopped before every known device was run, or no known device can be there.
pub fn fit(request: &Request<'_>, watch: &(dyn Fn(usize) + Sync), cancel: &AtomicBool) -> Result<Fitted, NotFitted> {
    let Measurements { plan, points, left_out } = request.measured;
    let (noise_pct, noise_from) = noise(request);
    let known = points.first().map(|point| devices(plan, point, request.end)).unwrap_or_default();
    if known.len() * points.len() > request.runs_max {
        return Err(NotFitted::Budget { devices: known.len(), points: points.len(), runs: request.runs_max });
    }
    let mut bench = Bench::new(request, watch, cancel);
    let ranking = rank::ranked(&mut bench, &known, noise_pct)?;
    let device = device::fitted(&bench, request, &known, &ranking, noise_pct);
    let given = points.iter().map(|point| {
        let measured = point.row.as_ref().and_then(|row| row.measured.as_ref());
        Given {
            id: point.id.clone(),
            measured: measured.map_or(0.0, |measured| measured.value),
            unit: measured.map(|measured| measured.unit.clone()).unwrap_or_default(),
        }
    });
    Ok(Fitted {
        plan: plan.name.clone(),
        end: request.end.name,
        noise_pct,
        noise_from,
        points: given.collect(),
        left_out: left_out.clone(),
        ranking,
        device,
        runs: bench.runs(),
        stopped: bench.is_stopped(),
    })
}

/// Settings of a point.
type Set = [(String, Value)];

/// The repeatability of the figures in per cent, and where it is from.
fn noise(request: &Request<'_>) -> (f64, &'static str) {
    if let Some(noise) = request.noise_pct {
        return (noise, "given");
    }
    // Of points that were measured several times, the spread of each about its mean, all together.
    let (mut squares, mut freedom) = (0.0, 0_usize);
    let mut groups: Vec<(&Set, &Set, Vec<f64>)> = Vec::new();
    for point in &request.measured.points {
        let Some(value) = point.row.as_ref().and_then(|row| row.measured.as_ref()).map(|measured| measured.value)
        else {
            continue;
        };
        match groups.iter_mut().find(|(set, varied, _)| *set == point.set && *varied == point.varied) {
            Some((_, _, values)) => values.push(value),
            None => groups.push((&point.set, &point.varied, vec![value])),
        }
    }
    for (_, _, values) in &groups {
        let mean = values.iter().sum::<f64>() / values.len() as f64;
        squares += values.iter().map(|value| (100.0 * (value / mean - 1.0)).powi(2)).sum::<f64>();
        freedom += values.len() - 1;
    }
    if freedom == 0 {
        (NOISE_PCT, "assumed")
    } else {
        ((squares / freedom as f64).sqrt().max(NOISE_MIN_PCT), "repeats")
    }
}
