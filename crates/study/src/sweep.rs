//! A grid of points, run in parallel, with results in the order of the points.

mod arrivals;

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::thread;

use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::{Digest, FolderError, RunFolder, Shard};
use arrivals::Arrivals;

/// Function that makes the record of a point.
pub type Runner<'a, P, R> = dyn Fn(&P) -> R + Sync + 'a;

/// Function that names a point in a run folder.
pub type Name<'a, P> = dyn Fn(&P) -> Digest + Sync + 'a;

/// Word that a point is finished, and how far the sweep is with it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Finished {
    /// Position of the point in the grid.
    pub position: usize,
    /// Set if an earlier run had finished it.
    pub read_back: bool,
    /// Points finished, this one among them.
    pub done: usize,
    /// Points that are to be finished.
    pub total: usize,
}

/// Sweep over a grid; [`Sweep::new`] runs all of it on every core and keeps nothing.
pub struct Sweep<'a, P, R> {
    /// The grid, in the order of the results.
    pub points: &'a [P],
    /// Makes the record of a point; a pure function of it.
    pub runner: &'a Runner<'a, P, R>,
    /// Threads to run on; zero: one per core.
    pub threads: usize,
    /// The part of the grid to run.
    pub shard: Shard,
    /// Folder where finished points are kept and read back from, with the function that names a point there.
    pub folder: Option<(&'a RunFolder, &'a Name<'a, P>)>,
    /// Called whenever a point is finished.
    pub progress: &'a (dyn Fn(Finished) + Sync),
    /// Set from outside to stop; what was measured by then is the result.
    pub cancel: &'a AtomicBool,
}

/// Outcome of a grid, with its records.
#[derive(Debug)]
pub struct Swept<R> {
    /// Position in the grid and record of every finished point, by position.
    pub records: Vec<(usize, R)>,
    /// Points that were to be run.
    pub total: usize,
    /// Number of records that an earlier run had made.
    pub read_back: usize,
    /// Reason that the run folder could not take a record; nothing was run after that.
    pub unwritten: Option<FolderError>,
}

impl<R> Swept<R> {
    /// True if every point was run.
    pub fn complete(&self) -> bool {
        self.records.len() == self.total && self.unwritten.is_none()
    }
}

/// Outcome of a grid whose records were handed over.
#[derive(Debug)]
pub struct Ended {
    /// Points that were to be run.
    pub total: usize,
    /// Number of records that an earlier run had made.
    pub read_back: usize,
    /// Reason that the run folder could not take a record; nothing was run after that.
    pub unwritten: Option<FolderError>,
}

static NEVER: AtomicBool = AtomicBool::new(false);

impl<'a, P, R> Sweep<'a, P, R> {
    /// The whole of `points` on every core, without a folder, and without an end before the end.
    pub fn new(points: &'a [P], runner: &'a Runner<'a, P, R>) -> Self {
        Self { points, runner, threads: 0, shard: Shard::WHOLE, folder: None, progress: &|_| (), cancel: &NEVER }
    }
}

