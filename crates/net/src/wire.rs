//! IPv4 packets with UDP and ICMP echo inside: made with valid checksums, read with all of them verified.

use core::net::Ipv4Addr;

use airtime_core::{Packet, Pool};
use smoltcp::wire::{Icmpv4Message, Icmpv4Packet, IpProtocol, Ipv4Packet, UdpPacket};

use crate::checksum::{fold, header_sum, pseudo, sum};

/// Octets of an IPv4 header without options (RFC 791, 3.1).
pub const IPV4_OCTETS: usize = 20;
/// Octets of a UDP header (RFC 768).
pub const UDP_OCTETS: usize = 8;
/// Octets of the header of an ICMP echo message (RFC 792).
pub const ECHO_OCTETS: usize = 8;

/// The protocol numbers of ICMP and UDP.
const ICMP: u8 = 1;
const UDP: u8 = 17;

/// The time to live of a fresh packet: the default of Linux (`net.ipv4.ip_default_ttl`).
const TTL: u8 = 64;

/// From where to where.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Route {
    /// The sender.
    pub from: Ipv4Addr,
    /// The receiver.
    pub to: Ipv4Addr,
}

/// What an IP packet carries.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Carried<'a> {
    /// A UDP datagram.
    Datagram {
        /// Its destination port.
        port: u16,
        /// Its payload.
        payload: &'a [u8],
    },
    /// An ICMP echo request or reply.
    Echo {
        /// Whether it is a reply.
        reply: bool,
        /// Whose it is.
        ident: u16,
        /// Its number.
        number: u16,
        /// What is to be sent back.
        payload: &'a [u8],
    },
    /// A TCP segment, which smoltcp reads.
    Segment,
}

/// A UDP datagram from port `from_port` to `port` with `len` octets of payload that `fill` writes.
pub fn datagram(
    pool: &Pool,
    route: Route,
    from_port: u16,
    port: u16,
    len: usize,
    fill: impl FnOnce(&mut [u8]),
) -> Packet {
    let mut packet = ipv4(pool, route, UDP, UDP_OCTETS + len);
    let mut udp = UdpPacket::new_unchecked(&mut packet[IPV4_OCTETS..]);
    udp.set_src_port(from_port);
    udp.set_dst_port(port);
    udp.set_len((UDP_OCTETS + len) as u16);
    fill(udp.payload_mut());
    udp.set_checksum(0);
    let octets = &packet[IPV4_OCTETS..];
    // A sum of zero is sent as its other form: zero says that there is none (RFC 768).
    let sum = !fold(sum(octets) + pseudo(route, UDP, octets.len()));
    let sum = if sum == 0 { 0xffff } else { sum };
    packet[IPV4_OCTETS + 6..IPV4_OCTETS + UDP_OCTETS].copy_from_slice(&sum.to_be_bytes());
    packet
}

/// An ICMP echo request, or a `reply` to one, with `len` octets that `fill` writes.
pub fn echo(
    pool: &Pool,
    route: Route,
    reply: bool,
    ident: u16,
    number: u16,
    len: usize,
    fill: impl FnOnce(&mut [u8]),
) -> Packet {
    let mut packet = ipv4(pool, route, ICMP, ECHO_OCTETS + len);
    let mut icmp = Icmpv4Packet::new_unchecked(&mut packet[IPV4_OCTETS..]);
    icmp.set_msg_type(if reply { Icmpv4Message::EchoReply } else { Icmpv4Message::EchoRequest });
    icmp.set_msg_code(0);
    icmp.set_echo_ident(ident);
    icmp.set_echo_seq_no(number);
    fill(icmp.data_mut());
    icmp.fill_checksum();
    packet
}

/// Reads a packet that came out of a tunnel; none when it is no whole IPv4 packet of a kind known here, when it is a
/// fragment, or when a checksum is wrong.
pub fn read(octets: &[u8]) -> Option<(Route, Carried<'_>)> {
    let ip = Ipv4Packet::new_checked(octets).ok()?;
    let header = usize::from(ip.header_len());
    let fragment = ip.more_frags() || ip.frag_offset() != 0;
    if ip.version() != 4 || header < IPV4_OCTETS || fragment || fold(header_sum(octets.get(..header)?)) != 0xffff {
        return None;
    }
    let route = Route { from: ip.src_addr(), to: ip.dst_addr() };
    let carried = match ip.next_header() {
        IpProtocol::Udp => read_datagram(route, ip.payload())?,
        IpProtocol::Icmp => read_echo(ip.payload())?,
        IpProtocol::Tcp => Carried::Segment,
        _ => return None,
    };
    Some((route, carried))
}

fn read_datagram(route: Route, octets: &[u8]) -> Option<Carried<'_>> {
    let udp = UdpPacket::new_checked(octets).ok()?;
    let datagram = &octets[..usize::from(udp.len())];
    if udp.checksum() != 0 && fold(sum(datagram) + pseudo(route, UDP, datagram.len())) != 0xffff {
        return None;
    }
    Some(Carried::Datagram { port: udp.dst_port(), payload: udp.payload() })
}

