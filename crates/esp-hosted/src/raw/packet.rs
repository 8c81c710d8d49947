//! A frame that was heard.

use alloc::vec::Vec;

use airtime_core::bytes::Reader;

use super::rate::{Rate, SigMode};
use airtime_ieee80211::wire::FrameType;

/// Kind of a frame. `wifi_promiscuous_pkt_type_t`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PacketKind {
    /// Management frame of 802.11.
    Management,
    /// Control frame of 802.11.
    Control,
    /// Data frame of 802.11.
    Data,
    /// Nothing that has octets.
    Misc,
}

impl PacketKind {
    /// Kind of a frame.
    pub const fn of(kind: FrameType) -> Self {
        match kind {
            FrameType::Management => Self::Management,
            FrameType::Control => Self::Control,
            FrameType::Data => Self::Data,
            FrameType::Extension => Self::Misc,
        }
    }
}

/// Reason that octets are no packet.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum PacketError {
    /// It ends before its structure or its frame does.
    #[error("a packet that is cut off")]
    Cut,
    /// No such kind.
    #[error("no packets of kind {0}")]
    Kind(u32),
}

/// A frame and what the receiver says of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PromiscuousPacket<'a> {
    /// Kind of the frame.
    pub kind: PacketKind,
    /// Signal in dBm.
    pub rssi_dbm: i8,
    /// Number of the primary channel.
    pub channel: u8,
    /// Rate at which it was sent.
    pub rate: Rate,
    /// 0, or what was wrong with it.
    pub rx_state: u32,
    /// The frame, FCS included.
    pub frame: &'a [u8],
}

impl<'a> PromiscuousPacket<'a> {
    /// Octets in front of the frame.
    pub const OCTETS: usize = 14;

    /// Appends its structure to `out`.
    ///
    /// # Panics
    /// When the frame has more than 65,535 octets.
    pub fn emit(&self, out: &mut Vec<u8>) {
        let len = u16::try_from(self.frame.len()).expect("a frame fits its length field");
        let kind: u32 = match self.kind {
            PacketKind::Management => 0,
            PacketKind::Control => 1,
            PacketKind::Data => 2,
            PacketKind::Misc => 3,
        };
        out.extend_from_slice(&kind.to_le_bytes());
        let Rate { code, mode } = self.rate;
        out.extend_from_slice(&[self.rssi_dbm.cast_unsigned(), self.channel, code, mode.octet()]);
        out.extend_from_slice(&self.rx_state.to_le_bytes());
        out.extend_from_slice(&len.to_le_bytes());
        out.extend_from_slice(self.frame);
    }

    /// Reads its structure; what follows the frame is nobody's.
    ///
    /// # Errors
    /// When it is cut off, or of no kind.
    pub fn parse(octets: &'a [u8]) -> Result<Self, PacketError> {
        let mut reader = Reader::new(octets);
        let cut = PacketError::Cut;
        let kind = match reader.u32().ok_or(cut)? {
            0 => PacketKind::Management,
            1 => PacketKind::Control,
            2 => PacketKind::Data,
            3 => PacketKind::Misc,
            other => return Err(PacketError::Kind(other)),
        };
        let [rssi, channel, code, mode] = reader.array().ok_or(cut)?;
        let rx_state = reader.u32().ok_or(cut)?;
        let len = reader.u16().ok_or(cut)?;
        let frame = reader.take(len.into()).ok_or(cut)?;
        let rate = Rate { code, mode: SigMode::of(mode) };
        Ok(Self { kind, rssi_dbm: rssi.cast_signed(), channel, rate, rx_state, frame })
    }
}
