//! Parameters that a study may turn and a user need not.

use airtime_core::Duration;

/// Parameters beyond [`Config`](super::Config).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Tuning {
    /// Chunks in flight at most in a stream, 1..=32.
    pub window: u32,
    /// A receiver of a stream acknowledges after so many chunks, 1..=255.
    pub ack_every: u8,
    /// And so long after the first that is not acknowledged.
    pub ack_delay: Duration,
    /// In [`Mode::AckPayload`](super::Mode::AckPayload): whether this end is the one that polls.
    pub polls: bool,
}

impl Default for Tuning {
    fn default() -> Self {
        Self { window: 32, ack_every: 4, ack_delay: Duration::from_millis(1), polls: false }
    }
}
