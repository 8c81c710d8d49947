//! Automatic repeat: what was sent and is not known to be across, what came out of order, how long an answer takes.

pub(super) mod feedback;
pub(super) mod receiver;
pub(super) mod sender;
mod timer;

/// Chunks in flight at most; half the sequence numbers, so that an old one is never taken for a new one.
pub(super) const WINDOW: u32 = 32;

/// Chunks that the TX FIFO of a chip holds. Product specification, 7.5.
pub(super) const FIFO: u32 = 3;
