//! H4 packets from a stream of bytes. Core 6.0, Vol 4, Part A.

use std::ops::Range;

use airtime_ble::hci::{ACL_DATA, COMMAND, EVENT};

/// H4 indicators of synchronous and isochronous data. Core 6.0, Vol 4, Part A, 2.
const SYNCHRONOUS_DATA: u8 = 0x03;
const ISO_DATA: u8 = 0x05;

/// HCI Reset, by which a stream is found again. Core 6.0, Vol 4, Part A, 4.
pub const RESET: [u8; 4] = [COMMAND, 0x03, 0x0c, 0x00];

/// Longest packet that is taken for one: an ACL packet of the largest size a controller here can have
/// (`controller.acl_size`). No host that has asked for the buffer size sends a longer one.
pub const PACKET_MAX: usize = 5 + 4_096;

/// Packet by which a stream is found again, once it has stopped making sense. Core 6.0, Vol 4, Part A, 4.
#[derive(Clone, Copy, Debug, Default)]
enum Mark {
    /// HCI Reset, in what a host sends.
    #[default]
    Reset,
    /// Command Complete of it, in what a controller sends.
    ResetDone,
}

impl Mark {
    /// Its first octets; none stands for any.
    const fn octets(self) -> &'static [Option<u8>] {
        match self {
            Self::Reset => &[Some(RESET[0]), Some(RESET[1]), Some(RESET[2]), Some(RESET[3])],
            // The number of commands that the controller takes is its own. Core 6.0, Vol 4, Part E, 7.7.14.
            Self::ResetDone => &[Some(EVENT), Some(0x0e), Some(4), None, Some(RESET[1]), Some(RESET[2])],
        }
    }

    fn find(self, bytes: &[u8]) -> Option<usize> {
        let is =
            |window: &[u8]| window.iter().zip(self.octets()).all(|(octet, own)| own.is_none_or(|own| own == *octet));
        bytes.windows(self.octets().len()).position(is)
    }
}

/// Octets of a stream that wait to become packets: of a host's, unless it is told otherwise.
///
/// Whoever pushes only when it [`is_hungry`](Self::is_hungry) bounds the buffer by [`PACKET_MAX`] and
/// what is pushed at once.
#[derive(Debug, Default)]
pub struct Framer {
    buffer: Vec<u8>,
    /// Number of octets taken from the front of the buffer.
    taken: usize,
    lost: bool,
    mark: Mark,
}

/// Kind of the octets that the buffer begins with.
enum Head {
    /// A whole packet of this length.
    Packet(usize),
    /// The beginning of one.
    Partial,
    /// Nothing that can be a packet; so many octets show it.
    Nonsense(usize),
}

impl Framer {
    /// Framer of what a controller sends.
    pub fn of_controller() -> Self {
        Self { mark: Mark::ResetDone, ..Self::default() }
    }

    /// Takes the stream for one that makes no sense, from the octets on that wait.
    pub fn lose(&mut self) {
        self.lost = true;
    }

    /// True if more octets are needed before there is another packet.
    pub fn is_hungry(&self) -> bool {
        match head(self.rest()) {
            _ if self.lost => self.mark.find(self.rest()).is_none(),
            Head::Packet(_) | Head::Nonsense(_) => false,
            Head::Partial => true,
        }
    }

    /// True while the beginning of a packet waits for the rest of it.
    pub fn is_within_packet(&self) -> bool {
        !self.lost && self.waiting() > 0 && self.is_hungry()
    }

    /// Drops the beginning of a packet that waits: the next octet begins another one.
    pub fn begin_afresh(&mut self) {
        if self.is_within_packet() {
            self.taken = self.buffer.len();
        }
    }

    /// Takes in what has arrived.
    pub fn push(&mut self, bytes: &[u8]) {
        self.buffer.drain(..self.taken);
        self.taken = 0;
        self.buffer.extend_from_slice(bytes);
    }

    /// Octets that wait.
    pub fn waiting(&self) -> usize {
        self.buffer.len() - self.taken
    }

    /// True while the stream makes no sense, and the next HCI Reset, or the answer to it, is looked for.
    pub fn is_lost(&self) -> bool {
        self.lost
    }

    /// The next packet. Where the stream stops making sense, what shows it comes once, as a packet
    /// that nobody takes; everything after it is passed over up to the next HCI Reset, or the answer to it
    /// (Core 6.0, Vol 4, Part A, 4).
    pub fn packet(&mut self) -> Option<&[u8]> {
        if self.lost {
            self.find_again();
        }
        if self.lost {
            return None;
        }
        match head(self.rest()) {
            Head::Partial => None,
            Head::Packet(len) => Some(self.take(len)),
            Head::Nonsense(len) => {
                self.lost = true;
                Some(self.take(len))
            }
        }
    }

    fn rest(&self) -> &[u8] {
        &self.buffer[self.taken..]
    }

    fn take(&mut self, len: usize) -> &[u8] {
        let range: Range<usize> = self.taken..self.taken + len;
        self.taken = range.end;
        &self.buffer[range]
    }

