//! Captures of a run: the forms that somebody wants, and where they go.

use alloc::vec::Vec;
use core::cell::Cell;

pub use airtime_capture::{Form, Origin, Sink};

/// Capture that somebody wants of a run.
pub struct Capture<'a> {
    /// Form of the capture: its file format.
    pub form: Form,
    /// Place of its view among those that [`Scenario::captures`](crate::Scenario::captures) names; zero where there is but one.
    pub view: usize,
    /// Sink that takes the bytes of the capture.
    pub sink: &'a mut dyn Sink,
}

/// Sink that notes for whoever drives the run that its file takes no more: a run into a full disk is worth nothing.
pub struct Noted<'a> {
    sink: &'a mut dyn Sink,
    failed: &'a Cell<bool>,
}

impl<'a> Noted<'a> {
    /// `sink`, whose failure is noted in `failed`.
    pub fn new(sink: &'a mut dyn Sink, failed: &'a Cell<bool>) -> Self {
        Self { sink, failed }
    }
}

impl Sink for Noted<'_> {
    fn put(&mut self, bytes: &[u8]) {
        self.sink.put(bytes);
        self.failed.set(self.failed.get() || self.sink.has_failed());
    }

    fn put_head(&mut self, bytes: &[u8]) {
        self.sink.put_head(bytes);
        self.failed.set(self.failed.get() || self.sink.has_failed());
    }

    fn has_failed(&self) -> bool {
        self.sink.has_failed()
    }
}

/// Captures of one run.
pub struct Captures<'a> {
    /// Captures that are wanted, each with its form and its sink.
    pub wanted: Vec<Capture<'a>>,
    /// Date at which the run begins.
    pub origin: Origin,
    /// Set to show each device on an interface of its own besides, where the form has interfaces.
    pub apart: bool,
    /// Tells if nobody wants the rest of the run.
    pub stop: &'a dyn Fn() -> bool,
}
