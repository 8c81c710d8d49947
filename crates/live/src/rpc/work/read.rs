//! Memory of the server's, in order, from wherever the last connection has stopped.

use std::fmt;
use std::io;

use airtime_core::Instant;
use airtime_rpc::client::{Client, Mode, Terms};
use airtime_rpc::message::{self, BulkReadRequest, Field, FieldReader, FlashReadRequest};
use airtime_rpc::{CallError, CallId, Kind, Next, Status};
use crc::{CRC_32_ISO_HDLC, Crc, Digest};

use super::{BUFFER, Course, JobError};

/// Octets of one `flash_read`: what the published service reads at a time.
const CHUNK: u32 = 8_192;

static CRC: Crc<u32> = Crc::<u32>::new(&CRC_32_ISO_HDLC);

/// A transfer from the server.
pub struct Read {
    address: u32,
    length: u32,
    sink: Box<dyn io::Write>,
    /// Octets that are in the sink.
    have: u32,
    crc: Digest<'static, u32>,
    call: Option<Reading>,
    /// The server has no `bulk_read`.
    plain: bool,
    course: Course,
}

/// A call under way.
struct Reading {
    id: CallId,
    bulk: bool,
    address: u32,
    request: Vec<u8>,
    asked: bool,
    /// Octets that are still to come.
    left: u32,
    fields: FieldReader,
    /// The octets that come now are those asked for.
    of_data: bool,
    /// Address, or checksum, that the answer names.
    named: u32,
    whole: bool,
    wrong: Option<&'static str>,
    ended: Option<Result<(), CallError>>,
}

impl Read {
    /// `length` octets from `address` on, into `sink`.
    pub fn new(address: u32, length: u32, sink: Box<dyn io::Write>) -> Self {
        Self { address, length, sink, have: 0, crc: CRC.digest(), call: None, plain: false, course: Course::default() }
    }

    /// Address at which it begins, and number of octets that were asked for.
    pub fn range(&self) -> (u32, u32) {
        (self.address, self.length)
    }

    /// Octets that are in the sink.
    pub fn have(&self) -> u32 {
        self.have
    }

    /// CRC-32 (ISO-HDLC) of them.
    pub fn crc32(&self) -> u32 {
        self.crc.clone().finalize()
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
        (u64::from(self.have), u64::from(self.length))
    }

    pub(super) fn moves(&self) -> u64 {
        u64::from(self.have) + u64::from(self.course.calls)
    }

    pub(super) fn advance(&mut self, now: Instant, terms: &Terms, client: &mut Client<BUFFER>) {
        self.course.begin(now);
        self.settle();
        if self.call.is_some() || self.course.error.is_some() {
            return;
        }
        if self.course.calls > 0 && self.have == self.length {
            self.course.end(now);
            if let Err(error) = self.sink.flush() {
                self.course.error = Some(JobError::Output(error));
            }
            return;
        }
        self.begin(now, terms.mode == Mode::Extended && !self.plain, client);
    }

    fn begin(&mut self, now: Instant, bulk: bool, client: &mut Client<BUFFER>) {
        let name = name(bulk);
        let id = match client.start(now, name, Kind::Unary) {
            Ok(id) => id,
            Err(error) => return self.course.error = Some(JobError::NotBegun { name: name.into(), error }),
        };
        let (address, left) = (self.address + self.have, self.length - self.have);
        let mut request = vec![0; message::MESSAGE_MAX];
        let (left, octets) = if bulk {
            let asks = BulkReadRequest { address: self.address, length: self.length, offset: self.have };
            (left, message::encode(&asks, &mut request))
        } else {
            let length = left.min(CHUNK);
            (length, message::encode(&FlashReadRequest { address, length }, &mut request))
        };
        request.truncate(octets);
        self.course.calls += 1;
        self.call = Some(Reading::new(id, bulk, address, request, left));
    }

    /// Notes how a call ended, connection or not.
    pub(super) fn settle(&mut self) {
        if let Some(call) = self.call.take_if(|call| call.ended.is_some()) {
            self.conclude(call);
        }
    }

