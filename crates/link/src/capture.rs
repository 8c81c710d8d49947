//! Captures of a run: the forms that somebody wants, and where they go.

use alloc::vec::Vec;

pub use airtime_capture::{Form, Origin, Sink};

/// Capture that somebody wants of a run.
pub struct Capture<'a> {
    /// Form of it.
    pub form: Form,
    /// Place of its view among those that [`Scenario::captures`](crate::Scenario::captures) names; zero where there is but one.
    pub view: usize,
    /// Taker of its bytes.
    pub sink: &'a mut dyn Sink,
}

/// Captures of one run.
pub struct Captures<'a> {
    /// Each of them.
    pub wanted: Vec<Capture<'a>>,
    /// Date at which the run begins.
    pub origin: Origin,
    /// Set to show each device on an interface of its own besides, where the form has interfaces.
    pub apart: bool,
    /// Tells if nobody wants the rest of the run.
    pub stop: &'a dyn Fn() -> bool,
}
