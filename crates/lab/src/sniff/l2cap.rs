//! Follows L2CAP in both directions: what is payload, who may send how many K-frames.

use airtime_ble::ledger::l2cap::{Kind, Parser};
use airtime_ble::ll::pdu::LLID_START;
use airtime_core::bytes::Reader;

/// Channel of ATT. Core 6.0, Vol 3, Part A, 2.1.
const CID_ATT: u16 = 0x0004;
/// Channel of L2CAP signalling.
const CID_SIGNALLING: u16 = 0x0005;
/// First dynamically allocated channel.
const CID_DYNAMIC: u16 = 0x0040;
/// Octets of one signalling frame that are kept: five channels of an enhanced request need 22.
const FRAME_MAX: usize = 64;
/// Channels followed on one link.
const CHANNELS_MAX: usize = 32;
/// Connection requests that may wait for their response.
const REQUESTS_MAX: usize = 8;

/// Signalling codes. Core 6.0, Vol 3, Part A, 4.
mod code {
    pub const DISCONNECT_RESPONSE: u8 = 0x07;
    pub const CONNECT_REQUEST: u8 = 0x14;
    pub const CONNECT_RESPONSE: u8 = 0x15;
    pub const CREDITS: u8 = 0x16;
    pub const ENHANCED_REQUEST: u8 = 0x17;
    pub const ENHANCED_RESPONSE: u8 = 0x18;
}

/// What one side of a channel has said about itself.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Terms {
    /// Largest SDU it takes.
    pub mtu: u16,
    /// Largest K-frame payload it takes.
    pub mps: u16,
    /// Credits of the handshake.
    pub credits: u16,
}

/// A credit-based channel.
#[derive(Clone, Debug)]
struct Channel {
    /// Each side's own identifier.
    cid: [u16; 2],
    terms: [Terms; 2],
    /// K-frames each side may still send.
    credits: [u32; 2],
    /// Of them those that came with the last packet it received.
    fresh: [u32; 2],
    /// Sides that have sent a K-frame.
    used: [bool; 2],
    /// Its handshake was seen.
    known: bool,
}

/// A connection request on its way.
#[derive(Clone, Debug)]
struct Request {
    from: usize,
    identifier: u8,
    cids: Vec<u16>,
    terms: Terms,
}

/// The signalling frame that a side is sending.
#[derive(Clone, Debug, Default)]
struct Lane {
    parser: Parser,
    frame: Vec<u8>,
    left: usize,
    /// The PDU on its way has spent its credit already, and was lost.
    spent: bool,
}

/// L2CAP of one link.
#[derive(Clone, Debug, Default)]
pub(super) struct L2cap {
    lanes: [Lane; 2],
    channels: Vec<Channel>,
    requests: Vec<Request>,
    /// Octets of payload each side has sent.
    pub octets: [u64; 2],
    /// Sides that have sent values of ATT without asking for an answer.
    pub values: [bool; 2],
    /// The MTU each side has said it takes on ATT.
    pub att_mtu: [Option<u16>; 2],
}

impl L2cap {
    /// The other side has heard a packet of `from`, whatever it carries: what was granted before it is not fresh.
    pub fn begin(&mut self, from: usize) {
        for channel in &mut self.channels {
            channel.fresh[1 - from] = 0;
        }
    }

    /// Takes the payload of one data PDU that is new to its receiver.
    pub fn take(&mut self, from: usize, llid: u8, payload: &[u8]) -> Kind {
        let kind = self.lanes[from].parser.fragment(llid, payload);
        if let Kind::Data { payload: octets, .. } = kind {
            self.octets[from] += octets as u64;
        }
        if llid == LLID_START {
            self.start(from, payload);
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
            self.k_frame(from, cid);
            self.lanes[from].spent = true;
        }
    }