    /// Concludes from a call that is over.
    fn conclude(&mut self, call: Reading) {
        let fails = |error| Some(JobError::Call { name: name(call.bulk).into(), error });
        match call.ended {
            Some(Ok(())) => self.check(&call),
            Some(Err(CallError::Refused(Status::UnknownCommand))) if call.bulk => self.plain = true,
            Some(Err(error @ (CallError::Lost | CallError::Timeout | CallError::Refused(Status::Busy)))) => {
                self.course.resumed += 1;
                if !self.course.lost(u64::from(self.have)) {
                    self.course.error = fails(error);
                }
            }
            Some(Err(error)) => self.course.error = fails(error),
            None => {}
        }
    }

    fn check(&mut self, call: &Reading) {
        let complete = call.whole && call.left == 0;
        let genuine = if call.bulk { call.named == self.crc32() } else { call.named == call.address };
        let what = match call.wrong {
            Some(what) => what,
            None if !complete => "the answer has fewer octets than were asked for",
            None if !genuine && call.bulk => "the checksum of the whole is not that of the octets that came",
            None if !genuine => "the answer is about another address",
            None => return,
        };
        self.course.error = Some(JobError::Answer { name: name(call.bulk).into(), what: what.into() });
    }

    pub(super) fn next(&mut self, id: CallId) -> Next {
        let Some(call) = self.call.as_mut().filter(|call| call.id == id && !call.asked) else { return Next::End };
        call.asked = true;
        Next::Message { octets: call.request.len() as u32 }
    }

    pub(super) fn read(&mut self, _: CallId, offset: u32, into: &mut [u8]) {
        let Some(call) = &self.call else { return };
        let rest = call.request.get(offset as usize..).unwrap_or_default();
        let octets = rest.len().min(into.len());
        into[..octets].copy_from_slice(&rest[..octets]);
    }

    pub(super) fn received(&mut self, id: CallId, octets: &[u8], last: bool) {
        let Some(call) = self.call.as_mut().filter(|call| call.id == id) else { return };
        let (sink, crc, have, failed) = (&mut self.sink, &mut self.crc, &mut self.have, &mut self.course.error);
        call.take(octets, last, |data| {
            if failed.is_none() {
                match sink.write_all(data) {
                    Ok(()) => {
                        crc.update(data);
                        *have += data.len() as u32;
                    }
                    Err(error) => *failed = Some(JobError::Output(error)),
                }
            }
        });
    }

    pub(super) fn ended(&mut self, id: CallId, result: Result<(), CallError>) {
        if let Some(call) = self.call.as_mut().filter(|call| call.id == id) {
            call.ended = Some(result);
        }
    }
}

fn name(bulk: bool) -> &'static str {
    if bulk { "bulk_read" } else { "flash_read" }
}

impl Reading {
    fn new(id: CallId, bulk: bool, address: u32, request: Vec<u8>, left: u32) -> Self {
        Self {
            id,
            bulk,
            address,
            request,
            asked: false,
            left,
            fields: FieldReader::default(),
            of_data: false,
            named: 0,
            whole: false,
            wrong: None,
            ended: None,
        }
    }

    /// The number of the field with the octets; `bulk_read` has the checksum behind it, `flash_read` the address before it.
    fn data_field(&self) -> u32 {
        if self.bulk { 1 } else { 2 }
    }

    fn take(&mut self, octets: &[u8], last: bool, mut write: impl FnMut(&[u8])) {
        if self.wrong.is_some() {
            return;
        }
        let data_field = self.data_field();
        let (left, named, of_data, wrong) = (&mut self.left, &mut self.named, &mut self.of_data, &mut self.wrong);
        let read = self.fields.push(octets, |field| match field {
            Field::Integer { field, value } if field == 3 - data_field => *named = value,
            Field::Integer { .. } => {}
            Field::Begin { field, .. } => *of_data = field == data_field,
            Field::Octets(data) if *of_data && data.len() as u32 <= *left => {
                *left -= data.len() as u32;
                write(data);
            }
            Field::Octets(_) if *of_data => *wrong = Some("the answer has more octets than were asked for"),
            Field::Octets(_) => {}
        });
        self.whole |= last;
        if read.is_err() || last && !self.fields.may_end() {
            self.wrong = Some("the answer is no message of this method");
        }
    }
}

impl fmt::Debug for Read {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Read").field("range", &self.range()).field("have", &self.have).finish_non_exhaustive()
    }
}
