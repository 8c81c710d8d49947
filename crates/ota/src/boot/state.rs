//! States of a host in the sequence, and its possible ends.

use crate::image::ImageError;

/// State of the machine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum State {
    /// The transport is not up, or it is too early.
    Starting,
    /// The network is being joined.
    Connecting,
    /// The first octet is being read.
    Looking,
    /// The image is being checked: read up to `at`.
    Checking { at: u32 },
    /// The image is damaged: is there anything behind the first sector? Read up to `at`.
    Searching { at: u32, error: ImageError },
    /// The last octet is being read.
    Counting,
    /// The co-processor is asked what it runs.
    Asking,
    /// It was asked to begin.
    Beginning,
    /// Octets from `at` on are being read.
    Reading { at: u32 },
    /// They were sent.
    Writing { at: u32 },
    /// They were acknowledged: the pause behind them.
    Pausing { at: u32 },
    /// The co-processor checks the image.
    Ending,
    /// It was asked to boot it.
    Activating,
    /// It restarts.
    Restarting,
    /// It is asked what it runs now.
    Confirming,
    /// It runs the old firmware, or none: that is being noted.
    Striking { finding: Finding },
    /// That the image was installed is being noted.
    Marking,
    /// The partition is being erased, from its end: what is behind `at` is done.
    Erasing { at: u32 },
    /// Nothing is left to do.
    Over,
}

/// Phase of a host in the sequence, in words.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Phase {
    /// The transport comes up.
    Transport,
    /// The network is being joined.
    Connect,
    /// Check of the staged image.
    Check,
    /// The co-processor prepares its slot.
    Begin,
    /// The image is written.
    Write,
    /// The co-processor checks and activates it.
    Activate,
    /// The co-processor restarts; the new version has to answer.
    Restart,
    /// Erasure of the staged image.
    Erase,
    /// The boot is over.
    Over,
}

impl Phase {
    /// Name of the phase.
    pub fn name(self) -> &'static str {
        match self {
            Self::Transport => "transport",
            Self::Connect => "connect",
            Self::Check => "check",
            Self::Begin => "begin",
            Self::Write => "write",
            Self::Activate => "activate",
            Self::Restart => "restart",
            Self::Erase => "erase",
            Self::Over => "over",
        }
    }
}

impl State {
    pub(super) fn phase(self) -> Phase {
        match self {
            Self::Starting => Phase::Transport,
            Self::Connecting => Phase::Connect,
            Self::Looking | Self::Checking { .. } | Self::Searching { .. } | Self::Counting | Self::Asking => {
                Phase::Check
            }
            Self::Beginning => Phase::Begin,
            Self::Reading { .. } | Self::Writing { .. } | Self::Pausing { .. } => Phase::Write,
            Self::Ending | Self::Activating => Phase::Activate,
            Self::Restarting | Self::Confirming | Self::Striking { .. } => Phase::Restart,
            Self::Marking | Self::Erasing { .. } => Phase::Erase,
            Self::Over => Phase::Over,
        }
    }

    /// Octets of the image that were acknowledged.
    pub(super) fn written(self, octets: u32) -> u32 {
        match self {
            Self::Reading { at } | Self::Writing { at } | Self::Pausing { at } => at,
            _ if self.phase() > Phase::Write => octets,
            _ => 0,
        }
    }
}

/// Finding of a boot that does not end with a restart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Finding {
    /// Nothing is staged.
    Nothing,
    /// Damaged, or no image for the co-processor: the staged image was not sent.
    Damaged(ImageError),
    /// The co-processor refuses a step, with this `esp_err_t`; its firmware is the old one.
    Refused {
        /// Phase that was refused.
        phase: Phase,
        /// Code of the answer.
        code: u32,
    },
    /// The co-processor does not answer, though it was reset.
    Unreachable,
    /// The new firmware was activated, and the old one answers.
    RolledBack,
    /// The new firmware was activated, and nothing answers.
    Silent,
    /// Several attempts have failed: what is staged is not tried any more.
    GivenUp,
    /// The host's flash fails.
    Flash,
}

impl core::fmt::Display for Finding {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        match self {
            Self::Nothing => f.write_str("nothing is staged"),
            Self::Damaged(error) => write!(f, "what is staged was not sent: {error}"),
            Self::Refused { phase, code } => {
                write!(f, "the co-processor refuses ({}, esp_err_t {code:#x}) and keeps its firmware", phase.name())
            }
            Self::Unreachable => f.write_str("the co-processor does not answer, though it was reset"),
            Self::RolledBack => f.write_str("the new firmware did not stay: the old one answers"),
            Self::Silent => f.write_str("the new firmware does not answer"),
            Self::GivenUp => f.write_str("several attempts with what is staged have failed; it is not tried any more"),
            Self::Flash => f.write_str("the flash of the host fails"),
        }
    }
}
