//! Seam between the programs and what runs them.

use core::future::Future;

use airtime_core::{Duration, Instant};

use crate::trace::Note;

/// Clock, waits and observer of a program on [`Rf24`](super::Rf24): the lab's virtual time, or a thread of a real system.
pub trait Bench {
    /// The time; the program's `millis()` are its whole milliseconds.
    fn now(&self) -> Instant;

    /// Until `until` has come: the program has nothing to send before.
    fn wait(&self, until: Instant) -> impl Future<Output = ()>;

    /// Sleeps for `span`: `delay()`.
    fn sleep(&self, span: Duration) -> impl Future<Output = ()>;

    /// Until `until` has come in a loop that does nothing else; at once if it has.
    fn spin(&self, until: Instant) -> impl Future<Output = ()>;

    /// Until `until` has come in a loop that looks for something to send; at once if it has.
    fn look_out(&self, until: Instant) -> impl Future<Output = ()>;

    /// Passes a note to the observer.
    fn note(&self, note: Note);

    /// Hands the payload of a frame that came to the application.
    fn received(&self, payload: &[u8]);

    /// True once the program is to stop.
    fn stops(&self) -> bool {
        false
    }
}
