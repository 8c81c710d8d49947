//! Radiotap: the header of a capture in front of a frame (link type 127). <https://www.radiotap.org/fields/defined>.

use alloc::vec::Vec;

use airtime_core::bytes::Reader;

use super::channel::{Band, Channel};
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
    pub const VHT: u32 = 1 << 21;
    pub const HE: u32 = 1 << 23;
    /// Another present word follows.
    pub const EXTENSION: u32 = 1 << 31;
}

/// Alignment and octets of the fields of bits 0 to 23, in their order: those behind are of no use here.
const FIELDS: [(usize, usize); 24] = [
    (8, 8),
    (1, 1),
    (1, 1),
    (2, 4),
    (2, 2),
    (1, 1),
    (1, 1),
    (2, 2),
    (2, 2),
    (2, 2),
    (1, 1),
    (1, 1),
    (1, 1),
    (1, 1),
    (2, 2),
    (2, 2),
    (1, 1),
    (1, 1),
    (4, 8),
    (1, 3),
    (4, 8),
    (2, 12),
    (8, 12),
    (2, 12),
];

/// Octets are no radiotap header.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NoRadiotap;

impl core::fmt::Display for NoRadiotap {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str("no radiotap header of version 0 with fields that fit its length")
    }
}

impl core::error::Error for NoRadiotap {}

/// Fields of DSSS, CCK and OFDM, which make a rate together.
#[derive(Clone, Copy, Debug, Default)]
struct Legacy {
    half_mbps: u8,
    short: bool,
    other_clock: bool,
}

impl Legacy {
    fn phy(self) -> Option<Phy> {
        let preamble = if self.short { Preamble::Short } else { Preamble::Long };
        match self.half_mbps {
            2 => Some(Phy::dsss(preamble, 0)),
            4 => Some(Phy::dsss(preamble, 1)),
            11 => Some(Phy::dsss(preamble, 2)),
            22 => Some(Phy::dsss(preamble, 3)),
            rate => Phy::ofdm(rate / 2).filter(|_| rate % 2 == 0 && !self.other_clock),
        }
    }
}

/// HT with one stream, if width, index and guard interval are known, its preamble is the mixed one and there is no block code over space and
/// time, which has a second stream in it. <https://www.radiotap.org/fields/MCS.html>
const fn ht(known: u8, flags: u8, mcs: u8) -> Option<Phy> {
    let told = known & 0x07 == 0x07;
    let greenfield = known & 0x08 != 0 && flags & 0x08 != 0;
    let block_code = known & 0x20 != 0 && flags & 0x60 != 0;
    if !told || greenfield || block_code || mcs > 7 {
        return None;
    }
    // 20, 40, 20L, 20U.
    let width = if flags & 0b11 == 1 { Width::Mhz40 } else { Width::Mhz20 };
    let guard = if flags & 0x04 != 0 { Guard::Ns400 } else { Guard::Ns800 };
    Some(Phy::ht(width, guard, mcs))
}

/// HE SU with one stream in 20 or 40 MHz, if MCS, width and guard interval are known. Dual carrier modulation has half the rate, and a block
/// code over space and time two streams.
const fn he_of(data: [u16; 6]) -> Option<Phy> {
    let single_user = data[0] & 0b11 == 0;
    let told = data[0] & 0x0020 != 0 && data[0] & 0x4000 != 0 && data[1] & 0x0002 != 0;
    let dual_carrier = data[0] & 0x0040 != 0 && data[2] & 0x1000 != 0;
    let block_code = data[0] & 0x0200 != 0 && data[2] & 0x8000 != 0;
    let width = match data[4] & 0x0f {
        0 => Width::Mhz20,
        1 => Width::Mhz40,
        _ => return None,
    };
    let guard = match data[4] >> 4 & 0b11 {
        0 => Guard::Ns800,
        1 => Guard::Ns1600,
        2 => Guard::Ns3200,
        _ => return None,
    };
    // 0 stands for a number of streams that is not known.
    if !single_user || !told || dual_carrier || block_code || data[5] & 0x0f != 1 {
        return None;
    }
    Some(Phy::he(width, guard, (data[2] >> 8 & 0x0f) as u8))
}

/// Flag: it was sent with the short preamble.
const FLAG_SHORT_PREAMBLE: u8 = 0x02;
/// Flag: the frame has its FCS.
const FLAG_FCS: u8 = 0x10;
/// Flag: the FCS is wrong.
const FLAG_BAD_FCS: u8 = 0x40;

