//! The air of the pipe.

use airtime_core::{Duration, Instant};

/// SplitMix64: enough for faults.
pub struct Chance(u64);

impl Chance {
    pub fn new(seed: u64) -> Self {
        Self(seed)
    }

    pub fn number(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    pub fn below(&mut self, bound: u64) -> u64 {
        if bound == 0 { 0 } else { self.number() % bound }
    }

    pub fn strikes(&mut self, per_mille: u32) -> bool {
        per_mille > 0 && self.below(1_000) < u64::from(per_mille)
    }
}

/// A frame that arrives.
pub struct Arrival {
    pub after: Duration,
    /// Whether others may pass it.
    pub late: bool,
    pub frame: Vec<u8>,
}

/// What one direction does to frames. Faults are in thousandths.
#[derive(Clone, Debug)]
pub struct Air {
    /// Frames that are lost.
    pub lost: u32,
    /// Frames that arrive twice.
    pub doubled: u32,
    /// Frames that arrive later than those behind them.
    pub late: u32,
    /// Frames of which one octet is another, and their check happens to be right.
    pub changed: u32,
    /// Frames that are cut short, likewise.
    pub cut: u32,
    /// Acknowledgements of the chip that are lost.
    pub unheard: u32,
    /// Nothing gets through in the first part of every so long.
    pub dead: Option<(Duration, Duration)>,
    /// From the end of a frame until the other tunnel has it.
    pub delay: (Duration, Duration),
    /// Retransmissions of the chip.
    pub retries: u32,
}

impl Default for Air {
    fn default() -> Self {
        let delay = (Duration::from_micros(100), Duration::from_micros(100));
        Self { lost: 0, doubled: 0, late: 0, changed: 0, cut: 0, unheard: 0, dead: None, delay, retries: 15 }
    }
}

impl Air {
    pub fn losing(per_mille: u32) -> Self {
        Self { lost: per_mille, ..Self::default() }
    }

    /// 2 Mbit/s, 3 octets of address: 28.5 µs and 4 µs per octet; with an acknowledgement two turnarounds and its 28.5 µs.
    pub fn time(&self, octets: usize, no_ack: bool) -> Duration {
        let frame = Duration::from_nanos(28_500 + 4_000 * octets as u64);
        if no_ack { frame } else { frame + Duration::from_nanos(288_500) }
    }

    /// What arrives of a frame that ended at `now`.
    pub fn carry(&self, now: Instant, frame: &[u8], chance: &mut Chance) -> Vec<Arrival> {
        let is_dead = self.dead.is_some_and(|(every, dead)| now.as_nanos() % every.as_nanos() < dead.as_nanos());
        if is_dead || chance.strikes(self.lost) {
            return Vec::new();
        }
        let spread = self.delay.1.saturating_sub(self.delay.0).as_nanos();
        let mut after = self.delay.0 + Duration::from_nanos(chance.below(spread));
        let late = chance.strikes(self.late);
        if late {
            after += Duration::from_micros(700);
        }
        let mut frame = frame.to_vec();
        if chance.strikes(self.changed) {
            let at = chance.below(frame.len() as u64) as usize;
            frame[at] ^= 1 << chance.below(8);
        }
        if chance.strikes(self.cut) {
            frame.truncate(chance.below(frame.len() as u64) as usize);
        }
        let mut arrivals = vec![Arrival { after, late, frame: frame.clone() }];
        if chance.strikes(self.doubled) {
            arrivals.push(Arrival { after: after + Duration::from_micros(300), late: true, frame });
        }
        arrivals
    }
}
