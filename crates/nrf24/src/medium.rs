//! The air between chips: who transmits where from when to when, and what noise does to it.

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use airtime_core::Instant;
use airtime_core::loss::{Fate, Loss, LossProcess};
use airtime_core::random::{self, Stream};

use crate::air::Rate;
use crate::trace::{OnAir, Sent};
use crate::wire::frame::Frame;

/// Transmissions of a chip that are remembered: the one that ends, and the one that follows it without a gap.
const REMEMBERED: usize = 2;

/// Outcome at a receiver of a frame that began while it listened.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Arrival {
    /// Every bit as sent.
    Intact,
    /// Some bits are wrong; the frame was changed in place.
    Damaged,
    /// Nothing that could be a frame: a collision, or a frame that was missed.
    Lost,
}

/// The air. Chips are numbered as the network numbers them.
#[derive(Debug)]
pub struct Medium {
    flights: Vec<[Flight; REMEMBERED]>,
    noise: Vec<Noise>,
    /// Noise that acknowledgements meet at single chips, which goes before what payloads meet there.
    ack_noise: Vec<Option<Noise>>,
}

/// A transmission, as far as others are concerned.
#[derive(Clone, Copy, Debug)]
struct Flight {
    channel: u8,
    rate: Rate,
    start: Instant,
    end: Instant,
    is_ack: bool,
    spoiled: bool,
}

impl Flight {
    /// None: it shares no time with any other.
    const NONE: Self =
        Self { channel: 0, rate: Rate::M2, start: Instant::ZERO, end: Instant::ZERO, is_ack: false, spoiled: false };

    /// Tells if the two share time and band: the same channel, and at 2 Mbit/s, which is wider than the spacing of
    /// channels, the neighbouring one too. 6.3.
    fn clashes(&self, other: &Self) -> bool {
        let reach = u8::from(self.rate == Rate::M2 || other.rate == Rate::M2);
        self.start < other.end && other.start < self.end && self.channel.abs_diff(other.channel) <= reach
    }
}

impl Medium {
    /// An air with this many chips and this loss at each receiver. Error rates of bits turn single bits over; shares and bursts
    /// hide whole frames, or turn over one bit of the check.
    pub fn new(chips: usize, loss: Loss, seed: u64) -> Self {
        let noise = (0..chips).map(|chip| Noise::new(&stream_of(chip), loss, seed)).collect();
        let ack_noise = (0..chips).map(|_| None).collect();
        Self { flights: alloc::vec![[Flight::NONE; REMEMBERED]; chips], noise, ack_noise }
    }

    /// Sets the loss at one receiver.
    pub fn set_loss_at(&mut self, chip: usize, loss: Loss, seed: u64) {
        self.noise[chip] = Noise::new(&stream_of(chip), loss, seed);
    }

    /// Sets the loss of acknowledgements at one receiver.
    pub fn set_ack_loss_at(&mut self, chip: usize, loss: Loss, seed: u64) {
        self.ack_noise[chip] = Some(Noise::new(&format!("{}/ack", stream_of(chip)), loss, seed));
    }

    /// `chip` has begun to transmit. Whoever overlaps with it in time and in the band (same channel; at 2 Mbit/s the
    /// neighbouring channel too) spoils it and is spoiled.
    pub fn began(&mut self, chip: usize, on_air: &OnAir) {
        let OnAir { channel, rate, start, end, .. } = *on_air;
        let is_ack = matches!(on_air.sent, Sent::Ack { .. });
        let mut flight = Flight { channel, rate, start, end, is_ack, spoiled: false };
        for (other, flights) in self.flights.iter_mut().enumerate() {
            if other != chip {
                for earlier in flights {
                    let clash = earlier.clashes(&flight);
                    earlier.spoiled |= clash;
                    flight.spoiled |= clash;
                }
            }
        }
        let [latest, earlier] = &mut self.flights[chip];
        *earlier = core::mem::replace(latest, flight);
    }