/// Channel: turbo, and half and quarter of the rates; those are none of the formats here.
const CHANNEL_CLOCKS: u16 = 0x0010 | 0x4000 | 0x8000;
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
    /// Primary channel.
    pub channel: Option<Channel>,
    /// Signal in dBm.
    pub signal_dbm: Option<i8>,
    /// Transmission parameters of the frame.
    pub phy: Option<Phy>,
    /// Set if it has a rate that [`phy`](Self::phy) does not hold: of VHT, of several streams, of another clock. Read, never emitted.
    pub other_rate: bool,
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
            out.extend_from_slice(&channel.mhz().to_le_bytes());
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

    /// The header in front of `octets`, and the frame behind it. Fields of other bits, and of other name spaces, are passed over; a rate
    /// of more than one stream, or of a format that is none of ours, leaves [`phy`](Self::phy) open.
    ///
    /// # Errors
    /// When version or length are none of a radiotap header.
    pub fn parse(octets: &[u8]) -> Result<(Self, &[u8]), NoRadiotap> {
        let mut reader = Reader::new(octets);
        let [version, _, low, high] = reader.array().ok_or(NoRadiotap)?;
        let length = usize::from(u16::from_le_bytes([low, high]));
        if version != 0 || length > octets.len() {
            return Err(NoRadiotap);
        }
        let (header, frame) = octets.split_at(length);
        let word = |at: usize| Some(u32::from_le_bytes(header.get(at..at + 4)?.try_into().ok()?));
        let bits = word(4).ok_or(NoRadiotap)?;
        let (mut at, mut next) = (8, bits);
        while next & present::EXTENSION != 0 {
            next = word(at).ok_or(NoRadiotap)?;
            at += 4;
        }
        let mut radiotap = Self::default();
        let mut legacy = Legacy::default();
        for (bit, (align, size)) in FIELDS.into_iter().enumerate().filter(|(bit, _)| bits >> bit & 1 == 1) {
            at = at.next_multiple_of(align);
            let value = header.get(at..at + size).ok_or(NoRadiotap)?;
            radiotap.take(1 << bit, value, &mut legacy);
            at += size;
        }
        radiotap.phy = radiotap.phy.or_else(|| legacy.phy()).filter(|phy| phy.valid());
        let rated = bits & (present::MCS | present::VHT | present::HE) != 0 || legacy.half_mbps > 0;
        radiotap.other_rate = rated && radiotap.phy.is_none();
        Ok((radiotap, frame))
    }

    /// Takes over one field, whose value has the length it should.
    fn take(&mut self, field: u32, value: &[u8], legacy: &mut Legacy) {
        let word = |at: usize| u16::from_le_bytes([value[at], value[at + 1]]);
        match field {
            present::TSFT => self.tsft_us = Some((0..8).rev().fold(0, |all, n| all << 8 | u64::from(value[n]))),
            present::FLAGS => {
                self.fcs = value[0] & FLAG_FCS != 0;
                self.bad_fcs = value[0] & FLAG_BAD_FCS != 0;
                legacy.short = value[0] & FLAG_SHORT_PREAMBLE != 0;
            }
            present::RATE => legacy.half_mbps = value[0],
            present::CHANNEL => {
                self.channel = Channel::at_mhz(word(0));
                legacy.other_clock = word(2) & CHANNEL_CLOCKS != 0;
            }
            present::DBM_SIGNAL => self.signal_dbm = Some(value[0].cast_signed()),
            present::MCS => self.phy = ht(value[0], value[1], value[2]),
            present::AMPDU => {
                let reference = u32::from_le_bytes([value[0], value[1], value[2], value[3]]);
                let flags = word(4);
                self.ampdu = Some(Ampdu { reference, last: (flags & 0x0004 != 0).then_some(flags & 0x0008 != 0) });
            }
            // A rate of VHT is none of the formats here.
            present::VHT => legacy.half_mbps = 0,
            present::HE => self.phy = he_of(core::array::from_fn(|n| word(2 * n))),
            _ => {}
        }
    }

    fn channel_flags(&self, channel: Channel) -> u16 {
        // There is no flag of 6 GHz: the frequency says it.
        let band = match channel.band {
            Band::Ghz24 => CHANNEL_2GHZ,
            Band::Ghz5 => CHANNEL_5GHZ,
            Band::Ghz6 => 0,
        };
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
