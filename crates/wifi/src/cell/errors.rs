//! Errors: what becomes of frames at each station that could hear them, apart from collisions.
//!
//! Every receiver draws for itself. A PPDU is missed as a whole, by whoever finds no preamble or cannot read the PHY header: that station
//! senses the energy on the channel and nothing else. MPDUs of a PPDU that was noticed are damaged one by one, each by what the channel
//! is like when it starts.

use alloc::vec::Vec;

use airtime_core::Instant;
use airtime_core::loss::{Fate, Loss, LossProcess};
use airtime_core::random::{Stream, stream};

use super::{Errors, StationId, noise};
use crate::air::Phy;
use crate::memo::Memo;

/// Content of a frame, as far as errors ask.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Frame {
    /// An MPDU with data.
    Data,
    /// A frame of management, or a raw one.
    Management,
    /// RTS, Block Ack request, or a response.
    Control,
}

/// [`Errors`] at work: on the frames that one station sends, and on the responses that reach it. Nothing is drawn for what cannot happen.
#[derive(Debug)]
pub(super) struct ErrorProcess {
    place: usize,
    seed: u64,
    errors: Errors,
    /// Receivers by their place; each is made when the first frame could reach it.
    receivers: Vec<Option<Receiver>>,
    responses: Receiver,
    /// Rates of wrong bits of the PHY that was asked for last, and of its header.
    noise: Memo<Phy, [f64; 2]>,
}

/// Errors at one receiver.
#[derive(Debug)]
struct Receiver {
    loss: Option<LossProcess>,
    stream: Stream,
}

impl Receiver {
    fn new(loss: Loss, seed: u64, name: &str) -> Self {
        let stream = |what: &str| stream(seed, &alloc::format!("cell/{name}/{what}"));
        Self { loss: (loss != Loss::None).then(|| LossProcess::new(loss, stream("loss"))), stream: stream("errors") }
    }

    fn chance(&mut self, probability: f64) -> bool {
        probability > 0.0 && self.stream.chance(threshold(probability))
    }

    /// Tells if the channel hides a PPDU that starts at `start` and has a header of `bits`.
    fn hides(&mut self, start: Instant, bits: u32) -> bool {
        self.loss.as_mut().is_some_and(|loss| loss.fate(start, bits, 0) == Fate::Missed)
    }

    /// Tells if the channel damages a frame of `octets` that starts at `at`, in a PPDU that it has not hidden.
    fn damages(&mut self, at: Instant, octets: u16) -> bool {
        self.loss.as_mut().is_some_and(|loss| loss.damages_found(at, u32::from(octets) * 8))
    }
}

impl ErrorProcess {
    /// The errors of the station at `place`.
    pub(super) fn new(place: usize, errors: &Errors, seed: u64) -> Self {
        Self {
            place,
            seed,
            errors: errors.clone(),
            receivers: Vec::new(),
            responses: Receiver::new(errors.response, seed, &alloc::format!("{place}/response")),
            noise: Memo::new(),
        }
    }

    /// Tells if a PPDU at `phy` can be lost.
    pub(super) fn lossy(&self, phy: Phy) -> bool {
        self.per(phy) > 0.0 || self.errors.loss != Loss::None || self.errors.snr_db.is_some()
    }

    fn per(&self, phy: Phy) -> f64 {
        self.errors.per.get(usize::from(phy.mcs)).copied().unwrap_or(0.0)
    }

    /// Rates of wrong bits at `phy`, and of its header.
    fn noise(&mut self, phy: Phy) -> [f64; 2] {
        let Some(snr_db) = self.errors.snr_db else { return [0.0; 2] };
        self.noise.of(phy, |phy| [phy, noise::header(phy)].map(|phy| noise::bit_error_rate(phy, snr_db)))
    }

    fn receiver(&mut self, id: StationId) -> &mut Receiver {
        let (place, seed, loss) = (self.place, self.seed, self.errors.loss);
        if self.receivers.len() <= id.index() {
            self.receivers.resize_with(id.index() + 1, || None);
        }
        let name = || alloc::format!("{place}/to/{}", id.0);
        self.receivers[id.index()].get_or_insert_with(|| Receiver::new(loss, seed, &name()))
    }

    /// Tells if `id` misses a PPDU at `phy` that starts at `start`.
    pub(super) fn misses(&mut self, id: StationId, start: Instant, phy: Phy) -> bool {
        let bits = noise::header_bits(phy);
        let unread = noise::any_wrong(self.noise(phy)[1], bits);
        let missing = misses(self.errors.loss);
        let receiver = self.receiver(id);
        receiver.chance(unread) || missing && receiver.hides(start, bits)
    }

    /// Tells if `frame` of `octets` at `phy`, which starts at `at`, reaches `id` damaged. A share of MPDUs strikes no control frame: those
    /// are shorter by far, and sent at another rate.
    pub(super) fn damages(&mut self, id: StationId, at: Instant, phy: Phy, octets: u16, frame: Frame) -> bool {
        let per = if frame == Frame::Data { self.per(phy) } else { 0.0 };
        let noise = noise::any_wrong(self.noise(phy)[0], u32::from(octets) * 8);
        let by_share = matches!(self.errors.loss, Loss::Packet { .. } | Loss::Shares { .. });
        let struck = frame != Frame::Control || !by_share;
        let receiver = self.receiver(id);
        receiver.chance(per) || receiver.chance(noise) || struck && receiver.damages(at, octets)
    }

    /// Fate of a response of `octets` at `phy`, which starts at `start`, at this station.
    pub(super) fn response(&mut self, start: Instant, phy: Phy, octets: u16) -> Fate {
        let [wrong, unread] = self.noise(phy);
        let bits = noise::header_bits(phy);
        let responses = &mut self.responses;
        if responses.chance(noise::any_wrong(unread, bits)) {
            return Fate::Missed;
        }
        let fate = responses.loss.as_mut().map_or(Fate::Whole, |loss| loss.fate(start, bits, u32::from(octets) * 8));
        match fate {
            Fate::Whole if responses.chance(noise::any_wrong(wrong, u32::from(octets) * 8)) => Fate::Damaged,
            fate => fate,
        }
    }
}

/// Tells if `loss` hides PPDUs.
fn misses(loss: Loss) -> bool {
    match loss {
        Loss::None | Loss::Packet { .. } => false,
        Loss::Shares { miss, .. } => miss > 0.0,
        Loss::Burst { missed, .. } => missed > 0.0,
        Loss::Bit { .. } | Loss::MissAndBit { .. } => true,
    }
}

/// The share of 2⁶⁴ that stands for `probability`; the cast saturates.
fn threshold(probability: f64) -> u64 {
    (probability.clamp(0.0, 1.0) * 18_446_744_073_709_551_616.0) as u64
}
