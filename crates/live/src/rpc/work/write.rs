//! Octets to the server: in extended mode at an address, from wherever the server has stopped; in compatible mode in pieces
//! that the published service counts.

use std::fmt;

use airtime_core::Instant;
use airtime_rpc::client::{Client, Mode, Terms};
use airtime_rpc::message::{
    self, BulkStatusRequest, BulkStatusResponse, BulkWriteRequest, BulkWriteResponse, DataWriteRequest,
    DataWriteResponse, Octets,
};
use airtime_rpc::{CallError, CallId, Kind, Next, Status};
use crc::{CRC_32_ISO_HDLC, Crc};

use super::{BUFFER, Course, JobError};

/// Octets of one `data_write`: the 8 KB of the published checks.
const CHUNK: usize = 8_192;

/// Longest answer to a call of a transfer.
const ANSWER_MAX: usize = 64;

static CRC: Crc<u32> = Crc::<u32>::new(&CRC_32_ISO_HDLC);

/// A transfer to the server.
pub struct Write {
    /// None: wherever the server likes, which only compatible mode has.
    address: Option<u32>,
    octets: Vec<u8>,
    /// Octets that the server is known to have.
    have: usize,
    step: Step,
    call: Option<Writing>,
    course: Course,
}

/// Step of a transfer that comes next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Step {
    /// Question for the octets that the server has.
    Ask,
    /// Octets that the server has not.
    Send,
    /// The next piece of compatible mode.
    Piece,
}

/// A call under way: `head`, then octets of the transfer.
#[derive(Debug)]
struct Writing {
    id: CallId,
    step: Step,
    head: Vec<u8>,
    from: usize,
    to: usize,
    asked: bool,
    /// Up to where octets of the transfer were given to be sent.
    given: usize,
    answer: Vec<u8>,
    /// Octets of the answer, also of one that is too long to be kept.
    came: usize,
    ended: Option<Result<(), CallError>>,
}

impl Write {
    /// `octets` to `address`, or to nowhere in particular.
    ///
    /// # Panics
    /// If there are more than 4 GiB of them.
    pub fn new(address: Option<u32>, octets: Vec<u8>) -> Self {
        assert!(u32::try_from(octets.len()).is_ok(), "an object has at most 4 GiB");
        Self { address, octets, have: 0, step: Step::Ask, call: None, course: Course::default() }
    }

    /// Address to write to, if it was said.
    pub fn address(&self) -> Option<u32> {
        self.address
    }

    /// Octets that were to be sent.
    pub fn length(&self) -> usize {
        self.octets.len()
    }

    /// Octets that the server is known to have.
    pub fn have(&self) -> usize {
        self.have
    }

    /// CRC-32 (ISO-HDLC) of what was to be sent.
    pub fn crc32(&self) -> u32 {
        CRC.checksum(&self.octets)
    }

    /// Its calls, attempts and times.
    pub fn course(&self) -> &Course {
        &self.course
    }

    pub(super) fn error(&self) -> Option<&JobError> {
        self.course.error.as_ref()
    }

    pub(super) fn is_over(&self) -> bool {
        self.course.took().is_some()
    }

    pub(super) fn progress(&self) -> (u64, u64) {
        (self.call.as_ref().map_or(self.have, |call| call.given.max(self.have)) as u64, self.octets.len() as u64)
    }

    pub(super) fn moves(&self) -> u64 {
        self.progress().0 + u64::from(self.course.calls)
    }

    pub(super) fn advance(&mut self, now: Instant, terms: &Terms, client: &mut Client<BUFFER>) {
        self.course.begin(now);
        self.settle();
        if self.call.is_some() || self.course.error.is_some() {
            return;
        }
        if self.course.calls > 0 && self.have == self.octets.len() && self.step != Step::Ask {
            self.course.end(now);
            return;
        }
        if terms.mode == Mode::Compatible {
            if self.address.is_some() {
                return self.course.error = Some(JobError::Unsupported(
                    "the server speaks the published protocol only, whose data_write has no address: leave --at out, or use a \
                     server with extended mode",
                ));
            }
            self.step = Step::Piece;
        }
        self.begin(now, client);
    }

    fn begin(&mut self, now: Instant, client: &mut Client<BUFFER>) {
        let name = name(self.step);
        match client.start(now, name, Kind::Unary) {
            Ok(id) => self.call = Some(self.writing(id)),
            Err(error) => self.course.error = Some(JobError::NotBegun { name: name.into(), error }),
        }
        self.course.calls += 1;
    }

    fn writing(&self, id: CallId) -> Writing {
        let (address, length) = (self.address.unwrap_or_default(), self.octets.len() as u32);
        let mut head = vec![0; message::MESSAGE_MAX];
        let rest = self.octets.len() - self.have;
        let (sent, octets) = match self.step {
            Step::Ask => (0, message::encode(&BulkStatusRequest { address, length }, &mut head)),
            Step::Send => {
                let (offset, data) = (self.have as u32, Octets::new(4, rest as u32));
                (rest, message::encode(&BulkWriteRequest { address, length, offset, data }, &mut head))
            }
            Step::Piece => {
                let sent = rest.min(CHUNK);
                (sent, message::encode(&DataWriteRequest { data: Octets::new(1, sent as u32) }, &mut head))
            }
        };
        head.truncate(octets);
        let (from, to) = (self.have, self.have + sent);
        Writing {
            id,
            step: self.step,
            head,
            from,
            to,
            asked: false,
            given: 0,
            answer: Vec::new(),
            came: 0,
            ended: None,
        }
    }

