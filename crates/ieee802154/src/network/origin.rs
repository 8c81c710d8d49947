//! Origin of a frame on its way: its sender, and since when it is under way.

use airtime_core::Instant;

/// Unit of payload that a frame belongs to, a plain frame or a datagram: it goes with the frame to the receiver, over all hops.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Origin {
    /// Place of its sender.
    pub(super) place: usize,
    /// Instant at which it was offered.
    pub(super) offered: Instant,
    /// Instant at which the first frame of it was handed over: of one sender no two have the same.
    pub(super) handed: Instant,
}
