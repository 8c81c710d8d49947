//! TCP segments in IPv4 packets: made with valid checksums and a payload of the test's pattern, read with both verified.
//!
//! Written apart from smoltcp because a run makes and reads tens of thousands: nothing is computed twice, and the payload is
//! filled and summed in words.

use airtime_core::{Packet, Pool};

use crate::checksum::{fold, header_sum, pseudo, sum};
use crate::payload;
use crate::wire::{IPV4_OCTETS, Ip, Route, TCP};

/// Octets of a TCP header without options (RFC 9293, 3.1).
pub const TCP_OCTETS: usize = 20;
/// Octets of the longest: the data offset is four bits of words (RFC 9293, 3.1).
const MAX_TCP_OCTETS: usize = 60;
/// Most ranges in a selective acknowledgement without timestamps (RFC 2018, 3: 40 octets of options).
pub const MAX_RANGES: usize = 4;

/// Control bits (RFC 9293, 3.1).
pub mod flags {
    /// No more data from the sender.
    pub const FIN: u8 = 0x01;
    /// Synchronise sequence numbers.
    pub const SYN: u8 = 0x02;
    /// Reset the connection.
    pub const RST: u8 = 0x04;
    /// Flag PSH: octets go to the application at once.
    pub const PSH: u8 = 0x08;
    /// The acknowledgement field is significant.
    pub const ACK: u8 = 0x10;
}

/// A stretch of sequence numbers, the end excluded.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Range {
    /// The first number.
    pub start: u32,
    /// One more than the last.
    pub end: u32,
}

/// The header of a segment.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Head {
    /// Source port of TCP.
    pub from_port: u16,
    /// Destination port of TCP.
    pub to_port: u16,
    /// Sequence number of the first octet.
    pub seq: u32,
    /// Acknowledgement number: the octet that is expected next.
    pub ack: u32,
    /// Control bits, see [`flags`].
    pub flags: u8,
    /// Window in octets; windows are not scaled.
    pub window: u16,
    /// Largest segment the sender takes; SYN only.
    pub mss: Option<u16>,
    /// Set if selective acknowledgements are permitted; SYN only.
    pub sack_permitted: bool,
    /// Selective acknowledgement: the first ranges of [`ranges`](Self::ranges) that are not empty.
    pub sacked: [Range; MAX_RANGES],
}

impl Head {
    /// True if all of `bits` are set.
    pub fn has(&self, bits: u8) -> bool {
        self.flags & bits == bits
    }

    /// Ranges that are acknowledged selectively.
    pub fn ranges(&self) -> &[Range] {
        let count = self.sacked.iter().take_while(|range| range.start != range.end).count();
        &self.sacked[..count]
    }

    /// Octets of the options, padded to words.
    fn options(&self) -> usize {
        let mss = if self.mss.is_some() { 4 } else { 0 };
        // A permission and a list are padded with two no-operations in front (RFC 2018, RFC 7323 Appendix A).
        let permitted = if self.sack_permitted { 4 } else { 0 };
        let ranges = self.ranges().len();
        mss + permitted + if ranges > 0 { 4 + 8 * ranges } else { 0 }
    }

    fn write_options(&self, out: &mut [u8]) {
        let mut at = 0;
        let mut put = |octets: &[u8]| {
            out[at..at + octets.len()].copy_from_slice(octets);
            at += octets.len();
        };
        if let Some(mss) = self.mss {
            put(&[2, 4]);
            put(&mss.to_be_bytes());
        }
        if self.sack_permitted {
            put(&[1, 1, 4, 2]);
        }
        if !self.ranges().is_empty() {
            put(&[1, 1, 5, 2 + 8 * self.ranges().len() as u8]);
            for range in self.ranges() {
                put(&range.start.to_be_bytes());
                put(&range.end.to_be_bytes());
            }
        }
    }

    /// Takes the options that are known here; a malformed list ends at its fault.
    fn read_options(&mut self, mut options: &[u8]) {
        while let Some((&kind, rest)) = options.split_first() {
            match kind {
                0 => return,
                1 => {
                    options = rest;
                    continue;
                }
                _ => {}
            }
            let len = usize::from(rest.first().copied().unwrap_or(0));
            let Some(body) = options.get(2..len) else { return };
            match (kind, body) {
                (2, [high, low]) => self.mss = Some(u16::from_be_bytes([*high, *low])),
                (4, []) => self.sack_permitted = true,
                (5, list) => self.read_ranges(list),
                _ => {}
            }
            options = &options[len..];
        }
    }

