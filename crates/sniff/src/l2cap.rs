//! Follows L2CAP in both directions: what is payload, who may send how many K-frames.

use alloc::vec::Vec;

use airtime_ble::ledger::l2cap::{Kind, Parsers};
use airtime_ble::ll::pdu::{LLID_CONTINUATION, LLID_START};
use airtime_core::bytes::Reader;

use super::credits::{Channels, code};

/// Channel of ATT. Core 6.0, Vol 3, Part A, 2.1.
const CID_ATT: u16 = 0x0004;
/// Channel of L2CAP signalling.
const CID_SIGNALLING: u16 = 0x0005;
/// First dynamically allocated channel.
const CID_DYNAMIC: u16 = 0x0040;
/// Octets of a credit indication with its L2CAP header. Core 6.0, Vol 3, Part A, 4.24.
const CREDIT_INDICATION: usize = 12;
/// Octets of one signalling frame that are kept: five channels of an enhanced request need 22.
const FRAME_MAX: usize = 64;
/// The signalling frame that a side is sending.
#[derive(Clone, Debug, Default)]
struct Lane {
    frame: Vec<u8>,
    left: usize,
    /// The PDU on its way has spent its credit already, and was lost.
    spent: bool,
    /// Length of the last SDU that began.
    sdu: u16,
    /// Octets still to come of the L2CAP PDU that has begun.
    rest: usize,
}

/// L2CAP of one link.
#[derive(Clone, Debug, Default)]
pub(super) struct L2cap {
    parsers: Parsers,
    lanes: [Lane; 2],
    /// Credit-based channels.
    pub channels: Channels,
    /// Octets of payload each side has sent.
    pub octets: [u64; 2],
    /// Sides that have sent values of ATT.
    pub values: [bool; 2],
    /// The MTU each side has said it takes on ATT.
    pub att_mtu: [Option<u16>; 2],
}

impl L2cap {
    /// Writes into the payload of a PDU that was missed what it most likely said, and gives its LLID: the rest of an
    /// L2CAP PDU that had begun, the grant that is made each time in 12 octets, or a frame of the stream.
    pub fn guess(&self, from: usize, payload: &mut [u8]) -> u8 {
        let (to, lane) = (1 - from, &self.lanes[from]);
        if payload.is_empty() || lane.rest > 0 {
            return LLID_CONTINUATION;
        }
        let [e, f] = (payload.len().saturating_sub(4) as u16).to_le_bytes();
        let said = match (payload.len(), self.channels.granting(from), self.channels.streaming(from)) {
            (CREDIT_INDICATION, Some(channel), _) => {
                let ([a, b], [c, d]) = (channel.cid[from].to_le_bytes(), channel.grant[to].to_le_bytes());
                [8, 0, CID_SIGNALLING as u8, 0, code::CREDITS, 1, 4, 0, a, b, c, d]
            }
            (_, _, Some(channel)) => {
                let ([a, b], [c, d]) = (channel.cid[to].to_le_bytes(), lane.sdu.to_le_bytes());
                [e, f, a, b, c, d, 0, 0, 0, 0, 0, 0]
            }
            // A notification; a write command costs the same.
            _ if self.values[from] => [e, f, CID_ATT as u8, 0, 0x1b, 0, 0, 0, 0, 0, 0, 0],
            _ => [e, f, CID_SIGNALLING as u8, 0, 0, 0, 0, 0, 0, 0, 0, 0],
        };
        let octets = said.len().min(payload.len());
        payload[..octets].copy_from_slice(&said[..octets]);
        LLID_START
    }

    /// Tells if `side` streams and nothing kept it from sending when it chose its last packet.
    pub fn could_send(&self, side: usize) -> bool {
        self.values[side] || (self.channels.streaming(side).is_some() && !self.is_out_of_credits(side))
    }

    /// Takes the payload of one data PDU that is new to its receiver.
    pub fn take(&mut self, from: usize, llid: u8, payload: &[u8]) -> Kind {
        let kind = self.parsers.fragment(from, llid, payload);
        if let Kind::Data { payload: octets, .. } = kind {
            self.octets[from] += octets as u64;
        }
        if let (Kind::Data { headers: 6, .. }, Some(&[a, b])) = (kind, payload.get(4..6)) {
            self.lanes[from].sdu = u16::from_le_bytes([a, b]);
        }
        self.lanes[from].rest = match (llid, payload) {
            (LLID_START, &[a, b, _, _, ref begun @ ..]) => {
                usize::from(u16::from_le_bytes([a, b])).saturating_sub(begun.len())
            }
            _ => self.lanes[from].rest.saturating_sub(payload.len()),
        };
        if llid == LLID_START {
            self.start(from, payload, kind);
        } else if self.lanes[from].left > 0 {
            self.go_on(from, payload);
        }
        kind
    }

    /// A data PDU did not reach the other side and will be sent again: its credit is spent all the same.
    pub fn lost(&mut self, from: usize, llid: u8, payload: &[u8]) {
        let mut r = Reader::new(payload);
        if llid != LLID_START || self.lanes[from].spent {
            return;
        }
        if let (Some(_), Some(cid)) = (r.u16(), r.u16().filter(|cid| *cid >= CID_DYNAMIC)) {
            self.channels.k_frame(from, cid);
            self.lanes[from].spent = true;
        }
    }

