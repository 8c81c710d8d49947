//! Large objects carried whole: after a lost link, or lost frames, a transfer goes on at the octet where it stopped.

mod caller;
mod response;
mod script;

use airtime_core::{Duration, Instant};

use self::response::Response;
use crate::service::Crc32;
use crate::{CallError, CallId};

/// Object of a transfer: the place of its octets at the client. Offsets count from the beginning of the object.
pub trait Object {
    /// Fills `into` from `offset` on: octets of an upload.
    fn read(&mut self, offset: u32, into: &mut [u8]);

    /// Takes octets of a download; they come in order, each once.
    fn write(&mut self, offset: u32, octets: &[u8]);
}

/// Direction of the object.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Direction {
    /// From the server, with `bulk_read`.
    Download,
    /// To the server, with `bulk_status` and `bulk_write`.
    Upload,
}

/// Configuration of a transfer: the object, and the times to wait for it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TransferConfig {
    /// Direction of the object.
    pub direction: Direction,
    /// Address of the object at the server.
    pub address: u32,
    /// Octets of the object.
    pub length: u32,
    /// Longest time without an octet; the call is begun anew after it.
    pub patience: Duration,
    /// Calls that may fail in a row without progress before the transfer does.
    pub attempts: u8,
}

/// Reason that a transfer failed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum TransferError {
    /// A call ended in a way that no repetition mends, or in any way more often than `attempts` without progress.
    Call(CallError),
    /// Checksum: the octets that arrived are not those that were sent.
    Checksum,
}

/// One object on its way. It calls, and it is a [`Script`](crate::suite::Script): it waits for a client that is ready, also
/// for the next one after a lost link.
#[derive(Debug)]
pub struct Transfer<O> {
    config: TransferConfig,
    object: O,
    /// Octets that are known to be where they should be, and the check of them.
    have: u32,
    crc: Crc32,
    step: Step,
    call: Option<CallId>,
    /// Instant at which the last octet moved.
    moved: Instant,
    /// An octet has moved since `moved` was set.
    moving: bool,
    /// Most octets that were ever known to be where they should be.
    best: u32,
    attempts_left: u8,
    calls: u32,
    began: Option<Instant>,
    over: Option<Instant>,
    ended: Option<CallError>,
    head: Head,
    response: Response,
    result: Option<Result<(), TransferError>>,
    reported: bool,
}

/// Step of a transfer: the call that is next, or under way.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Step {
    /// Question for the part of an upload that the server has.
    Asking,
    /// The object itself.
    Moving,
}

/// The request up to the octets of the object.
#[derive(Clone, Copy, Debug, Default)]
struct Head {
    octets: [u8; HEAD_MAX],
    length: u8,
}

/// Longest head: four fields, each a tag and a number of up to five octets.
const HEAD_MAX: usize = 24;

impl<O: Object> Transfer<O> {
    /// A transfer that has not begun.
    pub fn new(config: TransferConfig, object: O) -> Self {
        Self {
            config,
            object,
            have: 0,
            crc: Crc32::new(),
            step: first_step(config.direction),
            call: None,
            moved: Instant::ZERO,
            moving: false,
            best: 0,
            attempts_left: config.attempts,
            calls: 0,
            began: None,
            over: None,
            ended: None,
            head: Head::default(),
            response: Response::default(),
            result: None,
            reported: false,
        }
    }

    /// Octets that are known to be where they should be: all that came of a download; of an upload, what the server said.
    pub fn offset(&self) -> u32 {
        self.have
    }

    /// Calls it took so far: one for a download that nothing disturbed, two for an upload.
    pub fn calls(&self) -> u32 {
        self.calls
    }

    /// Result; none while it has not ended.
    pub fn result(&self) -> Option<Result<(), TransferError>> {
        self.result
    }

    /// The object.
    pub fn object(&self) -> &O {
        &self.object
    }

    /// The client's end of the object.
    pub fn into_object(self) -> O {
        self.object
    }

    /// Judges a call that ended well.
    fn succeeded(&mut self) {
        let Response { offset, crc, .. } = self.response;
        match (self.step, self.config.direction) {
            (Step::Asking, _) => self.take_status(offset, crc),
            (Step::Moving, Direction::Download) => {
                self.finish(self.have == self.config.length && crc == self.crc.value())
            }
            (Step::Moving, Direction::Upload) => {
                self.finish(offset == self.config.length && crc == self.crc.value());
                self.have = offset;
            }
        }
    }

    /// The server has `offset` octets: if they are ours, it goes on there, else from the beginning.
    fn take_status(&mut self, offset: u32, crc: u32) {
        let offset = if offset <= self.config.length { offset } else { 0 };
        let mut ours = Crc32::new();
        let mut piece = [0; 64];
        let mut at = 0;
        while at < offset {
            let length = piece.len().min((offset - at) as usize);
            self.object.read(at, &mut piece[..length]);
            ours.update(&piece[..length]);
            at += length as u32;
        }
        let same = ours.value() == crc;
        (self.have, self.crc) = if same { (offset, ours) } else { (0, Crc32::new()) };
        self.step = Step::Moving;
        self.note_progress();
    }

    /// Whoever gets on may fail again.
    fn note_progress(&mut self) {
        if self.have > self.best {
            self.best = self.have;
            self.attempts_left = self.config.attempts;
        }
    }

    /// A call ended otherwise.
    fn failed(&mut self, error: CallError) {
        if self.config.direction == Direction::Upload {
            self.step = Step::Asking;
        }
        if !response::is_passing(error) || self.attempts_left == 0 {
            self.result = Some(Err(TransferError::Call(error)));
        }
        self.attempts_left = self.attempts_left.saturating_sub(1);
    }

    fn finish(&mut self, right: bool) {
        self.result = Some(if right { Ok(()) } else { Err(TransferError::Checksum) });
    }
}

fn first_step(direction: Direction) -> Step {
    match direction {
        Direction::Download => Step::Moving,
        Direction::Upload => Step::Asking,
    }
}

impl core::fmt::Display for TransferError {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        match self {
            Self::Call(error) => error.fmt(f),
            Self::Checksum => f.write_str("what arrived is not what was sent: its CRC-32 differs"),
        }
    }
}

impl core::error::Error for TransferError {}