    fn read_ranges(&mut self, list: &[u8]) {
        for (range, octets) in self.sacked.iter_mut().zip(list.chunks_exact(8)) {
            let word = |at: usize| u32::from_be_bytes([octets[at], octets[at + 1], octets[at + 2], octets[at + 3]]);
            *range = Range { start: word(0), end: word(4) };
        }
    }
}

/// A packet with `head` and `len` octets of the pattern from `offset` on.
pub fn emit(pool: &Pool, route: Route, ident: u16, head: &Head, offset: u64, len: usize) -> Packet {
    let mut headers = [0; IPV4_OCTETS + MAX_TCP_OCTETS];
    let (ip, tcp) = headers.split_at_mut(IPV4_OCTETS);
    let octets = TCP_OCTETS + head.options();
    let tcp = &mut tcp[..octets];
    write_ip(ip, route, ident, (IPV4_OCTETS + octets + len) as u16);
    tcp[0..2].copy_from_slice(&head.from_port.to_be_bytes());
    tcp[2..4].copy_from_slice(&head.to_port.to_be_bytes());
    tcp[4..8].copy_from_slice(&head.seq.to_be_bytes());
    tcp[8..12].copy_from_slice(&head.ack.to_be_bytes());
    tcp[12] = ((octets / 4) << 4) as u8;
    tcp[13] = head.flags;
    tcp[14..16].copy_from_slice(&head.window.to_be_bytes());
    head.write_options(&mut tcp[TCP_OCTETS..]);
    let sum = !fold(payload::sum(offset, len) + header_sum(tcp) + pseudo(route, TCP, octets + len));
    tcp[16..18].copy_from_slice(&sum.to_be_bytes());
    let mut packet = pool.packet();
    packet.put(&headers[..IPV4_OCTETS + octets]);
    payload::stretches(offset, len).for_each(|octets| packet.put(octets));
    packet
}

/// Reads a packet with a TCP segment; none when it is no whole IPv4 packet with one, a fragment, or a checksum is wrong.
pub fn read(octets: &[u8]) -> Option<(Route, Head, &[u8])> {
    let ip = Ip::read(octets).filter(|ip| ip.protocol == TCP && ip.is_sound())?;
    let (head, payload) = parse(ip.route, ip.payload)?;
    Some((ip.route, head, payload))
}

/// Reads the segment that an IPv4 packet on this route carries; none when it is not whole or its checksum is wrong.
pub(crate) fn parse(route: Route, tcp: &[u8]) -> Option<(Head, &[u8])> {
    let data = usize::from(*tcp.get(12)? >> 4) * 4;
    if data < TCP_OCTETS || fold(sum(tcp) + pseudo(route, TCP, tcp.len())) != 0xffff {
        return None;
    }
    let (header, payload) = tcp.split_at_checked(data)?;
    let half = |at: usize| u16::from_be_bytes([header[at], header[at + 1]]);
    let word = |at: usize| u32::from(half(at)) << 16 | u32::from(half(at + 2));
    let mut head = Head {
        from_port: half(0),
        to_port: half(2),
        seq: word(4),
        ack: word(8),
        flags: header[13],
        window: half(14),
        ..Head::default()
    };
    head.read_options(&header[TCP_OCTETS..]);
    Some((head, payload))
}

/// The header of lwIP and of Linux alike: no options, time to live 64 (ESP-IDF lwipopts.h, `IP_DEFAULT_TTL`;
/// `net.ipv4.ip_default_ttl`).
fn write_ip(out: &mut [u8], route: Route, ident: u16, total: u16) {
    out[0] = 0x45;
    out[2..4].copy_from_slice(&total.to_be_bytes());
    out[4..6].copy_from_slice(&ident.to_be_bytes());
    out[8] = 64;
    out[9] = TCP;
    out[12..16].copy_from_slice(&route.from.octets());
    out[16..20].copy_from_slice(&route.to.octets());
    let sum = !fold(header_sum(out));
    out[10..12].copy_from_slice(&sum.to_be_bytes());
}

/// Sequence numbers compare by their distance (RFC 9293, 3.4).
pub mod order {
    /// True if `a` is before `b`.
    pub fn before(a: u32, b: u32) -> bool {
        (a.wrapping_sub(b) as i32) < 0
    }

    /// True if `a` is before `b`, or it.
    pub fn up_to(a: u32, b: u32) -> bool {
        (a.wrapping_sub(b) as i32) <= 0
    }

