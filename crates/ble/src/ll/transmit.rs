//! Transmit queue of one connection: control PDUs first, then ACL data in fragments that fit a PDU.

use alloc::collections::VecDeque;

use airtime_core::Packet;

use super::pdu::{LLID_CONTINUATION, LLID_CONTROL, LLID_START};
use crate::hci::{ACL_HEADER_OCTETS, PB_CONTINUING};

/// Control PDUs that may wait before those of the peer are refused.
const CONTROL_MAX: usize = 16;

/// One ACL packet from the host, partly sent.
#[derive(Debug)]
struct Acl {
    /// The H4 packet as the host gave it.
    packet: Packet,
    /// Octets of its data already acknowledged.
    sent: usize,
    /// Set if its first octet begins an L2CAP PDU.
    starts: bool,
}

/// A PDU that was sent and not yet acknowledged.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unacknowledged {
    /// An empty PDU.
    Empty,
    /// The first control PDU of the queue.
    Control,
    /// So many octets of the first ACL packet of the queue.
    Data(u16),
}

/// Data that an acknowledgement has settled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Settled {
    /// Nothing the host or a procedure cares about.
    Nothing,
    /// A control PDU with this opcode.
    Control(u8),
    /// The last PDU of an ACL packet.
    AclPacket,
}

/// A PDU to send: its LLID and where its payload is.
#[derive(Clone, Copy, Debug)]
pub struct Pdu<'a> {
    /// One of the `LLID_` values.
    pub llid: u8,
    /// The payload without MIC.
    pub payload: &'a [u8],
    /// Set for a retransmission.
    pub again: bool,
}

/// The transmit queue of one connection.
#[derive(Debug, Default)]
pub struct TransmitQueue {
    control: VecDeque<Packet>,
    /// Control PDUs that go out in the next event.
    later: VecDeque<Packet>,
    acl: VecDeque<Acl>,
    unacknowledged: Option<Unacknowledged>,
    /// Data waits while encryption starts; control PDUs do not (Core 6.0, Vol 6, Part B, 5.1.3).
    data_paused: bool,
}

impl TransmitQueue {
    /// Queues a control PDU.
    pub fn push_control(&mut self, payload: Packet) {
        self.control.push_back(payload);
    }

    /// Queues a control PDU for the next event.
    pub fn push_control_later(&mut self, payload: Packet) {
        self.later.push_back(payload);
    }

    /// Lets go what has waited for the next event.
    pub fn begin_event(&mut self) {
        self.control.append(&mut self.later);
    }

    /// Queues an ACL packet; an empty one is done at once and is not queued.
    pub fn push_acl(&mut self, packet: Packet, boundary: u16) -> bool {
        if packet.len() == ACL_HEADER_OCTETS {
            return false;
        }
        self.acl.push_back(Acl { packet, sent: 0, starts: boundary != PB_CONTINUING });
        true
    }

    /// Holds data back, or lets it go again.
    pub fn pause_data(&mut self, paused: bool) {
        self.data_paused = paused;
    }

    /// True while no further answer to the peer can be queued. A peer that asks on without acknowledging
    /// what it gets has its control PDUs refused until it does.
    pub fn control_is_full(&self) -> bool {
        self.control.len() + self.later.len() >= CONTROL_MAX
    }

    /// ACL packets that are queued or in flight.
    pub fn acl_packets(&self) -> usize {
        self.acl.len()
    }

    /// True while anything but an empty PDU waits to be sent or acknowledged.
    pub fn has_data(&self) -> bool {
        !self.control.is_empty() || (!self.acl.is_empty() && !self.data_paused)
    }

    /// True while anything waits that has not been sent once.
    pub fn has_unsent(&self) -> bool {
        match self.unacknowledged {
            // How it would be cut does not matter to whether there is more.
            Some(_) => self.len_after_next(u16::MAX).is_some(),
            None => self.has_data(),
        }
    }

    /// The PDU that is out and not acknowledged.
    pub fn unacknowledged(&self) -> Option<Unacknowledged> {
        self.unacknowledged
    }

    /// Payload octets, without MIC, of the PDU [`send`](Self::send) would give.
    pub fn next_len(&self, max: u16) -> u16 {
        match self.unacknowledged {
            Some(Unacknowledged::Empty) => 0,
            Some(Unacknowledged::Control) => self.control[0].len() as u16,
            Some(Unacknowledged::Data(len)) => len,
            None => self.len_at(0, max),
        }
    }

    /// Payload octets of the PDU behind the next one, or none when that is the last.
    pub fn len_after_next(&self, max: u16) -> Option<u16> {
        let next = self.unacknowledged.unwrap_or_else(|| self.choose(max));
        match next {
            Unacknowledged::Empty => self.has_data().then(|| self.len_at(0, max)),
            Unacknowledged::Control if self.control.len() > 1 => Some(self.control[1].len() as u16),
            Unacknowledged::Control => self.data_len(0, max),
            Unacknowledged::Data(_) if !self.control.is_empty() => Some(self.control[0].len() as u16),
            Unacknowledged::Data(len) => self.data_len(usize::from(len), max),
        }
    }

