//! The network interface: an Ethernet II header in front of what the stack sends. ARP is taken as resolved.

use airtime_core::Packet;

use crate::trace::ETHERNET_HEADER;

/// MAC address of the ESP host's station interface; locally administered.
pub const HOST_MAC: [u8; 6] = [2, 0, 0, 0, 0, 1];
/// MAC address of the far end.
pub const FAR_MAC: [u8; 6] = [2, 0, 0, 0, 0, 2];
/// MAC address and BSSID of the access point.
pub const AP_MAC: [u8; 6] = [2, 0, 0, 0, 0, 3];

/// EtherType of IPv4.
const IPV4: [u8; 2] = [0x08, 0x00];

/// Header that one of the two interfaces puts in front of IP packets.
#[derive(Clone, Copy, Debug)]
pub(super) struct Netif {
    header: [u8; ETHERNET_HEADER],
}

impl Netif {
    /// The interface of `from`, which sends everything to `to`.
    pub(super) fn new(from: [u8; 6], to: [u8; 6]) -> Self {
        let mut header = [0; ETHERNET_HEADER];
        header[..6].copy_from_slice(&to);
        header[6..12].copy_from_slice(&from);
        header[12..].copy_from_slice(&IPV4);
        Self { header }
    }

    /// The Ethernet frame of an IP packet, in its buffer.
    pub(super) fn frame(&self, mut packet: Packet) -> Packet {
        packet.prepend(&self.header);
        packet
    }

    /// The IP packet of an Ethernet frame; none for anything but IPv4.
    pub(super) fn packet(frame: &[u8]) -> Option<&[u8]> {
        let (header, packet) = frame.split_at_checked(ETHERNET_HEADER)?;
        (header[12..] == IPV4).then_some(packet)
    }
}

#[cfg(test)]
mod tests {
    use airtime_core::Pool;

    use super::*;

    #[test]
    fn what_was_framed_comes_out_again() {
        let netif = Netif::new(HOST_MAC, FAR_MAC);
        let frame = netif.frame(Pool::new().copy(&[0x45, 1, 2]));
        assert_eq!(&frame[..14], &[2, 0, 0, 0, 0, 2, 2, 0, 0, 0, 0, 1, 8, 0]);
        assert_eq!(Netif::packet(&frame), Some(&[0x45, 1, 2][..]));
        assert_eq!(Netif::packet(&frame[..13]), None);
        assert_eq!(Netif::packet(&[0; 20]), None);
    }
}