    /// Tells if `side` streams on channels only, and had no credit left when it chose its last packet.
    pub fn is_out_of_credits(&self, side: usize) -> bool {
        !self.values[side] && self.channels.is_out_of_credits(side)
    }

    fn start(&mut self, from: usize, payload: &[u8], kind: Kind) {
        self.lanes[from].left = 0;
        let spent = core::mem::take(&mut self.lanes[from].spent);
        let mut r = Reader::new(payload);
        let (Some(len), Some(cid)) = (r.u16(), r.u16()) else { return };
        match cid {
            CID_SIGNALLING => {
                let lane = &mut self.lanes[from];
                lane.frame.clear();
                lane.left = usize::from(len);
                self.go_on(from, r.rest());
            }
            CID_ATT if matches!(kind, Kind::Data { .. }) => self.values[from] = true,
            CID_ATT => self.att(from, r.rest()),
            cid if cid >= CID_DYNAMIC && !spent => self.channels.k_frame(from, cid),
            _ => {}
        }
    }

    fn att(&mut self, from: usize, pdu: &[u8]) {
        let mut r = Reader::new(pdu);
        // Exchange MTU request and response. Core 6.0, Vol 3, Part F, 3.4.2.
        if let Some(0x02 | 0x03) = r.u8() {
            self.att_mtu[from] = r.u16().or(self.att_mtu[from]);
        }
    }

    fn go_on(&mut self, from: usize, part: &[u8]) {
        let lane = &mut self.lanes[from];
        let room = FRAME_MAX.saturating_sub(lane.frame.len());
        lane.frame.extend_from_slice(&part[..part.len().min(room)]);
        lane.left = lane.left.saturating_sub(part.len());
        if lane.left == 0 {
            let frame = core::mem::take(&mut lane.frame);
            self.channels.signal(from, &frame);
            self.lanes[from].frame = frame;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::credits::Terms;
    use super::*;

    const REQUEST: [u8; 18] = [14, 0, 5, 0, 0x14, 7, 10, 0, 0x80, 0, 0x40, 0, 0xd0, 7, 0xf7, 0, 2, 0];
    const RESPONSE: [u8; 18] = [14, 0, 5, 0, 0x15, 7, 10, 0, 0x41, 0, 0xd0, 7, 0xf7, 0, 1, 0, 0, 0];

    /// The central asks for a channel 0x40 with 2 credits, the peripheral answers with 0x41 and 1 credit.
    fn open() -> L2cap {
        let mut l2cap = L2cap::default();
        assert_eq!(l2cap.take(0, LLID_START, &REQUEST), Kind::Signalling);
        l2cap.take(1, LLID_START, &RESPONSE);
        l2cap
    }

    #[test]
    fn credits_are_spent_and_granted() {
        let mut l2cap = open();
        let frame = [4, 0, 0x40, 0, 2, 0, 9, 9];
        assert!(!l2cap.is_out_of_credits(1), "it streams nothing yet");
        l2cap.lost(1, LLID_START, &frame);
        l2cap.lost(1, LLID_START, &frame);
        l2cap.take(1, LLID_START, &frame);
        assert!(!l2cap.is_out_of_credits(1), "a frame sent three times costs one credit");
        l2cap.take(1, LLID_START, &frame);
        assert!(l2cap.is_out_of_credits(1));
        l2cap.channels.begin(0);
        l2cap.take(0, LLID_START, &[8, 0, 5, 0, 0x16, 1, 4, 0, 0x40, 0, 3, 0]);
        assert!(l2cap.is_out_of_credits(1), "they came too late for the reply");
        l2cap.channels.begin(0);
        assert!(!l2cap.is_out_of_credits(1));
        assert_eq!(l2cap.octets, [0, 4]);
        assert_eq!(l2cap.channels.terms_of_receiver(1), Some(Terms { mtu: 2000, mps: 247, credits: 2 }));
    }

    #[test]
    fn a_handshake_may_come_in_fragments() {
        let mut l2cap = L2cap::default();
        l2cap.take(0, LLID_START, &REQUEST[..10]);
        l2cap.take(0, 1, &REQUEST[10..]);
        l2cap.take(1, LLID_START, &RESPONSE);
        l2cap.take(1, LLID_START, &[4, 0, 0x40, 0, 2, 0, 9, 9]);
        assert_eq!(l2cap.channels.terms_of_receiver(1), Some(Terms { mtu: 2000, mps: 247, credits: 2 }));
    }

    #[test]
    fn without_the_handshake_nobody_knows_of_credits() {
        let mut l2cap = L2cap::default();
        l2cap.take(1, LLID_START, &[4, 0, 0x40, 0, 2, 0, 9, 9]);
        assert!(!l2cap.is_out_of_credits(1));
        assert_eq!(l2cap.channels.terms_of_receiver(1), None);
    }
}