    /// Payload octets of the data PDU that begins `skip` octets into the first ACL packet.
    fn data_len(&self, skip: usize, max: u16) -> Option<u16> {
        if self.data_paused {
            return None;
        }
        let first = self.acl.front()?;
        let left = first.left() - skip;
        let left = if left > 0 { left } else { self.acl.get(1)?.left() };
        Some(left.min(usize::from(max)) as u16)
    }

    fn len_at(&self, skip: usize, max: u16) -> u16 {
        match self.control.front() {
            Some(control) => control.len() as u16,
            None => self.data_len(skip, max).unwrap_or(0),
        }
    }

    fn choose(&self, max: u16) -> Unacknowledged {
        if !self.control.is_empty() {
            return Unacknowledged::Control;
        }
        match self.data_len(0, max) {
            Some(len) => Unacknowledged::Data(len),
            None => Unacknowledged::Empty,
        }
    }

    /// The PDU to send now: the unacknowledged one again, or the next one of at most `max` octets.
    pub fn send(&mut self, max: u16) -> Pdu<'_> {
        let again = self.unacknowledged.is_some();
        let chosen = self.unacknowledged.unwrap_or_else(|| self.choose(max));
        self.unacknowledged = Some(chosen);
        match chosen {
            Unacknowledged::Empty => Pdu { llid: LLID_CONTINUATION, payload: &[], again },
            Unacknowledged::Control => Pdu { llid: LLID_CONTROL, payload: &self.control[0], again },
            Unacknowledged::Data(len) => {
                let first = &self.acl[0];
                let llid = if first.starts && first.sent == 0 { LLID_START } else { LLID_CONTINUATION };
                let from = ACL_HEADER_OCTETS + first.sent;
                Pdu { llid, payload: &first.packet[from..from + usize::from(len)], again }
            }
        }
    }

    /// The peer has acknowledged what was out.
    pub fn acknowledge(&mut self) -> Settled {
        match self.unacknowledged.take() {
            None | Some(Unacknowledged::Empty) => Settled::Nothing,
            Some(Unacknowledged::Control) => match self.control.pop_front() {
                Some(payload) => Settled::Control(payload[0]),
                None => Settled::Nothing,
            },
            Some(Unacknowledged::Data(len)) => {
                let first = &mut self.acl[0];
                first.sent += usize::from(len);
                if first.left() > 0 {
                    return Settled::Nothing;
                }
                self.acl.pop_front();
                Settled::AclPacket
            }
        }
    }
}

impl Acl {
    fn left(&self) -> usize {
        self.packet.len() - ACL_HEADER_OCTETS - self.sent
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::hci;
    use airtime_core::Pool;

    fn acl(octets: usize, boundary: u16) -> Packet {
        let mut packet = hci::acl(&Pool::new(), 0, boundary);
        packet.resize(ACL_HEADER_OCTETS + octets);
        hci::finish_acl(packet)
    }

    #[test]
    fn fragments_until_the_packet_is_done() {
        let mut queue = TransmitQueue::default();
        assert!(queue.push_acl(acl(60, 0), 0));
        let mut seen = alloc::vec![];
        while queue.has_data() {
            let next = queue.next_len(27);
            let pdu = queue.send(27);
            seen.push((pdu.llid, pdu.payload.len()));
            assert_eq!(next as usize, pdu.payload.len());
            let settled = queue.acknowledge();
            assert_eq!(settled == Settled::AclPacket, !queue.has_data());
        }
        assert_eq!(seen, [(LLID_START, 27), (LLID_CONTINUATION, 27), (LLID_CONTINUATION, 6)]);
    }

    #[test]
    fn what_is_out_is_sent_again_whatever_came_since() {
        let mut queue = TransmitQueue::default();
        assert!(queue.send(27).payload.is_empty());
        queue.push_control(Pool::new().copy(&[0x12]));
        let pdu = queue.send(27);
        assert!(pdu.again && pdu.payload.is_empty());
        assert_eq!(queue.len_after_next(27), Some(1));
        queue.acknowledge();
        assert_eq!(queue.send(27).llid, LLID_CONTROL);
        assert_eq!(queue.acknowledge(), Settled::Control(0x12));
    }

    #[test]
    fn control_goes_first_and_passes_paused_data() {
        let mut queue = TransmitQueue::default();
        queue.push_acl(acl(5, 0), 0);
        queue.pause_data(true);
        assert!(!queue.has_data());
        assert!(queue.send(27).payload.is_empty());
        queue.acknowledge();
        queue.pause_data(false);
        assert_eq!(queue.send(27).payload.len(), 5);
        assert_eq!(queue.len_after_next(27), None);
    }

    #[test]
    fn an_empty_acl_packet_is_not_queued() {
        assert!(!TransmitQueue::default().push_acl(acl(0, 0), 0));
    }

    #[test]
    fn what_waits_for_the_next_event_is_not_there_before() {
        let mut queue = TransmitQueue::default();
        queue.push_control_later(Pool::new().copy(&[0x12]));
        assert!(!queue.has_data());
        assert_eq!(queue.next_len(27), 0);
        queue.begin_event();
        assert_eq!(queue.next_len(27), 1);
        (0..CONTROL_MAX - 1).for_each(|_| queue.push_control_later(Pool::new().copy(&[0x12])));
        assert!(queue.control_is_full(), "those that wait count as well");
    }
}
