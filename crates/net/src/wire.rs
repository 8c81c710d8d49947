//! IPv4 packets with UDP and ICMP echo inside: made with valid checksums, read with all of them verified.

use core::net::Ipv4Addr;

use airtime_core::{Packet, Pool};
use smoltcp::wire::{Icmpv4Message, Icmpv4Packet};

use crate::checksum::{fold, header_sum, pseudo, sum};
use crate::payload::{STAMP_OCTETS, Stamp};

/// Octets of an IPv4 header without options (RFC 791, 3.1).
pub const IPV4_OCTETS: usize = 20;
/// Octets of a UDP header (RFC 768).
pub const UDP_OCTETS: usize = 8;
/// Octets of the header of an ICMP echo message (RFC 792).
pub const ECHO_OCTETS: usize = 8;

/// The protocol numbers of ICMP, TCP and UDP.
const ICMP: u8 = 1;
pub(crate) const TCP: u8 = 6;
pub(crate) const UDP: u8 = 17;

/// The time to live of a fresh packet: the default of Linux (`net.ipv4.ip_default_ttl`).
const TTL: u8 = 64;

/// Route of a packet: its source and its destination.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Route {
    /// IPv4 address of the sender.
    pub from: Ipv4Addr,
    /// IPv4 address of the receiver.
    pub to: Ipv4Addr,
}

/// Content of an IP packet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Carried<'a> {
    /// A UDP datagram.
    Datagram {
        /// Its destination port.
        port: u16,
        /// Payload of the datagram.
        payload: &'a [u8],
        /// Stamp of the datagram, if all of its octets are those of a test's.
        stamp: Option<Stamp>,
    },
    /// An ICMP echo request or reply.
    Echo {
        /// Set for a reply, clear for a request.
        reply: bool,
        /// Identifier of its sender.
        ident: u16,
        /// Sequence number of the echo.
        number: u16,
        /// Payload that is to be sent back.
        payload: &'a [u8],
    },
    /// A TCP segment, not read yet.
    Segment(&'a [u8]),
}

/// The headers of a flow's UDP datagrams, which differ in nothing but the checksum.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Headers {
    octets: [u8; IPV4_OCTETS + UDP_OCTETS],
    /// Octets of payload behind them.
    payload: usize,
    /// The sum of RFC 1071 over what the checksum covers besides the payload, not yet folded.
    sum: u64,
}

impl Headers {
    /// Headers between two `ports` in front of `payload` octets.
    pub fn new(route: Route, ports: [u16; 2], payload: usize) -> Self {
        let len = UDP_OCTETS + payload;
        let fields = [ports[0], ports[1], len as u16, 0];
        let mut octets = [0; IPV4_OCTETS + UDP_OCTETS];
        octets[..IPV4_OCTETS].copy_from_slice(&ipv4(route, UDP, len));
        octets[IPV4_OCTETS..].copy_from_slice(fields.map(u16::to_be_bytes).as_flattened());
        let sum = fields.iter().map(|field| u64::from(*field)).sum::<u64>() + pseudo(route, UDP, len);
        Self { octets, payload, sum }
    }

    /// The datagram of a test with this stamp.
    pub fn datagram(&self, pool: &Pool, stamp: Stamp) -> Packet {
        let mut head = [0; IPV4_OCTETS + UDP_OCTETS + STAMP_OCTETS];
        let (headers, first) = head.split_at_mut(IPV4_OCTETS + UDP_OCTETS);
        headers.copy_from_slice(&self.summed(stamp.sum(self.payload)));
        first.copy_from_slice(&stamp.octets());
        let mut packet = pool.packet();
        packet.put(&head);
        stamp.body(self.payload).for_each(|octets| packet.put(octets));
        packet
    }

