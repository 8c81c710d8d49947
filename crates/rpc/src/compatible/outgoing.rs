//! Messages on their way out: cut into containers as the transport takes them, and sealed on the way.

use core::fmt;

use crate::crypto::{SEAL_OCTETS, Seal};
use crate::wire::{CommandHeader, FIRST_HEADER, HEADER, Header, HeaderKind};

/// Most containers of a transaction: numbers 0 to 254. The published assembler for firmware fails on 255.
const CONTAINERS_MAX: usize = 255;

/// Octets of the counter before what is sealed.
const COUNTER: usize = 4;

/// Octets of the tag behind it.
const TAG: usize = SEAL_OCTETS - COUNTER;

/// Longest payload of a transaction in octets, command header and seal included, where frames have `frame` octets.
pub const fn capacity(frame: usize) -> usize {
    let containers = (frame - FIRST_HEADER) + (CONTAINERS_MAX - 1) * (frame - HEADER);
    if containers < u16::MAX as usize { containers } else { u16::MAX as usize }
}

/// The message does not fit into a transaction, or into what its receiver takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TooLarge;

impl fmt::Display for TooLarge {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the message is longer than a transaction can be or its receiver takes")
    }
}

impl core::error::Error for TooLarge {}

/// One message on its way: what is before and behind its octets is here, the octets are read when their container goes.
#[derive(Debug)]
pub struct Outgoing {
    transaction: u8,
    sequence: u8,
    header: [u8; CommandHeader::OCTETS_MAX],
    header_len: usize,
    /// Octets of the message itself.
    octets: usize,
    /// Octets of the payload that have gone.
    sent: usize,
    /// Octets of the whole payload.
    total: usize,
    seal: Sealing,
}

/// State of a seal.
#[derive(Debug)]
enum Sealing {
    /// There is none.
    Open,
    /// Under a seal: octets that go are made ciphertext.
    Under(Seal),
    /// All has gone but this.
    Tag([u8; TAG]),
}

impl Outgoing {
    /// Octets of the payload for a message of `octets` under `name`.
    pub fn payload(name: &str, octets: u32, sealed: bool) -> usize {
        4 + name.len() + octets as usize + if sealed { SEAL_OCTETS } else { 0 }
    }

    /// A message whose payload is no longer than `limit`, which is at most the [`capacity`] of its frames.
    ///
    /// # Errors
    /// If it is longer. The seal is lost then; begin it when [`payload`](Self::payload) says that it fits.
    pub fn new(
        transaction: u8,
        command: CommandHeader<'_>,
        seal: Option<Seal>,
        limit: usize,
    ) -> Result<Self, TooLarge> {
        let octets = usize::from(command.data_len);
        let total = Self::payload(command.name, octets as u32, seal.is_some());
        if total > limit {
            return Err(TooLarge);
        }
        let mut header = [0; CommandHeader::OCTETS_MAX];
        let header_len = command.emit(&mut header);
        let seal = seal.map_or(Sealing::Open, Sealing::Under);
        Ok(Self { transaction, sequence: 0, header, header_len, octets, sent: 0, total, seal })
    }

    /// True once all of it has gone.
    pub fn is_done(&self) -> bool {
        self.sequence > 0 && self.sent == self.total
    }

    /// Writes the next container, of at most `frame` octets, and says how long it is. `read` fills its argument with octets of
    /// the message from an offset on; it is asked for each of them once, in order.
    pub fn transmit(&mut self, frame: usize, into: &mut [u8], read: impl FnMut(u32, &mut [u8])) -> usize {
        let kind = match self.sequence {
            0 => HeaderKind::First { total: self.total as u16 },
            _ => HeaderKind::Subsequent,
        };
        let header = Header { transaction: self.transaction, sequence: self.sequence, kind };
        // A payload's length is one octet.
        let payload = (frame - header.octets()).min(usize::from(u8::MAX)).min(self.total - self.sent);
        self.fill(header.emit(payload, into), read);
        self.sequence += 1;
        header.octets() + payload
    }

    /// The next octets of the payload.
    fn fill(&mut self, mut piece: &mut [u8], mut read: impl FnMut(u32, &mut [u8])) {
        while !piece.is_empty() {
            let (now, later) = piece.split_at_mut(self.segment().min(piece.len()));
            self.fill_segment(now, &mut read);
            self.sent += now.len();
            piece = later;
        }
    }

    /// Octets that are left of the part of the payload that is due: counter, command header, message or tag.
    fn segment(&self) -> usize {
        let lead = self.lead();
        let ends = [lead, lead + self.header_len, lead + self.header_len + self.octets, self.total];
        ends.into_iter().find(|end| *end > self.sent).expect("octets are left") - self.sent
    }

    fn fill_segment(&mut self, piece: &mut [u8], read: &mut impl FnMut(u32, &mut [u8])) {
        let Some(at) = self.sent.checked_sub(self.lead()) else {
            let Sealing::Under(seal) = &self.seal else { unreachable!("only a seal has a counter") };
            piece.copy_from_slice(&seal.counter()[self.sent..][..piece.len()]);
            return;
        };
        if at < self.header_len {
            piece.copy_from_slice(&self.header[at..][..piece.len()]);
        } else if at < self.header_len + self.octets {
            read((at - self.header_len) as u32, piece);
        } else {
            let at = at - self.header_len - self.octets;
            piece.copy_from_slice(&self.tag()[at..][..piece.len()]);
            return;
        }
        if let Sealing::Under(seal) = &mut self.seal {
            seal.update(piece);
        }
    }

    fn lead(&self) -> usize {
        if matches!(self.seal, Sealing::Open) { 0 } else { COUNTER }
    }

    /// The tag, made once all before it has gone.
    fn tag(&mut self) -> [u8; TAG] {
        let tag = match core::mem::replace(&mut self.seal, Sealing::Open) {
            Sealing::Under(seal) => seal.finish(),
            Sealing::Tag(tag) => tag,
            Sealing::Open => unreachable!("only what is sealed has a tag"),
        };
        self.seal = Sealing::Tag(tag);
        tag
    }
}