    fn start(&mut self, from: usize, payload: &[u8]) {
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
            CID_ATT => self.att(from, r.rest()),
            cid if cid >= CID_DYNAMIC && !spent => self.k_frame(from, cid),
            _ => {}
        }
    }

    fn att(&mut self, from: usize, pdu: &[u8]) {
        let mut r = Reader::new(pdu);
        match r.u8() {
            // Exchange MTU request and response. Core 6.0, Vol 3, Part F, 3.4.2.
            Some(0x02 | 0x03) => self.att_mtu[from] = r.u16().or(self.att_mtu[from]),
            // Notification and write command. Core 6.0, Vol 3, Part F, 3.4.7.1 and 3.4.5.3.
            Some(0x1b | 0x52) => self.values[from] = true,
            _ => {}
        }
    }

    fn go_on(&mut self, from: usize, part: &[u8]) {
        let lane = &mut self.lanes[from];
        let room = FRAME_MAX.saturating_sub(lane.frame.len());
        lane.frame.extend_from_slice(&part[..part.len().min(room)]);
        lane.left = lane.left.saturating_sub(part.len());
        if lane.left == 0 {
            let frame = core::mem::take(&mut lane.frame);
            self.signal(from, &frame);
            self.lanes[from].frame = frame;
        }
    }

    fn k_frame(&mut self, from: usize, cid: u16) {
        let to = 1 - from;
        let channel = match self.channels.iter().position(|channel| channel.cid[to] == cid) {
            Some(index) => &mut self.channels[index],
            None if self.channels.len() < CHANNELS_MAX => {
                let mut cids = [0; 2];
                cids[to] = cid;
                self.channels.push(Channel::new(cids, [Terms::default(); 2], false));
                self.channels.last_mut().expect("one was just added")
            }
            None => return,
        };
        channel.used[from] = true;
        channel.credits[from] = channel.credits[from].saturating_sub(1);
    }

    fn signal(&mut self, from: usize, frame: &[u8]) {
        let mut r = Reader::new(frame);
        let (Some(code), Some(identifier), Some(_)) = (r.u8(), r.u8(), r.u16()) else { return };
        let _ = match code {
            code::CONNECT_REQUEST => self.request(from, identifier, &mut r, false),
            code::ENHANCED_REQUEST => self.request(from, identifier, &mut r, true),
            code::CONNECT_RESPONSE => self.response(from, identifier, &mut r, false),
            code::ENHANCED_RESPONSE => self.response(from, identifier, &mut r, true),
            code::CREDITS => self.grant(from, &mut r),
            code::DISCONNECT_RESPONSE => self.close(from, &mut r),
            _ => None,
        };
    }

    fn request(&mut self, from: usize, identifier: u8, r: &mut Reader<'_>, enhanced: bool) -> Option<()> {
        r.u16()?;
        let first = if enhanced { None } else { Some(r.u16()?) };
        let terms = Terms { mtu: r.u16()?, mps: r.u16()?, credits: r.u16()? };
        let mut cids: Vec<u16> = first.into_iter().collect();
        while enhanced && let Some(cid) = r.u16() {
            cids.push(cid);
        }
        if self.requests.len() >= REQUESTS_MAX {
            self.requests.remove(0);
        }
        self.requests.push(Request { from, identifier, cids, terms });
        Some(())
    }

    fn response(&mut self, from: usize, identifier: u8, r: &mut Reader<'_>, enhanced: bool) -> Option<()> {
        let index = self.requests.iter().position(|q| q.from != from && q.identifier == identifier)?;
        let request = self.requests.remove(index);
        let first = if enhanced { None } else { Some(r.u16()?) };
        let terms = Terms { mtu: r.u16()?, mps: r.u16()?, credits: r.u16()? };
        let refused = r.u16()? != 0;
        for theirs in request.cids {
            let own = if let Some(cid) = first { cid } else { r.u16()? };
            // Of an enhanced request some channels may be refused: they have no identifier.
            if own == 0 || (refused && !enhanced) || self.channels.len() >= CHANNELS_MAX {
                continue;
            }
            let mut cids = [0; 2];
            let mut both = [Terms::default(); 2];
            (cids[from], cids[1 - from]) = (own, theirs);
            (both[from], both[1 - from]) = (terms, request.terms);
            self.channels.retain(|channel| channel.cid[from] != own && channel.cid[1 - from] != theirs);
            self.channels.push(Channel::new(cids, both, true));
        }
        Some(())
    }

    fn grant(&mut self, from: usize, r: &mut Reader<'_>) -> Option<()> {
        let (cid, credits) = (r.u16()?, u32::from(r.u16()?));
        let to = 1 - from;
        let channel = self.channels.iter_mut().find(|channel| channel.cid[from] == cid)?;
        channel.credits[to] = channel.credits[to].saturating_add(credits);
        channel.fresh[to] = channel.fresh[to].saturating_add(credits);
        Some(())
    }

    fn close(&mut self, from: usize, r: &mut Reader<'_>) -> Option<()> {
        // In the response the destination is the responder's identifier.
        let (destination, source) = (r.u16()?, r.u16()?);
        self.channels.retain(|channel| channel.cid[from] != destination || channel.cid[1 - from] != source);
        Some(())
    }

    /// Whether `side` had no credit left for any channel it streams on, when it chose its last packet: what the
    /// packet just before that granted came too late for it.
    pub fn is_out_of_credits(&self, side: usize) -> bool {
        let mut used = self.channels.iter().filter(|channel| channel.used[side]).peekable();
        used.peek().is_some()
            && !self.values[side]
            && used.all(|channel| channel.known && channel.credits[side] <= channel.fresh[side])
    }

    /// What the receiver of `side`'s stream has said about itself.
    pub fn terms_of_receiver(&self, side: usize) -> Option<Terms> {
        let channel = self.channels.iter().find(|channel| channel.used[side] && channel.known)?;
        Some(channel.terms[1 - side])
    }

    /// Whether `side` streams on a channel whose handshake was not captured.
    pub fn credits_unknown(&self, side: usize) -> bool {
        self.channels.iter().any(|channel| channel.used[side] && !channel.known)
    }
}

