use alloc::vec;
use alloc::vec::Vec;

use proptest::prelude::*;

use super::block::Order;
use super::*;

/// A section by the program `a`, an interface `air` described as `b`, and a packet of five octets at 2³² + 1 ns.
const GOLDEN: &[u8] = b"\x0a\x0d\x0d\x0a\x28\x00\x00\x00\x4d\x3c\x2b\x1a\x01\x00\x00\x00\xff\xff\xff\xff\
    \xff\xff\xff\xff\
    \x04\x00\x01\x00a\x00\x00\x00\x00\x00\x00\x00\x28\x00\x00\x00\
    \x01\x00\x00\x00\x30\x00\x00\x00\x00\x01\x00\x00\x00\x00\x00\x00\
    \x02\x00\x03\x00air\x00\x03\x00\x01\x00b\x00\x00\x00\x09\x00\x01\x00\x09\x00\x00\x00\x00\x00\x00\x00\
    \x30\x00\x00\x00\
    \x06\x00\x00\x00\x28\x00\x00\x00\x00\x00\x00\x00\x01\x00\x00\x00\x01\x00\x00\x00\x05\x00\x00\x00\x05\x00\x00\x00\
    hello\x00\x00\x00\x28\x00\x00\x00";
/// Octets in front of the packet.
const HEAD: usize = 0x28 + 0x30;

fn hello() -> Packet<'static> {
    Packet { section: 0, interface: 0, link_type: 256, unix_ns: (1 << 32) + 1, original_octets: 5, data: b"hello" }
}

fn read(capture: &[u8]) -> Vec<Result<Packet<'_>, Error>> {
    Packets::new(capture).collect()
}

fn fault(capture: &[u8]) -> (u64, Fault) {
    let error = read(capture).pop().unwrap().unwrap_err();
    (error.offset, error.fault)
}

#[test]
fn golden_bytes() {
    let mut writer = Writer::new(Vec::new(), "a");
    let air = writer.interface(256, "air", "b");
    writer.packet(air, (1 << 32) + 1, |out| out.extend_from_slice(b"hello"));
    assert_eq!(writer.into_sink(), GOLDEN);
    assert_eq!(read(GOLDEN), [Ok(hello())]);
}

#[test]
fn names_of_interfaces_are_known_at_their_packets() {
    let mut packets = Packets::new(GOLDEN);
    packets.next().unwrap().unwrap();
    let [air] = packets.reader().interfaces() else { panic!("one interface") };
    assert_eq!((air.name.as_str(), air.resolution, air.offset_s), ("air", Resolution::NANOSECONDS, 0));
}

/// Writes blocks in either byte order, with whatever in them.
struct Blocks {
    order: Order,
    bytes: Vec<u8>,
}

impl Blocks {
    fn new(order: Order) -> Self {
        let mut blocks = Self { order, bytes: Vec::new() };
        blocks.section(1, 0);
        blocks
    }

    fn u16(&self, value: u16) -> [u8; 2] {
        [value.to_le_bytes(), value.to_be_bytes()][usize::from(self.order == Order::Big)]
    }

    fn u32(&self, value: u32) -> [u8; 4] {
        [value.to_le_bytes(), value.to_be_bytes()][usize::from(self.order == Order::Big)]
    }

    fn block(&mut self, kind: u32, body: &[u8]) {
        let octets = self.u32(body.len() as u32 + 12);
        self.bytes.extend([&self.u32(kind), &octets, body, &octets].concat());
    }

    fn section(&mut self, major: u16, minor: u16) {
        let versions = [self.u16(major), self.u16(minor)].concat();
        self.block(SECTION_HEADER, &[&self.u32(BYTE_ORDER_MAGIC)[..], &versions, &[0xff; 8]].concat());
    }

    fn interface(&mut self, link_type: u16, options: &[(u16, &[u8])]) {
        let mut body = [&self.u16(link_type)[..], &[0; 6]].concat();
        for (code, value) in options {
            body.extend([self.u16(*code), self.u16(value.len() as u16)].concat());
            body.extend_from_slice(value);
            body.resize(body.len().next_multiple_of(4), 0);
        }
        self.block(INTERFACE_DESCRIPTION, &body);
    }

    fn packet(&mut self, interface: u32, units: u64, data: &[u8]) {
        let octets = data.len() as u32;
        let fields = [interface, (units >> 32) as u32, units as u32, octets, octets];
        let mut body = fields.map(|field| self.u32(field)).concat();
        body.extend_from_slice(data);
        body.resize(body.len().next_multiple_of(4), 0);
        self.block(ENHANCED_PACKET, &body);
    }
}

