//! Octets of TCP that come out of a link more than once.

use alloc::vec::Vec;

/// Stretches remembered that lie behind a hole: lwIP keeps fewer segments out of order, and Linux has no more holes in a window.
const STRETCHES_MAX: usize = 64;

/// Streams of one direction, and what has come of each.
#[derive(Clone, Debug, Default)]
pub struct Repetitions {
    streams: Vec<Stream>,
}

/// Octets of one stream that have come.
#[derive(Clone, Debug)]
struct Stream {
    /// Source and destination port.
    ports: [u8; 4],
    /// Sequence number up to which everything has come.
    next: u32,
    /// Stretches behind that, as distances from `next`, in their order and apart from each other.
    behind: Vec<(u32, u32)>,
}

impl Repetitions {
    /// A packet has come out; octets of its payload that had come out before. 0 for whatever is no TCP over IPv4.
    pub fn came(&mut self, packet: &[u8]) -> u64 {
        let Some(segment) = Segment::parse(packet) else { return 0 };
        let at = match self.streams.iter().position(|stream| stream.ports == segment.ports) {
            Some(at) => at,
            None => {
                self.streams.push(Stream { ports: segment.ports, next: segment.sequence, behind: Vec::new() });
                self.streams.len() - 1
            }
        };
        let stream = &mut self.streams[at];
        if segment.begins {
            (stream.next, stream.behind) = (segment.sequence.wrapping_add(1), Vec::new());
        }
        u64::from(stream.came(segment.sequence, segment.octets))
    }
}

impl Stream {
    /// `octets` from `sequence` on have come; how many of them had come before.
    fn came(&mut self, sequence: u32, octets: u32) -> u32 {
        let from = sequence.wrapping_sub(self.next) as i32;
        let old = (-i64::from(from)).clamp(0, octets.into()) as u32;
        let (start, end) = (from.max(0) as u32, (i64::from(from) + i64::from(octets)).max(0) as u32);
        let overlap = |&(a, b): &(u32, u32)| end.min(b).saturating_sub(start.max(a));
        let known: u32 = self.behind.iter().map(overlap).sum();
        if start < end {
            self.add(start, end);
        }
        old + known
    }

    fn add(&mut self, mut start: u32, mut end: u32) {
        self.behind.retain(|&(a, b)| {
            let apart = b < start || end < a;
            if !apart {
                (start, end) = (start.min(a), end.max(b));
            }
            apart
        });
        if start == 0 {
            self.next = self.next.wrapping_add(end);
            self.behind.iter_mut().for_each(|stretch| *stretch = (stretch.0 - end, stretch.1 - end));
        } else if self.behind.len() < STRETCHES_MAX {
            let place = self.behind.partition_point(|stretch| stretch.0 < start);
            self.behind.insert(place, (start, end));
        }
    }
}

/// Header of a segment, as far as it is needed.
struct Segment {
    ports: [u8; 4],
    sequence: u32,
    octets: u32,
    begins: bool,
}

impl Segment {
    fn parse(packet: &[u8]) -> Option<Self> {
        let (&first, total) = (packet.first()?, u16::from_be_bytes([*packet.get(2)?, *packet.get(3)?]));
        if first >> 4 != 4 || packet.get(9) != Some(&6) {
            return None;
        }
        let header = usize::from(first & 0xf) * 4;
        let tcp = packet.get(header..header + 20)?;
        let ports = [tcp[0], tcp[1], tcp[2], tcp[3]];
        let sequence = u32::from_be_bytes([tcp[4], tcp[5], tcp[6], tcp[7]]);
        let headers = header + usize::from(tcp[12] >> 4) * 4;
        // SYN. RFC 9293, 3.1.
        let begins = tcp[13] & 0x02 != 0;
        Some(Self { ports, sequence, octets: u32::from(total).saturating_sub(headers as u32), begins })
    }
}

#[cfg(test)]
mod tests {
    use alloc::vec;

    use super::*;

    /// A segment of port `port` from `sequence` on.
    fn segment(port: u8, sequence: u32, octets: u16, syn: bool) -> Vec<u8> {
        let mut packet = vec![0; 40];
        (packet[0], packet[9]) = (0x45, 6);
        packet[2..4].copy_from_slice(&(40 + octets).to_be_bytes());
        packet[23] = port;
        packet[24..28].copy_from_slice(&sequence.to_be_bytes());
        (packet[32], packet[33]) = (0x50, if syn { 0x02 } else { 0x10 });
        packet
    }

    #[test]
    fn what_has_come_before_is_counted_once_more() {
        let mut again = Repetitions::default();
        let start = u32::MAX - 150;
        assert_eq!(again.came(&segment(1, start.wrapping_sub(1), 0, true)), 0);
        let mut came = |from: u32, octets| again.came(&segment(1, start.wrapping_add(from), octets, false));
        assert_eq!(came(0, 100), 0);
        assert_eq!(came(0, 100), 100, "sent again");
        assert_eq!(came(200, 100), 0, "behind a hole, and past the wrap of the numbers");
        assert_eq!(came(50, 100), 50, "half of it is new");
        assert_eq!(came(200, 150), 100);
        assert_eq!(came(150, 50), 0, "the hole is filled");
        assert_eq!(came(0, 350), 350, "all of it has come");
        assert_eq!(came(350, 10), 0);
        assert_eq!(again.came(&segment(2, 5, 10, false)), 0, "another stream");
    }

    #[test]
    fn what_is_no_tcp_is_none_of_it() {
        let mut udp = segment(1, 0, 100, false);
        udp[9] = 17;
        let mut again = Repetitions::default();
        assert_eq!((again.came(&udp), again.came(&udp), again.came(&[0x45])), (0, 0, 0));
    }
}