impl Channel {
    fn new(cid: [u16; 2], terms: [Terms; 2], known: bool) -> Self {
        let credits = [u32::from(terms[1].credits), u32::from(terms[0].credits)];
        Self { cid, terms, credits, fresh: [0; 2], used: [false; 2], known }
    }
}

#[cfg(test)]
mod tests {
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
        l2cap.begin(0);
        l2cap.take(0, LLID_START, &[8, 0, 5, 0, 0x16, 1, 4, 0, 0x40, 0, 3, 0]);
        assert!(l2cap.is_out_of_credits(1), "they came too late for the reply");
        l2cap.begin(0);
        assert!(!l2cap.is_out_of_credits(1));
        assert_eq!(l2cap.octets, [0, 4]);
        assert_eq!(l2cap.terms_of_receiver(1), Some(Terms { mtu: 2000, mps: 247, credits: 2 }));
    }

    #[test]
    fn a_handshake_in_fragments_and_an_enhanced_one() {
        let mut l2cap = L2cap::default();
        l2cap.take(0, LLID_START, &REQUEST[..10]);
        l2cap.take(0, 1, &REQUEST[10..]);
        l2cap.take(1, LLID_START, &RESPONSE);
        assert_eq!(l2cap.channels.len(), 1);
        let request = [16, 0, 5, 0, 0x17, 8, 12, 0, 0x80, 0, 0, 2, 247, 0, 5, 0, 0x50, 0, 0x51, 0];
        let response = [16, 0, 5, 0, 0x18, 8, 12, 0, 0, 2, 247, 0, 6, 0, 0, 0, 0x60, 0, 0, 0];
        l2cap.take(1, LLID_START, &request);
        l2cap.take(0, LLID_START, &response);
        let last = l2cap.channels.last().unwrap();
        assert_eq!((l2cap.channels.len(), last.cid, last.credits), (2, [0x60, 0x50], [5, 6]));
    }

    #[test]
    fn without_the_handshake_nobody_knows_of_credits() {
        let mut l2cap = L2cap::default();
        l2cap.take(1, LLID_START, &[4, 0, 0x40, 0, 2, 0, 9, 9]);
        assert!(!l2cap.is_out_of_credits(1) && l2cap.credits_unknown(1));
    }
}
