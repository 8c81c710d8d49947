//! Packets of a capture as what was heard on the air.

use airtime_ble::capture::{Frame, Kind, LINK_TYPE};
use airtime_capture::pcapng::{Interface, Packet};
use airtime_core::{Duration, Instant};

use crate::sniffed::{Mic, Sniffed};

/// Counts of packets that were read of a file, and of those that were passed over.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counted {
    /// Link-layer packets handed over.
    pub taken: u64,
    /// Packets of other interfaces.
    pub elsewhere: u64,
    /// Packets of the interface that are no such packets.
    pub malformed: u64,
}

/// Makes of packets in a capture what was heard on the air: those of its first interface of Bluetooth LE.
#[derive(Clone, Debug, Default)]
pub struct Sniffer {
    /// Set if any interface is one of Bluetooth LE, with packets or without.
    described: bool,
    /// Section and number of the interface that is read.
    interface: Option<(u32, u32)>,
    /// The stamp that counts as the beginning.
    origin: i64,
    counted: Counted,
}

impl Sniffer {
    /// The interfaces that the capture has described so far.
    pub fn interfaces(&mut self, interfaces: &[Interface]) {
        self.described |= interfaces.iter().any(|interface| interface.link_type == LINK_TYPE);
    }

    /// Tells if any interface is one of Bluetooth LE, with packets or without.
    pub const fn is_described(&self) -> bool {
        self.described
    }

    /// Packets so far.
    pub const fn counted(&self) -> Counted {
        self.counted
    }

    /// The next packet of the capture; hands it to `take` if it is one of the air.
    pub fn packet(&mut self, packet: &Packet<'_>, take: &mut impl FnMut(&Sniffed<'_>)) {
        if packet.link_type == LINK_TYPE && self.interface.is_none() {
            self.interface = Some((packet.section, packet.interface));
            self.origin = packet.unix_ns;
        }
        if self.interface != Some((packet.section, packet.interface)) {
            self.counted.elsewhere += 1;
            return;
        }
        let at = u64::try_from(packet.unix_ns.saturating_sub(self.origin));
        let (Ok(at), Ok(frame)) = (at, Frame::parse(packet.data)) else {
            self.counted.malformed += 1;
            return;
        };
        self.counted.taken += 1;
        take(&Sniffed {
            at: Instant::ZERO + Duration::from_nanos(at),
            link: frame.access_address,
            channel: Some(frame.channel),
            phy: frame.phy,
            from_central: match frame.kind {
                Kind::Data { from_central } => Some(from_central),
                Kind::Unspecified | Kind::Auxiliary(_) | Kind::Other(_) => None,
            },
            crc_ok: frame.crc_valid,
            mic: if frame.decrypted { Mic::Cut } else { Mic::Untold },
            readable: true,
            pdu: frame.pdu,
        });
    }
}
