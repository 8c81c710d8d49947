//! Packet loss: in shares, per bit, or in bursts (Gilbert–Elliott); each packet is missed or damaged.

use crate::random::Stream;
use crate::{Duration, Instant};

/// Loss model of a channel: the rule by which packets get lost. Probabilities are per packet unless said otherwise.
#[derive(Clone, Copy, Debug, PartialEq, Default)]
pub enum Loss {
    /// Nothing is lost, and no random number is drawn.
    #[default]
    None,
    /// Every packet is damaged with this probability; nobody misses one.
    Packet {
        /// Probability that a packet is damaged, 0..=1.
        per: f64,
    },
    /// Shares of packets that are missed and that are damaged; together at most 1.
    Shares {
        /// Share that the receiver does not notice, 0..=1.
        miss: f64,
        /// Share that arrives with a wrong checksum, 0..=1.
        damage: f64,
    },
    /// Every bit is wrong with this probability. A wrong bit among those a receiver finds packets by hides the packet, one behind them
    /// damages it.
    Bit {
        /// Probability that a bit is wrong, 0..=1.
        ber: f64,
    },
    /// Packets are missed with a probability of their own, beside every bit's.
    MissAndBit {
        /// Share of packets that the receiver does not notice, whatever their bits, 0..=1.
        miss: f64,
        /// Probability that a bit is wrong, 0..=1.
        ber: f64,
    },
    /// Two states with their own packet loss; the stay in each is exponential with the given mean.
    Burst {
        /// Probability that a packet is lost in the good state, 0..=1.
        good: f64,
        /// Probability that a packet is lost in the bad state, 0..=1.
        bad: f64,
        /// Mean stay in the good state.
        every: Duration,
        /// Mean stay in the bad state.
        burst: Duration,
        /// Share of the lost packets that are missed, 0..=1; the others are damaged.
        missed: f64,
    },
}

/// Fate of a packet at a receiver that listened for it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fate {
    /// Packet received as it was sent.
    Whole,
    /// Packet received with a wrong checksum.
    Damaged,
    /// Not noticed: the receiver found no beginning of a packet.
    Missed,
}

/// A [`Loss`] at work on one channel.
#[derive(Clone, Debug)]
pub struct LossProcess {
    loss: Loss,
    stream: Stream,
    bad: bool,
    changes_at: Option<Instant>,
}

impl LossProcess {
    /// `loss` fed from `stream`, in the good state.
    pub fn new(loss: Loss, stream: Stream) -> Self {
        Self { loss, stream, bad: false, changes_at: None }
    }

    /// Tells if nothing is ever lost.
    pub fn is_none(&self) -> bool {
        self.loss == Loss::None
    }

    /// Fate of a packet that starts at `start`: it is found by `sync` bits, and `bits` more follow. Starts never run backwards.
    pub fn fate(&mut self, start: Instant, sync: u32, bits: u32) -> Fate {
        if self.is_none() {
            return Fate::Whole;
        }
        let (miss, damage) = self.shares(start, sync, bits);
        // One number decides both: what is drawn for one packet does not depend on what becomes of it.
        let drawn = self.stream.bits();
        match drawn {
            _ if drawn < threshold(miss) => Fate::Missed,
            _ if drawn < threshold(miss + damage) => Fate::Damaged,
            _ => Fate::Whole,
        }
    }

    /// Tells if `bits` that start at `start` are damaged within a packet that was found: of what is not missed, the share that is damaged.
    pub fn damages_found(&mut self, start: Instant, bits: u32) -> bool {
        if self.is_none() {
            return false;
        }
        let (miss, damage) = self.shares(start, 0, bits);
        let drawn = self.stream.bits();
        // Where all is missed nothing is found, and whatever asks has nothing to lose.
        miss < 1.0 && drawn < threshold(damage / (1.0 - miss))
    }

