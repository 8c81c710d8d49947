//! A progress bar for what takes longer than a second, where somebody watches.

mod left;
mod points;

use std::fmt;
use std::sync::mpsc::{self, RecvTimeoutError, Sender};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressState, ProgressStyle};

pub use points::Points;

/// Time within which a run that is over needs no bar.
const PATIENCE: Duration = Duration::from_secs(1);

/// A bar that shows itself after a second and is gone when dropped.
pub struct Progress {
    bar: ProgressBar,
    done: Option<Sender<()>>,
    shower: Option<JoinHandle<()>>,
}

impl Progress {
    /// Progress of this form; with `quiet` it never shows.
    pub fn of(quiet: bool, form: &str) -> Self {
        Self::telling(quiet, form, |_, _| ())
    }

    /// Progress of a form that has a place for the time that is left, which `left` tells.
    pub fn telling<L>(quiet: bool, form: &str, left: L) -> Self
    where
        L: Fn(&ProgressState, &mut dyn fmt::Write) + Clone + Send + Sync + 'static,
    {
        let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::hidden());
        let style = ProgressStyle::with_template(form);
        bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()).with_key("left", left));
        if quiet {
            return Self { bar, done: None, shower: None };
        }
        let (done, wait) = mpsc::channel();
        let shown = bar.clone();
        let shower = thread::spawn(move || {
            if wait.recv_timeout(PATIENCE) == Err(RecvTimeoutError::Timeout) {
                // Draws only where standard error is a terminal.
                shown.set_draw_target(ProgressDrawTarget::stderr());
                shown.enable_steady_tick(Duration::from_millis(200));
            }
        });
        Self { bar, done: Some(done), shower: Some(shower) }
    }

    /// `done` of `total` points are finished.
    pub fn set(&self, done: usize, total: usize) {
        self.bar.set_length(total as u64);
        self.bar.set_position(done as u64);
    }

    /// Words behind the bar, where its form has a place for them.
    pub fn say(&self, message: String) {
        self.bar.set_message(message);
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        drop(self.done.take());
        if let Some(shower) = self.shower.take() {
            let _ = shower.join();
        }
        self.bar.finish_and_clear();
    }
}
