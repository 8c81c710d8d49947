//! HCI packets out of whatever a capture holds them in.
//!
//! H4 with and without a direction in front (link types 201 and 187), the Linux monitor (254, and btsnoop's data link 2001), and
//! btsnoop's data links 1001 and 1002. Directions, opcodes and flags are as on the pages of the link types,
//! <https://www.tcpdump.org/linktypes/LINKTYPE_BLUETOOTH_LINUX_MONITOR.html> and its neighbours, and in BlueZ's `src/shared/btsnoop.h`.

use crate::btsnoop::{DataLink, Record};
use crate::link_type::{HCI_H4, HCI_H4_WITH_PHDR, LINUX_MONITOR};
use crate::{file, pcapng};

/// Kind of an HCI packet. Core 6.0, Vol 4, Part A, 2.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Command.
    Command,
    /// ACL data.
    Acl,
    /// Synchronous data.
    Synchronous,
    /// Event.
    Event,
    /// Isochronous data.
    Isochronous,
}

/// One HCI packet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Hci<'a> {
    /// Nanoseconds since 1970-01-01T00:00:00Z.
    pub unix_ns: i64,
    /// Adapter, as Linux numbers them; 0 where a capture has only one.
    pub adapter: u16,
    /// Kind of the packet.
    pub kind: Kind,
    /// Sender: set for the host; none for data of a capture that does not say it.
    pub from_host: Option<bool>,
    /// Packets that the capture's writer had lost so far, where it counts them.
    pub drops: u32,
    /// Octets the packet had before it was cut to [`data`](Self::data).
    pub octets: usize,
    /// The packet behind its indicator.
    pub data: &'a [u8],
}

/// Octets are no HCI packet of what the capture says it holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NoHci;

impl<'a> Hci<'a> {
    /// Tells if packets of this link type are read.
    pub const fn is_in(link_type: u16) -> bool {
        matches!(link_type, HCI_H4 | HCI_H4_WITH_PHDR | LINUX_MONITOR)
    }

    /// The HCI packet in a packet of a capture; none in a record of the Linux monitor that is about something else.
    ///
    /// # Errors
    /// [`NoHci`] when it is of another link type, too short, or has an unknown indicator.
    pub fn of(packet: &file::Packet<'a>) -> Result<Option<Self>, NoHci> {
        match packet {
            file::Packet::Captured(packet) => Self::captured(packet),
            file::Packet::Snooped(data_link, record) => Self::snooped(*data_link, record),
        }
    }

    fn captured(packet: &pcapng::Packet<'a>) -> Result<Option<Self>, NoHci> {
        let original = packet.original_octets as usize;
        match packet.link_type {
            HCI_H4 => Self::h4(packet.unix_ns, None, packet.data, original).map(Some),
            HCI_H4_WITH_PHDR => {
                let (direction, data) = packet.data.split_first_chunk::<4>().ok_or(NoHci)?;
                // Set for received. The page of the link type; big endian.
                let from_host = u32::from_be_bytes(*direction) & 1 == 0;
                Self::h4(packet.unix_ns, Some(from_host), data, original.saturating_sub(4)).map(Some)
            }
            LINUX_MONITOR => {
                let (&[a, b, c, d], data) = packet.data.split_first_chunk::<4>().ok_or(NoHci)?;
                let (adapter, opcode) = (u16::from_be_bytes([a, b]), u16::from_be_bytes([c, d]));
                Ok(Self::monitored(packet.unix_ns, adapter, opcode, data, original.saturating_sub(4)))
            }
            _ => Err(NoHci),
        }
    }

    fn snooped(data_link: DataLink, record: &Record<'a>) -> Result<Option<Self>, NoHci> {
        // The reader has proved that the multiplication does not overflow.
        let unix_ns = record.unix_us * 1000;
        let original = record.original_octets as usize;
        let packet = match data_link {
            DataLink::H4 => Some(Self::h4(unix_ns, Some(record.from_host()), record.packet, original)?),
            DataLink::Plain => {
                let kind = match (record.flags & 2 != 0, record.from_host()) {
                    (true, true) => Kind::Command,
                    (true, false) => Kind::Event,
                    (false, _) => Kind::Acl,
                };
                Some(Self::new(unix_ns, 0, kind, Some(record.from_host()), record.packet, original))
            }
            DataLink::Monitor => {
                let (adapter, opcode) = ((record.flags >> 16) as u16, record.flags as u16);
                Self::monitored(unix_ns, adapter, opcode, record.packet, original)
            }
        };
        Ok(packet.map(|packet| Self { drops: record.drops, ..packet }))
    }

