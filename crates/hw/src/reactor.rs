//! One task on one thread, and `ppoll` on what it waits for.

use std::cell::{Cell, RefCell};
use std::future::{Future, poll_fn};
use std::io;
use std::os::fd::BorrowedFd;
use std::pin::pin;
use std::task::{Context, Poll, Waker};

use airtime_core::Instant;
use rustix::event::{PollFd, PollFlags};

use airtime_system::clock::Clock;
use airtime_system::sleep::{REST_MAX, sleep, wake_up_exactly};
use airtime_system::stop::Stop;

/// Runs one task. Its leaves say at every poll what they wait for; whatever of it comes, all of them look again.
#[derive(Debug)]
pub struct Reactor<'a> {
    clock: Clock,
    stop: &'a Stop,
    sources: RefCell<Vec<BorrowedFd<'a>>>,
    due: Cell<Instant>,
}

impl<'a> Reactor<'a> {
    /// A reactor that reads `clock` and ends with `stop`.
    pub(crate) fn new(clock: Clock, stop: &'a Stop) -> Self {
        Self { clock, stop, sources: RefCell::default(), due: Cell::new(Instant::FAR_FUTURE) }
    }

    /// The time.
    pub fn now(&self) -> Instant {
        self.clock.now()
    }

    /// True once the task is to stop.
    pub fn stops(&self) -> bool {
        self.stop.is_asked()
    }

    /// Result of `look`, which is called at once and whenever `source` can be read.
    pub fn when_readable<T>(
        &self,
        source: BorrowedFd<'a>,
        mut look: impl FnMut() -> Option<T>,
    ) -> impl Future<Output = T> {
        poll_fn(move |_| match look() {
            Some(found) => Poll::Ready(found),
            None => {
                self.sources.borrow_mut().push(source);
                Poll::Pending
            }
        })
    }

    /// Until `at`.
    pub fn until(&self, at: Instant) -> impl Future<Output = ()> {
        poll_fn(move |_| {
            if self.now() >= at {
                return Poll::Ready(());
            }
            self.due.set(self.due.get().min(at));
            Poll::Pending
        })
    }

    /// Runs `task` to its end; none when it was stopped before that, wherever it waited.
    ///
    /// # Errors
    /// When the system refuses to wait.
    pub fn run<T>(&self, task: impl Future<Output = T>) -> io::Result<Option<T>> {
        wake_up_exactly();
        self.run_as_is(task)
    }

    /// As [`run`](Self::run), with the slack of its timers that the system has given this thread.
    ///
    /// # Errors
    /// When the system refuses to wait.
    pub fn run_as_is<T>(&self, task: impl Future<Output = T>) -> io::Result<Option<T>> {
        let mut task = pin!(task);
        let mut context = Context::from_waker(Waker::noop());
        loop {
            self.sources.borrow_mut().clear();
            self.due.set(Instant::FAR_FUTURE);
            if let Poll::Ready(result) = task.as_mut().poll(&mut context) {
                return Ok(Some(result));
            }
            if self.stops() {
                return Ok(None);
            }
            self.wait()?;
        }
    }

    fn wait(&self) -> io::Result<()> {
        let sources = self.sources.borrow();
        let stop = std::iter::once(std::os::fd::AsFd::as_fd(self.stop));
        let fds = stop.chain(sources.iter().copied());
        let mut fds: Vec<PollFd<'_>> = fds.map(|fd| PollFd::from_borrowed_fd(fd, PollFlags::IN)).collect();
        let rest = self.due.get().saturating_since(self.now());
        sleep(&mut fds, rest.min(REST_MAX)).map(|_| ())
    }
}
