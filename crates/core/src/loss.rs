//! Packet loss: per packet, per bit, or in bursts (Gilbert–Elliott).

use crate::random::Stream;
use crate::{Duration, Instant};

/// Loss model of a channel: the rule by which packets get lost. Probabilities are per packet unless said otherwise.
#[derive(Clone, Copy, Debug, PartialEq, Default)]
pub enum Loss {
    /// Nothing is lost, and no random number is drawn.
    #[default]
    None,
    /// Every packet is lost with this probability.
    Packet {
        /// Probability in 0..=1.
        per: f64,
    },
    /// Every bit is wrong with this probability; one wrong bit loses the packet.
    Bit {
        /// Probability in 0..=1.
        ber: f64,
    },
    /// Two states with their own packet loss; the stay in each is exponential with the given mean.
    Burst {
        /// Loss in the good state, 0..=1.
        good: f64,
        /// Loss in the bad state, 0..=1.
        bad: f64,
        /// Mean stay in the good state.
        every: Duration,
        /// Mean stay in the bad state.
        burst: Duration,
    },
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

    /// Tells if a packet of `bits` that starts at `start` is lost. Starts never run backwards.
    pub fn strikes(&mut self, start: Instant, bits: u32) -> bool {
        let probability = match self.loss {
            Loss::None => return false,
            Loss::Packet { per } => per,
            // 1 − (1 − ber)^bits without cancellation at small rates; libm is the same everywhere.
            Loss::Bit { ber } => -libm::expm1(f64::from(bits) * libm::log1p(-ber)),
            Loss::Burst { good, bad, every, burst } => {
                self.advance(start, every, burst);
                if self.bad { bad } else { good }
            }
        };
        self.stream.chance(threshold(probability))
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
        let loss =
            Loss::Burst { good: 0.0, bad: 1.0, every: Duration::from_millis(90), burst: Duration::from_millis(10) };
        let n = lost(loss, 100_000, 0);
        assert!((8_500..11_500).contains(&n), "{n}");
    }
}
