//! Frames: numbered, and sealed where the connection is.
//!
//! ```text
//! open:    number:12 | check:4   records
//! sealed:  number u32            AES-128-GCM(records)   tag[16]
//! ```
//! `check` is the length of the frame modulo 15: a stack that cuts values short, as one does that sends more than the other
//! end's MTU takes, is found out without an octet more.
//!
//! Numbers count from 0 in each direction. Transports keep order and lose nothing as long as they stand; where one does lose
//! frames (a stack that drops writes without response), the number shows it.

use super::record::Records;
use crate::crypto::{OpenError, SEAL_OCTETS, Session};

/// Octets of the head of an open frame.
const HEAD_OCTETS: usize = 2;

/// Numbers of open frames count modulo this: frames lost in a row are noticed up to half of it.
const NUMBERS: u16 = 1 << 12;

/// The length of an open frame is checked modulo this; 15 itself is kept for another kind of head.
const CHECK: usize = 15;

/// Octets of the number of a sealed frame, which is the counter of its nonce.
const COUNTER_OCTETS: usize = 4;

/// Shortest frame that the extension takes: a sealed OPEN with the longest name fits.
pub const FRAME_MIN: u16 = 64;

/// Numbers and seals the frames of one connection, both ways.
#[derive(Debug)]
pub(super) struct Framing {
    longest: usize,
    session: Option<Session>,
    next: u32,
    expected: u32,
    spent: bool,
}

/// A frame that is new and genuine.
#[derive(Debug)]
pub(super) struct Arrived<'a> {
    /// Number of the frame.
    pub number: u32,
    /// Frames that should have come before it.
    pub missed: u32,
    /// Records that the frame holds.
    pub records: Records<'a>,
}

/// Reason that a frame was dropped. It counts as not having come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Dropped {
    /// It is shorter than its header, or a record of it is longer than it.
    Malformed,
    /// It came before, or too late.
    Old,
    /// Its tag is not that of its records.
    NotGenuine,
}

impl Framing {
    /// Frames of up to `longest` octets, sealed if there is a session.
    pub fn new(longest: u16, session: Option<Session>) -> Self {
        Self { longest: usize::from(longest), session, next: 0, expected: 0, spent: false }
    }

    /// Number of the next frame to be sent.
    pub fn next(&self) -> u32 {
        self.next
    }

    /// Place for the records of a frame in `into`; none when there is no room, or no number left.
    pub fn records<'a>(&self, into: &'a mut [u8]) -> Option<&'a mut [u8]> {
        let longest = self.longest.min(into.len());
        let (head, tail) =
            if self.session.is_some() { (COUNTER_OCTETS, SEAL_OCTETS - COUNTER_OCTETS) } else { (HEAD_OCTETS, 0) };
        if self.spent {
            return None;
        }
        into.get_mut(head..longest.checked_sub(tail)?)
    }

    /// Makes a frame of the `length` octets of records in `into`, and says how long it is; none when the numbers of a sealed
    /// connection are used up: it has to be made anew.
    pub fn finish(&mut self, into: &mut [u8], length: usize) -> Option<usize> {
        let octets = match &mut self.session {
            Some(session) => session.seal_frame(into, length).ok(),
            None => {
                let length = HEAD_OCTETS + length;
                let head = (self.next as u16 % NUMBERS) | check(length);
                into[..HEAD_OCTETS].copy_from_slice(&head.to_le_bytes());
                Some(length)
            }
        };
        self.spent = octets.is_none();
        self.next = self.next.wrapping_add(1);
        octets
    }

    /// Judges a frame that came. A sealed one is opened in `scratch`.
    pub fn receive<'a>(&mut self, frame: &'a [u8], scratch: &'a mut [u8]) -> Result<Arrived<'a>, Dropped> {
        let Some(session) = &mut self.session else {
            let (&head, body) = frame.split_first_chunk::<HEAD_OCTETS>().ok_or(Dropped::Malformed)?;
            let head = u16::from_le_bytes(head);
            if head / NUMBERS * NUMBERS != check(frame.len()) {
                return Err(Dropped::Malformed);
            }
            let ahead = head.wrapping_sub(self.expected as u16) % NUMBERS;
            return if ahead >= NUMBERS / 2 { Err(Dropped::Old) } else { self.accept(u32::from(ahead), body) };
        };
        let scratch = scratch.get_mut(..frame.len()).ok_or(Dropped::Malformed)?;
        scratch.copy_from_slice(frame);
        let opened = session.open_frame(scratch).map_err(|error| match error {
            OpenError::NotGenuine => Dropped::NotGenuine,
            OpenError::Replayed { .. } => Dropped::Old,
            OpenError::Length => Dropped::Malformed,
        })?;
        // The session lets no counter pass twice, so that this one is not below the one expected.
        let ahead = opened.counter.wrapping_sub(self.expected);
        self.accept(ahead, opened.octets)
    }

    fn accept<'a>(&mut self, missed: u32, body: &'a [u8]) -> Result<Arrived<'a>, Dropped> {
        let records = Records::new_checked(body).map_err(|_| Dropped::Malformed)?;
        let number = self.expected.wrapping_add(missed);
        self.expected = number.wrapping_add(1);
        Ok(Arrived { number, missed, records })
    }
}

/// The check of a frame of `length` octets, where it stands in the head.
fn check(length: usize) -> u16 {
    (length % CHECK) as u16 * NUMBERS
}
