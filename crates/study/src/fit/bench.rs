//! Bench on which candidates are run at every measured point, in parallel.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use airtime_lab::fit::{Device, with_device};
use airtime_lab::run::Repeats;
use airtime_lab::schema::Key;
use airtime_lab::{Plan, Point};
use rayon::prelude::*;
use rayon::{ThreadPool, ThreadPoolBuilder};

use super::Request;

/// Error of a point that a candidate cannot be at, or at which nothing arrives, in per cent.
pub const NOTHING_PCT: f64 = -100.0;

/// Figure of a candidate at a point, or none.
#[derive(Clone, Debug, PartialEq)]
pub enum Told {
    /// Figure in the unit of the measured one.
    Figure(f64),
    /// Reason that it has none.
    Impossible(String),
}

impl Told {
    /// The figure, if there is one.
    pub const fn figure(&self) -> Option<f64> {
        match self {
            Self::Figure(figure) => Some(*figure),
            Self::Impossible(_) => None,
        }
    }
}

/// Bench of one fit.
pub struct Bench<'a> {
    plan: &'a Plan,
    points: &'a [Point],
    end: &'static Key,
    runs_max: usize,
    watch: &'a (dyn Fn(usize) + Sync),
    cancel: &'a AtomicBool,
    pool: Option<ThreadPool>,
    runs: AtomicUsize,
}

impl<'a> Bench<'a> {
    /// Bench for this request.
    pub fn new(request: &Request<'a>, watch: &'a (dyn Fn(usize) + Sync), cancel: &'a AtomicBool) -> Self {
        let Request { measured, end, runs_max, threads, .. } = *request;
        // Without threads of its own it takes those of whoever called it.
        let pool = ThreadPoolBuilder::new().num_threads(threads).build().ok();
        let (plan, points) = (&measured.plan, measured.points.as_slice());
        Self { plan, points, end, runs_max, watch, cancel, pool, runs: AtomicUsize::new(0) }
    }

    /// Runs made so far.
    pub fn runs(&self) -> usize {
        self.runs.load(Ordering::Relaxed)
    }

    /// True if somebody wants no more.
    pub fn is_stopped(&self) -> bool {
        self.cancel.load(Ordering::Relaxed)
    }

    /// True if so many more candidates are within the budget.
    pub fn affords(&self, candidates: usize) -> bool {
        self.affords_runs(candidates * self.points.len())
    }

    /// True if so many more runs are within the budget.
    pub fn affords_runs(&self, runs: usize) -> bool {
        self.runs() + runs <= self.runs_max
    }

    /// Figures of each candidate at every point; none when somebody stopped it meanwhile.
    pub fn figures(&self, candidates: &[Device]) -> Option<Vec<Vec<Told>>> {
        self.figures_at(candidates, self.points)
    }

    /// Figures of each candidate at these points.
    pub fn figures_at(&self, candidates: &[Device], points: &[Point]) -> Option<Vec<Vec<Told>>> {
        let named: Vec<Result<(Plan, String), String>> =
            candidates.iter().map(|device| device.named(self.plan).map_err(|error| error.to_string())).collect();
        let one = |number: usize| {
            let (candidate, point) = (number / points.len(), &points[number % points.len()]);
            let told = match &named[candidate] {
                Ok((plan, name)) => self.figure(plan, point, name),
                Err(why) => Told::Impossible(why.clone()),
            };
            (self.watch)(self.runs.fetch_add(1, Ordering::Relaxed) + 1);
            told
        };
        let all = || (0..candidates.len() * points.len()).into_par_iter().map(one).collect::<Vec<Told>>();
        let told = self.pool.as_ref().map_or_else(all, |pool| pool.install(all));
        (!self.is_stopped()).then(|| told.chunks(points.len().max(1)).map(<[Told]>::to_vec).collect())
    }

    /// Cost and errors of each candidate: point after point, until the squares of its errors, in units of the repeatability, come to more
    /// than `limit`; none when somebody stopped it meanwhile.
    pub fn raced(&self, candidates: &[Device], limit: f64, noise_pct: f64) -> Option<Vec<(f64, Vec<f64>)>> {
        let one = |device: &Device| {
            let named = device.named(self.plan).map_err(|error| error.to_string());
            let (mut cost, mut errors) = (0.0, Vec::new());
            for point in self.points {
                let told = match &named {
                    Ok((plan, name)) => self.figure(plan, point, name),
                    Err(why) => Told::Impossible(why.clone()),
                };
                (self.watch)(self.runs.fetch_add(1, Ordering::Relaxed) + 1);
                let error = error_pct(&told, point);
                cost += (error / noise_pct).powi(2);
                errors.push(error);
                if cost > limit || self.is_stopped() {
                    break;
                }
            }
            (cost, errors)
        };
        let all = || candidates.par_iter().map(one).collect::<Vec<_>>();
        let found = self.pool.as_ref().map_or_else(all, |pool| pool.install(all));
        (!self.is_stopped()).then_some(found)
    }

    fn figure(&self, plan: &Plan, point: &Point, name: &str) -> Told {
        let stop = || self.is_stopped();
        let Some(measured) = point.row.as_ref().and_then(|row| row.measured.as_ref()) else {
            return Told::Impossible("nothing was measured".to_owned());
        };
        match with_device(plan, point, self.end, name) {
            Ok(at) => {
                let ran = Repeats::of(&*at.scenario.link, &stop);
                let figure = ran.whole_figure(measured).map(|figure| figure.value);
                let record = &ran.record;
                // What begins within the time that counts has a figure of its set-up.
                if record.setup_ns > record.elapsed_ns.saturating_sub(record.steady_ns) {
                    return Told::Impossible(
                        "its stream begins behind the warm-up: run.warmup is too short".to_owned(),
                    );
                }
                figure.map_or_else(|| Told::Impossible(ran.record.outcome.clone()), Told::Figure)
            }
            Err(error) => Told::Impossible(error.to_string()),
        }
    }

    /// Errors of figures in per cent of what was measured.
    pub fn errors(&self, told: &[Told]) -> Vec<f64> {
        told.iter().zip(self.points).map(|(told, point)| error_pct(told, point)).collect()
    }
}

fn error_pct(told: &Told, point: &Point) -> f64 {
    let measured = point.row.as_ref().and_then(|row| row.measured.as_ref());
    match (told, measured) {
        (Told::Figure(figure), Some(measured)) => 100.0 * (figure / measured.value - 1.0),
        _ => NOTHING_PCT,
    }
}