    /// Shares that are missed and damaged of packets that start at `start`.
    fn shares(&mut self, start: Instant, sync: u32, bits: u32) -> (f64, f64) {
        match self.loss {
            Loss::None => (0.0, 0.0),
            Loss::Packet { per } => (0.0, per),
            Loss::Shares { miss, damage } => (miss, damage),
            Loss::Bit { ber } => by_bits(0.0, ber, sync, bits),
            Loss::MissAndBit { miss, ber } => by_bits(miss, ber, sync, bits),
            Loss::Burst { good, bad, every, burst, missed } => {
                self.advance(start, every, burst);
                let lost = if self.bad { bad } else { good };
                (lost * missed, lost * (1.0 - missed))
            }
        }
    }

    /// Tells if a packet of `bits` that starts at `start` is lost, where missed and damaged are the same to its receiver.
    pub fn strikes(&mut self, start: Instant, bits: u32) -> bool {
        self.fate(start, 0, bits) != Fate::Whole
    }

    /// Count of random numbers that this process has drawn.
    pub fn drawn(&self) -> u64 {
        self.stream.drawn()
    }

    fn advance(&mut self, to: Instant, every: Duration, burst: Duration) {
        loop {
            let at = match self.changes_at {
                Some(at) => at,
                None => Instant::ZERO + self.stay(every),
            };
            self.changes_at = Some(at);
            if at > to {
                return;
            }
            self.bad = !self.bad;
            let mean = if self.bad { burst } else { every };
            self.changes_at = Some(at + self.stay(mean));
        }
    }

    /// An exponential stay with this mean, at least 1 ns so that time moves on.
    fn stay(&mut self, mean: Duration) -> Duration {
        // 53 random bits give a uniform number in (0, 1].
        let uniform = ((self.stream.bits() >> 11) + 1) as f64 / (1u64 << 53) as f64;
        let ns = -libm::log(uniform) * mean.as_nanos() as f64;
        Duration::from_nanos((ns as u64).max(1))
    }
}

/// Shares that are missed and damaged: what is not missed anyhow is by the place of its first wrong bit.
fn by_bits(miss: f64, ber: f64, sync: u32, bits: u32) -> (f64, f64) {
    let found = (1.0 - miss) * (1.0 - any_of(sync, ber));
    (1.0 - found, found * any_of(bits, ber))
}

/// Probability that at least one of `bits` is wrong: 1 − (1 − ber)^bits, without cancellation at small rates; libm is the same everywhere.
fn any_of(bits: u32, ber: f64) -> f64 {
    // No bit is never wrong, not even where every bit is.
    if bits == 0 {
        return 0.0;
    }
    -libm::expm1(f64::from(bits) * libm::log1p(-ber))
}

