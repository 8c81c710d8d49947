//! Time outside runs: the monotonic clock, and one thread that wakes whoever waits for it.

use std::sync::{Condvar, Mutex, MutexGuard, OnceLock, PoisonError};
use std::task::Waker;
use std::thread;
use std::time::{Duration, Instant};

/// Waiter outside of runs, and the time it waits for, in nanoseconds since [`origin`].
struct Waiting {
    timers: Mutex<Vec<(u64, Waker)>>,
    changed: Condvar,
}

static WAITING: Waiting = Waiting { timers: Mutex::new(Vec::new()), changed: Condvar::new() };

/// Nanoseconds since the clock was first asked.
pub(crate) fn now() -> u64 {
    u64::try_from(origin().elapsed().as_nanos()).unwrap_or(u64::MAX)
}

/// Wakes `waker` at `at`. A waker has one timer, its earliest.
pub(crate) fn schedule(at: u64, waker: &Waker) {
    if at <= now() {
        return waker.wake_by_ref();
    }
    static THREAD: OnceLock<()> = OnceLock::new();
    THREAD.get_or_init(|| {
        let started = thread::Builder::new().name("airtime timers".into()).spawn(keep_time);
        assert!(started.is_ok(), "timers outside a run need a thread");
    });
    let mut timers = timers();
    match timers.iter_mut().find(|(_, known)| known.will_wake(waker)) {
        Some((earliest, _)) => *earliest = at.min(*earliest),
        None => timers.push((at, waker.clone())),
    }
    WAITING.changed.notify_one();
}

#[expect(clippy::disallowed_methods, reason = "outside a run time is the world's")]
fn origin() -> Instant {
    static ORIGIN: OnceLock<Instant> = OnceLock::new();
    *ORIGIN.get_or_init(Instant::now)
}

/// A waker that panicked has left the list as it was.
fn timers() -> MutexGuard<'static, Vec<(u64, Waker)>> {
    WAITING.timers.lock().unwrap_or_else(PoisonError::into_inner)
}

fn keep_time() {
    loop {
        let mut waiting = timers();
        let now = now();
        let due: Vec<_> = waiting.extract_if(.., |(at, _)| *at <= now).collect();
        if !due.is_empty() {
            // A waker may set its next timer at once.
            drop(waiting);
            due.into_iter().for_each(|(_, waker)| waker.wake());
            continue;
        }
        let wait = waiting.iter().map(|(at, _)| at - now).min();
        // Either way the list is looked at again: a wake-up out of turn does no harm.
        match wait {
            Some(nanos) => drop(WAITING.changed.wait_timeout(waiting, Duration::from_nanos(nanos))),
            None => drop(WAITING.changed.wait(waiting)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::future::Future;
    use std::pin::pin;
    use std::sync::Arc;
    use std::task::{Context, Poll, Wake};

    struct Unpark(thread::Thread);

    impl Wake for Unpark {
        fn wake(self: Arc<Self>) {
            self.0.unpark();
        }
    }

    #[test]
    fn a_timer_outside_a_run_waits_for_the_monotonic_clock() {
        let waker = Waker::from(Arc::new(Unpark(thread::current())));
        let begun = embassy_time::Instant::now();
        let wait = embassy_time::Duration::from_millis(2);
        let mut timer = pin!(embassy_time::Timer::after(wait));
        while timer.as_mut().poll(&mut Context::from_waker(&waker)) == Poll::Pending {
            thread::park();
        }
        assert!(embassy_time::Instant::now() >= begun + wait);
    }
}
