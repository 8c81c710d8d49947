//! Errors: losses among the frames that a station sends, apart from collisions.

use alloc::vec::Vec;

use airtime_core::Instant;
use airtime_core::loss::{Loss, LossProcess};
use airtime_core::random::{Stream, stream};

use super::Errors;
use crate::air::Phy;

/// Fate of a PPDU at a station that could have heard it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Fate {
    /// Received: of its MPDUs at least one.
    Whole,
    /// Noticed, and nothing of it received: EIFS follows.
    Damaged,
    /// Not noticed: no preamble was found.
    Missed,
}

/// [`Errors`] at work. Nothing is drawn for what cannot happen.
#[derive(Debug)]
pub(super) struct ErrorProcess {
    /// By MCS, as shares of 2⁶⁴.
    per: Vec<u64>,
    /// Bounds of a draw below which a response is missed, and below which it is missed or damaged.
    response: [u64; 2],
    loss: Option<LossProcess>,
    /// Set if that strikes control frames, too.
    strikes_control: bool,
    stream: Stream,
}

impl ErrorProcess {
    /// The errors of the station at `place`.
    pub(super) fn new(place: usize, errors: &Errors, seed: u64) -> Self {
        let name = |what: &str| alloc::format!("cell/{place}/{what}");
        let lossy = errors.loss != Loss::None;
        Self {
            per: errors.per.iter().map(|&per| threshold(per)).collect(),
            response: [threshold(errors.response), threshold(errors.response + errors.damaged_response)],
            loss: lossy.then(|| LossProcess::new(errors.loss, stream(seed, &name("loss")))),
            strikes_control: !matches!(errors.loss, Loss::None | Loss::Packet { .. }),
            stream: stream(seed, &name("errors")),
        }
    }

    fn per(&self, phy: Phy) -> u64 {
        self.per.get(usize::from(phy.mcs)).copied().unwrap_or(0)
    }

    /// Tells if a frame at `phy` can be lost.
    pub(super) fn lossy(&self, phy: Phy) -> bool {
        self.per(phy) != 0 || self.loss.is_some()
    }

    /// Tells if an MPDU of `octets` that starts at `at` is lost; without `phy` only for the channel's sake.
    pub(super) fn strikes(&mut self, at: Instant, phy: Option<Phy>, octets: u16) -> bool {
        let per = phy.map_or(0, |phy| self.per(phy));
        let by_rate = per != 0 && self.stream.chance(per);
        by_rate || self.channel_strikes(at, octets)
    }

    /// Tells if an RTS or a Block Ack request of `octets` that starts at `at` is lost: by bit errors and bursts, not by the share of
    /// MPDUs with data that are, which are longer by far and sent at another rate.
    pub(super) fn strikes_control(&mut self, at: Instant, octets: u16) -> bool {
        self.strikes_control && self.channel_strikes(at, octets)
    }

    fn channel_strikes(&mut self, at: Instant, octets: u16) -> bool {
        self.loss.as_mut().is_some_and(|loss| loss.strikes(at, u32::from(octets) * 8))
    }

    /// Fate of a response at this station.
    pub(super) fn response(&mut self) -> Fate {
        let [missed, lost] = self.response;
        if lost == 0 {
            return Fate::Whole;
        }
        match self.stream.bits() {
            drawn if drawn < missed => Fate::Missed,
            drawn if drawn < lost => Fate::Damaged,
            _ => Fate::Whole,
        }
    }
}

/// The share of 2⁶⁴ that stands for `probability`; the cast saturates.
fn threshold(probability: f64) -> u64 {
    (probability.clamp(0.0, 1.0) * 18_446_744_073_709_551_616.0) as u64
}
