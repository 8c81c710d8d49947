//! Messages of RF24Network: a header in front of every frame, fragments of 24 octets, and their way back.

use crate::air::PAYLOAD_MAX;

/// Octets of the header of every frame.
pub const HEADER: usize = 8;

/// Octets of a message that a frame carries at most.
pub const FRAGMENT_MAX: usize = PAYLOAD_MAX - HEADER;

/// Octets of a message at most, on Linux: `MAX_PAYLOAD_SIZE`.
pub const MESSAGE_MAX: usize = 1_514;

/// Types of frames.
const EXTERNAL: u8 = 131;
const FIRST: u8 = 148;
const MORE: u8 = 149;
const LAST: u8 = 150;

/// Header of a frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Header {
    /// Node that sends the message.
    pub from: u16,
    /// Node it is for.
    pub to: u16,
    /// Number of the message.
    pub id: u16,
    /// Type of the frame.
    pub kind: u8,
    /// Fragments that are to come, this one among them; of the last, the type of the message.
    pub reserved: u8,
}

impl Header {
    /// Its octets: the fields in their order, each least significant octet first.
    pub fn octets(&self) -> [u8; HEADER] {
        let ([a, b], [c, d], [e, f]) = (self.from.to_le_bytes(), self.to.to_le_bytes(), self.id.to_le_bytes());
        [a, b, c, d, e, f, self.kind, self.reserved]
    }

    /// Header at the beginning of a frame, and what is behind it; none of a frame that is too short.
    pub fn parse(frame: &[u8]) -> Option<(Self, &[u8])> {
        let (&[a, b, c, d, e, f, kind, reserved], rest) = frame.split_first_chunk::<HEADER>()?;
        let [from, to, id] = [[a, b], [c, d], [e, f]].map(u16::from_le_bytes);
        Some((Self { from, to, id, kind, reserved }, rest))
    }
}

/// Number of frames that a message of `octets` takes.
pub(super) fn frames(octets: usize) -> usize {
    octets.div_ceil(FRAGMENT_MAX).max(1)
}

/// Frame `index` of message `id` between these nodes, and its octets.
pub(super) fn frame(from: u16, to: u16, id: u16, message: &[u8], index: usize) -> ([u8; PAYLOAD_MAX], usize) {
    let left = frames(message.len()) - index;
    let (kind, reserved) = match (left, index) {
        (1, 0) => (EXTERNAL, 0),
        (1, _) => (LAST, EXTERNAL),
        (_, 0) => (FIRST, left as u8),
        _ => (MORE, left as u8),
    };
    let begin = index * FRAGMENT_MAX;
    let part = &message[begin..(begin + FRAGMENT_MAX).min(message.len())];
    let mut frame = [0; PAYLOAD_MAX];
    frame[..HEADER].copy_from_slice(&Header { from, to, id, kind, reserved }.octets());
    frame[HEADER..HEADER + part.len()].copy_from_slice(part);
    (frame, HEADER + part.len())
}

/// Reassembly of the messages of one sender, from fragments in their order or not at all.
#[derive(Clone, Debug)]
pub struct Assembly {
    message: [u8; MESSAGE_MAX],
    len: usize,
    /// Header of the last fragment, while a message is open.
    open: Option<Header>,
    thrown: u32,
}

impl Assembly {
    /// Nothing has come.
    pub const fn new() -> Self {
        Self { message: [0; MESSAGE_MAX], len: 0, open: None, thrown: 0 }
    }

    /// A frame has come for this node: the message that it completes.
    pub fn frame<'a>(&'a mut self, header: Header, part: &'a [u8]) -> Option<&'a [u8]> {
        match header.kind {
            // A frame that is a message leaves the open one as it is.
            EXTERNAL => return Some(part),
            FIRST if self.open.is_none_or(|open| open.id != header.id) => {
                self.thrown += if self.open.is_some() { self.len as u32 } else { 0 };
                (self.len, self.open) = (0, Some(header));
                self.append(part);
            }
            MORE | LAST if self.follows(&header, part.len()) => {
                self.append(part);
                self.open = (header.kind == MORE).then_some(header);
                if header.kind == LAST {
                    return Some(&self.message[..self.len]);
                }
            }
            _ => self.thrown += part.len() as u32,
        }
        None
    }

    /// Octets thrown away since the last call.
    pub fn thrown(&mut self) -> u32 {
        core::mem::take(&mut self.thrown)
    }

    /// Tells if this fragment is the next of the open message.
    fn follows(&self, header: &Header, octets: usize) -> bool {
        let Some(open) = self.open.filter(|open| open.id == header.id) else { return false };
        let left = if header.kind == LAST { 1 } else { header.reserved };
        open.reserved == left + 1 && self.len + octets <= MESSAGE_MAX
    }

    fn append(&mut self, part: &[u8]) {
        self.message[self.len..self.len + part.len()].copy_from_slice(part);
        self.len += part.len();
    }
}

impl Default for Assembly {
    fn default() -> Self {
        Self::new()
    }
}

#[cfg(test)]
mod tests {
    use alloc::vec::Vec;

    use super::*;

    fn message(len: usize) -> Vec<u8> {
        (0..len).map(|at| (at * 7) as u8).collect()
    }

    /// Feeds the frames of a message of `len` octets but those in `lost`; the message that came of them.
    fn feed(assembly: &mut Assembly, id: u16, len: usize, lost: &[usize]) -> Option<Vec<u8>> {
        let message = message(len);
        let mut came = None;
        for index in (0..frames(len)).filter(|index| !lost.contains(index)) {
            let (frame, octets) = frame(0, 1, id, &message, index);
            let (header, part) = Header::parse(&frame[..octets]).expect("it has a header");
            assert_eq!((header.from, header.to, header.id), (0, 1, id));
            came = assembly.frame(header, part).map(<[u8]>::to_vec).or(came);
        }
        came
    }

    #[test]
    fn octets_of_a_header_are_those_of_the_published_struct() {
        let header = Header { from: 1, to: 0o15, id: 0x0203, kind: FIRST, reserved: 63 };
        assert_eq!(header.octets(), [1, 0, 13, 0, 3, 2, 148, 63]);
        assert_eq!(Header::parse(&header.octets()), Some((header, &[][..])));
        assert_eq!(Header::parse(&[0; 7]), None);
    }

    #[test]
    fn messages_of_every_length_come_back() {
        let mut assembly = Assembly::new();
        for (id, len) in [1, 24, 25, 48, 49, 60, 1_500, MESSAGE_MAX].into_iter().enumerate() {
            assert_eq!(feed(&mut assembly, id as u16, len, &[]), Some(message(len)), "{len}");
        }
        assert_eq!(assembly.thrown(), 0);
    }

    #[test]
    fn a_lost_fragment_costs_its_message_and_no_other() {
        for lost in [0, 3, 62] {
            let mut assembly = Assembly::new();
            assert_eq!(feed(&mut assembly, 1, 1_500, &[lost]), None, "{lost}");
            assert_eq!(feed(&mut assembly, 2, 60, &[]), Some(message(60)), "{lost}");
            assert!(assembly.thrown() > 1_400, "{lost}");
        }
    }
}