/// The share of 2⁶⁴ that stands for `probability`.
fn threshold(probability: f64) -> u64 {
    // The cast saturates, so a probability of 1 misses one draw in 2⁶⁴.
    (probability.clamp(0.0, 1.0) * 18_446_744_073_709_551_616.0) as u64
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::stream;

    fn lost(loss: Loss, packets: u64, bits: u32) -> u64 {
        let mut process = LossProcess::new(loss, stream(3, "test"));
        (0..packets).filter(|i| process.strikes(Instant::from_nanos(i * 1_000_000), bits)).count() as u64
    }

    #[test]
    fn no_loss_draws_nothing() {
        let mut process = LossProcess::new(Loss::None, stream(3, "test"));
        assert!(!process.strikes(Instant::ZERO, 2_000));
        assert_eq!(process.drawn(), 0);
    }

    #[test]
    fn packet_and_bit_rates_come_out() {
        let n = lost(Loss::Packet { per: 0.1 }, 100_000, 0);
        assert!((9_700..10_300).contains(&n), "{n}");
        // 1 − (1 − 1e-5)^2096 = 2.074 %
        let n = lost(Loss::Bit { ber: 1e-5 }, 100_000, 2096);
        assert!((1_930..2_220).contains(&n), "{n}");
        assert_eq!(lost(Loss::Packet { per: 1.0 }, 1_000, 0), 1_000);
    }

    #[test]
    fn bursts_lose_in_proportion_to_the_stay() {
        let loss = Loss::Burst {
            good: 0.0,
            bad: 1.0,
            every: Duration::from_millis(90),
            burst: Duration::from_millis(10),
            missed: 0.25,
        };
        let n = lost(loss, 100_000, 0);
        assert!((8_500..11_500).contains(&n), "{n}");
        let [_, damaged, missed] = fates(loss, 0, 0);
        let share = f64::from(missed) / f64::from(missed + damaged);
        assert!((0.23..0.27).contains(&share), "{share}");
    }

    /// Packets of 100,000 that come whole, damaged, and not at all.
    fn fates(loss: Loss, sync: u32, bits: u32) -> [u32; 3] {
        let mut process = LossProcess::new(loss, stream(3, "test"));
        let mut counts = [0; 3];
        for packet in 0..100_000 {
            counts[process.fate(Instant::from_nanos(packet * 1_000_000), sync, bits) as usize] += 1;
        }
        assert!(process.drawn() >= 100_000);
        counts
    }

    #[test]
    fn a_packet_is_missed_or_damaged_by_its_share() {
        let [whole, damaged, missed] = fates(Loss::Shares { miss: 0.05, damage: 0.2 }, 32, 2_048);
        assert!((74_400..75_600).contains(&whole), "{whole}");
        assert!((4_700..5_300).contains(&missed) && (19_500..20_500).contains(&damaged), "{missed} {damaged}");
        let [_, damaged, missed] = fates(Loss::Packet { per: 0.1 }, 32, 2_048);
        assert_eq!(missed, 0, "a share alone is one of damage");
        assert!((9_700..10_300).contains(&damaged), "{damaged}");
        assert_eq!(fates(Loss::Shares { miss: 1.0, damage: 0.0 }, 0, 0), [0, 0, 100_000]);
    }

    /// Draws made one after the other, for what is found and for what is damaged of it, come to the shares of all packets.
    #[test]
    fn what_is_found_is_damaged_by_what_is_left_of_the_share() {
        let always = Duration::from_secs(86_400);
        let burst = Loss::Burst { good: 1.0, bad: 1.0, every: always, burst: always, missed: 0.5 };
        for (loss, share) in [
            (Loss::Shares { miss: 0.5, damage: 0.5 }, 1.0),
            (Loss::Shares { miss: 0.2, damage: 0.4 }, 0.5),
            (Loss::Shares { miss: 0.0, damage: 0.3 }, 0.3),
            (Loss::Shares { miss: 1.0, damage: 0.0 }, 0.0),
            (Loss::Packet { per: 0.1 }, 0.1),
            // 1 − (1 − 1e-4)^2064 = 18.65 %, whatever is missed.
            (Loss::MissAndBit { miss: 0.3, ber: 1e-4 }, 0.1865),
            (burst, 1.0),
        ] {
            let mut process = LossProcess::new(loss, stream(3, "test"));
            let at = |packet: u64| Instant::from_nanos(packet * 1_000);
            let damaged = (0..100_000).filter(|&packet| process.damages_found(at(packet), 2_064)).count() as f64 / 1e5;
            assert!((damaged - share).abs() < 0.006, "{loss:?}: {damaged} for {share}");
        }
        assert!(!LossProcess::new(Loss::None, stream(3, "test")).damages_found(Instant::ZERO, 8));
    }

    #[test]
    fn a_wrong_bit_hides_a_packet_or_damages_it_by_its_place() {
        // 1 − (1 − 1e-4)^32 = 0.3195 %; (1 − 1e-4)^32 − (1 − 1e-4)^2096 = 18.6 %
        let [_, damaged, missed] = fates(Loss::Bit { ber: 1e-4 }, 32, 2_064);
        assert!((265..375).contains(&missed), "{missed}");
        assert!((18_150..19_050).contains(&damaged), "{damaged}");
        assert_eq!(fates(Loss::Bit { ber: 1.0 }, 0, 1), [0, 100_000, 0]);
        // 1 − 0.95 · (1 − 1e-4)^32 = 5.30 %
        let [_, damaged, missed] = fates(Loss::MissAndBit { miss: 0.05, ber: 1e-4 }, 32, 2_064);
        assert!((5_020..5_590).contains(&missed) && (17_200..18_150).contains(&damaged), "{missed} {damaged}");
    }
}
