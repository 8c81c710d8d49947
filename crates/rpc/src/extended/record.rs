//! Records: what a frame of the extension is made of.
//!
//! ```text
//! kind:4 | flags:4    call u16    [length u8 or u16]    body
//! ```
//! All integers are little-endian. Every record has the same shape, so that one of a kind that a receiver does not know is
//! passed over.

use crate::{CallId, NAME_MAX};

/// The record reaches to the end of the frame and has no length.
pub(super) const REST: u8 = 0x1;
/// The length has two octets.
pub(super) const LONG: u8 = 0x2;
/// The last octet of a message is in this record.
pub(super) const END_OF_MESSAGE: u8 = 0x4;
/// Nothing follows in this direction.
pub(super) const END_OF_STREAM: u8 = 0x8;

/// Kinds of records, by their numbers on the wire.
pub(super) mod kind {
    pub const OPEN: u8 = 1;
    pub const DATA: u8 = 2;
    pub const CREDIT: u8 = 3;
    pub const STATUS: u8 = 4;
    pub const CANCEL: u8 = 5;
    pub const LIMITS: u8 = 6;
    pub const LOST: u8 = 7;
}

/// The version of the extension that is specified and implemented here.
pub const VERSION: u8 = 1;

/// Octets of a record before its length: kind, flags and call.
pub(super) const HEAD: usize = 3;

/// One record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Record<'a> {
    /// The client begins a call.
    Open {
        /// Number of the call.
        call: CallId,
        /// Octets of responses that the server may send before it hears more.
        window: u32,
        /// Milliseconds from its arrival after which the call is over; 0 for none.
        deadline_ms: u16,
        /// Name of the method.
        name: &'a str,
    },
    /// Octets of a message.
    Data {
        /// The call.
        call: CallId,
        /// Set if the message ends with them.
        end_of_message: bool,
        /// Set if this direction ends with them.
        end_of_stream: bool,
        /// The octets.
        octets: &'a [u8],
    },
    /// The other end may send more.
    Credit {
        /// The call.
        call: CallId,
        /// Octets that it may have sent since the call began, each end of a message counted as one; modulo 2³².
        limit: u32,
    },
    /// The server ends a call that did not go well.
    Status {
        /// The call.
        call: CallId,
        /// Number of a [`Status`](crate::Status).
        code: u8,
    },
    /// The client gives a call up.
    Cancel {
        /// The call.
        call: CallId,
    },
    /// The server's first word: what it takes.
    Limits(Limits),
    /// The server missed frames: calls opened before frame `first` are over.
    Lost {
        /// Number of the frame it goes on with.
        first: u32,
    },
    /// A kind that this version does not know.
    Unknown {
        /// Number of the record's kind.
        kind: u8,
    },
    /// A known kind with a body that makes no sense.
    Malformed {
        /// Number of the record's kind.
        kind: u8,
        /// The call it names.
        call: CallId,
    },
}

/// Limits of a server.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Version of the extension it speaks.
    pub version: u8,
    /// Calls under way.
    pub calls: u8,
    /// Octets of requests that a client may send on each call before it hears more.
    pub window: u32,
}

/// The records of a frame, all of which are known to lie within it.
#[derive(Clone, Debug)]
pub struct Records<'a> {
    rest: &'a [u8],
}

/// A record that says it is longer than its frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Truncated;

impl<'a> Records<'a> {
    /// The records in `octets`.
    ///
    /// # Errors
    /// One of them reaches beyond the end.
    pub fn new_checked(octets: &'a [u8]) -> Result<Self, Truncated> {
        let mut rest = octets;
        while !rest.is_empty() {
            (_, _, rest) = split(rest).ok_or(Truncated)?;
        }
        Ok(Self { rest: octets })
    }
}

impl<'a> Iterator for Records<'a> {
    type Item = Record<'a>;

    fn next(&mut self) -> Option<Record<'a>> {
        let (head, body, rest) = split(self.rest)?;
        self.rest = rest;
        Some(parse(head, body))
    }
}

#[derive(Clone, Copy)]
struct Head {
    kind: u8,
    flags: u8,
    call: CallId,
}

/// Head and body of the first record, and what follows it.
fn split(octets: &[u8]) -> Option<(Head, &[u8], &[u8])> {
    let (&[first, low, high], rest) = octets.split_first_chunk::<HEAD>()?;
    let head = Head { kind: first >> 4, flags: first & 0xf, call: CallId(u16::from_le_bytes([low, high])) };
    let (length, rest) = if head.flags & REST != 0 {
        (rest.len(), rest)
    } else if head.flags & LONG != 0 {
        let (&length, rest) = rest.split_first_chunk::<2>()?;
        (usize::from(u16::from_le_bytes(length)), rest)
    } else {
        let (&length, rest) = rest.split_first()?;
        (usize::from(length), rest)
    };
    let (body, rest) = rest.split_at_checked(length)?;
    Some((head, body, rest))
}

fn parse(head: Head, body: &[u8]) -> Record<'_> {
    let Head { kind, flags, call } = head;
    let record = match kind {
        kind::OPEN => parse_open(call, body),
        kind::DATA => Some(Record::Data {
            call,
            end_of_message: flags & END_OF_MESSAGE != 0,
            end_of_stream: flags & END_OF_STREAM != 0,
            octets: body,
        }),
        kind::CREDIT => u32_at(body).map(|(limit, _)| Record::Credit { call, limit }),
        kind::STATUS => body.first().map(|&code| Record::Status { call, code }),
        kind::CANCEL => Some(Record::Cancel { call }),
        kind::LIMITS => parse_limits(body),
        kind::LOST => u32_at(body).map(|(first, _)| Record::Lost { first }),
        _ => Some(Record::Unknown { kind }),
    };
    record.unwrap_or(Record::Malformed { kind, call })
}

fn parse_open(call: CallId, body: &[u8]) -> Option<Record<'_>> {
    let (window, rest) = u32_at(body)?;
    let (&[low, high, length], rest) = rest.split_first_chunk::<3>()?;
    let name = rest.get(..usize::from(length))?;
    if name.is_empty() || name.len() > NAME_MAX || !name.is_ascii() {
        return None;
    }
    let name = core::str::from_utf8(name).ok()?;
    Some(Record::Open { call, window, deadline_ms: u16::from_le_bytes([low, high]), name })
}

fn parse_limits(body: &[u8]) -> Option<Record<'_>> {
    let (&[version, calls], rest) = body.split_first_chunk::<2>()?;
    let (window, _) = u32_at(rest)?;
    Some(Record::Limits(Limits { version, calls, window }))
}

fn u32_at(octets: &[u8]) -> Option<(u32, &[u8])> {
    let (&value, rest) = octets.split_first_chunk::<4>()?;
    Some((u32::from_le_bytes(value), rest))
}
