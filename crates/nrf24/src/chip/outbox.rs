//! Queue of a chip's outputs until it is asked for them.

use alloc::collections::VecDeque;

use super::Output;
use crate::trace::Trace;

/// Traces kept between two drains. One mutation makes a handful; who never drains loses what is newest.
const LIMIT: usize = 64;

/// A transmission to announce, and traces.
#[derive(Debug)]
pub struct Outbox {
    transmit: bool,
    traces: VecDeque<Trace>,
    watched: bool,
}

impl Outbox {
    /// Empty, with all the room it will ever need.
    pub fn new() -> Self {
        Self { transmit: false, traces: VecDeque::with_capacity(LIMIT), watched: true }
    }

    /// Turns traces on or off: if nobody watches there are none.
    pub fn watched(&mut self, watched: bool) {
        self.watched = watched;
    }

    /// A transmission begins.
    pub fn transmit(&mut self) {
        self.transmit = true;
    }

    /// Adds a trace for the observer.
    #[inline]
    pub fn trace(&mut self, trace: Trace) {
        if self.watched && self.traces.len() < LIMIT {
            self.traces.push_back(trace);
        }
    }

    /// True if there is nothing to take.
    pub fn is_empty(&self) -> bool {
        !self.transmit && self.traces.is_empty()
    }

    /// The transmission first, so that the air knows of it before anyone else does.
    pub fn take(&mut self) -> Option<Output> {
        if core::mem::take(&mut self.transmit) {
            return Some(Output::Transmit);
        }
        self.traces.pop_front().map(Output::Trace)
    }
}
