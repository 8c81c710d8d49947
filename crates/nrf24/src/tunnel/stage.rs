//! The packet in work: cut into chunks from the front.

use airtime_core::Instant;

use super::chunk::BODY_MAX;
use super::integrity::CHECK;
use super::queue::chunks;
use super::seal::{COUNTER, TAG};
use crate::trace::{Purpose, Upload};

/// Longest IP packet, in octets.
pub(super) const PACKET_MAX: usize = 1500;

/// Most that comes in front of a packet: its counter and the number of its context.
pub(super) const FRONT: usize = COUNTER + 1;

/// Longest packet as it travels.
pub(super) const STAGE: usize = FRONT + PACKET_MAX + CHECK + TAG;

/// Layout in the room of a packet as it travels, with the share of each part: tunnel, headers, payload, and tunnel
/// again.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Shares {
    /// Start of the packet.
    pub(super) from: usize,
    /// Start of the headers.
    pub(super) headers: usize,
    /// Start of the application's payload.
    pub(super) payload: usize,
    /// End of the application's payload.
    pub(super) end: usize,
    /// End of the packet.
    pub(super) to: usize,
}

/// Origin of a chunk: the facts that it has to know about its packet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Origin {
    /// Number of the packet.
    pub(super) packet: u32,
    /// Octets of the packet before the tunnel touched it.
    pub(super) octets: u16,
    /// Instant at which it is abandoned.
    pub(super) until: Instant,
}

/// A piece of the packet in work.
#[derive(Clone, Copy, Debug)]
pub(super) struct Piece<'a> {
    pub(super) body: &'a [u8],
    pub(super) first: bool,
    pub(super) last: bool,
    pub(super) upload: Upload,
}

/// The packet in work.
#[derive(Debug)]
pub(super) struct Stage {
    octets: [u8; STAGE],
    cut: usize,
    shares: Shares,
    origin: Option<Origin>,
}

impl Stage {
    pub(super) fn new() -> Self {
        Self { octets: [0; STAGE], cut: 0, shares: Shares::default(), origin: None }
    }

    /// Packet in work.
    pub(super) fn origin(&self) -> Option<Origin> {
        self.origin
    }

    /// Chunks that have not been cut yet.
    pub(super) fn chunks(&self) -> u32 {
        if self.origin.is_none() { 0 } else { chunks(self.shares.to - self.cut) }
    }

    /// Room for a packet as it travels, to be filled before [`begin`](Self::begin): at first the packet, behind [`FRONT`].
    pub(super) fn room(&mut self) -> &mut [u8; STAGE] {
        &mut self.octets
    }

    /// Begins with what is in the room.
    pub(super) fn begin(&mut self, shares: Shares, origin: Origin) {
        assert!(shares.from < shares.to && shares.to <= STAGE, "a packet has octets");
        (self.cut, self.shares, self.origin) = (shares.from, shares, Some(origin));
    }

    /// Drops what has not been cut.
    pub(super) fn abandon(&mut self) {
        self.origin = None;
    }

    /// Cuts the next piece off.
    pub(super) fn cut(&mut self) -> Option<(Piece<'_>, Origin)> {
        let origin = self.origin?;
        let from = self.cut;
        let to = (from + BODY_MAX).min(self.shares.to);
        self.cut = to;
        let last = to == self.shares.to;
        if last {
            self.origin = None;
        }
        let upload = self.upload(from, to, origin.packet);
        Some((Piece { body: &self.octets[from..to], first: from == self.shares.from, last, upload }, origin))
    }

    fn upload(&self, from: usize, to: usize, packet: u32) -> Upload {
        let within = |begin: usize, end: usize| end.min(to).saturating_sub(begin.max(from)) as u8;
        let payload = within(self.shares.payload, self.shares.end);
        let headers = within(self.shares.headers, self.shares.payload);
        let tunnel = 1 + (to - from) as u8 - payload - headers;
        Upload { packet, payload, headers, tunnel, purpose: Purpose::New }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_octet_of_a_packet_is_in_one_chunk_and_one_share() {
        let mut stage = Stage::new();
        for (at, octet) in stage.room().iter_mut().enumerate() {
            *octet = at as u8;
        }
        let origin = Origin { packet: 7, octets: 60, until: Instant::ZERO };
        stage.begin(Shares { from: 1, headers: 5, payload: 33, end: 65, to: 83 }, origin);
        let mut sums = [0_u32; 3];
        let mut at = 1;
        while let Some((piece, _)) = stage.cut() {
            let upload = piece.upload;
            assert_eq!(usize::from(upload.payload + upload.headers + upload.tunnel), piece.body.len() + 1);
            assert_eq!((piece.first, piece.last), (at == 1, at == 63));
            assert_eq!(piece.body[0], at as u8);
            at += piece.body.len();
            sums[0] += u32::from(upload.payload);
            sums[1] += u32::from(upload.headers);
            sums[2] += u32::from(upload.tunnel);
        }
        assert_eq!((at, sums), (83, [32, 28, 3 + 22]));
    }
}
