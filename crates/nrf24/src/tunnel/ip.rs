//! As much of IP as the tunnel has to know: whether it is a packet, where its headers end, and which flow it belongs to.

/// IANA protocol numbers.
pub(super) const ICMP: u8 = 1;
pub(super) const TCP: u8 = 6;
pub(super) const UDP: u8 = 17;
const ICMP6: u8 = 58;

/// Octets of an IPv4 header without options. RFC 791, 3.1.
pub(super) const IPV4: usize = 20;

/// Octets of an IPv6 header. RFC 8200, 3.
const IPV6: usize = 40;

/// Outline of an IP packet: the facts that the tunnel knows about it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Outline {
    /// Octets of IP and transport headers.
    pub(super) headers: u16,
    /// A number of its flow: the same for all packets of a 5-tuple.
    pub(super) flow: u32,
}

impl Outline {
    /// Looks at a packet; none if it is neither IPv4 nor IPv6, or its length is not what its header says.
    pub(super) fn of(packet: &[u8]) -> Option<Self> {
        let (ip, protocol, addresses, is_fragment) = match packet.first()? >> 4 {
            4 => {
                let ip = usize::from(packet[0] & 0xf) * 4;
                let header = packet.get(..ip.max(IPV4))?;
                if ip < IPV4 || packet.len() != word(header, 2) {
                    return None;
                }
                (ip, header[9], &header[12..20], word(header, 6) & 0x1fff != 0)
            }
            6 => {
                let header = packet.get(..IPV6)?;
                if packet.len() != IPV6 + word(header, 4) {
                    return None;
                }
                (IPV6, header[6], &header[8..40], false)
            }
            _ => return None,
        };
        let mut flow = addresses.iter().fold(fold(0, protocol), |hash, &octet| fold(hash, octet));
        let rest = &packet[ip..];
        // Fragments behind the first have no ports: they are a flow of their own.
        let transport = if is_fragment { 0 } else { transport_header(protocol, rest) };
        if transport > 0 && matches!(protocol, TCP | UDP) {
            flow = rest[..4].iter().fold(flow, |hash, &octet| fold(hash, octet));
        }
        Some(Self { headers: (ip + transport) as u16, flow })
    }
}

/// Octets of the transport's header at the start of `rest`, 0 if there is none.
fn transport_header(protocol: u8, rest: &[u8]) -> usize {
    let octets = match protocol {
        UDP | ICMP | ICMP6 => 8,
        TCP if rest.len() > 12 => usize::from(rest[12] >> 4) * 4,
        _ => 0,
    };
    if octets >= 8 && octets <= rest.len() { octets } else { 0 }
}

/// The word at this place, in the order of the network.
pub(super) fn word(octets: &[u8], at: usize) -> usize {
    usize::from(u16::from_be_bytes([octets[at], octets[at + 1]]))
}

/// FNV-1a, 32 bits. <https://www.rfc-editor.org/rfc/rfc9923>
const fn fold(hash: u32, octet: u8) -> u32 {
    const OFFSET: u32 = 0x811c_9dc5;
    const PRIME: u32 = 0x0100_0193;
    ((hash ^ OFFSET ^ octet as u32).wrapping_mul(PRIME)) ^ OFFSET
}