impl<P: Sync, R: Clone + PartialEq + Serialize + DeserializeOwned + Send> Sweep<'_, P, R> {
    /// Runs the grid and keeps all records; on the caller's thread alone where the system starts no other.
    pub fn run(&self) -> Swept<R> {
        let mut records = Vec::new();
        let Ended { total, read_back, unwritten } = self.run_into(|position, record| records.push((position, record)));
        Swept { records, total, read_back, unwritten }
    }

    /// Runs the grid and hands each record to `sink`, with its position and by position: for more records than memory is to hold.
    ///
    /// Threads take the points in their order, so that little has to wait for what is before it. None waits for `sink`: it is called
    /// by whichever brings a record when no other is handing over.
    pub fn run_into(&self, mut sink: impl FnMut(usize, R) + Send) -> Ended {
        let total = self.shard.points_of(self.points.len());
        let books = Books::default();
        let arrivals = Arrivals::new(|number: usize, record| sink(self.shard.position(number), record));
        let next = AtomicUsize::new(0);
        let thread = || {
            let _alarm = Alarm(&books.stop);
            while !books.stop.load(Ordering::Relaxed) && !self.cancel.load(Ordering::Relaxed) {
                let number = next.fetch_add(1, Ordering::Relaxed);
                if number >= total {
                    return;
                }
                arrivals.arrived(number, self.finish(self.shard.position(number), total, &books));
            }
        };
        match rayon::ThreadPoolBuilder::new().num_threads(self.threads).build() {
            Ok(pool) => drop(pool.broadcast(|_| thread())),
            Err(_) => thread(),
        }
        arrivals.end();
        Ended {
            total,
            read_back: books.read_back.into_inner(),
            unwritten: books.unwritten.into_inner().unwrap_or_else(PoisonError::into_inner),
        }
    }

    /// The record of the point at `position`, of an earlier run or of one that is made now and kept.
    fn finish(&self, position: usize, total: usize, books: &Books) -> R {
        let kept = self.folder.map(|(folder, name)| (folder, name(&self.points[position])));
        let earlier: Option<R> = kept.and_then(|(folder, name)| folder.finished(name));
        let read_back = earlier.is_some();
        let record = match earlier {
            Some(record) => {
                books.read_back.fetch_add(1, Ordering::Relaxed);
                record
            }
            None => {
                let record = (self.runner)(&self.points[position]);
                // A point that was running when somebody had enough may have ended early: it is shown, and run again.
                if self.cancel.load(Ordering::Relaxed) {
                    return record;
                }
                if let Some(Err(error)) = kept.map(|(folder, name)| folder.keep_at(name, position, &record)) {
                    books.stop.store(true, Ordering::Relaxed);
                    books.unwritten.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(error);
                }
                record
            }
        };
        let done = books.done.fetch_add(1, Ordering::Relaxed) + 1;
        (self.progress)(Finished { position, read_back, done, total });
        record
    }
}

/// Books that threads share.
#[derive(Default)]
struct Books {
    read_back: AtomicUsize,
    done: AtomicUsize,
    unwritten: Mutex<Option<FolderError>>,
    stop: AtomicBool,
}

/// Stops all threads when one of them panics: the panic goes to the caller when the others have ended.
struct Alarm<'a>(&'a AtomicBool);

