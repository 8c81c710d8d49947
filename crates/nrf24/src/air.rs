//! The arithmetic of the air: how long every frame and every cycle of Enhanced ShockBurst takes.
//!
//! Section numbers are of the nRF24L01+ Product Specification 1.0.

use core::fmt;
use core::str::FromStr;

use airtime_core::Duration;
use airtime_core::level::Level;

/// Standby to TX or RX, and TX to RX or back; the maximum, which the chip takes. Table 16, `Tstby2a`.
pub const T_STBY2A: Duration = Duration::from_micros(130);

/// Shortest CE pulse that starts a transmission. Table 16, `Thce`.
pub const T_HCE: Duration = Duration::from_micros(10);

/// CE rising to CSN falling. Table 16, `Tpece2csn`.
pub const T_PECE2CSN: Duration = Duration::from_micros(4);

/// Longest time in TX without a break: the PLL runs open loop. 6.1.5, 6.1.6.
pub const T_TX_MAX: Duration = Duration::from_millis(4);

/// A carrier must be there for this long before RPD shows it. 6.4.
pub const T_RPD: Duration = Duration::from_micros(40);

/// Crystal start-up, power down to standby, with a crystal of 30 mH. Table 16 and its footnote, `Tpd2stby`.
pub const T_PD2STBY: Duration = Duration::from_micros(1_500);

/// Power-on reset. 6.1.1.
pub const T_POR: Duration = Duration::from_millis(100);

/// Octets of the largest payload. 7.3.
pub const PAYLOAD_MAX: usize = 32;

/// Octets of the preamble. 7.3.1.
const PREAMBLE: u32 = 1;

/// Bits of the packet control field. 7.3.3.
const PCF_BITS: u32 = 9;

/// Air data rate. 6.2.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[cfg_attr(feature = "plan", derive(airtime_keys::Words))]
pub enum Rate {
    /// 250 kbit/s.
    #[cfg_attr(feature = "plan", word("250k"))]
    K250,
    /// 1 Mbit/s.
    #[cfg_attr(feature = "plan", word("1M"))]
    M1,
    /// 2 Mbit/s.
    #[cfg_attr(feature = "plan", word("2M"))]
    M2,
}

impl Rate {
    /// Level at which a receiver gets one bit of a thousand wrong. Product Specification 1.0, 5.4.
    pub const fn sensitivity(self) -> Level {
        Level(match self {
            Self::K250 => -94,
            Self::M1 => -85,
            Self::M2 => -82,
        })
    }

    /// Every rate, slowest first.
    pub const ALL: [Self; 3] = [Self::K250, Self::M1, Self::M2];

    /// Time of one bit on the air.
    pub const fn bit(self) -> Duration {
        Duration::from_nanos(match self {
            Self::K250 => 4_000,
            Self::M1 => 1_000,
            Self::M2 => 500,
        })
    }

    /// Bits per millisecond.
    pub const fn kbps(self) -> u32 {
        match self {
            Self::K250 => 250,
            Self::M1 => 1_000,
            Self::M2 => 2_000,
        }
    }

    /// Name of the rate, as plans write it.
    pub const fn name(self) -> &'static str {
        match self {
            Self::K250 => "250k",
            Self::M1 => "1M",
            Self::M2 => "2M",
        }
    }

    /// Time for which a transmitter listens for the address of an acknowledgement from the end of its own frame,
    /// turnaround included. 7.5.2.
    pub const fn ack_window(self) -> Duration {
        Duration::from_micros(match self {
            Self::K250 => 500,
            Self::M1 | Self::M2 => 250,
        })
    }

    /// From the last bit of a frame to the interrupt. Table 19, `T_IRQ`; 250 kbit/s is not in the table and is *assumed* like 1M.
    pub const fn irq_delay(self) -> Duration {
        Duration::from_nanos(match self {
            Self::K250 | Self::M1 => 8_200,
            Self::M2 => 6_000,
        })
    }
}

impl fmt::Display for Rate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Rate {
    type Err = UnknownRate;

    fn from_str(text: &str) -> Result<Self, UnknownRate> {
        Self::ALL.into_iter().find(|rate| rate.name() == text).ok_or(UnknownRate)
    }
}

/// No rate of this chip.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UnknownRate;

impl fmt::Display for UnknownRate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the nRF24L01+ has the rates 250k, 1M and 2M")
    }
}

impl core::error::Error for UnknownRate {}

/// Octets of the cyclic redundancy check.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Crc {
    /// No check; only in ShockBurst frames. 7.3.5.
    None,
    /// Check of one octet: CRC-8.
    One,
    /// Check of two octets: CRC-16.
    #[default]
    Two,
}

impl Crc {
    /// Octets on the air.
    pub const fn octets(self) -> u32 {
        match self {
            Self::None => 0,
            Self::One => 1,
            Self::Two => 2,
        }
    }
}

/// Framing: all that surrounds a payload on the air.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Framing {
    /// Air data rate.
    pub rate: Rate,
    /// Octets of the address, 3..=5.
    pub address_width: u8,
    /// The check at the end.
    pub crc: Crc,
    /// Set for Enhanced ShockBurst: there is a packet control field.
    pub enhanced: bool,
}

impl Framing {
    /// Enhanced ShockBurst with a CRC of two octets.
    pub const fn enhanced(rate: Rate, address_width: u8) -> Self {
        Self { rate, address_width, crc: Crc::Two, enhanced: true }
    }