    /// The headers of a payload whose sum of RFC 1071, not yet folded, is `sum`.
    fn summed(&self, sum: u64) -> [u8; IPV4_OCTETS + UDP_OCTETS] {
        let sum = fold(self.sum + sum);
        // A sum of zero is sent as its other form: zero says that there is none (RFC 768).
        let sum = if sum == 0xffff { sum } else { !sum };
        let mut octets = self.octets;
        octets[IPV4_OCTETS + 6..].copy_from_slice(&sum.to_be_bytes());
        octets
    }
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
    let mut packet = pool.packet();
    packet.put(&ipv4(route, ICMP, ECHO_OCTETS + len));
    packet.resize(IPV4_OCTETS + ECHO_OCTETS + len);
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
    let ip = Ip::read(octets)?;
    if !ip.is_sound() {
        return None;
    }
    let carried = match ip.protocol {
        UDP => read_datagram(ip.route, ip.payload)?,
        ICMP => read_echo(ip.payload)?,
        TCP => Carried::Segment(ip.payload),
        _ => return None,
    };
    Some((ip.route, carried))
}

/// A whole IPv4 packet that is no fragment (RFC 791, 3.1).
pub(crate) struct Ip<'a> {
    header: &'a [u8],
    pub(crate) route: Route,
    pub(crate) protocol: u8,
    pub(crate) payload: &'a [u8],
}

impl<'a> Ip<'a> {
    /// Reads one, with or without octets behind it.
    #[inline]
    pub(crate) fn read(octets: &'a [u8]) -> Option<Self> {
        let head = octets.first_chunk::<IPV4_OCTETS>()?;
        let half = |at: usize| u16::from_be_bytes([head[at], head[at + 1]]);
        let len = 4 * usize::from(head[0] & 0xf);
        // More fragments, or an offset of this one.
        let fragment = half(6) & 0x3fff != 0;
        if head[0] >> 4 != 4 || len < IPV4_OCTETS || fragment {
            return None;
        }
        let (header, payload) = octets.get(..usize::from(half(2)))?.split_at_checked(len)?;
        let address = |at: usize| Ipv4Addr::new(head[at], head[at + 1], head[at + 2], head[at + 3]);
        Some(Self { header, route: Route { from: address(12), to: address(16) }, protocol: head[9], payload })
    }

    /// True if the checksum of its header is right.
    #[inline]
    pub(crate) fn is_sound(&self) -> bool {
        fold(header_sum(self.header)) == 0xffff
    }
}

fn read_datagram(route: Route, octets: &[u8]) -> Option<Carried<'_>> {
    let head = octets.first_chunk::<UDP_OCTETS>()?;
    let half = |at: usize| u16::from_be_bytes([head[at], head[at + 1]]);
    let datagram = octets.get(..usize::from(half(4)))?;
    let payload = datagram.get(UDP_OCTETS..)?;
    let stamp = Stamp::read(payload);
    if half(6) != 0 {
        // Octets that are known have a sum that is known.
        let sum = stamp.map_or_else(|| sum(payload), |stamp| stamp.sum(payload.len()));
        if fold(sum + header_sum(head) + pseudo(route, UDP, datagram.len())) != 0xffff {
            return None;
        }
    }
    Some(Carried::Datagram { port: half(2), payload, stamp })
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

/// The header of an IPv4 packet with `len` octets of `protocol`: no options, not to be fragmented (RFC 791, 3.1).
fn ipv4(route: Route, protocol: u8, len: usize) -> [u8; IPV4_OCTETS] {
    let mut header = [0; IPV4_OCTETS];
    header[0] = 0x45;
    header[2..4].copy_from_slice(&((IPV4_OCTETS + len) as u16).to_be_bytes());
    header[6] = 0x40;
    header[8] = TTL;
    header[9] = protocol;
    header[12..16].copy_from_slice(&route.from.octets());
    header[16..20].copy_from_slice(&route.to.octets());
    let sum = !fold(header_sum(&header));
    header[10..12].copy_from_slice(&sum.to_be_bytes());
    header
}

#[cfg(test)]
mod tests {
    use super::*;
    use airtime_core::Instant;
    use proptest::prelude::*;
    use smoltcp::wire::Ipv4Packet;

