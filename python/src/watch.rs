//! Work beside the interpreter: without its lock, on threads of its own, stopped by Ctrl-C.

use std::panic::resume_unwind;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::thread;
use std::time::Duration;

use pyo3::prelude::*;

use crate::error::Failure;

/// Time between two looks at signals and progress, *assumed*: nobody waits for it, and Python runs ten times a second for it.
const LOOK: Duration = Duration::from_millis(100);
/// Time to the first look: short work is over before that.
const FIRST_LOOK: Duration = Duration::from_millis(20);

/// State of the work, for whoever watches it.
#[derive(Debug, Default)]
pub struct Seen {
    done: AtomicUsize,
    total: AtomicUsize,
}

impl Seen {
    /// Says that so much is done, of so much where that is known.
    pub fn say(&self, done: usize, total: Option<usize>) {
        self.total.store(total.unwrap_or_default(), Ordering::Relaxed);
        self.done.fetch_max(done, Ordering::Relaxed);
    }

    fn told(&self) -> (usize, Option<usize>) {
        let total = self.total.load(Ordering::Relaxed);
        (self.done.load(Ordering::Relaxed), (total > 0).then_some(total))
    }
}

/// Result of `work`, which runs without the interpreter's lock. Meanwhile signals are looked at, and `progress` is called with what is
/// done and the total, if that is known; an exception of either ends the work early, and is what comes of it.
///
/// # Errors
/// That of the work, or the exception.
pub fn watched<T: Send>(
    py: Python<'_>,
    progress: Option<&Py<PyAny>>,
    work: impl FnOnce(&AtomicBool, &Seen) -> Result<T, Failure> + Send,
) -> PyResult<T> {
    let (cancel, seen) = (AtomicBool::new(false), Seen::default());
    let (cancel, seen) = (&cancel, &seen);
    let mut raised: Option<PyErr> = None;
    let outcome = py.detach(|| {
        thread::scope(|scope| {
            let (ending, ended) = channel::<()>();
            let worker = scope.spawn(move || {
                let _ending = ending;
                work(cancel, seen)
            });
            let mut told = (0, None);
            let mut wait = FIRST_LOOK;
            while let Err(RecvTimeoutError::Timeout) = ended.recv_timeout(wait) {
                wait = LOOK;
                if raised.is_none() {
                    raised = Python::attach(|py| look(py, progress, seen, &mut told)).err();
                    cancel.store(raised.is_some(), Ordering::Relaxed);
                }
            }
            worker.join()
        })
    });
    let outcome = outcome.unwrap_or_else(|panic| resume_unwind(panic));
    if let Some(raised) = raised {
        return Err(raised);
    }
    let made = outcome?;
    // A callback sees the end of whatever took long enough to be seen at all, and of what did not.
    let (done, total) = seen.told();
    if let Some(progress) = progress.filter(|_| done > 0) {
        progress.call1(py, (done, total))?;
    }
    Ok(made)
}

fn look(py: Python<'_>, progress: Option<&Py<PyAny>>, seen: &Seen, told: &mut (usize, Option<usize>)) -> PyResult<()> {
    py.check_signals()?;
    let now = seen.told();
    if let Some(progress) = progress.filter(|_| now != *told) {
        *told = now;
        progress.call1(py, now)?;
    }
    Ok(())
}
