//! The node whose code runs: its clock, its timers and its packets.
//!
//! Foreign code asks for time and for packets through functions without an argument. A thread-local
//! says which node they are for; a run stays on the thread it was begun on, and its nodes take turns.

use std::cell::{Cell, RefCell};
use std::rc::Rc;
use std::task::Waker;

use airtime_core::Instant;

use crate::pool::Packets;

thread_local! {
    static CURRENT: RefCell<Option<Rc<Node>>> = const { RefCell::new(None) };
}

/// Node of a run: the clock and the pool that belong to it.
#[derive(Debug)]
pub struct Node {
    now: Cell<Instant>,
    timers: RefCell<Vec<(Instant, Waker)>>,
    pub(crate) packets: Packets,
}

impl Node {
    /// A node at the start of its run, with this many packets.
    pub fn new(packets: usize) -> Rc<Self> {
        Rc::new(Self {
            now: Cell::new(Instant::ZERO),
            timers: RefCell::new(Vec::new()),
            packets: Packets::new(packets),
        })
    }

    /// The node whose code runs on this thread, if any.
    pub(crate) fn current() -> Option<Rc<Self>> {
        CURRENT.with_borrow(Clone::clone)
    }

    /// Makes it the current node until the guard is dropped.
    pub(crate) fn enter(self: &Rc<Self>) -> Entered {
        Entered(CURRENT.replace(Some(Rc::clone(self))))
    }

    /// The node's time.
    pub fn now(&self) -> Instant {
        self.now.get()
    }

    /// Packets on loan.
    pub fn packets_in_use(&self) -> usize {
        self.packets.in_use()
    }

    /// Packets that were made and are not on loan.
    pub fn packets_idle(&self) -> usize {
        self.packets.idle()
    }

    /// Timers that wait; one per waker.
    pub fn timers(&self) -> usize {
        self.timers.borrow().len()
    }

    /// Sets the clock and wakes whoever waited for that time.
    ///
    /// # Panics
    /// When the clock would run backwards.
    pub(crate) fn advance(&self, now: Instant) {
        assert!(now >= self.now.get(), "the clock of a node does not run backwards");
        self.now.set(now);
        let mut due = Vec::new();
        self.timers.borrow_mut().retain(|(at, waker)| {
            let waits = *at > now;
            if !waits {
                due.push(waker.clone());
            }
            waits
        });
        due.into_iter().for_each(Waker::wake);
    }

    /// Wakes `waker` at `at`, at once if that is not ahead. A waker has one timer, the earliest: who
    /// is woken looks at all it waits for, and sets what is left again.
    pub(crate) fn schedule(&self, at: Instant, waker: &Waker) {
        if at <= self.now.get() {
            return waker.wake_by_ref();
        }
        let mut timers = self.timers.borrow_mut();
        match timers.iter_mut().find(|(_, known)| known.will_wake(waker)) {
            Some((earliest, _)) => *earliest = at.min(*earliest),
            None => timers.push((at, waker.clone())),
        }
    }

    /// Instant at which the next timer fires.
    pub(crate) fn next_timer(&self) -> Option<Instant> {
        self.timers.borrow().iter().map(|(at, _)| *at).min()
    }
}

/// While it lives, code that asks for time and packets asks the node it was made for.
#[must_use]
pub(crate) struct Entered(Option<Rc<Node>>);

impl Drop for Entered {
    fn drop(&mut self) {
        CURRENT.set(self.0.take());
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use airtime_core::Duration;

    fn ms(ms: u64) -> Instant {
        Instant::ZERO + Duration::from_millis(ms)
    }

    #[test]
    fn nodes_take_turns_and_keep_their_own_clocks() {
        let (one, other) = (Node::new(1), Node::new(1));
        one.advance(ms(1));
        other.advance(ms(2));
        let outer = one.enter();
        assert_eq!(embassy_time::Instant::now().as_ticks(), 1_000_000);
        {
            let _inner = other.enter();
            assert_eq!(embassy_time::Instant::now().as_ticks(), 2_000_000);
        }
        assert_eq!(embassy_time::Instant::now().as_ticks(), 1_000_000, "back in the outer node");
        drop(outer);
        assert!(Node::current().is_none());
    }

    #[test]
    fn a_waker_has_its_earliest_timer_only() {
        let node = Node::new(0);
        let waker = Waker::noop();
        [ms(5), ms(3), ms(4)].iter().for_each(|at| node.schedule(*at, waker));
        assert_eq!((node.timers(), node.next_timer()), (1, Some(ms(3))));
        node.advance(ms(3));
        assert_eq!((node.timers(), node.next_timer()), (0, None));
    }
}
