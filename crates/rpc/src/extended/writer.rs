//! Records put into a frame one after another.

use super::record::{END_OF_MESSAGE, END_OF_STREAM, HEAD, LONG, Limits, REST, kind};
use crate::CallId;

/// Fills a frame with records. The last one loses its length when the frame is finished: it reaches to the end.
#[derive(Debug)]
pub struct Writer<'a> {
    octets: &'a mut [u8],
    used: usize,
    /// Offset of the last record.
    last: usize,
}

/// A place for octets of a message, to be filled before anything else is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Piece {
    head: usize,
    from: usize,
    length: usize,
}

impl<'a> Writer<'a> {
    /// A writer of records into `octets`.
    pub fn new(octets: &'a mut [u8]) -> Self {
        Self { octets, used: 0, last: 0 }
    }

    /// True while nothing was written.
    pub fn is_empty(&self) -> bool {
        self.used == 0
    }

    /// Begins a call. False, and nothing written, when the record does not fit; so all of these.
    pub fn open(&mut self, call: CallId, window: u32, deadline_ms: u16, name: &str) -> bool {
        let [a, b, c, d] = window.to_le_bytes();
        let [low, high] = deadline_ms.to_le_bytes();
        let length = name.len() as u8;
        self.put(kind::OPEN, call, &[&[a, b, c, d, low, high, length], name.as_bytes()])
    }

    /// Allows more.
    pub fn credit(&mut self, call: CallId, limit: u32) -> bool {
        self.put(kind::CREDIT, call, &[&limit.to_le_bytes()])
    }

    /// Ends a call.
    pub fn status(&mut self, call: CallId, code: u8) -> bool {
        self.put(kind::STATUS, call, &[&[code]])
    }

    /// Gives a call up.
    pub fn cancel(&mut self, call: CallId) -> bool {
        self.put(kind::CANCEL, call, &[])
    }

    /// Says what the server takes.
    pub fn limits(&mut self, limits: Limits) -> bool {
        self.put(kind::LIMITS, CallId(0), &[&[limits.version, limits.calls], &limits.window.to_le_bytes()])
    }

    /// Says that frames before `first` are missing.
    pub fn lost(&mut self, first: u32) -> bool {
        self.put(kind::LOST, CallId(0), &[&first.to_le_bytes()])
    }

    /// Octets of a message, whole. False when they do not fit.
    pub fn data(&mut self, call: CallId, end_of_message: bool, end_of_stream: bool, octets: &[u8]) -> bool {
        let Some(piece) = self.piece(call, octets.len()).filter(|piece| piece.length == octets.len()) else {
            return false;
        };
        self.body(piece).copy_from_slice(octets);
        self.finish_piece(piece, end_of_message, end_of_stream);
        true
    }

    /// A place for at most `wanted` octets of a message; none when there is room for no octet of several.
    pub(super) fn piece(&mut self, call: CallId, wanted: usize) -> Option<Piece> {
        let room = (self.octets.len() - self.used).checked_sub(HEAD)?;
        if room == 0 && wanted > 0 {
            return None;
        }
        // What fills the frame needs no length; what nearly does has to go without one, or it would not fit.
        let length = wanted.min(room).min(usize::from(u16::MAX));
        let width = match room - length {
            0 => 0,
            _ if length <= 0xff => 1,
            1 => 0,
            _ => 2,
        };
        let head = self.used;
        let flags = [REST, 0, LONG][width];
        self.octets[head] = kind::DATA << 4 | flags;
        self.octets[head + 1..head + HEAD].copy_from_slice(&call.0.to_le_bytes());
        self.octets[head + HEAD..head + HEAD + width].copy_from_slice(&(length as u16).to_le_bytes()[..width]);
        Some(Piece { head, from: head + HEAD + width, length })
    }

    /// The octets of `piece`.
    pub(super) fn body(&mut self, piece: Piece) -> &mut [u8] {
        &mut self.octets[piece.from..piece.from + piece.length]
    }

    /// Ends the record of `piece`, now that it is known what ends with it.
    pub(super) fn finish_piece(&mut self, piece: Piece, end_of_message: bool, end_of_stream: bool) {
        let message = if end_of_message { END_OF_MESSAGE } else { 0 };
        let stream = if end_of_stream { END_OF_STREAM } else { 0 };
        self.octets[piece.head] |= message | stream;
        self.last = piece.head;
        self.used = piece.from + piece.length;
        if self.octets[piece.head] & REST != 0 {
            // Nothing can follow, even if an octet is left.
            self.octets = core::mem::take(&mut self.octets).split_at_mut(self.used).0;
        }
    }

    /// Octets of the frame: the last record reaches to its end.
    pub fn finish(self) -> usize {
        let Self { octets, used, last } = self;
        let Some(&head) = octets.get(last).filter(|_| used > 0) else { return 0 };
        if head & REST != 0 {
            return used;
        }
        let width = if head & LONG != 0 { 2 } else { 1 };
        octets[last] = head & !LONG | REST;
        octets.copy_within(last + HEAD + width..used, last + HEAD);
        used - width
    }

    fn put(&mut self, kind: u8, call: CallId, parts: &[&[u8]]) -> bool {
        let length: usize = parts.iter().map(|part| part.len()).sum();
        let room = self.octets.len() - self.used;
        let width = match room.checked_sub(HEAD + length) {
            None => return false,
            Some(0) => 0,
            Some(_) => 1,
        };
        self.last = self.used;
        let [low, high] = call.0.to_le_bytes();
        self.append(&[kind << 4 | [REST, 0][width], low, high]);
        if width == 1 {
            self.append(&[length as u8]);
        }
        parts.iter().for_each(|part| self.append(part));
        true
    }

    fn append(&mut self, octets: &[u8]) {
        self.octets[self.used..self.used + octets.len()].copy_from_slice(octets);
        self.used += octets.len();
    }
}

impl Piece {
    /// Octets it takes.
    pub(super) fn length(self) -> usize {
        self.length
    }
}
