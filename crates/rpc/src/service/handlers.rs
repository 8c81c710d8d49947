//! Handlers, one for each method.

use super::answer::Answer;
use super::{COUNTERS_MAX, Call, Crc32, Flash, TestService};
use crate::message::{
    self, BlerpcServer, BulkReadRequest, BulkStatusRequest, BulkStatusResponse, BulkWriteRequest, BulkWriteResponse,
    CounterStreamRequest, CounterUploadRequest, CounterUploadResponse, DataWriteRequest, DataWriteResponse,
    EchoRequest, EchoResponse, FlashReadRequest, MESSAGE_MAX,
};
use crate::{CallId, Status};

/// Octets that are read at a time to check what a client has.
const PIECE: usize = 64;

impl<F: Flash> BlerpcServer for TestService<F> {
    fn echo(&mut self, call: CallId, request: EchoRequest) -> Result<(), Status> {
        self.answer(call, Answer::message(&EchoResponse { message: request.message }))
    }

    fn flash_read(&mut self, call: CallId, request: FlashReadRequest) -> Result<(), Status> {
        let FlashReadRequest { address, length } = request;
        if length > self.flash_read_max || !within(address, length, &self.flash) {
            return Err(Status::BadArgument);
        }
        self.answer(call, Answer::flash_read(address, length))
    }

    fn data_write(&mut self, call: CallId, request: DataWriteRequest) -> Result<(), Status> {
        self.answer(call, Answer::message(&DataWriteResponse { length: request.data.len }))
    }

    fn counter_stream(&mut self, call: CallId, request: CounterStreamRequest) -> Result<(), Status> {
        if request.count > COUNTERS_MAX {
            return Err(Status::BadArgument);
        }
        self.answer(call, Answer::Counters { next: 0, count: request.count })
    }

    fn counter_upload(&mut self, call: CallId, _: CounterUploadRequest) -> Result<(), Status> {
        self.call(call).ok_or(Status::Internal)?.items += 1;
        Ok(())
    }

    fn bulk_read(&mut self, call: CallId, request: BulkReadRequest) -> Result<(), Status> {
        let BulkReadRequest { address, length, offset } = request;
        if offset > length || !within(address, length, &self.flash) {
            return Err(Status::BadArgument);
        }
        // The check is of the whole object, also of what the client has.
        let mut crc = Crc32::new();
        let mut piece = [0; PIECE];
        let mut at = 0;
        while at < offset {
            let piece = &mut piece[..PIECE.min((offset - at) as usize)];
            self.flash.read(address + at, piece);
            crc.update(piece);
            at += piece.len() as u32;
        }
        self.answer(call, Answer::bulk_read(address + offset, length - offset, crc))
    }

    fn bulk_write(&mut self, call: CallId, request: BulkWriteRequest) -> Result<(), Status> {
        let (offset, crc32) = self.upload.status(request.address, request.length);
        self.answer(call, Answer::message(&BulkWriteResponse { offset, crc32 }))
    }

    fn bulk_status(&mut self, call: CallId, request: BulkStatusRequest) -> Result<(), Status> {
        let (offset, crc32) = self.upload.status(request.address, request.length);
        self.answer(call, Answer::message(&BulkStatusResponse { offset, crc32 }))
    }

    fn chat(&mut self, _: CallId, request: EchoRequest) -> Result<(), Status> {
        let mut octets = [0; MESSAGE_MAX];
        let len = message::encode(&EchoResponse { message: request.message }, &mut octets);
        self.chat.as_mut().ok_or(Status::Internal)?.answer(&octets[..len])
    }
}

/// A stream to the server is over.
pub(super) fn uploaded(call: &mut Call) {
    call.answer = Answer::message(&CounterUploadResponse { received_count: call.items });
}

fn within(address: u32, length: u32, flash: &impl Flash) -> bool {
    address.checked_add(length).is_some_and(|end| end <= flash.len())
}
