//! IP headers, as far as the published tunnel and the kernel behind it look at them.

/// Octets of an IPv4 header without options. RFC 791, 3.1.
const IPV4_HEADER: usize = 20;

/// Octets of an IPv6 header. RFC 8200, 3.
const IPV6_HEADER: usize = 40;

/// Protocol numbers. RFC 790; IANA.
const TCP: u8 = 6;
const UDP: u8 = 17;

/// Tells if `buffer` begins with octets that the published receiver takes for a whole IP packet: a header that fits,
/// and a total length that does. Neither the checksum nor what may follow is looked at.
pub(super) fn parses(buffer: &[u8]) -> bool {
    match buffer.first().map(|octet| octet >> 4) {
        Some(4) => {
            buffer.len() >= IPV4_HEADER && buffer.len() >= ipv4_header(buffer) && buffer.len() >= ipv4_total(buffer)
        }
        Some(6) => buffer.len() >= IPV6_HEADER && buffer.len() >= IPV6_HEADER + usize::from(be16(buffer, 4)),
        _ => false,
    }
}

/// Packet that the kernel takes from octets written to the TUN device: the IPv4 packet at their beginning, without what
/// follows it, or nothing when the header is wrong. Linux, `ip_rcv_core`: version, header length, checksum, total
/// length, in this order.
pub(super) fn accepted(written: &[u8]) -> Option<&[u8]> {
    if written.len() < IPV4_HEADER || written[0] >> 4 != 4 {
        return None;
    }
    let header = ipv4_header(written);
    if header < IPV4_HEADER || written.len() < header || checksum(&written[..header]) != 0 {
        return None;
    }
    let total = ipv4_total(written);
    (header..=written.len()).contains(&total).then(|| &written[..total])
}

/// Octets of the IPv4 header and of the UDP or TCP header behind it.
pub(crate) fn headers(packet: &[u8]) -> usize {
    if packet.len() < IPV4_HEADER || packet[0] >> 4 != 4 {
        return IPV6_HEADER.min(packet.len());
    }
    let ip = ipv4_header(packet);
    let transport = match packet[9] {
        UDP => 8,
        TCP => packet.get(ip + 12).map_or(0, |octet| usize::from(octet >> 4) * 4),
        _ => 0,
    };
    (ip + transport).min(packet.len())
}

fn ipv4_header(packet: &[u8]) -> usize {
    usize::from(packet[0] & 0x0F) * 4
}

fn ipv4_total(packet: &[u8]) -> usize {
    usize::from(be16(packet, 2))
}

fn be16(octets: &[u8], at: usize) -> u16 {
    u16::from_be_bytes([octets[at], octets[at + 1]])
}

/// RFC 1071; zero over a header whose checksum is right.
fn checksum(octets: &[u8]) -> u16 {
    let words = octets.chunks(2).map(|pair| u32::from(pair[0]) << 8 | u32::from(*pair.get(1).unwrap_or(&0)));
    let mut sum: u32 = words.sum();
    while sum > 0xFFFF {
        sum = (sum & 0xFFFF) + (sum >> 16);
    }
    !(sum as u16)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The header of a TCP segment of 52 octets; its checksum is right.
    const HEADER: [u8; 20] = [
        0x45, 0x00, 0x00, 0x34, 0x2d, 0x87, 0x00, 0x00, 0x2c, 0x06, 0x5c, 0x74, 0x42, 0x66, 0x01, 0x6c, 0xc0, 0xa8,
        0x00, 0x4f,
    ];

    #[test]
    fn a_packet_parses_once_it_is_whole_and_the_kernel_cuts_what_follows() {
        let mut buffer = [0; 64];
        buffer[..20].copy_from_slice(&HEADER);
        assert!(!parses(&buffer[..51]));
        assert!(parses(&buffer[..52]) && parses(&buffer));
        assert_eq!(accepted(&buffer).map(<[u8]>::len), Some(52));
        assert_eq!(accepted(&buffer[..51]), None);
    }

    #[test]
    fn garbage_that_parses_is_not_accepted() {
        let mut buffer = [0; 60];
        buffer[0] = 0x45;
        buffer[3] = 60;
        assert!(parses(&buffer), "the published receiver looks at no checksum");
        assert_eq!(accepted(&buffer), None);
        buffer[3] = 0;
        assert!(parses(&buffer), "a total length of 0 is always there");
        buffer[0] = 0x95;
        assert!(!parses(&buffer));
    }

    #[test]
    fn headers_end_where_application_payload_begins() {
        let mut packet = [0; 60];
        packet[0] = 0x45;
        packet[9] = UDP;
        assert_eq!(headers(&packet), 28);
        packet[9] = TCP;
        packet[32] = 0x80;
        assert_eq!(headers(&packet), 52);
        assert_eq!(headers(&packet[..30]), 20, "a segment cut before its length");
    }
}
