//! Durations of PPDUs, responses and cycles. IEEE Std 802.11-2020 (Clauses 15 to 19) and 802.11ax-2021 (Clause 27);
//! closed forms.
//!
//! - [`Phy`]: one PPDU · [`Timing`]: spaces and slots of a band, responses · [`Aggregation`]: what an A-MPDU may be
//! - [`Cycle`]: from one idle channel to the next, and the goodput that follows · [`Txop`]: the same with several exchanges, and with
//!   A-MSDUs ([`Msdus`])
//!
//! All times are exact in nanoseconds; no float is used.

mod aggregate;
mod amsdu;
mod cycle;
mod timing;
mod txop;

use airtime_core::Duration;

pub use aggregate::{Aggregation, DELIMITER, mpdu_octets, mpdu_overhead, msdu_octets, psdu_octets};
pub use amsdu::{AMSDU_MAX, Filled, Msdus, SUBFRAME_HEADER, append_subframe, subframe_octets};
pub use cycle::Cycle;
pub use timing::{ACK_OCTETS, Access, BLOCK_ACK_OCTETS, CTS_OCTETS, RTS_OCTETS, Responses, Timing};
pub use txop::Txop;

/// The PHY of a PPDU.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[cfg_attr(feature = "plan", derive(airtime_keys::Words))]
pub enum Standard {
    /// DSSS and CCK: 1, 2, 5.5 and 11 Mbit/s as `mcs` 0..=3.
    B,
    /// OFDM and ERP-OFDM: 6 to 54 Mbit/s as `mcs` 0..=7.
    G,
    /// HT, mixed format, one stream, MCS 0..=7.
    N,
    /// HE SU, one stream, MCS 0..=11.
    Ax,
}

/// Width of a channel.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[cfg_attr(feature = "plan", derive(airtime_keys::Words))]
pub enum Width {
    /// 20 MHz.
    #[cfg_attr(feature = "plan", word("20MHz"))]
    Mhz20,
    /// 40 MHz; HT and HE.
    #[cfg_attr(feature = "plan", word("40MHz"))]
    Mhz40,
}

/// Guard interval of a data symbol.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[cfg_attr(feature = "plan", derive(airtime_keys::Words))]
pub enum Guard {
    /// Short guard interval of HT.
    #[cfg_attr(feature = "plan", word("400ns"))]
    Ns400,
    /// OFDM, HT and HE.
    #[cfg_attr(feature = "plan", word("800ns"))]
    Ns800,
    /// HE.
    #[cfg_attr(feature = "plan", word("1600ns"))]
    Ns1600,
    /// HE.
    #[cfg_attr(feature = "plan", word("3200ns"))]
    Ns3200,
}

/// Preamble and header of DSSS and CCK. 16.2.2.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
#[cfg_attr(feature = "plan", derive(airtime_keys::Words))]
pub enum Preamble {
    /// All receivers know it; the only one at 1 Mbit/s.
    #[default]
    Long,
    /// From 2 Mbit/s on, where all stations have it.
    Short,
}

/// Transmission parameters of a PPDU: format, MCS, width, guard interval, preamble.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Phy {
    /// Format.
    pub standard: Standard,
    /// Width.
    pub width: Width,
    /// Guard interval.
    pub guard: Guard,
    /// Index of the rate.
    pub mcs: u8,
    /// Preamble of DSSS and CCK; long of all others, which have one of their own.
    pub preamble: Preamble,
}

/// Data bits of a symbol at 6 to 54 Mbit/s. Table 17-4.
const OFDM_BITS: [u32; 8] = [24, 36, 48, 72, 96, 144, 192, 216];

/// Data bits of an HT symbol in 20 MHz, MCS 0 to 7. Table 19-27; 40 MHz has 108 data subcarriers for 52. Table 19-31.
const HT_BITS: [u32; 8] = [26, 52, 78, 104, 156, 208, 234, 260];

/// Data bits of an HE symbol of 242 tones (234 for data), MCS 0 to 11. 802.11ax-2021, Table 27-79; 484 tones have twice as many.
const HE_BITS: [u32; 12] = [117, 234, 351, 468, 702, 936, 1053, 1170, 1404, 1560, 1755, 1950];

/// DSSS and CCK in 100 kbit/s. 15.2.2, 16.2.2.
const DSSS_RATES: [u64; 4] = [10, 20, 55, 110];

