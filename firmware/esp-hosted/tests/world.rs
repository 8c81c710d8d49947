//! Virtual time: a clock, timers, and one processor for each side that is busy while its flash is.

use std::cell::{Cell, RefCell};
use std::future::Future;
use std::pin::Pin;
use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::task::{Context, Poll, Wake, Waker};

use airtime_core::{Duration, Instant};
use airtime_hosted_ends::Board;

/// Time, and who waits for it.
#[derive(Clone)]
pub struct Clock(Rc<Inner>);

struct Inner {
    now: Cell<Instant>,
    timers: RefCell<Vec<(Instant, Waker)>>,
}

impl Clock {
    pub fn new() -> Self {
        Self(Rc::new(Inner { now: Cell::new(Instant::ZERO), timers: RefCell::default() }))
    }

    pub fn now(&self) -> Instant {
        self.0.now.get()
    }

    /// Next instant at which a timer runs out.
    pub fn next(&self) -> Option<Instant> {
        self.0.timers.borrow().iter().map(|(at, _)| *at).min()
    }

    /// Goes on to `at`, and wakes those who waited for it.
    pub fn advance(&self, at: Instant) {
        assert!(at >= self.now(), "time goes on");
        self.0.now.set(at);
        self.0.timers.borrow_mut().retain(|(timer, waker)| {
            let due = *timer <= at;
            if due {
                waker.wake_by_ref();
            }
            !due
        });
    }

    fn wait(&self, at: Instant, waker: Waker) {
        self.0.timers.borrow_mut().push((at, waker));
    }
}

/// Processor of a side: what runs on it, and until when it does nothing else than wait for its flash.
#[derive(Clone)]
pub struct Processor {
    pub clock: Clock,
    busy: Rc<Cell<Instant>>,
    fed: Rc<Cell<Instant>>,
    woken: Arc<Woken>,
}

struct Woken(AtomicBool);

impl Wake for Woken {
    fn wake(self: Arc<Self>) {
        self.0.store(true, Ordering::Relaxed);
    }
}

impl Processor {
    pub fn new(clock: &Clock) -> Self {
        Self {
            clock: clock.clone(),
            busy: Rc::new(Cell::new(Instant::ZERO)),
            fed: Rc::new(Cell::new(clock.now())),
            woken: Arc::new(Woken(AtomicBool::new(true))),
        }
    }

    /// It waits for something for so long, and does nothing else.
    pub fn spend(&self, span: Duration) {
        self.busy.set(self.now() + span);
    }

    /// Instant at which it can go on with what has been woken.
    pub fn next(&self) -> Option<Instant> {
        self.woken.0.load(Ordering::Relaxed).then(|| self.busy.get().max(self.clock.now()))
    }

    /// Instant at which its watchdog was fed last.
    pub fn fed(&self) -> Instant {
        self.fed.get()
    }

    /// Goes on with `task`, if there is a reason to; what comes of it.
    pub fn poll<T>(&self, task: &mut Pin<Box<dyn Future<Output = T>>>) -> Option<Poll<T>> {
        if self.next().is_none_or(|at| at > self.clock.now()) {
            return None;
        }
        self.woken.0.store(false, Ordering::Relaxed);
        let waker = Waker::from(Arc::clone(&self.woken));
        Some(task.as_mut().poll(&mut Context::from_waker(&waker)))
    }
}

impl Board for Processor {
    fn now(&self) -> Instant {
        self.clock.now().max(self.busy.get())
    }

    async fn until(&self, at: Instant) {
        std::future::poll_fn(|context| {
            if at <= self.now() {
                return Poll::Ready(());
            }
            self.clock.wait(at, context.waker().clone());
            Poll::Pending
        })
        .await;
    }

    fn alive(&self) {
        self.fed.set(self.now());
    }
}