    /// Notes how a call ended, connection or not.
    pub(super) fn settle(&mut self) {
        if let Some(call) = self.call.take_if(|call| call.ended.is_some()) {
            self.conclude(&call);
        }
    }

    /// Concludes from a call that is over.
    fn conclude(&mut self, call: &Writing) {
        let fails = |error| Some(JobError::Call { name: name(call.step).into(), error });
        match call.ended {
            Some(Ok(())) => self.answered(call),
            Some(Err(CallError::Lost)) if call.step == Step::Piece => {
                self.course.error = Some(JobError::Unsupported(
                    "the link was lost, and the published data_write does not say what had arrived: only extended mode goes on",
                ));
            }
            Some(Err(error @ (CallError::Lost | CallError::Timeout | CallError::Refused(Status::Busy))))
                if call.step != Step::Piece =>
            {
                self.step = Step::Ask;
                if !self.course.lost(self.have as u64) {
                    self.course.error = fails(error);
                }
            }
            Some(Err(error)) => self.course.error = fails(error),
            None => {}
        }
    }

    fn answered(&mut self, call: &Writing) {
        let wrong = match call.step {
            _ if call.came > ANSWER_MAX => Some("the answer is too long"),
            Step::Ask => self.status(&call.answer),
            Step::Send => self.sent_whole(&call.answer),
            Step::Piece => self.counted(call),
        };
        if let Some(what) = wrong {
            self.course.error = Some(JobError::Answer { name: name(call.step).into(), what: what.into() });
        }
    }

    /// The server says how much it has; that is of use if it is the beginning of these octets.
    fn status(&mut self, answer: &[u8]) -> Option<&'static str> {
        let Ok(BulkStatusResponse { offset, crc32 }) = message::decode(answer) else { return Some(NO_MESSAGE) };
        let theirs = self.octets.get(..offset as usize).filter(|begin| CRC.checksum(begin) == crc32);
        self.have = theirs.map_or(0, <[u8]>::len);
        self.course.resumed += u32::from(self.have > 0);
        self.step = Step::Send;
        None
    }

    fn sent_whole(&mut self, answer: &[u8]) -> Option<&'static str> {
        let Ok(BulkWriteResponse { offset, crc32 }) = message::decode(answer) else { return Some(NO_MESSAGE) };
        if offset as usize != self.octets.len() {
            return Some("the server has not taken all of it");
        }
        self.have = self.octets.len();
        (crc32 != self.crc32()).then_some("the server's checksum of the whole is not that of the octets that were sent")
    }

    fn counted(&mut self, call: &Writing) -> Option<&'static str> {
        let Ok(DataWriteResponse { length }) = message::decode(&call.answer) else { return Some(NO_MESSAGE) };
        if length as usize != call.to - call.from {
            return Some("the server has counted another number of octets");
        }
        self.have = call.to;
        None
    }

    pub(super) fn next(&mut self, id: CallId) -> Next {
        let Some(call) = self.call.as_mut().filter(|call| call.id == id && !call.asked) else { return Next::End };
        call.asked = true;
        Next::Message { octets: (call.head.len() + call.to - call.from) as u32 }
    }

    pub(super) fn read(&mut self, id: CallId, offset: u32, into: &mut [u8]) {
        let Some(call) = self.call.as_mut().filter(|call| call.id == id) else { return };
        let offset = offset as usize;
        let head = call.head.get(offset..).unwrap_or_default();
        let first = head.len().min(into.len());
        into[..first].copy_from_slice(&head[..first]);
        let at = call.from + (offset + first).saturating_sub(call.head.len());
        let data = self.octets.get(at..call.to).unwrap_or_default();
        let second = data.len().min(into.len() - first);
        into[first..first + second].copy_from_slice(&data[..second]);
        call.given = at + second;
    }

    pub(super) fn received(&mut self, id: CallId, octets: &[u8], _: bool) {
        let Some(call) = self.call.as_mut().filter(|call| call.id == id) else { return };
        call.came += octets.len();
        if call.came <= ANSWER_MAX {
            call.answer.extend_from_slice(octets);
        }
    }

    pub(super) fn ended(&mut self, id: CallId, result: Result<(), CallError>) {
        if let Some(call) = self.call.as_mut().filter(|call| call.id == id) {
            call.ended = Some(result);
        }
    }
}

const NO_MESSAGE: &str = "the answer is no message of this method";

fn name(step: Step) -> &'static str {
    match step {
        Step::Ask => "bulk_status",
        Step::Send => "bulk_write",
        Step::Piece => "data_write",
    }
}

impl fmt::Debug for Write {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (length, have) = (self.octets.len(), self.have);
        f.debug_struct("Write").field("length", &length).field("have", &have).finish_non_exhaustive()
    }
}