#[test]
fn both_orders_interfaces_sections_and_units() {
    for order in [Order::Little, Order::Big] {
        let mut blocks = Blocks::new(order);
        blocks.block(0x0bad, &[1, 2, 3, 4]);
        blocks.interface(256, &[]);
        let offset = match order {
            Order::Little => (-1i64).to_le_bytes(),
            Order::Big => (-1i64).to_be_bytes(),
        };
        blocks.interface(251, &[(IF_TSRESOL, &[0x80 | 10]), (2988, b"x"), (IF_TSOFFSET, &offset)]);
        blocks.packet(1, 1536, b"one");
        blocks.packet(0, 7, b"two");
        blocks.section(1, 2);
        blocks.interface(1, &[(IF_TSRESOL, &[9])]);
        blocks.packet(0, 5, b"");
        let packets: Result<Vec<_>, _> = Packets::new(&blocks.bytes).collect();
        let seen: Vec<_> = packets.unwrap().iter().map(|p| (p.section, p.link_type, p.unix_ns, p.data)).collect();
        let expected: [(u32, u16, i64, &[u8]); 3] =
            [(0, 251, 500_000_000, b"one"), (0, 256, 7_000, b"two"), (1, 1, 5, b"")];
        assert_eq!(seen, expected, "{order:?}");
    }
}

#[test]
fn sections_may_differ_in_their_order() {
    let mut little = Blocks::new(Order::Little);
    let mut big = Blocks::new(Order::Big);
    for blocks in [&mut little, &mut big] {
        blocks.interface(256, &[(IF_TSRESOL, &[9])]);
        blocks.packet(0, 3, b"abc");
    }
    let sections: Vec<_> = read(&[little.bytes, big.bytes].concat()).into_iter().map(|p| p.unwrap().section).collect();
    assert_eq!(sections, [0, 1]);
}

#[test]
fn an_obsolete_packet_block_is_read() {
    let mut blocks = Blocks::new(Order::Little);
    blocks.interface(256, &[]);
    blocks.block(
        OBSOLETE_PACKET,
        b"\x00\x00\xff\xff\x00\x00\x00\x00\x07\x00\x00\x00\x01\x00\x00\x00\x09\x00\x00\x00x\x00\x00\x00",
    );
    let packet = Packet { unix_ns: 7000, original_octets: 9, data: b"x", ..hello() };
    assert_eq!(read(&blocks.bytes), [Ok(packet)]);
}

#[test]
fn classic_captures() {
    for (magic, unit) in [(0xa1b2_c3d4u32, 1000), (0xa1b2_3c4d, 1)] {
        for big in [false, true] {
            let word = |value: u32| if big { value.to_be_bytes() } else { value.to_le_bytes() };
            let half = |value: u16| if big { value.to_be_bytes() } else { value.to_le_bytes() };
            let header = [&word(magic)[..], &half(2), &half(4), &[0; 8], &word(0xffff), &word(256)].concat();
            let record = [&word(3)[..], &word(7), &word(2), &word(9), b"ab"].concat();
            let packet = Packet { unix_ns: 3_000_000_000 + 7 * unit, original_octets: 9, data: b"ab", ..hello() };
            assert_eq!(read(&[header.clone(), record.clone(), record.clone()].concat()), [Ok(packet), Ok(packet)]);
            assert_eq!(read(&header), []);
            let cut = [&header, &record[..17]].concat();
            assert_eq!(fault(&cut), (24, Fault::Truncated { needs: 18, has: 17 }));
        }
    }
}

#[test]
fn a_capture_that_ends_too_early_says_where() {
    for cut in 0..HEAD + 0x28 {
        let block = [0, 0x28, HEAD].into_iter().rev().find(|start| *start <= cut).unwrap();
        if cut == block && cut > 0 {
            assert_eq!(read(&GOLDEN[..cut]), [], "between two blocks");
            continue;
        }
        let (offset, fault) = fault(&GOLDEN[..cut]);
        assert_eq!(offset, block as u64, "cut after {cut}");
        let Fault::Truncated { needs, has } = fault else { panic!("{fault:?}") };
        assert!(has == cut - block && has < needs, "{fault:?}");
    }
}

#[test]
fn what_is_wrong_is_said() {
    let with = |at: usize, octet: u8| {
        let mut bytes = GOLDEN.to_vec();
        bytes[at] = octet;
        fault(&bytes)
    };
    let (interface, packet) = (0x28, HEAD as u64);
    let damaged = [&[0], &GOLDEN[1..]].concat();
    assert_eq!(with(0, 0), (0, Fault::Magic(Magic::of(&damaged))));
    assert_eq!(with(8, 0), (0, Fault::ByteOrder([0, 0x3c, 0x2b, 0x1a])));
    assert_eq!(with(12, 2), (0, Fault::Version(2, 0)));
    assert_eq!(with(4, 0x18), (0, Fault::BlockLength(0x18)));
    assert_eq!(with(interface + 4, 0x31), (0x28, Fault::BlockLength(0x31)));
    assert_eq!(with(interface + 7, 0x7f), (0x28, Fault::TooLong { octets: 0x7f00_0030, limit: 16 << 20 }));
    assert_eq!(with(HEAD - 4, 0), (0x28, Fault::Trailer { front: 0x30, behind: 0 }));
    assert_eq!(with(interface + 18, 0xff), (0x28, Fault::Option(2)));
    assert_eq!(with(HEAD + 8, 1), (packet, Fault::UnknownInterface(1)));
    assert_eq!(with(HEAD + 20, 9), (packet, Fault::PacketLength(9)));
    assert_eq!(with(HEAD + 15, 0xff), (packet, Fault::Stamp));
    assert_eq!(with(HEAD, SIMPLE_PACKET as u8), (packet, Fault::SimplePacket));
    let error = Packets::new(b"MZ\x90\0").next().unwrap().unwrap_err();
    assert_eq!(
        alloc::format!("{error}"),
        "at octet 0: this begins no capture that is known (octets 4d 5a 90 00); pcapng, pcap and btsnoop are read"
    );
}

