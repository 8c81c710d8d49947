//! Keys of the access to the channel: backoff, spaces, responses, what is sent again.

use airtime_core::Duration;
use airtime_keys::{Keys, OrNone, Words};

use super::Context;
use super::context::Test;
use crate::air::{self, Phy, Preamble, Responses, Standard};
use crate::cell::MissingBlockAck;
use crate::mac::Backoff;

/// Keys of the access to the channel, the same for every station.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Keys)]
#[keys(table = "wifi", context = Context)]
pub struct Access {
    /// Backoff at random, or always half of the smallest contention window: then a lone station's cycle is the closed form.
    #[key(default = "random")]
    pub backoff: Backoff,
    /// Smallest contention window, a power of two less one. IEEE Std 802.11-2020, Table 9-155, AC_BE; aCWmin of DSSS is 31.
    #[key(range = 0..=1_023, from = "15; 31 for b", when = Context::has_data, mechanism = Contention)]
    pub cw_min: Option<u16>,
    /// Largest contention window.
    #[key(range = 0..=1_023, default = 1_023, when = Context::has_data, mechanism = Contention)]
    pub cw_max: u16,
    /// Rules of the backoff: enhanced distributed channel access, or the distributed coordination function.
    #[key(default = "edca", when = Context::has_data, mechanism = Contention)]
    pub access: Coordination,
    /// Slots of the inter-frame space behind SIFS.
    #[key(range = 1..=15, from = "3, AC_BE; 2, which is DIFS, for dcf", when = Context::has_data, mechanism = Contention)]
    pub aifsn: Option<u8>,
    /// TXOP limit of every station: from the start of its first PPDU it goes on, a SIFS behind each response, while all of the next exchange ends
    /// within it (IEEE Std 802.11-2020, 10.23.2.9). 0us or absent: one exchange each time, as WMM's AC_BE has it. Table 9-155 has 2.528ms for AC_BE
    /// and AC_BK, 4.096ms for AC_VI and 2.08ms for AC_VO (with DSSS 3.264ms, 6.016ms and 3.264ms); WMM 3.008ms for AC_VI and 1.504ms for AC_VO.
    #[key(
        range = "0us"..="2.09712s", whose = AccessPoint, when = Context::has_data, steps = [To(2_528_000)],
        mechanism = Contention, way = More
    )]
    pub txop: Option<Duration>,
    /// Slot time; 20us when the access point serves 802.11b.
    #[key(from = "9us; 20us for b but ESP-NOW", whose = AccessPoint, mechanism = Contention)]
    pub slot: Option<Slot>,
    /// Rate of acknowledgements, Block Acks, RTS and CTS: fixed, or the highest of 6, 12 and 24 Mbit/s, of 1 and 2 for b, that
    /// is not above that of the data. 1M to 11M are for b only, and never above the data either.
    #[key(from = "24M; mandatory for b", mechanism = Gaps)]
    pub ba_rate: Option<ControlRate>,
    /// Octets of a PSDU above which RTS and CTS go first, of every station: dot11RTSThreshold; 0 is in front of all data,
    /// absent or none never.
    #[key(range = 0..=65_535, mechanism = Contention)]
    pub rts_threshold: Option<OrNone<u32>>,
    /// Transmissions of an MPDU, the first one among them, before it is given up: dot11ShortRetryLimit is 7. An RTS without CTS
    /// counts as one.
    #[key(range = 1..=255, default = 7, mechanism = Losses)]
    pub retry_limit: OrNone<u8>,
    /// Policy of a sender that no Block Ack has reached: all MPDUs again (ath9k), or a Block Ack request first and then what its
    /// answer lacks (ns-3). IEEE Std 802.11-2020, 10.25.6.7, leaves the choice. An ESP32's is not known; *assumed*.
    #[key(default = "resend", whose = CoprocessorFirmware, mechanism = Losses)]
    pub missing_block_ack: MissingBlockAck,
    /// EIFS behind a frame that reaches a station damaged: longer than DIFS by an acknowledgement at 1 Mbit/s in 2.4 GHz (314us), at
    /// 6 Mbit/s in 5 GHz (60us). IEEE Std 802.11-2020, 10.3.2.3.7.
    #[key(default = false, mechanism = Contention)]
    pub eifs: bool,
}

