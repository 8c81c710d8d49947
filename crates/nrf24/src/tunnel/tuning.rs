//! Parameters that a study may turn and a user need not.

use airtime_core::Duration;

/// Parameters beyond [`Config`](super::Config).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Tuning {
    /// Chunks in flight at most in a stream, 1..=32.
    pub window: u32,
    /// A receiver of a stream acknowledges after so many chunks, 1..=255.
    pub ack_every: u8,
    /// Time after the first chunk that is not acknowledged until a receiver acknowledges.
    pub ack_delay: Duration,
    /// Set if this end is the one that polls, in [`Mode::AckPayload`](super::Mode::AckPayload).
    pub polls: bool,
}

impl Default for Tuning {
    fn default() -> Self {
        Self { window: 32, ack_every: 4, ack_delay: Duration::from_millis(1), polls: false }
    }
}
