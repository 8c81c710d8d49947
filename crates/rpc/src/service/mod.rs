//! The test service of the published benchmark: `echo`, `flash_read`, `data_write`, `counter_stream` and `counter_upload`, and in
//! extended mode what only it can carry: `bulk_read`, `bulk_write`, `bulk_status` and `chat`.

mod answer;
mod bulk;
mod chat;
mod crc32;
mod flash;
mod handlers;
mod request;

use heapless::Vec;

use self::answer::Answer;
use self::bulk::{BulkWrite, Upload};
use self::chat::Chat;
use self::request::{DataReader, Incoming};
use crate::message::{BlerpcMethod, BlerpcServer, EchoRequest};
use crate::{CALLS_MAX, CallId, Kind, Next, Service, Status};

pub use crc32::Crc32;
pub use flash::{Flash, PatternFlash, RamFlash, RomFlash, pattern};

/// Longest `flash_read` of the published service, in octets.
pub const FLASH_READ_MAX: u32 = 8192;

/// Longest stream of counters, in items, as published.
pub const COUNTERS_MAX: u32 = 10_000;

/// The test service over `F`. Handlers run once for each request; octets of flash go between the wire and `F` without being held.
#[derive(Debug)]
pub struct TestService<F> {
    flash: F,
    flash_read_max: u32,
    calls: [Option<Call>; CALLS_MAX],
    upload: Upload,
    /// One conversation at a time: it is what takes most memory.
    chat: Option<Chat>,
}

/// A call under way.
#[derive(Debug)]
struct Call {
    id: CallId,
    method: BlerpcMethod,
    incoming: Incoming,
    /// Items of a stream to the server.
    items: u32,
    answer: Answer,
}

impl<F: Flash> TestService<F> {
    /// The service, with no call under way.
    pub fn new(flash: F) -> Self {
        let calls = [const { None }; CALLS_MAX];
        Self { flash, flash_read_max: FLASH_READ_MAX, calls, upload: Upload::default(), chat: None }
    }

    /// Sets another longest `flash_read` in octets than the published one.
    #[must_use]
    pub fn with_flash_read_max(self, flash_read_max: u32) -> Self {
        Self { flash_read_max, ..self }
    }

    /// Memory of the service.
    pub fn flash(&self) -> &F {
        &self.flash
    }

    /// Calls under way.
    pub fn under_way(&self) -> usize {
        self.calls.iter().flatten().count()
    }

    fn call(&mut self, id: CallId) -> Option<&mut Call> {
        self.calls.iter_mut().flatten().find(|call| call.id == id)
    }

    fn answer(&mut self, id: CallId, answer: Answer) -> Result<(), Status> {
        self.call(id).ok_or(Status::Internal)?.answer = answer;
        Ok(())
    }

    /// A piece of an item of the conversation.
    fn said(&mut self, id: CallId, octets: &[u8], last: bool) -> Result<(), Status> {
        let request: Option<EchoRequest> = self.chat.as_mut().ok_or(Status::Internal)?.push(octets, last)?;
        request.map_or(Ok(()), |request| self.chat(id, request))
    }
}

impl<F: Flash> Service for TestService<F> {
    fn open(&mut self, id: CallId, name: &str) -> Result<Kind, Status> {
        let method = BlerpcMethod::named(name).ok_or(Status::UnknownCommand)?;
        if method == BlerpcMethod::Chat && self.chat.is_some() {
            return Err(Status::Busy);
        }
        let free = self.calls.iter_mut().find(|call| call.is_none()).ok_or(Status::Busy)?;
        let incoming = match method {
            BlerpcMethod::DataWrite => Incoming::Data(DataReader::default()),
            BlerpcMethod::BulkWrite => Incoming::Bulk(BulkWrite::default()),
            _ => Incoming::Message(Vec::new()),
        };
        *free = Some(Call { id, method, incoming, items: 0, answer: Answer::Over });
        if method == BlerpcMethod::Chat {
            self.chat = Some(Chat::new(id));
        }
        Ok(method.kind())
    }

    fn received(&mut self, id: CallId, octets: &[u8], last: bool) -> Result<(), Status> {
        let Some(call) = self.calls.iter_mut().flatten().find(|call| call.id == id) else {
            return Err(Status::Internal);
        };
        let method = call.method;
        match &mut call.incoming {
            Incoming::Message(_) if method == BlerpcMethod::Chat => self.said(id, octets, last),
            Incoming::Message(message) => {
                // No message of these methods is longer.
                message.extend_from_slice(octets).map_err(|_| Status::BadArgument)?;
                if !last {
                    return Ok(());
                }
                let message = core::mem::take(message);
                self.dispatch(method, id, &message)
            }
            Incoming::Data(data) => {
                data.push(octets)?;
                if !last {
                    return Ok(());
                }
                let request = data.finish()?;
                self.data_write(id, request)
            }
            Incoming::Bulk(bulk) => {
                bulk.push(id, octets, &mut self.upload, &mut self.flash)?;
                if !last {
                    return Ok(());
                }
                let request = bulk.finish()?;
                self.bulk_write(id, request)
            }
        }
    }

    fn finished(&mut self, id: CallId) -> Result<(), Status> {
        let call = self.call(id).ok_or(Status::Internal)?;
        match call.method {
            BlerpcMethod::CounterUpload => handlers::uploaded(call),
            BlerpcMethod::Chat => {
                if let Some(chat) = &mut self.chat {
                    chat.finish();
                }
            }
            _ => {}
        }
        Ok(())
    }

    fn next(&mut self, id: CallId) -> Next {
        if let Some(chat) = self.chat.as_mut().filter(|chat| chat.call == id) {
            return chat.next();
        }
        self.call(id).map_or(Next::End, |call| call.answer.next())
    }

    fn read(&mut self, id: CallId, offset: u32, into: &mut [u8]) {
        if let Some(chat) = self.chat.as_mut().filter(|chat| chat.call == id) {
            chat.read(into);
            return;
        }
        if let Some(call) = self.calls.iter_mut().flatten().find(|call| call.id == id) {
            call.answer.read(offset, into, &mut self.flash);
        }
    }

    fn room(&self, id: CallId) -> u32 {
        match &self.chat {
            Some(chat) if chat.call == id => chat.room(),
            _ => u32::MAX,
        }
    }

    fn closed(&mut self, id: CallId) {
        self.upload.leave(id);
        self.chat.take_if(|chat| chat.call == id);
        for call in &mut self.calls {
            call.take_if(|call| call.id == id);
        }
    }
}
