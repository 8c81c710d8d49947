//! Follows L2CAP in both directions: what is payload, who may send how many K-frames.

use alloc::vec::Vec;

use airtime_ble::l2cap::{ATT_CHANNEL, BASIC_HEADER_OCTETS, DYNAMIC_CHANNELS, SDU_LENGTH_OCTETS, SIGNALLING_CHANNEL};
use airtime_ble::ledger::l2cap::{Kind, Parsers};
use airtime_ble::ll::pdu::{LLID_CONTINUATION, LLID_START};
use airtime_core::bytes::Reader;

use super::credits::{Channels, code};

/// Octets of a credit indication without its headers: channel and credits. Core 6.0, Vol 3, Part A, 4.24.
const CREDITS_OCTETS: u16 = 4;
/// Octets of a signalling command in front of what is its own: code, identifier, length. Core 6.0, Vol 3, Part A, 4.
const COMMAND_HEADER_OCTETS: u16 = 4;
/// Octets of a credit indication with its L2CAP header.
const CREDIT_INDICATION: usize = BASIC_HEADER_OCTETS + (COMMAND_HEADER_OCTETS + CREDITS_OCTETS) as usize;
/// Identifier of a command that is guessed: any but 0, which none has. Core 6.0, Vol 3, Part A, 4.
const GUESSED_IDENTIFIER: u8 = 1;
/// Exchange MTU request and response. Core 6.0, Vol 3, Part F, 3.4.2.
const EXCHANGE_MTU_REQUEST: u8 = 0x02;
const EXCHANGE_MTU_RESPONSE: u8 = 0x03;
/// Notification. Core 6.0, Vol 3, Part F, 3.4.7.1.
const NOTIFICATION: u8 = 0x1b;
/// Octets in front of the payload in the first K-frame of an SDU.
const SDU_HEADERS: usize = BASIC_HEADER_OCTETS + SDU_LENGTH_OCTETS;
/// Octets of one signalling frame that are kept: five channels of an enhanced request need 22.
const FRAME_MAX: usize = 64;

/// L2CAP of what one side sends.
#[derive(Clone, Debug, Default)]
struct Lane {
    /// The signalling frame that it is sending, as far as it was heard.
    signalling: Vec<u8>,
    /// Octets of that frame still to come.
    signalling_left: usize,
    /// The PDU on its way has spent its credit already, and was lost.
    credit_spent: bool,
    /// Length of the last SDU that began.
    sdu_octets: u16,
    /// Octets still to come of the L2CAP PDU that has begun.
    pdu_left: usize,
}

/// L2CAP of one link.
#[derive(Clone, Debug, Default)]
pub(super) struct L2cap {
    parsers: Parsers,
    lanes: [Lane; 2],
    /// Credit-based channels of the link.
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
        if payload.is_empty() || lane.pdu_left > 0 {
            return LLID_CONTINUATION;
        }
        let length = payload.len().saturating_sub(BASIC_HEADER_OCTETS) as u16;
        let said = match (payload.len(), self.channels.granting(from), self.channels.streaming(from)) {
            (CREDIT_INDICATION, Some(channel), _) => credit_indication(channel.cid[from], channel.grant[to]),
            (_, _, Some(channel)) => opening(length, channel.cid[to], &lane.sdu_octets.to_le_bytes()),
            // A write command costs the same.
            _ if self.values[from] => opening(length, ATT_CHANNEL, &[NOTIFICATION]),
            _ => opening(length, SIGNALLING_CHANNEL, &[]),
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
        let behind_header = payload.get(BASIC_HEADER_OCTETS..).unwrap_or_default();
        if let (Kind::Data { headers: SDU_HEADERS, .. }, Some(sdu_octets)) = (kind, Reader::new(behind_header).u16()) {
            self.lanes[from].sdu_octets = sdu_octets;
        }
        let begun = if llid == LLID_START { octets_to_come(payload) } else { None };
        let lane = &mut self.lanes[from];
        lane.pdu_left = begun.unwrap_or_else(|| lane.pdu_left.saturating_sub(payload.len()));
        if llid == LLID_START {
            self.start(from, payload, kind);
        } else if self.lanes[from].signalling_left > 0 {
            self.go_on(from, payload);
        }
        kind
    }

