//! A future as a node of the event loop.
//!
//! Foreign code may wake itself for as long as it waits for something: TrouBLE's hosts do until the
//! controller has answered their whole start-up. Time stands still meanwhile, so such a wait would
//! never end. After [`IDLE_POLLS_MAX`] polls without a packet in or out, or [`POLLS_MAX`] polls of
//! any kind, at one instant, the guest rests: until its next timer, a packet, or [`STEP`] later,
//! whichever comes first.

use std::future::Future;
use std::pin::Pin;
use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::task::{Context, Poll, Wake, Waker};

use airtime_core::{Duration, Instant};

use crate::node::Node;

/// Polls at one instant without a packet in or out.
pub const IDLE_POLLS_MAX: u32 = 64;

/// Polls at one instant: a host that asks its controller something new whenever it has answered
/// would keep time from going on as well. *Assumed*: a start-up takes less than half of it.
pub const POLLS_MAX: u32 = 4_096;

/// Rest of a guest that would go on polling: about the time that [`IDLE_POLLS_MAX`] polls of a hundred instructions
/// take a core of 128 MHz (*assumed*), and less than an inter frame space, so that it oversleeps nothing on the air.
pub const STEP: Duration = Duration::from_micros(50);

/// A future that runs in virtual time.
pub struct Guest {
    node: Rc<Node>,
    /// None when it has ended.
    future: Option<Pin<Box<dyn Future<Output = ()>>>>,
    flag: Arc<Flag>,
    waker: Waker,
    idle: u32,
    polls: u32,
    rests: u64,
}

#[derive(Debug)]
struct Flag(AtomicBool);

impl Wake for Flag {
    fn wake(self: Arc<Self>) {
        self.wake_by_ref();
    }

    fn wake_by_ref(self: &Arc<Self>) {
        self.0.store(true, Ordering::Relaxed);
    }
}

impl Guest {
    /// `future` on `node`, to be polled at once.
    pub fn new(node: Rc<Node>, future: impl Future<Output = ()> + 'static) -> Self {
        let flag = Arc::new(Flag(AtomicBool::new(true)));
        let waker = Waker::from(Arc::clone(&flag));
        Self { node, future: Some(Box::pin(future)), flag, waker, idle: 0, polls: 0, rests: 0 }
    }

    /// Node of the guest.
    pub fn node(&self) -> &Node {
        &self.node
    }

    /// True once the future has ended.
    pub fn is_over(&self) -> bool {
        self.future.is_none()
    }

    /// Number of times that it had to be made to rest, and time went on by [`STEP`].
    pub fn rests(&self) -> u64 {
        self.rests
    }

    /// Brings its clock to `now`, and fires the timers that are due.
    pub fn advance(&mut self, now: Instant) {
        if now > self.node.now() {
            (self.idle, self.polls) = (0, 0);
        }
        self.node.advance(now);
    }

    /// Its deadline has come.
    pub fn wake(&mut self, now: Instant) {
        let rested = self.wants_more() && now > self.node.now();
        self.rests += u64::from(rested && self.node.next_timer().is_none_or(|at| at > now));
        self.advance(now);
    }

    /// A packet has come in or gone out.
    pub fn news(&mut self) {
        self.idle = 0;
    }

    /// Polls the future once, if it wants to be and may be; says whether it did.
    pub fn poll(&mut self) -> bool {
        if !self.wants_more() || self.idle >= IDLE_POLLS_MAX || self.polls >= POLLS_MAX {
            return false;
        }
        let Some(future) = &mut self.future else { return false };
        self.idle += 1;
        self.polls += 1;
        self.flag.0.store(false, Ordering::Relaxed);
        let _entered = self.node.enter();
        if future.as_mut().poll(&mut Context::from_waker(&self.waker)) == Poll::Ready(()) {
            self.future = None;
        }
        true
    }

    /// Instant at which it wants to be woken.
    pub fn deadline(&self) -> Option<Instant> {
        let rested = self.wants_more().then(|| self.node.now() + STEP);
        rested.into_iter().chain(self.node.next_timer().filter(|_| !self.is_over())).min()
    }

    fn wants_more(&self) -> bool {
        self.future.is_some() && self.flag.0.load(Ordering::Relaxed)
    }
}

impl Drop for Guest {
    fn drop(&mut self) {
        // What the future holds may ask for time and packets while it goes.
        let _entered = self.node.enter();
        self.future = None;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::cell::Cell;

    fn ms(ms: u64) -> Instant {
        Instant::ZERO + Duration::from_millis(ms)
    }

    /// Runs it as the event loop would, until `until`; gives the number of wake-ups.
    fn run(guest: &mut Guest, until: Instant) -> u64 {
        let mut wakes = 0;
        while guest.poll() {}
        while let Some(due) = guest.deadline().filter(|due| *due <= until) {
            guest.wake(due);
            while guest.poll() {}
            assert!(guest.deadline().is_none_or(|next| next > due), "a node woken at its deadline has a later one");
            wakes += 1;
        }
        wakes
    }

    #[test]
    fn timers_fire_on_the_nanosecond() {
        let seen = Rc::new(Cell::new(0));
        let sees = Rc::clone(&seen);
        let mut guest = Guest::new(Node::new(0), async move {
            embassy_time::Timer::after_nanos(1_234_567).await;
            embassy_time::Timer::after_nanos(1).await;
            sees.set(embassy_time::Instant::now().as_ticks());
        });
        assert_eq!(run(&mut guest, ms(10)), 2);
        assert_eq!((seen.get(), guest.is_over(), guest.rests()), (1_234_568, true, 0));
    }

    #[test]
    fn who_wakes_himself_for_ever_is_made_to_rest() {
        let mut guest = Guest::new(Node::new(0), async {
            while embassy_time::Instant::now().as_millis() < 1 {
                embassy_futures::yield_now().await;
            }
        });
        let wakes = run(&mut guest, ms(10));
        assert!(guest.is_over());
        assert_eq!((wakes, guest.rests()), (20, 20), "1 ms in steps of 50 µs");
    }

    #[test]
    fn who_rests_is_woken_by_his_timer_first() {
        let mut guest = Guest::new(Node::new(0), async {
            let late = embassy_time::Timer::after_nanos(10_000);
            embassy_futures::select::select(late, async {
                loop {
                    embassy_futures::yield_now().await;
                }
            })
            .await;
        });
        assert_eq!(run(&mut guest, ms(1)), 1);
        assert_eq!((guest.is_over(), guest.rests()), (true, 0));
    }
}