    const ROUTE: Route = Route { from: Ipv4Addr::new(10, 0, 0, 1), to: Ipv4Addr::new(10, 0, 0, 2) };

    /// 10.0.0.1:5202 → 10.0.0.2:5201, payload "airtime!". The checksums were computed apart from this code.
    #[rustfmt::skip]
    const DATAGRAM: [u8; 36] = [
        0x45, 0x00, 0x00, 0x24, 0x00, 0x00, 0x40, 0x00, 0x40, 0x11, 0x26, 0xc7, 10, 0, 0, 1, 10, 0, 0, 2,
        0x14, 0x52, 0x14, 0x51, 0x00, 0x10, 0x20, 0xbc, b'a', b'i', b'r', b't', b'i', b'm', b'e', b'!',
    ];

    #[test]
    fn a_datagram_octet_by_octet() {
        let headers = Headers::new(ROUTE, [5202, 5201], 8).summed(sum(b"airtime!"));
        assert_eq!([&headers[..], b"airtime!"].concat(), DATAGRAM);
        assert_eq!(read(&DATAGRAM), Some((ROUTE, Carried::Datagram { port: 5201, payload: b"airtime!", stamp: None })));
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
        let stamp = Stamp { sequence: 12, sent_at: Instant::from_nanos(7) };
        let stamped = Headers::new(ROUTE, [5201; 2], 45).datagram(&Pool::new(), stamp);
        let payload = &stamped[IPV4_OCTETS + UDP_OCTETS..];
        assert_eq!(read(&stamped), Some((ROUTE, Carried::Datagram { port: 5201, payload, stamp: Some(stamp) })));
        for whole in [&DATAGRAM, &*stamped] {
            for bit in 0..whole.len() * 8 {
                let mut damaged = whole.to_vec();
                damaged[bit / 8] ^= 0x80 >> (bit % 8);
                assert_eq!(read(&damaged), None, "bit {bit}");
            }
        }
    }

    #[test]
    fn without_a_checksum_only_the_pattern_shows_what_was_damaged() {
        let stamp = Stamp { sequence: 12, sent_at: Instant::from_nanos(7) };
        let mut packet = Headers::new(ROUTE, [5201; 2], 45).datagram(&Pool::new(), stamp).to_vec();
        packet[IPV4_OCTETS + 6..IPV4_OCTETS + UDP_OCTETS].fill(0);
        packet[70] ^= 1;
        let payload = &packet[IPV4_OCTETS + UDP_OCTETS..];
        assert_eq!(read(&packet), Some((ROUTE, Carried::Datagram { port: 5201, payload, stamp: None })));
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
        /// smoltcp, an implementation of others, takes the same packets for whole ones, and finds the same in them.
        #[test]
        fn headers_are_read_as_others_read_them(
            first in prop_oneof![Just(0x45_u8), any::<u8>()],
            total in 0_u16..90,
            fragment in prop_oneof![Just(0x4000_u16), Just(0), any::<u16>()],
            octets in prop::collection::vec(any::<u8>(), 0..80),
        ) {
            let mut octets = octets;
            let fields = [(0, first), (2, 0), (3, total as u8), (6, (fragment >> 8) as u8), (7, fragment as u8)];
            fields.into_iter().for_each(|(at, value)| octets.iter_mut().skip(at).take(1).for_each(|octet| *octet = value));
            let theirs = Ipv4Packet::new_checked(&octets[..]).ok();
            let theirs = theirs.filter(|ip| ip.version() == 4 && !ip.more_frags() && ip.frag_offset() == 0);
            let found = |ip: Ip<'_>| (ip.route, ip.protocol, ip.is_sound(), ip.payload.to_vec());
            let expected = theirs.map(|ip| {
                let route = Route { from: ip.src_addr(), to: ip.dst_addr() };
                (route, u8::from(ip.next_header()), ip.verify_checksum(), ip.payload().to_vec())
            });
            prop_assert_eq!(Ip::read(&octets).map(found), expected);
        }

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
