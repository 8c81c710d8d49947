//! Credit-based channels of a link: their handshakes, and how many K-frames each side may send.

use alloc::vec::Vec;

use airtime_core::bytes::Reader;

/// Channels followed on one link.
const CHANNELS_MAX: usize = 32;
/// Connection requests that may wait for their response.
const REQUESTS_MAX: usize = 8;

/// Signalling codes. Core 6.0, Vol 3, Part A, 4.
pub(super) mod code {
    pub const DISCONNECT_RESPONSE: u8 = 0x07;
    pub const CONNECT_REQUEST: u8 = 0x14;
    pub const CONNECT_RESPONSE: u8 = 0x15;
    pub const CREDITS: u8 = 0x16;
    pub const ENHANCED_REQUEST: u8 = 0x17;
    pub const ENHANCED_RESPONSE: u8 = 0x18;
}

/// Terms of one side of a channel, as it has said them.
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
pub(super) struct Channel {
    /// Each side's own identifier.
    pub cid: [u16; 2],
    terms: [Terms; 2],
    /// K-frames each side may still send.
    credits: [u32; 2],
    /// Credits among them that came with the last packet it received.
    fresh: [u32; 2],
    /// The most each side has had, as long as nothing was missed.
    peak: [u32; 2],
    /// Number of credits that came with the last indication.
    pub grant: [u16; 2],
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

/// The channels of one link.
#[derive(Clone, Debug, Default)]
pub(super) struct Channels {
    channels: Vec<Channel>,
    requests: Vec<Request>,
    /// Packets have been missed.
    pub missed: bool,
}

impl Channels {
    /// The other side has heard a packet of `from`, whatever it carries: what was granted before it is not fresh.
    pub fn begin(&mut self, from: usize) {
        for channel in &mut self.channels {
            channel.fresh[1 - from] = 0;
        }
    }

    /// `from` has sent a K-frame on the channel that the other side calls `cid`.
    pub fn k_frame(&mut self, from: usize, cid: u16) {
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

    /// Takes in a signalling frame.
    pub fn signal(&mut self, from: usize, frame: &[u8]) {
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
        let missed = self.missed;
        let channel = self.channels.iter_mut().find(|channel| channel.cid[from] == cid)?;
        channel.credits[to] = channel.credits[to].saturating_add(credits);
        // A frame that was missed has spent a credit. A receiver does not give more than it ever had out before.
        match missed && channel.known {
            true => channel.credits[to] = channel.credits[to].min(channel.peak[to].max(credits)),
            false => channel.peak[to] = channel.peak[to].max(channel.credits[to]),
        }
        channel.grant[to] = credits as u16;
        channel.fresh[to] = channel.fresh[to].saturating_add(credits);
        Some(())
    }

    fn close(&mut self, from: usize, r: &mut Reader<'_>) -> Option<()> {
        // In the response the destination is the responder's identifier.
        let (destination, source) = (r.u16()?, r.u16()?);
        self.channels.retain(|channel| channel.cid[from] != destination || channel.cid[1 - from] != source);
        Some(())
    }

    /// Tells if `side` had no credit left for any channel it streams on, when it chose its last packet: credits granted
    /// by the packet just before that came too late for it.
    pub fn is_out_of_credits(&self, side: usize) -> bool {
        let mut used = self.channels.iter().filter(|channel| channel.used[side]).peekable();
        used.peek().is_some() && used.all(|channel| channel.known && channel.credits[side] <= channel.fresh[side])
    }

    /// Terms of the receiver of `side`'s stream, as it has said them.
    pub fn terms_of_receiver(&self, side: usize) -> Option<Terms> {
        let channel = self.channels.iter().find(|channel| channel.used[side] && channel.known)?;
        Some(channel.terms[1 - side])
    }

    /// The first channel that `side` streams on.
    pub fn streaming(&self, side: usize) -> Option<&Channel> {
        self.channels.iter().find(|channel| channel.used[side])
    }

    /// The first channel that `side` grants credits on.
    pub fn granting(&self, side: usize) -> Option<&Channel> {
        self.channels.iter().find(|channel| channel.used[1 - side] && channel.grant[1 - side] > 0)
    }
}

impl Channel {
    fn new(cid: [u16; 2], terms: [Terms; 2], known: bool) -> Self {
        let credits = [u32::from(terms[1].credits), u32::from(terms[0].credits)];
        Self { cid, terms, credits, fresh: [0; 2], peak: credits, grant: [0; 2], used: [false; 2], known }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const REQUEST: [u8; 16] = [0x17, 8, 12, 0, 0x80, 0, 0, 2, 247, 0, 5, 0, 0x50, 0, 0x51, 0];
    const RESPONSE: [u8; 16] = [0x18, 8, 12, 0, 0, 2, 247, 0, 6, 0, 0, 0, 0x60, 0, 0, 0];

    #[test]
    fn of_an_enhanced_request_only_what_was_accepted_is_a_channel() {
        let mut channels = Channels::default();
        channels.signal(1, &REQUEST);
        channels.signal(0, &RESPONSE);
        let [channel] = &channels.channels[..] else { panic!("{channels:?}") };
        assert_eq!((channel.cid, channel.credits), ([0x60, 0x50], [5, 6]));
    }

    #[test]
    fn after_a_gap_nobody_has_more_credits_than_ever_before() {
        let mut channels = Channels::default();
        channels.signal(1, &REQUEST);
        channels.signal(0, &RESPONSE);
        // The central's channel 0x60 grants one; a frame that spends it is missed, and one more is granted.
        let grant = [0x16, 1, 4, 0, 0x60, 0, 1, 0];
        for _ in 0..6 {
            channels.k_frame(1, 0x60);
        }
        assert!(channels.is_out_of_credits(1));
        channels.missed = true;
        for _ in 0..10 {
            channels.signal(0, &grant);
        }
        for _ in 0..6 {
            channels.begin(0);
            assert!(!channels.is_out_of_credits(1));
            channels.k_frame(1, 0x60);
        }
        assert!(channels.is_out_of_credits(1));
    }

    #[test]
    fn a_channel_that_is_closed_is_gone() {
        let mut channels = Channels::default();
        channels.signal(1, &REQUEST);
        channels.signal(0, &RESPONSE);
        channels.signal(0, &[0x07, 9, 4, 0, 0x60, 0, 0x50, 0]);
        assert!(channels.channels.is_empty());
    }
}
