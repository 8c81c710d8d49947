//! Reports of the task, and the waiting for them.

use std::sync::mpsc::{Receiver, RecvTimeoutError};

use airtime_core::{Duration, Instant};
use airtime_system::clock::Clock;
use airtime_system::stop::{Stop, Stopper};

use super::error::NativeError;
use super::order::Report;

/// Stretch after which it is looked if somebody has asked to stop.
const LOOK_EVERY: Duration = Duration::from_millis(100);

/// Reports, with the clock and the stop of whoever waits for them.
#[derive(Debug)]
pub struct Reports {
    reports: Receiver<Report>,
    clock: Clock,
    stop: Stop,
    #[cfg(target_os = "macos")]
    run_loop: super::run_loop::MainLoop,
}

impl Reports {
    /// The reports that come by `reports`.
    ///
    /// # Errors
    /// When the system has no descriptors left.
    pub fn new(reports: Receiver<Report>) -> std::io::Result<Self> {
        Ok(Self {
            reports,
            clock: Clock::start(),
            stop: Stop::new()?,
            #[cfg(target_os = "macos")]
            run_loop: super::run_loop::MainLoop::start()?,
        })
    }

    /// Time now.
    pub fn now(&self) -> Instant {
        self.clock.now()
    }

    /// True once somebody has asked to stop.
    pub fn is_stopped(&self) -> bool {
        self.stop.is_asked()
    }

    /// Handle that stops the waiting from another thread.
    pub fn stopper(&self) -> Stopper {
        self.stop.stopper()
    }

    /// Next report; none where none comes by `until`, or somebody asks to stop.
    ///
    /// # Errors
    /// When the task has ended.
    pub fn next(&self, until: Instant) -> Result<Option<Report>, NativeError> {
        loop {
            let left = until.saturating_since(self.now());
            match self.received(left.min(LOOK_EVERY)) {
                Ok(report) => return Ok(Some(report)),
                Err(RecvTimeoutError::Disconnected) => return Err(NativeError::Lost),
                Err(RecvTimeoutError::Timeout) if left.is_zero() || self.is_stopped() => return Ok(None),
                Err(RecvTimeoutError::Timeout) => {}
            }
        }
    }

    #[cfg(not(target_os = "macos"))]
    fn received(&self, rest: Duration) -> Result<Report, RecvTimeoutError> {
        self.reports.recv_timeout(std::time::Duration::from_nanos(rest.as_nanos()))
    }

    /// Streams of channels are served by the loop of the main thread, which this is.
    #[cfg(target_os = "macos")]
    fn received(&self, rest: Duration) -> Result<Report, RecvTimeoutError> {
        use std::sync::mpsc::TryRecvError;
        let until = self.now() + rest;
        loop {
            match self.reports.try_recv() {
                Ok(report) => return Ok(report),
                Err(TryRecvError::Disconnected) => return Err(RecvTimeoutError::Disconnected),
                Err(TryRecvError::Empty) if self.now() >= until => return Err(RecvTimeoutError::Timeout),
                Err(TryRecvError::Empty) => self.run_loop.turn(),
            }
        }
    }
}
