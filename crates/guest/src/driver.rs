//! The time driver of embassy, one per program: inside a run the lab's clock, elsewhere the
//! monotonic clock. One tick is a nanosecond.

use std::task::Waker;

use airtime_core::Instant;
use embassy_time_driver::{Driver, TICK_HZ, time_driver_impl};

use crate::elsewhere;
use crate::node::Node;

const _: () = assert!(TICK_HZ == 1_000_000_000, "the lab's clock counts nanoseconds");

struct LabClock;

time_driver_impl!(static DRIVER: LabClock = LabClock);

impl Driver for LabClock {
    fn now(&self) -> u64 {
        match Node::current() {
            Some(node) => node.now().as_nanos(),
            None => elsewhere::now(),
        }
    }

    fn schedule_wake(&self, at: u64, waker: &Waker) {
        match Node::current() {
            Some(node) => node.schedule(Instant::from_nanos(at), waker),
            None => elsewhere::schedule(at, waker),
        }
    }
}
