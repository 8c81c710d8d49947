//! L2CAP PDUs on their way to the controller, cut into ACL fragments.

use airtime_core::{Packet, Pool};

use super::ConnHandle;
use crate::hci;

/// Owner of a PDU.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Owner {
    /// The signalling channel.
    Signalling,
    /// The ATT channel; a value is told to the application when it has gone.
    Att {
        /// Set if it is a notification or write command of the application.
        value: bool,
    },
    /// A credit-based channel, by its serial number.
    Channel(u32),
}

impl Owner {
    /// True if the PDU occupies an L2CAP transmit buffer. Signalling has its own: it must not wait
    /// behind the data whose credits it carries.
    pub(super) fn is_buffered(self) -> bool {
        self != Self::Signalling
    }
}

/// Units that end with an ACL fragment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Ends {
    /// Nothing: the PDU goes on.
    Nothing,
    /// A PDU inside an SDU.
    Pdu,
    /// The last PDU of an SDU, a value, or any other message.
    Sdu,
}

/// An ACL fragment that the controller has and has not reported.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Fragment {
    pub(super) owner: Owner,
    pub(super) ends: Ends,
}

impl Fragment {
    /// True if a PDU ends with it that occupies a transmit buffer.
    pub(super) fn ends_buffered(self) -> bool {
        self.ends != Ends::Nothing && self.owner.is_buffered()
    }
}

/// One L2CAP PDU: its headers, then `body[at..end]`. The body may go on behind `end`: it is the SDU
/// that the next K-frame continues.
#[derive(Debug)]
pub(super) struct Pdu {
    pub(super) owner: Owner,
    pub(super) body: Packet,
    pub(super) at: usize,
    end: usize,
    header: [u8; 6],
    header_at: u8,
    header_end: u8,
}

impl Pdu {
    /// A PDU for channel `cid` with `octets` of `body` from `at` on, and, in the first K-frame of an
    /// SDU, the SDU length in front. Core 6.0, Vol 3, Part A, 3.1 and 3.4.1.
    pub(super) fn new(owner: Owner, cid: u16, sdu_length: Option<u16>, body: Packet, at: usize, octets: usize) -> Self {
        let header_end = if sdu_length.is_some() { 6 } else { 4 };
        let [length_low, length_high] = ((octets + header_end - 4) as u16).to_le_bytes();
        let [cid_low, cid_high] = cid.to_le_bytes();
        let [sdu_low, sdu_high] = sdu_length.unwrap_or(0).to_le_bytes();
        let header = [length_low, length_high, cid_low, cid_high, sdu_low, sdu_high];
        Self { owner, body, at, end: at + octets, header, header_at: 0, header_end: header_end as u8 }
    }

    /// True once everything was cut into fragments.
    pub(super) fn is_done(&self) -> bool {
        self.header_at == self.header_end && self.at == self.end
    }

    /// True if the body ends with this PDU.
    pub(super) fn ends_body(&self) -> bool {
        self.end == self.body.len()
    }

    /// The next fragment, as an H4 packet with at most `room` octets of data.
    pub(super) fn cut(&mut self, pool: &Pool, handle: ConnHandle, room: usize) -> Packet {
        let boundary = if self.header_at == 0 { hci::PB_FIRST_NON_FLUSHABLE } else { hci::PB_CONTINUING };
        let mut packet = hci::acl(pool, handle, boundary);
        let header = &self.header[self.header_at.into()..self.header_end.into()];
        let header = &header[..header.len().min(room)];
        packet.put(header);
        self.header_at += header.len() as u8;
        let body = (self.end - self.at).min(room - header.len());
        packet.put(&self.body[self.at..self.at + body]);
        self.at += body;
        hci::finish_acl(packet)
    }

    /// Units that end when the fragment that was just cut is complete.
    pub(super) fn ends(&self) -> Ends {
        match (self.is_done(), self.ends_body()) {
            (false, _) => Ends::Nothing,
            (true, false) => Ends::Pdu,
            (true, true) => Ends::Sdu,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn golden_bytes_of_the_k_frames_of_an_sdu() {
        let pool = Pool::new();
        let sdu = pool.copy(&[1, 2, 3, 4, 5]);
        let mut first = Pdu::new(Owner::Channel(0), 0x41, Some(5), sdu, 0, 3);
        assert_eq!(&*first.cut(&pool, 0x40, 27), &[2, 0x40, 0, 9, 0, 5, 0, 0x41, 0, 5, 0, 1, 2, 3]);
        assert_eq!(first.ends(), Ends::Pdu);
        let mut second = Pdu::new(Owner::Channel(0), 0x41, None, first.body, first.at, 2);
        assert_eq!(&*second.cut(&pool, 0x40, 27), &[2, 0x40, 0, 6, 0, 2, 0, 0x41, 0, 4, 5]);
        assert_eq!(second.ends(), Ends::Sdu);
    }

    #[test]
    fn fragments_continue_without_a_header_of_their_own() {
        let pool = Pool::new();
        let mut pdu = Pdu::new(Owner::Att { value: true }, 4, None, pool.copy(&[7, 8, 9]), 0, 3);
        assert_eq!(&*pdu.cut(&pool, 0x40, 3), &[2, 0x40, 0, 3, 0, 3, 0, 4]);
        assert_eq!(pdu.ends(), Ends::Nothing);
        assert_eq!(&*pdu.cut(&pool, 0x40, 3), &[2, 0x40, 0x10, 3, 0, 0, 7, 8]);
        assert_eq!(&*pdu.cut(&pool, 0x40, 3), &[2, 0x40, 0x10, 1, 0, 9]);
        assert_eq!(pdu.ends(), Ends::Sdu);
    }
}