fn read_echo(octets: &[u8]) -> Option<Carried<'_>> {
    let icmp = Icmpv4Packet::new_checked(octets).ok()?;
    if octets.len() < ECHO_OCTETS || !icmp.verify_checksum() {
        return None;
    }
    let reply = match icmp.msg_type() {
        Icmpv4Message::EchoRequest => false,
        Icmpv4Message::EchoReply => true,
        _ => return None,
    };
    let (ident, number) = (icmp.echo_ident(), icmp.echo_seq_no());
    Some(Carried::Echo { reply, ident, number, payload: icmp.data() })
}

/// An IPv4 packet with room for `len` octets of `protocol`, which are zero: no options, not to be fragmented (RFC 791, 3.1).
fn ipv4(pool: &Pool, route: Route, protocol: u8, len: usize) -> Packet {
    let mut packet = pool.packet();
    packet.resize(IPV4_OCTETS + len);
    let header = &mut packet[..IPV4_OCTETS];
    header[0] = 0x45;
    header[2..4].copy_from_slice(&((IPV4_OCTETS + len) as u16).to_be_bytes());
    header[6] = 0x40;
    header[8] = TTL;
    header[9] = protocol;
    header[12..16].copy_from_slice(&route.from.octets());
    header[16..20].copy_from_slice(&route.to.octets());
    let sum = !fold(header_sum(header));
    header[10..12].copy_from_slice(&sum.to_be_bytes());
    packet
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const ROUTE: Route = Route { from: Ipv4Addr::new(10, 0, 0, 1), to: Ipv4Addr::new(10, 0, 0, 2) };

    /// 10.0.0.1:5202 → 10.0.0.2:5201, payload "airtime!". The checksums were computed apart from this code.
    #[rustfmt::skip]
    const DATAGRAM: [u8; 36] = [
        0x45, 0x00, 0x00, 0x24, 0x00, 0x00, 0x40, 0x00, 0x40, 0x11, 0x26, 0xc7, 10, 0, 0, 1, 10, 0, 0, 2,
        0x14, 0x52, 0x14, 0x51, 0x00, 0x10, 0x20, 0xbc, b'a', b'i', b'r', b't', b'i', b'm', b'e', b'!',
    ];

    #[test]
    fn a_datagram_octet_by_octet() {
        let packet = datagram(&Pool::new(), ROUTE, 5202, 5201, 8, |payload| payload.copy_from_slice(b"airtime!"));
        assert_eq!(packet[..], DATAGRAM);
        assert_eq!(read(&DATAGRAM), Some((ROUTE, Carried::Datagram { port: 5201, payload: b"airtime!" })));
    }

    #[test]
    fn an_echo_request_octet_by_octet() {
        let packet = echo(&Pool::new(), ROUTE, false, 0x1234, 7, 4, |payload| payload.copy_from_slice(b"ping"));
        // 0800 + 1234 + 0007 + 7069 + 6e67 = f90b; its complement is 06f4.
        assert_eq!(packet[IPV4_OCTETS..], [8, 0, 0x06, 0xf4, 0x12, 0x34, 0, 7, b'p', b'i', b'n', b'g']);
        let echo = Carried::Echo { reply: false, ident: 0x1234, number: 7, payload: b"ping" };
        assert_eq!(read(&packet), Some((ROUTE, echo)));
    }

    #[test]
    fn every_changed_bit_is_noticed() {
        for bit in 0..DATAGRAM.len() * 8 {
            let mut damaged = DATAGRAM;
            damaged[bit / 8] ^= 0x80 >> (bit % 8);
            assert_eq!(read(&damaged), None, "bit {bit}");
        }
    }

    #[test]
    fn octets_behind_the_packet_do_no_harm() {
        let mut longer = DATAGRAM.to_vec();
        longer.extend_from_slice(&[0; 9]);
        assert_eq!(read(&longer), read(&DATAGRAM));
        assert_eq!(read(&DATAGRAM[..35]), None);
    }

    extern crate std;
    proptest! {
        #[test]
        fn no_octets_panic(octets in prop::collection::vec(any::<u8>(), 0..80), good in any::<bool>()) {
            let mut octets = octets;
            if good && octets.len() >= IPV4_OCTETS {
                // A header that gets past the first checks.
                let len = octets.len() as u16;
                octets[0] = 0x45;
                octets[2..4].copy_from_slice(&len.to_be_bytes());
                octets[6..8].fill(0);
                octets[9] = [1, 6, 17][usize::from(octets[9]) % 3];
                Ipv4Packet::new_unchecked(&mut octets[..]).fill_checksum();
            }
            let _ = read(&octets);
        }
    }
}
