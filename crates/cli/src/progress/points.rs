//! Progress of a grid: the points that are run, and the time that is left.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::io::{self, IsTerminal};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use airtime_lab::Plan;
use airtime_study::Finished;
use indicatif::{HumanDuration, ProgressState};

use super::Progress;
use super::left::Left;
use airtime_study::request::Selected;

/// A grid of more points than that is not looked at point by point before anything runs: each counts as the first of its plan.
const LOOKED_AT: usize = 5_000;

/// Progress of a grid.
pub struct Points {
    bar: Progress,
    works: Works,
    threads: usize,
    state: Arc<Mutex<State>>,
}

/// Name of a link, and seconds of its air.
type Work = (&'static str, f64);

/// Work of points.
#[derive(Default)]
struct Works {
    /// By plan and number, or of a large grid that of the first point of each plan; empty where nobody watches.
    of: BTreeMap<(usize, usize), Work>,
    /// Set if a point is as the first of its plan.
    alike: bool,
}

#[derive(Default)]
struct State {
    left: Left,
    run: usize,
    skipped: usize,
    /// Time that was left, and when.
    estimate: Option<(Duration, Instant)>,
}

impl Points {
    /// Progress of `points`, on so many threads; zero: one per core.
    pub fn new<'a>(quiet: bool, plans: &[Plan], points: impl Iterator<Item = &'a Selected>, threads: usize) -> Self {
        let state = Arc::new(Mutex::new(State::default()));
        let shown = Arc::clone(&state);
        let tell = move |_: &ProgressState, out: &mut dyn Write| {
            let state = shown.lock().unwrap_or_else(PoisonError::into_inner);
            if let Some((left, then)) = state.estimate {
                let left = left.saturating_sub(then.elapsed()).as_secs_f64().ceil();
                let _ = write!(out, ", {} left", HumanDuration(Duration::from_secs(left as u64)));
            }
        };
        let watched = !quiet && io::stderr().is_terminal();
        let points: Vec<Selected> = if watched { points.copied().collect() } else { Vec::new() };
        let works = Works::of(plans, &points);
        let all = &mut state.lock().unwrap_or_else(PoisonError::into_inner).left;
        points.iter().filter_map(|point| works.get(*point)).for_each(|(link, air_s)| all.add(link, air_s));
        let cores = || thread::available_parallelism().map_or(1, usize::from);
        let threads = if threads == 0 { cores() } else { threads };
        let bar = Progress::telling(quiet, "{wide_bar} {pos}/{len} points{left}", tell);
        Self { bar, works, threads, state: Arc::clone(&state) }
    }

    /// A point was run, and took so long.
    pub fn ran(&self, point: Selected, took: Duration) {
        let Some((link, air_s)) = self.works.get(point) else { return };
        self.state().left.ran(link, air_s, took);
    }

    /// A point is finished. One that was read back is no part of the bar: it took no time, and nobody waits for it.
    pub fn finished(&self, point: Selected, finished: Finished) {
        let mut state = self.state();
        if finished.read_back {
            state.skipped += 1;
            if let Some((link, air_s)) = self.works.get(point) {
                state.left.skip(link, air_s);
            }
        } else {
            state.run += 1;
        }
        state.estimate = state.left.time(self.threads).map(|left| (left, Instant::now()));
        let (run, all) = (state.run, finished.total - state.skipped);
        // Drawing asks for the state.
        drop(state);
        self.bar.set(run, all);
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Works {
    /// Work of every one of the `points`, over all its repeats and the corners of what was not logged.
    fn of(plans: &[Plan], points: &[Selected]) -> Self {
        let alike = points.len() > LOOKED_AT;
        let firsts = || (0..plans.len()).map(|plan| Selected { plan, index: 0 }).collect::<Vec<_>>();
        let looked_at = if alike { firsts() } else { points.to_vec() };
        let of = looked_at.into_iter().map(|point| ((point.plan, point.index), work(plans, point))).collect();
        Self { of, alike }
    }

    fn get(&self, point: Selected) -> Option<Work> {
        let index = if self.alike { 0 } else { point.index };
        self.of.get(&(point.plan, index)).copied()
    }
}

fn work(plans: &[Plan], selected: Selected) -> Work {
    // One that is impossible takes no time.
    let Ok(point) = selected.point(plans) else { return ("", 0.0) };
    let run = point.scenario.run();
    // Corners of what nobody logged are run once each, beside the repeats of the middle.
    let corners = if point.unlogged.is_empty() { 0.0 } else { 2f64.powi(point.unlogged.len() as i32) };
    let runs = f64::from(run.repeat) + corners;
    (point.scenario.link(), run.duration.as_secs_f64() * runs)
}