/// Preamble and header of DSSS and CCK at 1 Mbit/s: 144 and 48 bits. 16.2.2.2.
const LONG_PREAMBLE_US: u64 = 144 + 48;

/// The short ones: 72 bits at 1 and 48 at 2 Mbit/s. 16.2.2.3.
const SHORT_PREAMBLE_US: u64 = 72 + 48 / 2;

/// SERVICE field before, tail behind the PSDU (BCC, one encoder). 17.3.5.3, 19.3.11.
const SERVICE_AND_TAIL_BITS: u64 = 16 + 6;

/// The preamble that legacy receivers know: L-STF 8, L-LTF 8, L-SIG 4 µs. 17.3.2.
const LEGACY_PREAMBLE_US: u64 = 20;

/// HT-SIG 8, HT-STF 4 and one HT-LTF of 4 µs. 19.3.9.
const HT_PREAMBLE_US: u64 = 8 + 4 + 4;

/// RL-SIG 4, HE-SIG-A 8, HE-STF 4 and one HE-LTF, taken as 8 µs at every guard interval: what ns-3 has, too. That is a 2x HE-LTF with
/// 1.6 µs; with 0.8 µs it is 7.2 µs, and the 4x HE-LTF that goes with 3.2 µs is 16 µs. A packet extension is left out as well.
/// 802.11ax-2021, 27.3.11.10 and 27.3.13.
const HE_PREAMBLE_US: u64 = 4 + 8 + 4 + 8;

/// No transmission for this long after an OFDM, HT or HE PPDU in 2.4 GHz, so that what rates had before can go on. 18.4.4, 19.4.3.
pub const SIGNAL_EXTENSION: Duration = Duration::from_micros(6);

impl Phy {
    /// OFDM at `mbps`; none unless that is one of its rates.
    pub fn ofdm(mbps: u8) -> Option<Self> {
        let mcs = [6, 9, 12, 18, 24, 36, 48, 54].iter().position(|&rate| rate == mbps)? as u8;
        Some(Self { mcs, ..Self::ofdm6() })
    }

    /// OFDM at 6 Mbit/s, the lowest mandatory rate.
    pub const fn ofdm6() -> Self {
        Self::new(Standard::G, Width::Mhz20, Guard::Ns800, 0)
    }

    /// OFDM at 24 Mbit/s, the highest mandatory rate.
    pub const fn ofdm24() -> Self {
        Self { mcs: 4, ..Self::ofdm6() }
    }

    /// DSSS at 1 Mbit/s with the long preamble.
    pub const fn dsss1() -> Self {
        Self { standard: Standard::B, ..Self::ofdm6() }
    }

    /// DSSS or CCK: 1, 2, 5.5 or 11 Mbit/s as `mcs` 0..=3.
    pub const fn dsss(preamble: Preamble, mcs: u8) -> Self {
        Self { mcs, preamble, ..Self::dsss1() }
    }

    /// HT at MCS `mcs`.
    pub const fn ht(width: Width, guard: Guard, mcs: u8) -> Self {
        Self::new(Standard::N, width, guard, mcs)
    }

    /// HE SU at MCS `mcs`.
    pub const fn he(width: Width, guard: Guard, mcs: u8) -> Self {
        Self::new(Standard::Ax, width, guard, mcs)
    }

    /// A format that has one preamble.
    const fn new(standard: Standard, width: Width, guard: Guard, mcs: u8) -> Self {
        Self { standard, width, guard, mcs, preamble: Preamble::Long }
    }

    /// True if this combination exists: MCS within its table, 40 MHz, guard interval and preamble known to the format.
    pub fn valid(self) -> bool {
        let guards: &[Guard] = match self.standard {
            Standard::B | Standard::G => &[Guard::Ns800],
            Standard::N => &[Guard::Ns400, Guard::Ns800],
            Standard::Ax => &[Guard::Ns800, Guard::Ns1600, Guard::Ns3200],
        };
        let wide = matches!(self.standard, Standard::N | Standard::Ax);
        let preamble = self.standard == Standard::B || self.preamble == Preamble::Long;
        preamble && self.mcs < self.rates() && guards.contains(&self.guard) && (wide || self.width == Width::Mhz20)
    }

    /// Number of rates of its format: MCS 0 up to one less than this.
    pub const fn rates(self) -> u8 {
        match self.standard {
            Standard::B => 4,
            Standard::G | Standard::N => 8,
            Standard::Ax => 12,
        }
    }