    fn find_again(&mut self) {
        match self.mark.find(self.rest()) {
            Some(at) => {
                self.taken += at;
                self.lost = false;
            }
            // The last octets may be the beginning of one.
            None => self.taken += self.rest().len().saturating_sub(self.mark.octets().len() - 1),
        }
    }
}

/// Lengths are those of Core 6.0, Vol 4, Part E, 5.4.
fn head(bytes: &[u8]) -> Head {
    let octet = |at: usize| bytes.get(at).map(|octet| usize::from(*octet));
    let word = |at: usize| Some(octet(at)? | octet(at + 1)? << 8);
    let Some(&indicator) = bytes.first() else { return Head::Partial };
    let (header, data) = match indicator {
        COMMAND | SYNCHRONOUS_DATA => (4, octet(3)),
        ACL_DATA => (5, word(3)),
        EVENT => (3, octet(2)),
        // The upper two bits of the length field are reserved. Core 6.0, Vol 4, Part E, 5.4.5.
        ISO_DATA => (5, word(3).map(|len| len & 0x3fff)),
        _ => return Head::Nonsense(1),
    };
    match data {
        None => Head::Partial,
        Some(data) if header + data > PACKET_MAX => Head::Nonsense(header),
        Some(data) if header + data > bytes.len() => Head::Partial,
        Some(data) => Head::Packet(header + data),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn packets(framer: &mut Framer) -> Vec<Vec<u8>> {
        std::iter::from_fn(|| framer.packet().map(<[u8]>::to_vec)).collect()
    }

    fn stream() -> (Vec<Vec<u8>>, Vec<u8>) {
        let packets = vec![
            RESET.to_vec(),
            [&[ACL_DATA, 1, 0, 44, 1][..], &[7; 300]].concat(),
            vec![EVENT, 0x0e, 2, 9, 9],
            vec![SYNCHRONOUS_DATA, 0, 0, 1, 5],
            // Reserved bits of the length are no length.
            vec![ISO_DATA, 0, 0, 2, 0xc0, 1, 2],
            vec![COMMAND, 0x01, 0x10, 0],
        ];
        let bytes = packets.concat();
        (packets, bytes)
    }

    proptest! {
        #[test]
        fn packets_come_out_however_the_stream_is_cut(cuts in proptest::collection::vec(1usize..40, 0..60)) {
            let (expected, bytes) = stream();
            let (mut framer, mut found, mut rest) = (Framer::default(), Vec::new(), &bytes[..]);
            for cut in cuts.into_iter().chain([usize::MAX]) {
                let (now, later) = rest.split_at(cut.min(rest.len()));
                framer.push(now);
                found.extend(packets(&mut framer));
                rest = later;
            }
            prop_assert_eq!(found, expected);
            prop_assert_eq!(framer.waiting(), 0);
        }

        #[test]
        fn nothing_grows_on_random_bytes(chunks in proptest::collection::vec(proptest::collection::vec(any::<u8>(), 0..2_000), 0..20)) {
            let mut framer = Framer::default();
            for chunk in chunks {
                framer.push(&chunk);
                while framer.packet().is_some() {}
                prop_assert!(framer.is_hungry());
                prop_assert!(framer.waiting() < PACKET_MAX, "{}", framer.waiting());
            }
        }
    }

    #[test]
    fn a_lost_stream_is_found_at_the_next_reset() {
        let mut framer = Framer::default();
        framer.push(&[0x77, 1, 2, 3, COMMAND, 0x03]);
        assert_eq!(packets(&mut framer), [vec![0x77]], "what shows the loss comes once");
        assert!(framer.is_lost() && framer.is_hungry());
        framer.push(&[0x0c, 0x00, COMMAND, 0x01, 0x10, 0]);
        assert_eq!(packets(&mut framer), [RESET.to_vec(), vec![COMMAND, 0x01, 0x10, 0]]);
        assert!(!framer.is_lost());
    }

    #[test]
    fn a_controllers_stream_is_found_by_the_answer_to_the_reset() {
        let mut framer = Framer::of_controller();
        framer.push(b"*** Booting Zephyr OS ***\r\n");
        assert_eq!(packets(&mut framer), [b"*"]);
        framer.push(&[EVENT, 0x0e]);
        assert!(packets(&mut framer).is_empty() && framer.is_hungry());
        let done = [EVENT, 0x0e, 4, 5, 0x03, 0x0c, 0];
        framer.push(&done[2..]);
        framer.push(&[ACL_DATA, 1, 0, 0, 0]);
        assert_eq!(packets(&mut framer), [done.to_vec(), vec![ACL_DATA, 1, 0, 0, 0]]);
    }

    #[test]
    fn a_packet_longer_than_any_buffer_is_nonsense() {
        let mut framer = Framer::default();
        framer.push(&[ACL_DATA, 0, 0, 0xff, 0xff]);
        assert_eq!(packets(&mut framer), [vec![ACL_DATA, 0, 0, 0xff, 0xff]]);
        assert!(framer.is_lost());
    }
}
