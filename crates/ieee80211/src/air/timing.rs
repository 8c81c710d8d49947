//! Spaces and slots of a band, and the frames that answer.

use airtime_core::Duration;

use super::{Phy, Preamble, Standard};

/// Octets of a request to send, FCS included. 9.3.1.2.
pub const RTS_OCTETS: u32 = 20;

/// Octets of a clear to send, FCS included. 9.3.1.3.
pub const CTS_OCTETS: u32 = 14;

/// Octets of an acknowledgement, FCS included. 9.3.1.4.
pub const ACK_OCTETS: u32 = 14;

/// Octets of a compressed Block Ack, FCS included. 9.3.1.8.3.
pub const BLOCK_ACK_OCTETS: u32 = 32;

/// Rate at which responses are sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Responses {
    /// All of them like this.
    Fixed(Phy),
    /// At the highest of 6, 12 and 24 Mbit/s that is not above the (non-HT reference) rate of what they answer, of 1 and 2 Mbit/s behind
    /// DSSS and CCK. 10.6.6.5.2.
    Mandatory,
}

/// Spaces, slots and responses of a basic service set.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Timing {
    /// 5 GHz: no signal extension.
    pub ghz5: bool,
    /// Short inter-frame space.
    pub sifs: Duration,
    /// Slot.
    pub slot: Duration,
    /// Rate of acknowledgements, Block Acks, RTS and CTS.
    pub responses: Responses,
    /// Rate of the acknowledgement that EIFS leaves room for: the lowest mandatory one of the PHY, which in 2.4 GHz is 1 Mbit/s with
    /// the long preamble, also among stations that send OFDM and HT alone. 10.3.2.3.7, 18.1.2.
    pub lowest: Phy,
    /// Set if data with the short guard interval of HT ends at a multiple of 4 µs (19.4.3); ns-3 does not do that.
    pub whole_symbols: bool,
    /// Delay after which a station notices that another one transmits (`aCCATime`: 4 µs at most in 20 MHz, Table 17-21;
    /// 15 with DSSS, Table 16-4): who starts within that time of another collides with it.
    pub sensing: Duration,
    /// From the start of a PPDU until a receiver says so (`aRxPHYStartDelay`): legacy preamble and L-SIG, Table 17-21; preamble and header
    /// of DSSS, Table 16-4.
    pub rx_start: Duration,
}

impl Timing {
    /// 2.4 GHz, short slots: SIFS 10, slot 9, DIFS 28 µs, responses at 24 Mbit/s. Table 18-5.
    pub const fn ghz24() -> Self {
        Self {
            ghz5: false,
            sifs: Duration::from_micros(10),
            slot: Duration::from_micros(9),
            responses: Responses::Fixed(Phy::ofdm24()),
            lowest: Phy::dsss1(),
            whole_symbols: true,
            sensing: Duration::from_micros(4),
            rx_start: Duration::from_micros(20),
        }
    }

    /// 2.4 GHz with a station of 802.11b about: slots of 20 µs. Table 18-5.
    pub const fn ghz24_long_slot() -> Self {
        Self { slot: Duration::from_micros(20), ..Self::ghz24() }
    }

    /// 802.11b: SIFS 10, slot 20, DIFS 50 µs, responses at 1 or 2 Mbit/s. Table 16-4.
    pub const fn dsss(preamble: Preamble) -> Self {
        let basic = Phy::dsss(preamble, 1);
        Self {
            responses: Responses::Mandatory,
            sensing: Duration::from_micros(15),
            rx_start: basic.preamble(),
            ..Self::ghz24_long_slot()
        }
    }

    /// 5 GHz, 802.11a timing: SIFS 16, slot 9, DIFS 34 µs. Table 17-21.
    pub const fn ghz5() -> Self {
        Self { ghz5: true, sifs: Duration::from_micros(16), lowest: Phy::ofdm6(), ..Self::ghz24() }
    }

    /// PIFS: SIFS and a slot. 10.3.2.3.4.
    pub fn pifs(&self) -> Duration {
        self.sifs + self.slot
    }

    /// DIFS: SIFS and two slots. 10.3.2.3.5.
    pub fn difs(&self) -> Duration {
        self.aifs(2)
    }

    /// AIFS of an access category: SIFS and `aifsn` slots. 10.3.2.3.6.
    pub fn aifs(&self, aifsn: u8) -> Duration {
        self.sifs + self.slot * u64::from(aifsn)
    }

    /// Excess of EIFS over DIFS (or AIFS): SIFS and an acknowledgement at the lowest rate. 10.3.2.3.7.
    pub fn eifs_more(&self) -> Duration {
        self.sifs + self.lowest.ppdu(ACK_OCTETS, self.ghz5)
    }