    /// Bits on the air of a frame with `payload` octets. 7.3.
    pub const fn bits(self, payload: usize) -> u32 {
        let octets = PREAMBLE + self.address_width as u32 + payload as u32 + self.crc.octets();
        octets * 8 + if self.enhanced { PCF_BITS } else { 0 }
    }

    /// Time on the air of a frame with `payload` octets: `T_OA`, and `T_ACK` when it is an acknowledgement. 7.6.2 [Table 19].
    pub const fn time(self, payload: usize) -> Duration {
        Duration::from_nanos(self.rate.bit().as_nanos() * self.bits(payload) as u64)
    }

    /// From the start of a frame to the end of its address, when a receiver knows that it is meant.
    pub const fn address_time(self) -> Duration {
        Duration::from_nanos(self.rate.bit().as_nanos() * (PREAMBLE + self.address_width as u32) as u64 * 8)
    }

    /// From one settling to the next when `payload` octets are acknowledged with `ack` octets and nothing else
    /// takes time: `2 * T_stby2a + T_OA + T_ACK`. 7.6.2.
    pub const fn acked_cycle(self, payload: usize, ack: usize) -> Duration {
        let ns = 2 * T_STBY2A.as_nanos() + self.time(payload).as_nanos() + self.time(ack).as_nanos();
        Duration::from_nanos(ns)
    }

    /// From one settling to the next without acknowledgement, with a CE pulse per frame.
    pub const fn pulsed_cycle(self, payload: usize) -> Duration {
        Duration::from_nanos(T_STBY2A.as_nanos() + self.time(payload).as_nanos())
    }

    /// Highest goodput of payloads of `payload` octets, bit/s, when every cycle takes `cycle`.
    pub const fn ceiling_bps(payload: usize, cycle: Duration) -> u64 {
        payload as u64 * 8 * 1_000_000_000 / cycle.as_nanos()
    }

    /// Frames of `payload` octets without a gap that fit into one stay in TX of at most [`T_TX_MAX`].
    pub const fn frames_per_stay(self, payload: usize) -> u64 {
        T_TX_MAX.as_nanos() / self.time(payload).as_nanos()
    }

    /// Mean time per frame when CE goes low for a settling after each stay of [`frames_per_stay`](Self::frames_per_stay).
    pub const fn stream_cycle(self, payload: usize, pll_break: bool) -> Duration {
        let frame = self.time(payload).as_nanos();
        if !pll_break {
            return Duration::from_nanos(frame);
        }
        let frames = self.frames_per_stay(payload);
        Duration::from_nanos((frames * frame + T_STBY2A.as_nanos()) / frames)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Reference table: rate, address width, bits, T_OA, T_ACK, T_ACK with 32 octets, acked cycle; times in ns.
    const TABLE: [(Rate, u8, u32, u64, u64, u64, u64); 6] = [
        (Rate::K250, 3, 313, 1_252_000, 228_000, 1_252_000, 1_740_000),
        (Rate::K250, 5, 329, 1_316_000, 292_000, 1_316_000, 1_868_000),
        (Rate::M1, 3, 313, 313_000, 57_000, 313_000, 630_000),
        (Rate::M1, 5, 329, 329_000, 73_000, 329_000, 662_000),
        (Rate::M2, 3, 313, 156_500, 28_500, 156_500, 445_000),
        (Rate::M2, 5, 329, 164_500, 36_500, 164_500, 461_000),
    ];

    #[test]
    fn frames_and_cycles_are_those_of_the_table() {
        for (rate, width, bits, t_oa, t_ack, t_ack_full, cycle) in TABLE {
            let framing = Framing::enhanced(rate, width);
            assert_eq!(framing.bits(32), bits);
            assert_eq!(framing.time(32).as_nanos(), t_oa);
            assert_eq!(framing.time(0).as_nanos(), t_ack);
            assert_eq!(framing.acked_cycle(32, 32).as_nanos() - 260_000 - t_oa, t_ack_full);
            assert_eq!(framing.acked_cycle(32, 0).as_nanos(), cycle);
        }
    }

    /// Goodput in 100 bit/s, rounded: auto-ack, ACK payload each way, a CE pulse per frame, stream, stream with breaks.
    const CEILINGS: [(Rate, u8, [u64; 5]); 6] = [
        (Rate::M2, 3, [5_753, 4_468, 8_935, 16_358, 15_832]),
        (Rate::M2, 5, [5_553, 4_346, 8_693, 15_562, 15_066]),
        (Rate::M1, 3, [4_063, 2_889, 5_779, 8_179, 7_905]),
        (Rate::M1, 5, [3_867, 2_789, 5_577, 7_781, 7_533]),
        (Rate::K250, 3, [1_471, 926, 1_852, 2_045, 1_976]),
        (Rate::K250, 5, [1_370, 885, 1_770, 1_945, 1_883]),
    ];

    #[test]
    fn ceilings_are_those_of_the_table() {
        for (rate, width, expected) in CEILINGS {
            let framing = Framing::enhanced(rate, width);
            let cycles = [
                framing.acked_cycle(32, 0),
                framing.acked_cycle(32, 32),
                framing.pulsed_cycle(32),
                framing.stream_cycle(32, false),
                framing.stream_cycle(32, true),
            ];
            assert_eq!(cycles.map(|cycle| (Framing::ceiling_bps(32, cycle) + 50) / 100), expected, "{rate} AW{width}");
        }
    }

    #[test]
    fn an_empty_acknowledgement_fits_the_shortest_delay() {
        for (rate, width, ..) in TABLE {
            let framing = Framing::enhanced(rate, width);
            assert!(T_STBY2A + framing.address_time() < rate.ack_window());
        }
    }
}
