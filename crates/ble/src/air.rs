//! The arithmetic of the air: how long a PDU lasts on each PHY.
//!
//! Core 6.0, Vol 6, Part B, 2.1 (uncoded) and 2.2 (coded packet formats).

use airtime_core::Duration;
use core::fmt;

/// Inter frame space until a shorter or longer one is negotiated. Core 6.0, Vol 6, Part B, 4.1.1.
pub const T_IFS: Duration = Duration::from_micros(150);

/// Octets of the header of a data or advertising channel PDU. Core 6.0, Vol 6, Part B, 2.3 and 2.4.
pub const HEADER_OCTETS: u64 = 2;

/// Bits of an access address, all of which have to be right for a receiver to find a packet. Core 6.0, Vol 6, Part B, 2.1.2.
pub const ACCESS_ADDRESS_BITS: u32 = 32;

/// Octets of the CRC behind every PDU. Core 6.0, Vol 6, Part B, 2.1.4.
pub const CRC_OCTETS: u64 = 3;

/// Octets of the message integrity check of an encrypted PDU. Core 6.0, Vol 6, Part B, 2.4.
pub const MIC_OCTETS: u64 = 4;

/// Largest payload of a data channel PDU without MIC. Core 6.0, Vol 6, Part B, 2.4.
pub const DATA_OCTETS_MAX: u16 = 251;

/// Payload every device supports, and the one in use until a length procedure has run.
pub const DATA_OCTETS_MIN: u16 = 27;

/// A physical layer with its coding. Core 6.0, Vol 6, Part B, 1 and 2.2.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
#[cfg_attr(feature = "plan", derive(airtime_keys::Words))]
pub enum Phy {
    /// 1 Msym/s, uncoded.
    #[default]
    #[cfg_attr(feature = "plan", word("1M"))]
    Le1M,
    /// 2 Msym/s, uncoded.
    #[cfg_attr(feature = "plan", word("2M"))]
    Le2M,
    /// 1 Msym/s, two symbols per bit (500 kbit/s).
    #[cfg_attr(feature = "plan", word("S2"))]
    LeCodedS2,
    /// 1 Msym/s, eight symbols per bit (125 kbit/s).
    #[cfg_attr(feature = "plan", word("S8"))]
    LeCodedS8,
}

impl Phy {
    /// Every PHY, in the order of plans and tables.
    pub const ALL: [Self; 4] = [Self::Le1M, Self::Le2M, Self::LeCodedS2, Self::LeCodedS8];

    /// True for the two codings of LE Coded.
    pub const fn is_coded(self) -> bool {
        matches!(self, Self::LeCodedS2 | Self::LeCodedS8)
    }

    /// Time of one octet of header, payload or MIC.
    pub const fn octet(self) -> Duration {
        Duration::from_micros(match self {
            Self::Le1M => 8,
            Self::Le2M => 4,
            Self::LeCodedS2 => 16,
            Self::LeCodedS8 => 64,
        })
    }

    /// Time of everything of a packet that is neither header, payload nor MIC: preamble, access
    /// address and CRC, and on LE Coded the coding indicator and the terminators.
    pub const fn framing(self) -> Duration {
        Duration::from_micros(match self {
            Self::Le1M => 8 * (1 + 4 + 3),
            Self::Le2M => 4 * (2 + 4 + 3),
            // Preamble 80, access address 256, CI 16, TERM1 24 are always S=8; CRC and TERM2 follow the coding.
            Self::LeCodedS2 => 80 + 256 + 16 + 24 + 48 + 6,
            Self::LeCodedS8 => 80 + 256 + 16 + 24 + 192 + 24,
        })
    }

    /// Time from the start of a packet until its receiver has matched the access address.
    pub const fn sync(self) -> Duration {
        Duration::from_micros(match self {
            Self::Le1M => 8 * 5,
            Self::Le2M => 4 * 6,
            Self::LeCodedS2 | Self::LeCodedS8 => 80 + 256,
        })
    }

    /// Time of a packet with `octets` of payload, the MIC included where there is one.
    pub const fn packet(self, octets: u64) -> Duration {
        Duration::from_nanos(self.framing().as_nanos() + self.octet().as_nanos() * (HEADER_OCTETS + octets))
    }

    /// Time of a data channel PDU with `payload` octets; an empty PDU carries no MIC.
    pub const fn data_pdu(self, payload: u64, encrypted: bool) -> Duration {
        self.packet(if encrypted && payload > 0 { payload + MIC_OCTETS } else { payload })
    }

    /// The most payload octets whose PDU lasts at most `time`. The MIC is budgeted when the link is
    /// encrypted. Zero when not even the framing fits.
    pub const fn octets_within(self, time: Duration, encrypted: bool) -> u64 {
        let fixed = self.packet(if encrypted { MIC_OCTETS } else { 0 });
        time.saturating_sub(fixed).as_nanos() / self.octet().as_nanos()
    }

    /// Bits on the air of which a wrong one spoils a packet: everything behind the access address.
    pub const fn vulnerable_bits(self, octets: u64) -> u32 {
        ((HEADER_OCTETS + octets + CRC_OCTETS) * 8) as u32
    }

    /// Gross rate of payload bits in bit/s: 10⁶, 2·10⁶, 5·10⁵ or 1.25·10⁵.
    pub const fn bit_rate(self) -> u64 {
        8_000_000_000 / self.octet().as_nanos()
    }

    /// Name as plans write it.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Le1M => "1M",
            Self::Le2M => "2M",
            Self::LeCodedS2 => "S2",
            Self::LeCodedS8 => "S8",
        }
    }
}

impl fmt::Display for Phy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Payload octets and µs on 1M, 2M, S=2, S=8, without and with MIC: Core 6.0, Vol 6, Part B, 2.1
    /// and 2.2; the last row is the specification's own maxima 2120, 1064, 4542 and 17040 µs.
    const TABLE: [(u64, [u64; 4], [u64; 4]); 4] = [
        (0, [80, 44, 462, 720], [80, 44, 462, 720]),
        (12, [176, 92, 654, 1488], [208, 108, 718, 1744]),
        (27, [296, 152, 894, 2448], [328, 168, 958, 2704]),
        (251, [2088, 1048, 4478, 16784], [2120, 1064, 4542, 17040]),
    ];

    #[test]
    fn pdu_times_are_exact() {
        for (octets, clear, encrypted) in TABLE {
            for (i, phy) in Phy::ALL.into_iter().enumerate() {
                assert_eq!(phy.data_pdu(octets, false), Duration::from_micros(clear[i]), "{phy} {octets}");
                assert_eq!(phy.data_pdu(octets, true), Duration::from_micros(encrypted[i]), "{phy} {octets} MIC");
            }
        }
    }

    #[test]
    fn octets_within_inverts_the_time() {
        for phy in Phy::ALL {
            for octets in 1..=251 {
                for encrypted in [false, true] {
                    let time = phy.data_pdu(octets, encrypted);
                    assert_eq!(phy.octets_within(time, encrypted), octets);
                    assert_eq!(phy.octets_within(time - Duration::from_nanos(1), encrypted), octets - 1);
                }
            }
        }
    }
}