    /// From the end of a PPDU until its sender gives up waiting for the start of a response: SIFS, a slot and the start of a
    /// PPDU. 10.3.2.11.
    pub fn response_timeout(&self) -> Duration {
        self.sifs + self.slot + self.rx_start
    }

    /// Time on the air of a PPDU.
    pub fn ppdu(&self, phy: Phy, octets: u32) -> Duration {
        phy.ppdu_with(octets, self.ghz5, self.whole_symbols)
    }

    /// Transmission parameters of the response to a PPDU sent with `phy`. DSSS and CCK are answered in kind, and not
    /// faster than they are.
    pub fn response_phy(&self, phy: Phy) -> Phy {
        match self.responses {
            Responses::Mandatory => mandatory(phy),
            Responses::Fixed(response) if phy.standard != Standard::B => response,
            Responses::Fixed(response) if response.standard == Standard::B => {
                Phy { mcs: response.mcs.min(phy.mcs), ..response }
            }
            Responses::Fixed(_) => Phy::dsss1(),
        }
    }

    /// Time on the air of the RTS in front of a PPDU sent with `phy`: at the rate of the response to that, which is a basic one. 10.6.6.2.
    pub fn rts(&self, phy: Phy) -> Duration {
        self.ppdu(self.response_phy(phy), RTS_OCTETS)
    }

    /// Time on the air of the CTS that answers it. A control frame is answered at its own rate: that is a basic one already. 10.6.6.5.2.
    pub fn cts(&self, phy: Phy) -> Duration {
        self.ppdu(self.response_phy(phy), CTS_OCTETS)
    }

    /// Time for which whoever has heard an RTS in front of a PPDU with `phy` leaves the channel alone when nobody answers
    /// it (`NAVTimeout`), from its end on. 10.3.2.4.
    pub fn nav_timeout(&self, phy: Phy) -> Duration {
        self.sifs * 2 + self.cts(phy) + self.rx_start + self.slot * 2
    }

    /// Time on the air of the acknowledgement of a single MPDU sent with `phy`.
    pub fn ack(&self, phy: Phy) -> Duration {
        self.ppdu(self.response_phy(phy), ACK_OCTETS)
    }

    /// Time on the air of the compressed Block Ack of an A-MPDU sent with `phy`.
    pub fn block_ack(&self, phy: Phy) -> Duration {
        self.ppdu(self.response_phy(phy), BLOCK_ACK_OCTETS)
    }
}

/// The highest mandatory rate that is not above `phy`'s: of OFDM by modulation and coding of its MCS (Table 10-10), of DSSS without CCK,
/// which the first stations of 802.11 had not (15.2.2).
fn mandatory(phy: Phy) -> Phy {
    let mcs = match (phy.standard, phy.mcs) {
        (Standard::B, mcs) => return Phy { mcs: mcs.min(1), ..phy },
        (Standard::G, 0 | 1) | (Standard::N | Standard::Ax, 0) => 0,
        (Standard::G, 2 | 3) | (Standard::N | Standard::Ax, 1 | 2) => 2,
        _ => 4,
    };
    Phy { mcs, ..Phy::ofdm6() }
}

/// Contention parameters of a station: DCF, or the EDCA parameters of an access category.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Access {
    /// Slots of the arbitration space behind SIFS.
    pub aifsn: u8,
    /// Smallest contention window: one less than a power of two.
    pub cw_min: u16,
    /// Largest contention window.
    pub cw_max: u16,
    /// EDCA counts a slot at the end of the space already, and starts at slot boundaries only (10.23.2.4); DCF does neither (10.3.4).
    pub edca: bool,
}

impl Access {
    /// DCF with OFDM: DIFS, 15 to 1023. 10.3.4, Table 17-21.
    pub const DCF: Self = Self { aifsn: 2, cw_min: 15, cw_max: 1023, edca: false };
    /// DCF with DSSS and CCK: DIFS, 31 to 1023. Table 16-4.
    pub const DCF_DSSS: Self = Self { cw_min: 31, ..Self::DCF };
    /// Best effort. Table 9-155.
    pub const BEST_EFFORT: Self = Self { aifsn: 3, cw_min: 15, cw_max: 1023, edca: true };
    /// Background. Table 9-155.
    pub const BACKGROUND: Self = Self { aifsn: 7, cw_min: 15, cw_max: 1023, edca: true };
    /// Video. Table 9-155.
    pub const VIDEO: Self = Self { aifsn: 2, cw_min: 7, cw_max: 15, edca: true };
    /// Voice; management frames are sent like this, too. Table 9-155, 10.2.3.2.
    pub const VOICE: Self = Self { aifsn: 2, cw_min: 3, cw_max: 7, edca: true };
}
