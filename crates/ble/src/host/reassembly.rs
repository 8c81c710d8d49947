//! L2CAP PDUs out of ACL fragments. Core 6.0, Vol 3, Part A, 7.2.2.

use airtime_core::{Packet, Pool};

use super::ChannelId;
use crate::l2cap::BASIC_HEADER_OCTETS;

/// Outcome of a fragment.
#[derive(Debug, PartialEq)]
pub(super) enum Reassembled<'a> {
    /// The PDU is not complete, or the fragment belongs to one that was given up.
    Nothing,
    /// The fragment is a whole PDU.
    Whole(&'a [u8]),
    /// The fragment completed a PDU.
    Collected(Packet),
    /// A PDU longer than anything we take on any channel; what follows of it is dropped.
    TooLong(ChannelId),
}

/// The PDU under way on one connection.
#[derive(Debug, Default)]
pub(super) struct Reassembly {
    partial: Option<Packet>,
}

impl Reassembly {
    /// Takes one fragment; no PDU with more than `limit` octets of information is collected.
    pub(super) fn feed<'a>(&mut self, pool: &Pool, limit: usize, first: bool, data: &'a [u8]) -> Reassembled<'a> {
        if first {
            self.partial = None;
            if information(data).is_some_and(|octets| data.len() == BASIC_HEADER_OCTETS + octets && octets <= limit) {
                return Reassembled::Whole(data);
            }
            self.partial = Some(pool.copy(data));
        } else {
            match &mut self.partial {
                Some(partial) => partial.put(data),
                None => return Reassembled::Nothing,
            }
        }
        let Some(partial) = self.partial.take() else { return Reassembled::Nothing };
        match information(&partial) {
            Some(octets) if octets > limit => Reassembled::TooLong(u16::from_le_bytes([partial[2], partial[3]])),
            Some(octets) if partial.len() == BASIC_HEADER_OCTETS + octets => Reassembled::Collected(partial),
            // More data than the PDU announces: the PDU is void.
            Some(octets) if partial.len() > BASIC_HEADER_OCTETS + octets => Reassembled::Nothing,
            _ => {
                self.partial = Some(partial);
                Reassembled::Nothing
            }
        }
    }
}

/// The length of the information payload that the basic header announces.
fn information(pdu: &[u8]) -> Option<usize> {
    match pdu {
        [low, high, _, _, ..] => Some(u16::from_le_bytes([*low, *high]).into()),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LIMIT: usize = 23;

    #[test]
    fn one_fragment_is_not_copied() {
        let pool = Pool::new();
        let pdu = [2, 0, 0x40, 0, 8, 9];
        assert_eq!(Reassembly::default().feed(&pool, LIMIT, true, &pdu), Reassembled::Whole(&pdu));
        assert_eq!(pool.idle(), 0);
    }

    #[test]
    fn fragments_may_split_the_header() {
        let pool = Pool::new();
        let mut reassembly = Reassembly::default();
        assert_eq!(reassembly.feed(&pool, LIMIT, true, &[2]), Reassembled::Nothing);
        assert_eq!(reassembly.feed(&pool, LIMIT, false, &[0, 0x40, 0, 8]), Reassembled::Nothing);
        let whole = Reassembled::Collected(pool.copy(&[2, 0, 0x40, 0, 8, 9]));
        assert_eq!(reassembly.feed(&pool, LIMIT, false, &[9]), whole);
        assert_eq!(reassembly.feed(&pool, LIMIT, false, &[9]), Reassembled::Nothing, "nothing to continue");
    }

    #[test]
    fn a_pdu_too_long_is_named_once_and_dropped() {
        let pool = Pool::new();
        let mut reassembly = Reassembly::default();
        assert_eq!(reassembly.feed(&pool, LIMIT, true, &[24, 0, 0x41, 0, 1]), Reassembled::TooLong(0x41));
        assert_eq!(reassembly.feed(&pool, LIMIT, false, &[1; 23]), Reassembled::Nothing);
    }

    #[test]
    fn more_than_announced_is_void() {
        let pool = Pool::new();
        assert_eq!(Reassembly::default().feed(&pool, LIMIT, true, &[1, 0, 4, 0, 1, 2]), Reassembled::Nothing);
    }
}
