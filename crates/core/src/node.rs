//! The contract of every protocol machine.

use crate::Instant;

/// A protocol machine without a clock, a socket or a thread.
///
/// The caller makes one mutation ([`handle`](Node::handle)), then drains [`poll`](Node::poll) to
/// `None`, then asks [`deadline`](Node::deadline). At its deadline a node is handed its link's
/// wake-up input and must afterwards have a later deadline or none; the loop asserts it.
pub trait Node {
    /// Input from the world: wake-up, bytes from the bus, a reception.
    type Input<'a>;
    /// Output to the world, taken by polling.
    type Output;

    /// One mutation at `now`, which never runs backwards.
    fn handle(&mut self, now: Instant, input: Self::Input<'_>);

    /// The next output of the last mutation; drained to `None`.
    fn poll(&mut self, now: Instant) -> Option<Self::Output>;

    /// Instant at which the node next wants to be woken. Pure.
    fn deadline(&self) -> Option<Instant>;
}
