//! Rate of a frame, in the two octets that a message has for it.

use airtime_ieee80211::air::{Guard, Phy, Preamble, Standard, Width};

/// Format of a frame. `wifi_pkt_rx_ctrl_t::sig_mode`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SigMode {
    /// DSSS, CCK or OFDM.
    Legacy,
    /// HT (802.11n): the rate is an MCS.
    Ht,
    /// VHT, or what has no number of its own: HE is said so (*assumed*).
    Other(u8),
}

/// PHY rate code and format, the two octets that `wifi_pkt_rx_ctrl_t` has of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rate {
    /// `wifi_phy_rate_t`: it is defined for legacy frames; that HT frames have theirs too is *assumed*.
    pub code: u8,
    /// Format of the PPDU.
    pub mode: SigMode,
}

/// Offset of the codes of 2, 5.5 and 11 Mbit/s with the short preamble above those with the long one, 0 to 3.
/// `wifi_phy_rate_t`.
const DSSS_SHORT: u8 = 4;
/// Codes of 6, 9, 12, 18, 24, 36, 48 and 54 Mbit/s. `wifi_phy_rate_t`.
const OFDM: [u8; 8] = [0x0B, 0x0F, 0x0A, 0x0E, 0x09, 0x0D, 0x08, 0x0C];
/// Code of HT MCS 0 with the long guard interval, and with the short one.
const HT_LONG: u8 = 0x10;
const HT_SHORT: u8 = 0x18;

impl SigMode {
    /// From its octet.
    pub const fn of(octet: u8) -> Self {
        match octet {
            0 => Self::Legacy,
            1 => Self::Ht,
            other => Self::Other(other),
        }
    }

    /// Octet of the mode.
    pub const fn octet(self) -> u8 {
        match self {
            Self::Legacy => 0,
            Self::Ht => 1,
            Self::Other(octet) => octet,
        }
    }
}

impl Rate {
    /// Codes for a frame sent in this way. The width is not said.
    pub fn of(phy: Phy) -> Self {
        match phy.standard {
            Standard::B => {
                let short = phy.preamble == Preamble::Short && phy.mcs > 0;
                Self { code: (phy.mcs & 3) + if short { DSSS_SHORT } else { 0 }, mode: SigMode::Legacy }
            }
            Standard::G => Self { code: OFDM[usize::from(phy.mcs & 7)], mode: SigMode::Legacy },
            Standard::N => {
                let base = if phy.guard == Guard::Ns400 { HT_SHORT } else { HT_LONG };
                Self { code: base + (phy.mcs & 7), mode: SigMode::Ht }
            }
            Standard::Ax => Self { code: HT_LONG + (phy.mcs & 15), mode: SigMode::Other(3) },
        }
    }

    /// Transmission parameters of the frame, where they are said: of 20 MHz, because no width is.
    pub fn phy(self) -> Option<Phy> {
        match self.mode {
            SigMode::Legacy => {
                match self.code {
                    0..=3 => return Some(Phy::dsss(Preamble::Long, self.code)),
                    5..=7 => return Some(Phy::dsss(Preamble::Short, self.code - DSSS_SHORT)),
                    _ => {}
                }
                let mcs = OFDM.iter().position(|&code| code == self.code)?;
                Some(Phy { mcs: mcs as u8, ..Phy::ofdm6() })
            }
            SigMode::Ht => match self.code {
                HT_LONG..HT_SHORT => Some(Phy::ht(Width::Mhz20, Guard::Ns800, self.code - HT_LONG)),
                HT_SHORT..=0x1F => Some(Phy::ht(Width::Mhz20, Guard::Ns400, self.code - HT_SHORT)),
                _ => None,
            },
            SigMode::Other(_) => None,
        }
    }
}
