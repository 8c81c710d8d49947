//! Automatic repeat: what was sent and is not known to be across, what came out of order, how long an answer takes.

pub(super) mod feedback;
pub(super) mod receiver;
pub(super) mod sender;
mod timer;
mod window;

/// Chunks in flight at most; half the sequence numbers, so that an old one is never taken for a new one.
pub(super) const WINDOW: u32 = 32;

/// Chunks between the tunnel and the air where the chip acknowledges: three in its TX FIFO (product specification, 7.5), and one
/// that a host may have taken and not written yet.
pub(super) const HELD: u32 = 4;