    /// True if `x` is in `low..=high`.
    pub fn between(x: u32, low: u32, high: u32) -> bool {
        up_to(low, x) && up_to(x, high)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use core::net::Ipv4Addr;
    use proptest::prelude::*;
    use smoltcp::phy::ChecksumCapabilities;
    use smoltcp::wire::{IpAddress, Ipv4Packet, TcpControl, TcpPacket, TcpRepr};

    const ROUTE: Route = Route { from: Ipv4Addr::new(10, 0, 0, 1), to: Ipv4Addr::new(10, 0, 0, 2) };

    fn head() -> Head {
        Head {
            from_port: 49_153,
            to_port: 5_001,
            seq: 6_510,
            ack: 0x0102_0304,
            flags: flags::ACK,
            window: 5_760,
            ..Head::default()
        }
    }

    /// smoltcp, an implementation of others, reads what is made here.
    fn foreign(packet: &[u8]) -> TcpRepr<'_> {
        let ip = Ipv4Packet::new_checked(packet).unwrap();
        assert!(ip.verify_checksum());
        TcpPacket::new_checked(ip.payload()).unwrap();
        let (from, to) = (IpAddress::Ipv4(ROUTE.from), IpAddress::Ipv4(ROUTE.to));
        let octets = &packet[IPV4_OCTETS..];
        let tcp = TcpPacket::new_unchecked(octets);
        TcpRepr::parse(&tcp, &from, &to, &ChecksumCapabilities::default()).unwrap()
    }

    #[test]
    fn another_implementation_reads_it() {
        let pool = Pool::new();
        let syn = Head { flags: flags::SYN, mss: Some(1_440), sack_permitted: true, ..head() };
        let packet = emit(&pool, ROUTE, 7, &syn, 0, 0);
        let repr = foreign(&packet);
        assert_eq!((repr.control, repr.max_seg_size, repr.sack_permitted), (TcpControl::Syn, Some(1_440), true));
        let mut sack = head();
        sack.sacked[0] = Range { start: 10, end: 20 };
        sack.sacked[1] = Range { start: 30, end: 40 };
        let packet = emit(&pool, ROUTE, 8, &sack, 0, 0);
        assert_eq!(foreign(&packet).sack_ranges, [Some((10, 20)), Some((30, 40)), None]);
        for len in [1, 2, 7, 8, 9, 1_399, 1_440] {
            assert_eq!(foreign(&emit(&pool, ROUTE, 9, &head(), 5, len)).payload.len(), len);
        }
    }

    #[test]
    fn every_changed_bit_is_noticed() {
        let packet = emit(&Pool::new(), ROUTE, 1, &head(), 0, 13);
        for bit in 0..packet.len() * 8 {
            let mut damaged = packet.to_vec();
            damaged[bit / 8] ^= 0x80 >> (bit % 8);
            assert!(read(&damaged).is_none(), "bit {bit}");
        }
    }

    #[test]
    fn numbers_compare_around_zero() {
        assert!(order::before(u32::MAX, 3) && !order::before(3, u32::MAX));
        assert!(order::between(1, u32::MAX, 1) && !order::between(2, u32::MAX, 1));
    }

    proptest! {
        #[test]
        fn what_is_made_is_read(
            ports in any::<(u16, u16)>(), numbers in any::<(u32, u32)>(), bits in 0u8..32, window in any::<u16>(),
            mss in any::<Option<u16>>(), sack_permitted in any::<bool>(), ranges in prop::collection::vec(any::<(u32, u32)>(), 0..=3),
            offset in any::<u32>(), len in 0usize..1_460,
        ) {
            let mut head = Head {
                from_port: ports.0, to_port: ports.1, seq: numbers.0, ack: numbers.1, flags: bits, window, mss, sack_permitted,
                ..Head::default()
            };
            for (place, (start, end)) in head.sacked.iter_mut().zip(ranges.into_iter().filter(|(a, b)| a != b)) {
                *place = Range { start, end };
            }
            let packet = emit(&Pool::new(), ROUTE, 3, &head, offset.into(), len);
            let (route, back, octets) = read(&packet).unwrap();
            prop_assert_eq!((route, back), (ROUTE, head));
            prop_assert_eq!(octets.len(), len);
            prop_assert!(payload::is_pattern(offset.into(), octets));
        }

        #[test]
        fn no_octets_panic(body in prop::collection::vec(any::<u8>(), 0..80)) {
            let mut octets = alloc::vec![0x45, 0, 0, 0, 0, 0, 0, 0, 64, 6, 0, 0, 10, 0, 0, 1, 10, 0, 0, 2];
            octets.extend_from_slice(&body);
            let total = octets.len() as u16;
            octets[2..4].copy_from_slice(&total.to_be_bytes());
            Ipv4Packet::new_unchecked(&mut octets[..]).fill_checksum();
            if body.len() >= 18 {
                octets[36..38].fill(0);
                let checksum = !fold(sum(&octets[20..]) + pseudo(ROUTE, 6, body.len()));
                octets[36..38].copy_from_slice(&checksum.to_be_bytes());
            }
            let _ = read(&octets);
        }
    }
}
