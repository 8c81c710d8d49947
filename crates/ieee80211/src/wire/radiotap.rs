//! Radiotap: the header of a capture in front of a frame (link type 127). <https://www.radiotap.org/fields/defined>.

use alloc::vec::Vec;

use crate::air::{Guard, Phy, Preamble, Standard, Width};

/// Link type of frames with radiotap in front, in pcap and pcapng.
pub const LINK_TYPE: u16 = 127;

/// Bits of the present word.
mod present {
    pub const TSFT: u32 = 1 << 0;
    pub const FLAGS: u32 = 1 << 1;
    pub const RATE: u32 = 1 << 2;
    pub const CHANNEL: u32 = 1 << 3;
    pub const DBM_SIGNAL: u32 = 1 << 5;
    pub const MCS: u32 = 1 << 19;
    pub const AMPDU: u32 = 1 << 20;
    pub const HE: u32 = 1 << 23;
}

/// Flag: it was sent with the short preamble.
const FLAG_SHORT_PREAMBLE: u8 = 0x02;
/// Flag: the frame has its FCS.
const FLAG_FCS: u8 = 0x10;
/// Flag: the FCS is wrong.
const FLAG_BAD_FCS: u8 = 0x40;

/// Channel: CCK, OFDM, 2.4 GHz, 5 GHz.
const CHANNEL_CCK: u16 = 0x0020;
const CHANNEL_OFDM: u16 = 0x0040;
const CHANNEL_2GHZ: u16 = 0x0080;
const CHANNEL_5GHZ: u16 = 0x0100;

/// Position of a frame in an A-MPDU.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ampdu {
    /// Number of the A-MPDU: its MPDUs share it.
    pub reference: u32,
    /// Set if this was its last MPDU; none if that is not known.
    pub last: Option<bool>,
}

/// Radiotap fields of a frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Radiotap {
    /// Microseconds of the receiver's clock when the first bit of the frame came.
    pub tsft_us: Option<u64>,
    /// Set if the frame has its FCS.
    pub fcs: bool,
    /// Set if the FCS is wrong.
    pub bad_fcs: bool,
    /// Primary channel, 1..=14 or 36...
    pub channel: Option<u8>,
    /// Signal in dBm.
    pub signal_dbm: Option<i8>,
    /// Transmission parameters of the frame.
    pub phy: Option<Phy>,
    /// Its A-MPDU, if it came in one.
    pub ampdu: Option<Ampdu>,
}

impl Radiotap {
    /// Appends the header to `out`; the frame follows it.
    pub fn emit(&self, out: &mut Vec<u8>) {
        let start = out.len();
        // Version, padding, length and present word are known at the end.
        out.extend_from_slice(&[0; 8]);
        let mut bits = present::FLAGS;
        if let Some(tsft_us) = self.tsft_us {
            bits |= present::TSFT;
            out.extend_from_slice(&tsft_us.to_le_bytes());
        }
        let short = self.phy.is_some_and(|phy| phy.preamble == Preamble::Short && phy.mcs > 0);
        let flags = [(self.fcs, FLAG_FCS), (self.bad_fcs, FLAG_BAD_FCS), (short, FLAG_SHORT_PREAMBLE)];
        out.push(flags.into_iter().filter(|(set, _)| *set).fold(0, |all, (_, flag)| all | flag));
        let legacy = self.phy.filter(|phy| matches!(phy.standard, Standard::B | Standard::G));
        if let Some(phy) = legacy {
            bits |= present::RATE;
            out.push((phy.rate_kbps() / 500) as u8);
        }
        if let Some(channel) = self.channel {
            bits |= present::CHANNEL;
            align(out, start, 2);
            out.extend_from_slice(&frequency_mhz(channel).to_le_bytes());
            out.extend_from_slice(&self.channel_flags(channel).to_le_bytes());
        }
        if let Some(signal_dbm) = self.signal_dbm {
            bits |= present::DBM_SIGNAL;
            out.push(signal_dbm.cast_unsigned());
        }
        match self.phy {
            Some(phy) if phy.standard == Standard::N => {
                bits |= present::MCS;
                out.extend_from_slice(&mcs(phy));
            }
            _ => {}
        }
        if let Some(ampdu) = self.ampdu {
            bits |= present::AMPDU;
            align(out, start, 4);
            out.extend_from_slice(&ampdu.reference.to_le_bytes());
            // 0x0004: it is known which is the last; 0x0008: this is.
            let flags: u16 = ampdu.last.map_or(0, |last| 0x0004 | if last { 0x0008 } else { 0 });
            out.extend_from_slice(&flags.to_le_bytes());
            out.extend_from_slice(&[0, 0]);
        }
        match self.phy {
            Some(phy) if phy.standard == Standard::Ax => {
                bits |= present::HE;
                align(out, start, 2);
                for word in he(phy) {
                    out.extend_from_slice(&word.to_le_bytes());
                }
            }
            _ => {}
        }
        let octets = (out.len() - start) as u16;
        out[start + 2..start + 4].copy_from_slice(&octets.to_le_bytes());
        out[start + 4..start + 8].copy_from_slice(&bits.to_le_bytes());
    }

    fn channel_flags(&self, channel: u8) -> u16 {
        let band = if channel <= 14 { CHANNEL_2GHZ } else { CHANNEL_5GHZ };
        let modulation = match self.phy.map(|phy| phy.standard) {
            Some(Standard::B) => CHANNEL_CCK,
            Some(_) => CHANNEL_OFDM,
            None => 0,
        };
        band | modulation
    }
}

/// Fields lie at multiples of their size, counted from the header.
fn align(out: &mut Vec<u8>, start: usize, to: usize) {
    let len = (out.len() - start).next_multiple_of(to);
    out.resize(start + len, 0);
}

/// Centre of a channel. Annex E.
const fn frequency_mhz(channel: u8) -> u16 {
    match channel {
        14 => 2484,
        1..=13 => 2407 + 5 * channel as u16,
        _ => 5000 + 5 * channel as u16,
    }
}

/// Known: width, index, guard interval, format; then their values.
const fn mcs(phy: Phy) -> [u8; 3] {
    let width = matches!(phy.width, Width::Mhz40) as u8;
    let short = matches!(phy.guard, Guard::Ns400) as u8;
    [0x01 | 0x02 | 0x04 | 0x08, width | short << 2, phy.mcs]
}

/// HE SU: format, MCS, width and guard interval are known. <https://www.radiotap.org/fields/HE.html>.
const fn he(phy: Phy) -> [u16; 6] {
    let guard = match phy.guard {
        Guard::Ns1600 => 1,
        Guard::Ns3200 => 2,
        _ => 0,
    };
    let width = matches!(phy.width, Width::Mhz40) as u16;
    // Data 6: one space-time stream.
    [0x0020 | 0x4000, 0x0002, (phy.mcs as u16) << 8, 0, width | guard << 4, 1]
}
