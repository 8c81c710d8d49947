//! The closed form of a sender alone on its channel: one transaction after the other, and the goodput that follows.

use airtime_core::Duration;

use super::{CCA, TURNAROUND, UNIT_BACKOFF, ack_time, frame_time, spacing};

/// Habits of a sender around each of its frames.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Access {
    /// Smallest backoff exponent; none when frames go without CSMA-CA.
    pub min_be: Option<u8>,
    /// Flag: frames are acknowledged.
    pub ack: bool,
    /// Time of the host from the end of a transaction to its next frame's being ready.
    pub load: Duration,
}

/// From one frame's being ready to the next, when nothing is lost and nobody else is there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cycle {
    /// Mean of the first backoff. 6.2.5.1.
    pub backoff: Duration,
    /// Clear channel assessment.
    pub cca: Duration,
    /// From receiving to transmitting.
    pub turnaround: Duration,
    /// Time of the frame on the air.
    pub frame: Duration,
    /// The receiver's turnaround, and the acknowledgement.
    pub ack: Duration,
    /// Inter-frame space, or the host where that takes longer.
    pub spacing: Duration,
}

/// Mean of a backoff with this exponent: half of 2^BE − 1 periods. 6.2.5.1.
pub const fn mean_backoff(exponent: u8) -> Duration {
    Duration::from_nanos(((1 << exponent) - 1) * (UNIT_BACKOFF.as_nanos() / 2))
}

impl Cycle {
    /// The cycle of a sender whose frames are PSDUs of `octets`.
    pub fn new(octets: usize, access: Access) -> Self {
        let csma = |time: Duration| if access.min_be.is_some() { time } else { Duration::ZERO };
        Self {
            backoff: access.min_be.map_or(Duration::ZERO, mean_backoff),
            cca: csma(CCA),
            turnaround: TURNAROUND,
            frame: frame_time(octets),
            ack: if access.ack { TURNAROUND + ack_time() } else { Duration::ZERO },
            spacing: spacing(octets).max(access.load),
        }
    }

    /// All of it.
    pub fn total(&self) -> Duration {
        self.backoff + self.cca + self.turnaround + self.frame + self.ack + self.spacing
    }

    /// Goodput in bit/s, rounded down, of frames that carry `payload` octets each.
    pub fn goodput_bps(&self, payload: usize) -> u64 {
        payload as u64 * 8 * 1_000_000_000 / self.total().as_nanos()
    }
}