    fn h4(unix_ns: i64, from_host: Option<bool>, packet: &'a [u8], original: usize) -> Result<Self, NoHci> {
        let (indicator, data) = packet.split_first().ok_or(NoHci)?;
        let kind = match indicator {
            1 => Kind::Command,
            2 => Kind::Acl,
            3 => Kind::Synchronous,
            4 => Kind::Event,
            5 => Kind::Isochronous,
            _ => return Err(NoHci),
        };
        let from_host = match kind {
            Kind::Command => Some(true),
            Kind::Event => Some(false),
            _ => from_host,
        };
        Ok(Self::new(unix_ns, 0, kind, from_host, data, original.saturating_sub(1)))
    }

    fn monitored(unix_ns: i64, adapter: u16, opcode: u16, data: &'a [u8], original: usize) -> Option<Self> {
        let (kind, from_host) = match opcode {
            2 => (Kind::Command, true),
            3 => (Kind::Event, false),
            4 => (Kind::Acl, true),
            5 => (Kind::Acl, false),
            6 => (Kind::Synchronous, true),
            7 => (Kind::Synchronous, false),
            18 => (Kind::Isochronous, true),
            19 => (Kind::Isochronous, false),
            _ => return None,
        };
        Some(Self::new(unix_ns, adapter, kind, Some(from_host), data, original))
    }

    fn new(unix_ns: i64, adapter: u16, kind: Kind, from_host: Option<bool>, data: &'a [u8], original: usize) -> Self {
        Self { unix_ns, adapter, kind, from_host, drops: 0, octets: original.max(data.len()), data }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn captured(link_type: u16, data: &[u8]) -> Result<Option<Hci<'_>>, NoHci> {
        let original_octets = data.len() as u32;
        Hci::of(&file::Packet::Captured(pcapng::Packet {
            section: 0,
            interface: 0,
            link_type,
            unix_ns: 5,
            original_octets,
            data,
        }))
    }

    fn snooped(data_link: DataLink, flags: u32, packet: &[u8]) -> Result<Option<Hci<'_>>, NoHci> {
        let record = Record { unix_us: 7, flags, drops: 2, original_octets: packet.len() as u32 + 3, packet };
        Hci::of(&file::Packet::Snooped(data_link, record))
    }

    /// Kind, whether the host sent it, octets before a cut, adapter.
    fn told(hci: Result<Option<Hci<'_>>, NoHci>) -> Option<(Kind, Option<bool>, usize, u16)> {
        hci.ok().flatten().map(|hci| (hci.kind, hci.from_host, hci.octets, hci.adapter))
    }

    #[test]
    fn a_reset_in_every_link_type() {
        let reset = Some((Kind::Command, Some(true), 3, 0));
        assert_eq!(told(captured(187, &[1, 3, 0x0c, 0])), reset);
        assert_eq!(told(captured(201, &[0, 0, 0, 0, 1, 3, 0x0c, 0])), reset);
        assert_eq!(told(captured(254, &[0, 0, 0, 2, 3, 0x0c, 0])), reset);
        assert_eq!(told(snooped(DataLink::H4, 2, &[1, 3, 0x0c, 0])), Some((Kind::Command, Some(true), 6, 0)));
        assert_eq!(told(snooped(DataLink::Plain, 2, &[3, 0x0c, 0])), Some((Kind::Command, Some(true), 6, 0)));
        assert_eq!(
            told(snooped(DataLink::Monitor, 1 << 16 | 2, &[3, 0x0c, 0])),
            Some((Kind::Command, Some(true), 6, 1))
        );
    }

    #[test]
    fn data_goes_the_way_that_the_capture_says() {
        let acl = [2, 0x40, 0x20, 1, 0, 9];
        assert_eq!(told(captured(187, &acl)), Some((Kind::Acl, None, 5, 0)), "H4 alone does not say it");
        let received: [u8; 10] = core::array::from_fn(|n| [&[0, 0, 0, 1][..], &acl].concat()[n]);
        assert_eq!(told(captured(201, &received)), Some((Kind::Acl, Some(false), 5, 0)));
        assert_eq!(told(captured(254, &[0, 3, 0, 4, 0x40, 0, 1, 0, 9])), Some((Kind::Acl, Some(true), 5, 3)));
        assert_eq!(told(snooped(DataLink::Plain, 1, &acl[1..])), Some((Kind::Acl, Some(false), 8, 0)));
        assert_eq!(told(snooped(DataLink::Plain, 3, &[0x0e, 0])), Some((Kind::Event, Some(false), 5, 0)));
    }

    #[test]
    fn what_is_no_hci_packet_is_told_from_notes() {
        assert_eq!(captured(254, &[0, 0, 0, 0, 1]), Ok(None), "New Index");
        for (link_type, data) in
            [(254, &[0, 0, 0][..]), (201, &[0, 0, 0]), (187, &[]), (187, &[9, 1]), (1, &[1, 3, 12, 0])]
        {
            assert_eq!(captured(link_type, data), Err(NoHci));
        }
        assert_eq!(snooped(DataLink::Monitor, 1, &[]), Ok(None));
    }
}
