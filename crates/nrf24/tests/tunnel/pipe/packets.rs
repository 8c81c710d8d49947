//! IP packets that say which they are.

/// The ones' complement sum of RFC 1071, written for itself.
pub fn internet_checksum(octets: &[u8]) -> u16 {
    let mut sum = 0_u32;
    for pair in octets.chunks(2) {
        sum += u32::from(pair[0]) << 8 | u32::from(*pair.get(1).unwrap_or(&0));
    }
    while sum > 0xffff {
        sum = (sum & 0xffff) + (sum >> 16);
    }
    !(sum as u16)
}

fn ipv4(protocol: u8, number: u32, total: usize) -> Vec<u8> {
    let mut packet = vec![0x45, 0, 0, 0, 0, 0, 0x40, 0, 64, protocol, 0, 0, 10, 0, 0, 1, 10, 0, 0, 2];
    packet[2..4].copy_from_slice(&(total as u16).to_be_bytes());
    packet[4..6].copy_from_slice(&(number as u16).to_be_bytes());
    let sum = internet_checksum(&packet);
    packet[10..12].copy_from_slice(&sum.to_be_bytes());
    packet
}

fn fill(packet: &mut Vec<u8>, number: u32, total: usize) {
    packet.extend(number.to_be_bytes());
    let mut octet = number;
    while packet.len() < total {
        octet = octet.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        packet.push((octet >> 24) as u8);
    }
    packet.truncate(total);
}

/// A UDP packet of `total` octets, from `port`, with `number` at the start of its payload.
pub fn udp(port: u16, number: u32, total: usize) -> Vec<u8> {
    let mut packet = ipv4(17, number, total);
    packet.extend(port.to_be_bytes());
    packet.extend(5001_u16.to_be_bytes());
    packet.extend((total as u16 - 20).to_be_bytes());
    packet.extend((number as u16 ^ 0x1234).to_be_bytes());
    fill(&mut packet, number, total);
    packet
}

/// A TCP segment with timestamps: 52 octets of headers, the rest payload.
pub fn tcp(port: u16, number: u32, total: usize) -> Vec<u8> {
    let mut packet = ipv4(6, number, total);
    packet.extend(port.to_be_bytes());
    packet.extend(80_u16.to_be_bytes());
    packet.extend(number.wrapping_mul(1448).to_be_bytes());
    packet.extend((number / 2).to_be_bytes());
    packet.extend([0x80, 0x10]);
    packet.extend((number as u16).to_be_bytes());
    packet.extend((number as u16 ^ 0x4321).to_be_bytes());
    packet.extend([0, 0, 1, 1, 8, 10]);
    packet.extend(number.to_be_bytes());
    packet.extend((number ^ 0xffff).to_be_bytes());
    if total > 52 {
        fill(&mut packet, number, total);
    }
    packet
}

/// The number of a UDP packet made by [`udp`].
pub fn number(packet: &[u8]) -> u32 {
    u32::from_be_bytes(packet[28..32].try_into().expect("four octets"))
}
