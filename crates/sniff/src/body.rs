//! The octets of a packet as they were on the air.

use airtime_ble::air::MIC_OCTETS;
use airtime_ble::ll::pdu::DataHeader;
use airtime_core::{Packet, Pool};

use super::opaque;
use super::sniffed::{Mic, Sniffed};

/// Largest value of the length field. Core 6.0, Vol 6, Part B, 2.4.
const OCTETS_MAX: usize = u8::MAX as usize;
/// Octets of a MIC.
const MIC: usize = MIC_OCTETS as usize;

/// A packet's octets.
#[derive(Debug)]
pub(super) struct Body {
    /// The header; none when its length field disagrees with the octets.
    pub header: Option<DataHeader>,
    /// Header, payload and MIC.
    pub bytes: Packet,
    /// Octets of MIC.
    pub mic: usize,
}

impl Body {
    /// Reads what was captured on a link that is `encrypted` or not; none when no packet is that long. A MIC that was
    /// cut off is put back, and a payload that cannot be read is replaced by what it most likely says.
    pub fn of(packet: &Sniffed<'_>, encrypted: bool, pool: &Pool) -> Option<Self> {
        let octets = packet.pdu.len().checked_sub(2)?;
        let mic = match packet.mic {
            Mic::Cut if octets > 0 => MIC,
            Mic::Kept if octets > MIC => MIC,
            Mic::Untold if encrypted && octets > MIC => MIC,
            _ => 0,
        };
        let cut = if packet.mic == Mic::Cut { mic } else { 0 };
        if octets + cut > OCTETS_MAX {
            return None;
        }
        let header = DataHeader::parse(packet.pdu).map(|(header, _)| header);
        let mut bytes = pool.copy(packet.pdu);
        if cut > 0 {
            bytes.resize(2 + octets + cut);
            bytes[1] = bytes[1].saturating_add(cut as u8);
        }
        if !packet.readable && mic > 0 {
            opaque::veil(&mut bytes, mic);
        }
        Some(Self { header, bytes, mic })
    }

    /// Octets of payload, MIC included.
    pub fn octets(&self) -> u64 {
        self.bytes.len() as u64 - 2
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use airtime_ble::air::Phy;
    use airtime_core::Instant;

    fn body(pdu: &[u8], mic: Mic, encrypted: bool) -> Option<(usize, usize, bool)> {
        let packet = Sniffed {
            at: Instant::ZERO,
            link: 1,
            channel: None,
            phy: Phy::Le2M,
            from_central: None,
            crc_ok: None,
            mic,
            readable: true,
            pdu,
        };
        Body::of(&packet, encrypted, &Pool::new()).map(|body| (body.bytes.len(), body.mic, body.header.is_some()))
    }

    #[test]
    fn a_mic_is_counted_once_wherever_it_is() {
        assert_eq!(body(&[2, 6, 0, 0, 0, 0, 0, 0], Mic::Kept, false), Some((8, 4, true)));
        assert_eq!(body(&[2, 2, 0, 0], Mic::Cut, false), Some((8, 4, true)));
        assert_eq!(body(&[2, 6, 0, 0, 0, 0, 0, 0], Mic::Untold, true), Some((8, 4, true)));
        assert_eq!(body(&[2, 6, 0, 0, 0, 0, 0, 0], Mic::None, true), Some((8, 0, true)));
    }

    #[test]
    fn empty_pdus_have_none_and_long_ones_are_none() {
        for mic in [Mic::Kept, Mic::Cut, Mic::Untold] {
            assert_eq!(body(&[1, 0], mic, true), Some((2, 0, true)));
        }
        assert_eq!(body(&[1, 9, 0], Mic::None, false), Some((3, 0, false)), "the lengths disagree");
        assert_eq!(body(&[0; 2 + 252], Mic::Cut, false), None);
        assert_eq!(body(&[0; 2 + 256], Mic::None, false), None);
        assert_eq!(body(&[0], Mic::None, false), None);
    }
}