/// Coordination function, by whose rules a backoff goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Words)]
pub enum Coordination {
    /// Enhanced distributed channel access: a backoff ends a slot earlier.
    Edca,
    /// Distributed coordination function.
    Dcf,
}

/// Slot time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Words)]
pub enum Slot {
    /// 9 µs.
    #[word("9us")]
    Short,
    /// 20 µs.
    #[word("20us")]
    Long,
}

impl Slot {
    /// Length of it.
    pub const fn time(self) -> Duration {
        Duration::from_micros(match self {
            Self::Short => 9,
            Self::Long => 20,
        })
    }
}

/// Rate of acknowledgements, Block Acks, RTS and CTS.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Words)]
pub enum ControlRate {
    /// 1 Mbit/s.
    #[word("1M")]
    M1,
    /// 2 Mbit/s.
    #[word("2M")]
    M2,
    /// 5.5 Mbit/s.
    #[word("5.5M")]
    M5Half,
    /// 11 Mbit/s.
    #[word("11M")]
    M11,
    /// 6 Mbit/s.
    #[word("6M")]
    M6,
    /// 12 Mbit/s.
    #[word("12M")]
    M12,
    /// 24 Mbit/s.
    #[word("24M")]
    M24,
    /// The highest mandatory one that is not above the rate of what is answered.
    Mandatory,
}

impl ControlRate {
    /// Responses at this rate, with this preamble where they are of DSSS and CCK.
    pub const fn responses(self, preamble: Preamble) -> Responses {
        Responses::Fixed(match self {
            Self::M1 => Phy::dsss(preamble, 0),
            Self::M2 => Phy::dsss(preamble, 1),
            Self::M5Half => Phy::dsss(preamble, 2),
            Self::M11 => Phy::dsss(preamble, 3),
            Self::M6 => Phy::ofdm6(),
            Self::M12 => Phy { mcs: 2, ..Phy::ofdm6() },
            Self::M24 => Phy::ofdm24(),
            Self::Mandatory => return Responses::Mandatory,
        })
    }
}

impl Access {
    /// Fills in what the plan left to standard and test.
    pub fn fill(&mut self, standard: Standard, test: Test) {
        if test == Test::EspNow {
            // Stations of 802.11b, g and n, as ESP-IDF has it by default, have short slots (*assumed* between stations without a network).
            self.slot.get_or_insert(Slot::Short);
        }
        self.cw_min = Some(self.cw_min(standard));
        self.slot = Some(self.slot(standard));
        self.ba_rate = Some(self.ba_rate(standard));
    }

    /// Smallest contention window.
    pub fn cw_min(&self, standard: Standard) -> u16 {
        self.cw_min.unwrap_or(match standard {
            Standard::B => air::Access::DCF_DSSS.cw_min,
            Standard::G | Standard::N | Standard::Ax => air::Access::BEST_EFFORT.cw_min,
        })
    }

    /// Slots of the inter-frame space behind SIFS.
    pub fn aifsn(&self) -> u8 {
        self.aifsn.unwrap_or(match self.access {
            Coordination::Edca => air::Access::BEST_EFFORT.aifsn,
            Coordination::Dcf => air::Access::DCF.aifsn,
        })
    }

    /// Slot time.
    pub fn slot(&self, standard: Standard) -> Slot {
        self.slot.unwrap_or(match standard {
            Standard::B => Slot::Long,
            Standard::G | Standard::N | Standard::Ax => Slot::Short,
        })
    }

    /// Rate of responses.
    pub fn ba_rate(&self, standard: Standard) -> ControlRate {
        self.ba_rate.unwrap_or(match standard {
            Standard::B => ControlRate::Mandatory,
            Standard::G | Standard::N | Standard::Ax => ControlRate::M24,
        })
    }

    /// TXOP limit; zero: one exchange each time.
    pub fn txop(&self) -> Duration {
        self.txop.unwrap_or(Duration::ZERO)
    }

    /// Contention parameters of data.
    pub fn contention(&self, standard: Standard) -> air::Access {
        air::Access {
            aifsn: self.aifsn(),
            cw_min: self.cw_min(standard),
            cw_max: self.cw_max,
            edca: self.access == Coordination::Edca,
        }
    }
}