    /// Outcome at chip `to` of the frame of `from` that ends now and began at `start`.
    pub fn arrival(&mut self, from: usize, to: usize, start: Instant, frame: &mut Frame) -> Arrival {
        let flight = self.flights[from].iter().find(|flight| flight.start == start);
        if flight.is_some_and(|flight| flight.spoiled) {
            return Arrival::Lost;
        }
        let own = self.ack_noise[to].as_mut().filter(|_| flight.is_some_and(|flight| flight.is_ack));
        own.unwrap_or(&mut self.noise[to]).strikes(start, frame)
    }

    /// Random numbers drawn so far.
    pub fn random_draws(&self) -> u64 {
        self.noise.iter().chain(self.ack_noise.iter().flatten()).map(Noise::drawn).sum()
    }
}

/// Name of the random stream of a chip's noise.
fn stream_of(chip: usize) -> String {
    format!("nrf24/receiver/{chip}/loss")
}

/// Noise at one receiver: the fate of frames there.
#[derive(Debug)]
struct Noise {
    /// Shares and bursts of whole frames; the misses beside an error rate of bits.
    frames: LossProcess,
    bits: Option<BitErrors>,
}

impl Noise {
    fn new(name: &str, loss: Loss, seed: u64) -> Self {
        let own = random::stream(seed, name);
        // Misses beside an error rate of bits are drawn apart: a bit costs a number only where it is wrong.
        let apart = || random::stream(seed, &format!("{name}/miss"));
        match loss {
            Loss::Bit { ber } => Self::of(Loss::None, apart(), Some(BitErrors::new(ber, own))),
            Loss::MissAndBit { miss, ber } => {
                Self::of(Loss::Shares { miss, damage: 0.0 }, apart(), Some(BitErrors::new(ber, own)))
            }
            other => Self::of(other, own, None),
        }
    }

    fn of(frames: Loss, stream: Stream, bits: Option<BitErrors>) -> Self {
        Self { frames: LossProcess::new(frames, stream), bits }
    }

    fn strikes(&mut self, start: Instant, frame: &mut Frame) -> Arrival {
        match self.frames.fate(start, 0, u32::from(frame.len_bits())) {
            Fate::Missed => return Arrival::Lost,
            Fate::Damaged => {
                // Which bit is wrong matters to nobody: the check finds any. The last one is behind address and length.
                frame.flip(frame.len_bits() - 1);
                return Arrival::Damaged;
            }
            Fate::Whole => {}
        }
        let struck = self.bits.as_mut().is_some_and(|errors| errors.strike(frame));
        if struck { Arrival::Damaged } else { Arrival::Intact }
    }

    fn drawn(&self) -> u64 {
        self.frames.drawn() + self.bits.as_ref().map_or(0, |errors| errors.stream.drawn())
    }
}

/// Independent bit errors. The number of good bits between two bad ones is geometric, so a random number is drawn per
/// error and not per bit.
#[derive(Debug)]
struct BitErrors {
    /// ln(1 − error rate); zero without errors.
    ln_good: f64,
    stream: Stream,
    /// Good bits before the next bad one.
    gap: u64,
}

impl BitErrors {
    fn new(ber: f64, stream: Stream) -> Self {
        let mut errors = Self { ln_good: libm::log1p(-ber.clamp(0.0, 1.0)), stream, gap: u64::MAX };
        errors.gap = errors.draw();
        errors
    }

    fn draw(&mut self) -> u64 {
        if self.ln_good >= 0.0 {
            return u64::MAX;
        }
        // 53 random bits give a uniform number in (0, 1]; the cast saturates.
        let uniform = ((self.stream.bits() >> 11) + 1) as f64 / (1u64 << 53) as f64;
        (libm::log(uniform) / self.ln_good) as u64
    }

