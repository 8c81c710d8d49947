//! Byte strings read as packets of a file: what the fuzz target `sniff` runs besides, and what the ordinary tests run with random strings
//! and with the corpus in `fuzz/corpus/sniff`.
//!
//! Most of a string is messages of nRF Sniffer with any stamps and counters, so that its clocks are followed wherever they lead; the rest
//! is packets of the other link types.

use airtime_capture::pcapng::Packet;
use airtime_sniff::{Explainer, Sniffer, Stamps};
use airtime_testing::Script;

/// Strings longer than this add time and no new states.
const OCTETS_MAX: usize = 1024;
/// Link types that are read, and Ethernet.
const LINK_TYPES: [u16; 5] = [256, 272, 251, 157, 1];

/// Reads `bytes` as packets of one file, explains them, and checks what holds for any.
pub fn file(bytes: &[u8]) {
    let mut script = Script::new(bytes, OCTETS_MAX);
    let (mut sniffer, mut explainer) = (Sniffer::default(), Explainer::new(Stamps::SNIFFER));
    let usual = LINK_TYPES[usize::from(script.octet()) % LINK_TYPES.len()];
    let (mut unix_ns, mut counter, mut packets, mut taken) = (stamp(&mut script), 0_u16, 0, 0);
    while !script.is_over() {
        let kind = script.octet();
        let link_type = if kind & 0x0f == 0 { LINK_TYPES[usize::from(kind >> 4) % LINK_TYPES.len()] } else { usual };
        unix_ns = match kind & 0x30 {
            0x30 => stamp(&mut script),
            _ => unix_ns.saturating_add(i64::from(script.word()) * 1000),
        };
        counter = counter.wrapping_add(if kind & 0xc0 == 0 { script.word() } else { 1 });
        let data = match link_type {
            272 | 157 => message(&mut script, kind, counter),
            _ => script.packet().to_vec(),
        };
        let packet = Packet {
            section: 0,
            interface: u32::from(link_type),
            link_type,
            unix_ns,
            original_octets: data.len() as u32,
            data: &data,
        };
        packets += 1;
        sniffer.packet(&packet, &mut |sniffed| {
            taken += 1;
            explainer.take(sniffed);
        });
    }
    let counted = sniffer.counted();
    assert_eq!(counted.taken, taken);
    assert_eq!(counted.taken + counted.elsewhere + counted.malformed + counted.notes, packets);
    assert!(counted.lost <= packets * u64::from(u16::MAX));
    assert_eq!(sniffer.fault().is_some(), counted.malformed > 0);
    assert_eq!(explainer.finish().packets, taken);
}

/// Any stamp, the extreme ones more often than others.
fn stamp(script: &mut Script<'_>) -> i64 {
    match script.octet() {
        0..64 => i64::MAX,
        64..96 => i64::MIN,
        96..160 => 0,
        shift => i64::from(script.word().cast_signed()) << (shift & 0x2f),
    }
}

/// A message of nRF Sniffer: a packet of the air, as the sniffer or as a script writes it, or an answer to the computer.
fn message(script: &mut Script<'_>, kind: u8, counter: u16) -> Vec<u8> {
    let version = if kind & 0x04 == 0 { 3 } else { 2 };
    let id = match kind & 0x0f {
        0x0f => 0x0e,
        0x0e => 0,
        _ => 6,
    };
    let time = u32::from(script.word()) << (kind & 0x10);
    let pdu = script.packet();
    let payload =
        [&[10, 1, 9, 40, 0, 0], &time.to_le_bytes()[..], &[0x96, 0x4e, 0x65, 0x50, 1, 0], pdu, &[0; 3]].concat();
    let [low, high] = (payload.len() as u16).to_le_bytes();
    let [number, above] = counter.to_le_bytes();
    [&[5, low, high, version, number, above, id], &payload[..]].concat()
}