#[test]
fn interfaces_are_bounded() {
    let mut blocks = Blocks::new(Order::Little);
    for _ in 0..1025 {
        blocks.interface(256, &[]);
    }
    assert_eq!(fault(&blocks.bytes).1, Fault::Interfaces);
}

/// Reads `capture` from a buffer that grows by `piece` octets at a time and drops what was used.
fn in_pieces(capture: &[u8], piece: usize) -> (Vec<Vec<u8>>, usize, Result<(), Error>) {
    let (mut reader, mut buffer, mut datas, mut most) = (Reader::new(), Vec::new(), Vec::new(), 0);
    for bytes in capture.chunks(piece) {
        buffer.extend_from_slice(bytes);
        most = most.max(buffer.len());
        loop {
            match reader.read(&buffer) {
                Ok(Step::Needs(_)) => break,
                Ok(Step::Other { used }) => drop(buffer.drain(..used)),
                Ok(Step::Packet { packet, used }) => {
                    datas.push(packet.data.to_vec());
                    buffer.drain(..used);
                }
                Err(error) => return (datas, most, Err(error)),
            }
        }
    }
    let end = reader.finish(&buffer);
    (datas, most, end)
}

#[test]
fn a_long_capture_needs_a_short_buffer() {
    let mut writer = Writer::new(Vec::new(), "a");
    let air = writer.interface(256, "air", "b");
    for n in 0..10_000u64 {
        writer.packet(air, n, |out| out.extend_from_slice(&[0; 260][..n as usize % 260]));
    }
    let (datas, most, end) = in_pieces(&writer.into_sink(), 64);
    assert_eq!((datas.len(), end), (10_000, Ok(())));
    assert!(most < 292 + 64 + 4, "{most} octets");
}

proptest! {
    #[test]
    fn round_trip(packets in proptest::collection::vec((0..u64::MAX >> 1, any::<Vec<u8>>()), 0..8), piece in 1usize..99) {
        let mut writer = Writer::new(Vec::new(), "");
        let interfaces = [writer.interface(256, "", ""), writer.interface(201, "second", "")];
        for (n, (at, data)) in packets.iter().enumerate() {
            writer.packet(interfaces[n % 2], *at, |out| out.extend_from_slice(data));
        }
        let capture = writer.into_sink();
        let seen: Result<Vec<_>, _> = Packets::new(&capture).collect();
        let seen: Vec<_> = seen.unwrap().iter().map(|p| (p.interface, p.unix_ns, p.data.to_vec())).collect();
        let sent: Vec<_> =
            packets.iter().enumerate().map(|(n, (at, data))| (n as u32 % 2, *at as i64, data.clone())).collect();
        prop_assert_eq!(seen, sent);
        let (datas, _, end) = in_pieces(&capture, piece);
        prop_assert_eq!(datas, packets.into_iter().map(|(_, data)| data).collect::<Vec<_>>());
        prop_assert_eq!(end, Ok(()));
    }

    #[test]
    fn any_bytes_are_read_or_refused(bytes: Vec<u8>) {
        let [packets, ..] = crate::fuzz::read(&bytes, |_, _| false);
            prop_assert!(packets <= bytes.len());
    }

    #[test]
    fn damage_is_read_or_refused_and_reading_ends(
        damage in proptest::collection::vec((0..GOLDEN.len() * 2, any::<u8>()), 1..8),
        piece in 1usize..99,
    ) {
        let mut capture = [GOLDEN, GOLDEN].concat();
        for (at, octet) in damage {
            capture[at] = octet;
        }
        let _ = crate::fuzz::read(&capture, |_, _| false);
        let whole = read(&capture);
        let (datas, _, end) = in_pieces(&capture, piece);
        let good: Vec<_> = whole.iter().flatten().map(|packet| packet.data.to_vec()).collect();
        prop_assert_eq!(datas, good);
        prop_assert_eq!(end.err(), whole.last().and_then(|last| last.err()));
    }
}

#[test]
fn reading_stops_at_the_first_error() {
    let capture = [GOLDEN, b"garbage in the middle of it!", GOLDEN].concat();
    let packets = read(&capture);
    assert_eq!(packets.len(), 2);
    assert_eq!(packets[1].unwrap_err().offset, GOLDEN.len() as u64);
    assert_eq!(vec![packets[0]], [Ok(hello())]);
}
