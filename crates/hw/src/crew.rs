//! The threads of a node: started, watched, and stopped together.

use std::io;
use std::os::fd::AsFd as _;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread;

use airtime_core::{Duration, Instant};
use airtime_system::clock::{Clock, TIME_MAX};
use airtime_system::sleep::sleep;
use airtime_system::stop::{Stop, Stopper};
use rustix::event::{PollFd, PollFlags};

use super::daemon::DaemonError;
use super::reactor::Reactor;

/// Interval at which a node looks after itself.
const LOOKS_EVERY: Duration = Duration::from_secs(1);

/// Locks a mutex for its content. Nobody leaves it halfway: the closures of tasks do not panic.
pub(super) fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The clock of a node's threads, their stop, and what ended one of them before its time.
pub(super) struct Crew {
    clock: Clock,
    stop: Stop,
    failure: Mutex<Option<DaemonError>>,
}

impl Crew {
    /// A crew whose time begins now.
    pub(super) fn new() -> io::Result<Self> {
        Ok(Self { clock: Clock::start(), stop: Stop::new()?, failure: Mutex::default() })
    }

    /// The time.
    pub(super) fn now(&self) -> Instant {
        self.clock.now()
    }

    /// Time since its start.
    pub(super) fn elapsed(&self) -> Duration {
        self.now() - Instant::ZERO
    }

    /// Handle that stops all of it.
    pub(super) fn stopper(&self) -> Stopper {
        self.stop.stopper()
    }

    /// Starts a thread for a task; when it fails, all stop.
    pub(super) fn spawn<'scope>(
        &'scope self,
        scope: &'scope thread::Scope<'scope, '_>,
        name: &str,
        task: impl FnOnce(&Reactor<'scope>) -> Result<(), DaemonError> + Send + 'scope,
    ) {
        let run = move || {
            if let Err(error) = task(&Reactor::new(self.clock, &self.stop)) {
                self.fail(error);
            }
        };
        let spawned = thread::Builder::new().name(name.to_owned()).spawn_scoped(scope, run);
        if let Err(error) = spawned {
            self.fail(error.into());
        }
    }

    fn fail(&self, error: DaemonError) {
        locked(&self.failure).get_or_insert(error);
        self.stopper().stop();
    }

    /// Waits until the threads stop, or for `time`, and stops them; calls `tell` every `every`, and `look` now and then.
    pub(super) fn watch(
        &self,
        time: Option<Duration>,
        every: Option<Duration>,
        mut tell: impl FnMut(),
        mut look: impl FnMut() -> io::Result<()>,
    ) -> io::Result<()> {
        let end = self.now() + time.unwrap_or(TIME_MAX).min(TIME_MAX);
        let every = every.unwrap_or(TIME_MAX);
        let mut next = self.now() + every;
        let mut watch = || {
            while !self.stop.is_asked() {
                let now = self.now();
                if now >= end {
                    break;
                }
                if now >= next {
                    tell();
                    next += every;
                }
                look()?;
                let mut fds = [PollFd::from_borrowed_fd(self.stop.as_fd(), PollFlags::IN)];
                sleep(&mut fds, end.min(next).saturating_since(now).min(LOOKS_EVERY))?;
            }
            Ok(())
        };
        let watched = watch();
        self.stopper().stop();
        watched
    }

    /// Outcome of the task that reads the device: it ends by itself only when there is nothing to read from any more.
    pub(super) fn read(ended: Option<()>, reactor: &Reactor<'_>) -> Result<(), DaemonError> {
        if ended.is_some() && !reactor.stops() { Err(DaemonError::Device) } else { Ok(()) }
    }

    /// The first error of a task, once all threads have ended.
    pub(super) fn ended(&self) -> Result<(), DaemonError> {
        locked(&self.failure).take().map_or(Ok(()), Err)
    }
}