    /// A data PDU did not reach the other side and will be sent again: its credit is spent all the same.
    pub fn lost(&mut self, from: usize, llid: u8, payload: &[u8]) {
        let mut r = Reader::new(payload);
        if llid != LLID_START || self.lanes[from].credit_spent {
            return;
        }
        if let (Some(_), Some(cid)) = (r.u16(), r.u16().filter(|cid| *cid >= *DYNAMIC_CHANNELS.start())) {
            self.channels.k_frame(from, cid);
            self.lanes[from].credit_spent = true;
        }
    }

    /// Tells if `side` streams on channels only, and had no credit left when it chose its last packet.
    pub fn is_out_of_credits(&self, side: usize) -> bool {
        !self.values[side] && self.channels.is_out_of_credits(side)
    }

    fn start(&mut self, from: usize, payload: &[u8], kind: Kind) {
        self.lanes[from].signalling_left = 0;
        let spent = core::mem::take(&mut self.lanes[from].credit_spent);
        let mut r = Reader::new(payload);
        let (Some(len), Some(cid)) = (r.u16(), r.u16()) else { return };
        match cid {
            SIGNALLING_CHANNEL => {
                let lane = &mut self.lanes[from];
                lane.signalling.clear();
                lane.signalling_left = usize::from(len);
                self.go_on(from, r.rest());
            }
            ATT_CHANNEL if matches!(kind, Kind::Data { .. }) => self.values[from] = true,
            ATT_CHANNEL => self.att(from, r.rest()),
            cid if cid >= *DYNAMIC_CHANNELS.start() && !spent => self.channels.k_frame(from, cid),
            _ => {}
        }
    }

    fn att(&mut self, from: usize, pdu: &[u8]) {
        let mut r = Reader::new(pdu);
        if let Some(EXCHANGE_MTU_REQUEST | EXCHANGE_MTU_RESPONSE) = r.u8() {
            self.att_mtu[from] = r.u16().or(self.att_mtu[from]);
        }
    }

    fn go_on(&mut self, from: usize, part: &[u8]) {
        let lane = &mut self.lanes[from];
        let room = FRAME_MAX.saturating_sub(lane.signalling.len());
        lane.signalling.extend_from_slice(&part[..part.len().min(room)]);
        lane.signalling_left = lane.signalling_left.saturating_sub(part.len());
        if lane.signalling_left == 0 {
            let frame = core::mem::take(&mut lane.signalling);
            self.channels.signal(from, &frame);
            self.lanes[from].signalling = frame;
        }
    }
}

/// First octets of a PDU of `length` octets on channel `cid` that begins with `information`, and zeros behind.
fn opening(length: u16, cid: u16, information: &[u8]) -> [u8; CREDIT_INDICATION] {
    let mut octets = [0; CREDIT_INDICATION];
    let said = length.to_le_bytes().into_iter().chain(cid.to_le_bytes()).chain(information.iter().copied());
    octets.iter_mut().zip(said).for_each(|(to, octet)| *to = octet);
    octets
}

/// Credit indication of so many `credits` for the channel that its sender calls `cid`.
fn credit_indication(cid: u16, credits: u16) -> [u8; CREDIT_INDICATION] {
    let [length, length_high] = CREDITS_OCTETS.to_le_bytes();
    let ([cid, cid_high], [credits, credits_high]) = (cid.to_le_bytes(), credits.to_le_bytes());
    let command = [code::CREDITS, GUESSED_IDENTIFIER, length, length_high, cid, cid_high, credits, credits_high];
    opening(command.len() as u16, SIGNALLING_CHANNEL, &command)
}

/// Octets of an L2CAP PDU that are still to come behind its `first` part; none where that is shorter than the header.
fn octets_to_come(first: &[u8]) -> Option<usize> {
    let mut r = Reader::new(first);
    let (length, _) = r.u16().zip(r.u16())?;
    Some(usize::from(length).saturating_sub(r.rest().len()))
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