    /// Lets `frame` pass; true if a bit of it was turned over.
    fn strike(&mut self, frame: &mut Frame) -> bool {
        let bits = u64::from(frame.len_bits());
        let mut at = 0;
        let mut struck = false;
        // `bits - at` good bits end the frame; u64::MAX is never reached.
        while self.gap < bits - at {
            at += self.gap;
            frame.flip(at as u16);
            struck = true;
            at += 1;
            self.gap = self.draw();
        }
        if self.gap < u64::MAX {
            self.gap -= bits - at;
        }
        struck
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::air::Crc;
    use crate::trace::Sent;
    use crate::wire::frame::{Address, Control};

    fn frame() -> Frame {
        Frame::enhanced(Address { value: 0xE7_E7_E7, width: 3 }, Control::default(), &[0x55; 32], Crc::Two)
    }

    fn on_air(channel: u8, rate: Rate, start: u64, end: u64) -> OnAir {
        let at = |us: u64| Instant::from_nanos(us * 1_000);
        OnAir { channel, rate, start: at(start), end: at(end), sent: Sent::Ack { upload: None } }
    }

    /// Tells if two frames spoil each other, heard by a third chip.
    fn collide(a: OnAir, b: OnAir) -> bool {
        let mut medium = Medium::new(3, Loss::None, 1);
        medium.began(0, &a);
        medium.began(1, &b);
        let arrivals = [(0, a), (1, b)].map(|(from, sent)| medium.arrival(from, 2, sent.start, &mut frame()));
        assert_eq!(arrivals[0], arrivals[1], "both or neither");
        arrivals[0] == Arrival::Lost
    }

    #[test]
    fn frames_collide_that_share_time_and_band() {
        assert!(collide(on_air(2, Rate::M1, 0, 100), on_air(2, Rate::M1, 99, 199)));
        assert!(!collide(on_air(2, Rate::M1, 0, 100), on_air(2, Rate::M1, 100, 200)), "one after the other");
        assert!(!collide(on_air(2, Rate::M1, 0, 100), on_air(3, Rate::K250, 0, 100)), "1 MHz apart");
        assert!(collide(on_air(3, Rate::M2, 0, 100), on_air(2, Rate::M1, 0, 100)), "2 Mbit/s is wider");
        assert!(!collide(on_air(4, Rate::M2, 0, 100), on_air(2, Rate::M2, 0, 100)));
    }

    #[test]
    fn a_frame_that_follows_without_a_gap_has_a_fate_of_its_own() {
        let mut medium = Medium::new(3, Loss::None, 1);
        let (first, second) = (on_air(2, Rate::M2, 0, 100), on_air(2, Rate::M2, 100, 200));
        medium.began(0, &first);
        medium.began(1, &on_air(2, Rate::M2, 50, 80));
        medium.began(0, &second);
        assert_eq!(medium.arrival(0, 2, first.start, &mut frame()), Arrival::Lost);
        assert_eq!(medium.arrival(0, 2, second.start, &mut frame()), Arrival::Intact);
        assert_eq!(medium.random_draws(), 0, "no loss draws nothing");
    }

    #[test]
    fn bit_errors_come_at_their_rate_and_are_spread_over_the_frame() {
        let mut medium = Medium::new(2, Loss::Bit { ber: 1e-3 }, 7);
        let (mut wrong, mut struck, mut by_third) = (0u32, 0u32, [0u32; 3]);
        for i in 0..20_000 {
            let (mut arrived, sent) = (frame(), frame());
            let arrival = medium.arrival(0, 1, Instant::from_nanos(i * 200_000), &mut arrived);
            let bits = u32::from(sent.len_bits());
            let bad = (0..bits).filter(|&bit| {
                let of = |frame: &Frame| frame.octets()[bit as usize / 8] & (0x80 >> (bit % 8));
                of(&arrived) != of(&sent)
            });
            let mut any = 0;
            bad.for_each(|bit| {
                any += 1;
                by_third[(bit * 3 / bits) as usize] += 1;
            });
            assert_eq!(any > 0, arrival == Arrival::Damaged);
            wrong += any;
            struck += u32::from(any > 0);
        }
        // 20,000 frames of 313 bits: 6,260 errors ± 4 standard deviations; 1 − (1 − 10⁻³)^313 = 26.9 % of the frames.
        assert!((5_944..6_576).contains(&wrong), "{wrong}");
        assert!((5_130..5_630).contains(&struck), "{struck}");
        assert!(by_third.iter().all(|n| (1_900..2_280).contains(n)), "{by_third:?}");
        assert_eq!(medium.random_draws(), u64::from(wrong) + 2, "one per error, and one ahead at each receiver");
    }

    #[test]
    fn receivers_lose_by_streams_of_their_own() {
        let lost = |medium: &mut Medium, to: usize| -> Vec<bool> {
            let at = |i: u64| Instant::from_nanos(i * 1_000_000);
            (0..64).map(|i| medium.arrival(0, to, at(i), &mut frame()) == Arrival::Damaged).collect()
        };
        let mut medium = Medium::new(3, Loss::Packet { per: 0.5 }, 3);
        let first = lost(&mut medium, 1);
        assert_ne!(first, lost(&mut medium, 2));
        let mut other = Medium::new(3, Loss::Packet { per: 0.5 }, 3);
        let _ = lost(&mut other, 2);
        assert_eq!(lost(&mut other, 1), first, "what one hears moves nobody else's numbers");
        other.set_loss_at(1, Loss::Packet { per: 1.0 }, 3);
        assert!(lost(&mut other, 1).into_iter().all(|lost| lost));
    }

    /// Fates of 20,000 frames at chip 1, those of odd number acknowledgements: whole, damaged and missed, of payloads and of
    /// acknowledgements.
    fn fates(medium: &mut Medium) -> [[u32; 3]; 2] {
        let mut counts = [[0; 3]; 2];
        for i in 0..20_000 {
            let is_ack = i % 2 == 1;
            let sent = match is_ack {
                true => Sent::Ack { upload: None },
                false => Sent::Payload { upload: 0, attempt: 0, wants_ack: true },
            };
            let flight = OnAir { sent, ..on_air(2, Rate::M2, i * 200, i * 200 + 150) };
            medium.began(0, &flight);
            let mut arrived = frame();
            let arrival = medium.arrival(0, 1, flight.start, &mut arrived);
            let found = arrived.address(3) == 0xE7_E7_E7;
            let valid = arrived.check_enhanced(3, 32, Crc::Two).is_some();
            let index = match arrival {
                Arrival::Lost => 2,
                _ if !found => 2,
                // A wrong bit of the preamble is nobody's.
                _ => usize::from(!valid),
            };
            counts[usize::from(is_ack)][index] += 1;
        }
        counts
    }

    #[test]
    fn frames_are_missed_or_damaged_by_their_share_and_acknowledgements_by_their_own() {
        let mut medium = Medium::new(2, Loss::Shares { miss: 0.05, damage: 0.2 }, 1);
        let [payloads, acks] = fates(&mut medium);
        for [_, damaged, missed] in [payloads, acks] {
            assert!((1_840..2_160).contains(&damaged) && (410..590).contains(&missed), "{payloads:?} {acks:?}");
        }
        medium.set_ack_loss_at(1, Loss::Shares { miss: 0.3, damage: 0.0 }, 1);
        let [payloads, acks] = fates(&mut medium);
        assert!((1_840..2_160).contains(&payloads[1]), "{payloads:?}");
        assert!(acks[1] == 0 && (2_820..3_180).contains(&acks[2]), "{acks:?}");
    }

    #[test]
    fn misses_come_beside_wrong_bits() {
        let mut medium = Medium::new(2, Loss::MissAndBit { miss: 0.1, ber: 1e-3 }, 1);
        let [[_, damaged, missed], _] = fates(&mut medium);
        // 1 − 0.9 · (1 − 10⁻³)^24 = 12.1 %; 0.9 · (1 − 10⁻³)^24 · (1 − (1 − 10⁻³)^281) = 21.5 %
        assert!((1_080..1_345).contains(&missed) && (1_985..2_320).contains(&damaged), "{missed} {damaged}");
    }
}