impl Drop for Alarm<'_> {
    fn drop(&mut self) {
        if thread::panicking() {
            self.0.store(true, Ordering::Relaxed);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Opening;

    fn name(point: &u32) -> Digest {
        Digest::of([point.to_string().as_str()])
    }

    /// Takes longer the earlier the point, so that threads finish out of order.
    fn slow_square(point: &u32) -> u64 {
        for step in 0..(100 - point) * 1_000 {
            std::hint::black_box(step);
        }
        u64::from(point * point)
    }

    #[test]
    fn results_are_in_the_order_of_the_points_on_any_number_of_threads() {
        let points: Vec<u32> = (0..100).collect();
        let expected: Vec<_> = points.iter().map(|p| (*p as usize, u64::from(p * p))).collect();
        for threads in [1, 2, 7] {
            let swept = Sweep { threads, ..Sweep::new(&points, &slow_square) }.run();
            assert_eq!(swept.records, expected);
            assert!(swept.complete());
        }
    }

    #[test]
    fn parts_of_a_grid_make_the_grid() {
        let points: Vec<u32> = (0..10).collect();
        let mut all: Vec<_> = ["1/3", "2/3", "3/3"]
            .iter()
            .flat_map(|shard| {
                Sweep { shard: shard.parse().unwrap(), ..Sweep::new(&points, &slow_square) }.run().records
            })
            .collect();
        all.sort_unstable();
        assert_eq!(all, Sweep::new(&points, &slow_square).run().records);
    }

    #[test]
    fn what_was_measured_before_the_interruption_is_kept_and_never_run_again() {
        let home = tempfile::tempdir().unwrap();
        let points: Vec<u32> = (0..10).collect();
        let cancel = AtomicBool::new(false);
        let runs = AtomicUsize::new(0);
        let runner = |point: &u32| {
            runs.fetch_add(1, Ordering::Relaxed);
            f64::from(*point) / 3.0
        };
        let folder = RunFolder::open(home.path(), "a plan", Opening::Fresh).unwrap();
        let interrupt_after_four = |finished: Finished| cancel.store(finished.done == 4, Ordering::Relaxed);
        let grid = Sweep { threads: 1, cancel: &cancel, ..Sweep::new(&points, &runner) };
        let broken_off = Sweep { folder: Some((&folder, &name)), progress: &interrupt_after_four, ..grid }.run();
        assert_eq!((broken_off.records.len(), broken_off.complete()), (4, false));
        drop(folder);

        let folder = RunFolder::open(home.path(), "a plan", Opening::Resume).unwrap();
        let skipped = AtomicUsize::new(0);
        let count = |finished: Finished| {
            skipped.fetch_add(usize::from(finished.read_back), Ordering::Relaxed);
        };
        let whole = Sweep { folder: Some((&folder, &name)), progress: &count, ..Sweep::new(&points, &runner) }.run();
        assert_eq!((whole.read_back, runs.load(Ordering::Relaxed)), (4, 10));
        assert_eq!(skipped.load(Ordering::Relaxed), 4, "progress tells what was run from what was not");
        assert_eq!(whole.records, Sweep::new(&points, &runner).run().records, "to the last bit");
    }

    #[test]
    fn progress_counts_up_to_the_part() {
        let points: Vec<u32> = (0..9).collect();
        let seen = Mutex::new(Vec::new());
        let progress =
            |finished: Finished| seen.lock().unwrap().push((finished.position, finished.done, finished.total));
        let shard = "1/2".parse().unwrap();
        Sweep { threads: 1, shard, progress: &progress, ..Sweep::new(&points, &slow_square) }.run();
        assert_eq!(*seen.lock().unwrap(), [(0, 1, 5), (2, 2, 5), (4, 3, 5), (6, 4, 5), (8, 5, 5)]);
    }

    /// The first point ends when all others have.
    #[test]
    fn a_slow_first_point_holds_up_nobody_and_changes_no_order() {
        let points: Vec<u32> = (0..2_000).collect();
        for threads in [2, 7, 32] {
            let ended = AtomicUsize::new(0);
            let runner = |point: &u32| {
                while *point == 0 && ended.load(Ordering::Acquire) < points.len() - 1 {
                    std::thread::yield_now();
                }
                ended.fetch_add(1, Ordering::Release);
                f64::from(*point) / 3.0
            };
            let mut taken = Vec::new();
            let sweep = Sweep { threads, ..Sweep::new(&points, &runner) };
            let end = sweep.run_into(|position, record| taken.push((position, record)));
            let expected: Vec<_> = points.iter().map(|point| (*point as usize, f64::from(*point) / 3.0)).collect();
            assert_eq!((end.total, taken), (points.len(), expected));
        }
    }

    #[test]
    fn a_panic_of_a_point_is_that_of_the_sweep() {
        let points: Vec<u32> = (0..500).collect();
        let runs = AtomicUsize::new(0);
        let runner = |point: &u32| {
            runs.fetch_add(1, Ordering::Relaxed);
            assert!(*point != 100, "point 100 has had enough");
            *point
        };
        let mut taken = Vec::new();
        let sweep = || Sweep { threads: 1, ..Sweep::new(&points, &runner) }.run_into(|_, record| taken.push(record));
        assert!(std::panic::catch_unwind(std::panic::AssertUnwindSafe(sweep)).is_err());
        assert_eq!((runs.into_inner(), taken.len()), (101, 100), "and nothing is run after it");
        let sweep =
            Sweep { threads: 7, ..Sweep::new(&points, &|point: &u32| [*point, 1][usize::from(*point == 300) * 7]) };
        assert!(std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| sweep.run())).is_err());
    }
}