    /// True if several MPDUs may share a PPDU.
    pub const fn aggregates(self) -> bool {
        matches!(self.standard, Standard::N | Standard::Ax)
    }

    /// Data bits per symbol. DSSS and CCK: bits per code word.
    ///
    /// # Panics
    /// When the format has no such MCS.
    pub fn bits_per_symbol(self) -> u32 {
        let index = usize::from(self.mcs);
        match (self.standard, self.width) {
            (Standard::B, _) => [1, 2, 4, 8][index],
            (Standard::G, _) => OFDM_BITS[index],
            (Standard::N, Width::Mhz20) => HT_BITS[index],
            (Standard::N, Width::Mhz40) => HT_BITS[index] * 108 / 52,
            (Standard::Ax, Width::Mhz20) => HE_BITS[index],
            (Standard::Ax, Width::Mhz40) => HE_BITS[index] * 2,
        }
    }

    /// A data symbol with its guard interval; for DSSS and CCK the code word.
    pub const fn symbol(self) -> Duration {
        Duration::from_nanos(match (self.standard, self.guard, self.mcs) {
            (Standard::B, _, 0 | 1) => 1_000,
            // Eight chips at 11 MHz, rounded to the nanosecond; durations are not made of it.
            (Standard::B, ..) => 727,
            (Standard::G, ..) => 4_000,
            (Standard::N, Guard::Ns400, _) => 3_600,
            (Standard::N, ..) => 4_000,
            (Standard::Ax, Guard::Ns1600, _) => 14_400,
            (Standard::Ax, Guard::Ns3200, _) => 16_000,
            (Standard::Ax, ..) => 13_600,
        })
    }

    /// Rate in kbit/s, rounded: 72,222 for HT20 MCS 7 with the short guard interval.
    pub fn rate_kbps(self) -> u32 {
        if self.standard == Standard::B {
            return DSSS_RATES[usize::from(self.mcs)] as u32 * 100;
        }
        let symbol = self.symbol().as_nanos();
        ((u64::from(self.bits_per_symbol()) * 1_000_000 + symbol / 2) / symbol) as u32
    }

    /// Preamble and PHY header: all of the PPDU before its data.
    pub const fn preamble(self) -> Duration {
        Duration::from_micros(match self.standard {
            Standard::B => match (self.preamble, self.mcs) {
                (Preamble::Short, 1..) => SHORT_PREAMBLE_US,
                _ => LONG_PREAMBLE_US,
            },
            Standard::G => LEGACY_PREAMBLE_US,
            Standard::N => LEGACY_PREAMBLE_US + HT_PREAMBLE_US,
            Standard::Ax => LEGACY_PREAMBLE_US + HE_PREAMBLE_US,
        })
    }

    /// Signal extension behind the PPDU: none in 5 GHz and behind DSSS.
    pub const fn extension(self, ghz5: bool) -> Duration {
        if ghz5 || matches!(self.standard, Standard::B) { Duration::ZERO } else { SIGNAL_EXTENSION }
    }

    /// Time on the air of a PPDU whose PSDU has `octets`, with its signal extension in 2.4 GHz (`ghz5` false).
    ///
    /// Data with the short guard interval of HT ends at a multiple of 4 µs. 19.4.3.
    pub fn ppdu(self, octets: u32, ghz5: bool) -> Duration {
        self.ppdu_with(octets, ghz5, true)
    }

    /// Duration of a PPDU; with `whole_symbols` false data with the short guard interval ends after 3.6 µs per symbol,
    /// as ns-3 has it.
    pub fn ppdu_with(self, octets: u32, ghz5: bool, whole_symbols: bool) -> Duration {
        let bits = u64::from(octets) * 8;
        if self.standard == Standard::B {
            // The LENGTH field counts whole microseconds. 16.2.3.5.
            let data_us = (bits * 10).div_ceil(DSSS_RATES[usize::from(self.mcs)]);
            return self.preamble() + Duration::from_micros(data_us);
        }
        let symbols = (bits + SERVICE_AND_TAIL_BITS).div_ceil(u64::from(self.bits_per_symbol()));
        let mut data = symbols * self.symbol().as_nanos();
        if whole_symbols && self.standard == Standard::N && self.guard == Guard::Ns400 {
            data = data.next_multiple_of(4_000);
        }
        self.preamble() + Duration::from_nanos(data) + self.extension(ghz5)
    }
}
