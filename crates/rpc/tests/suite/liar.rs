//! A service that is nearly right: the last octet of every response is another, or nothing comes at all.

use airtime_rpc::service::{RamFlash, TestService};
use airtime_rpc::{CallId, Kind, Next, Service, Status};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lie {
    /// The last octet of every response.
    LastOctet,
    /// Every method is unknown.
    Unknown,
}

pub struct Liar {
    pub service: TestService<RamFlash<65_536>>,
    pub lie: Lie,
    octets: u32,
}

impl Liar {
    pub fn new(lie: Lie) -> Self {
        Self { service: TestService::new(RamFlash::new()), lie, octets: 0 }
    }
}

impl Service for Liar {
    fn open(&mut self, call: CallId, name: &str) -> Result<Kind, Status> {
        if self.lie == Lie::Unknown { Err(Status::UnknownCommand) } else { self.service.open(call, name) }
    }

    fn received(&mut self, call: CallId, octets: &[u8], last: bool) -> Result<(), Status> {
        self.service.received(call, octets, last)
    }

    fn finished(&mut self, call: CallId) -> Result<(), Status> {
        self.service.finished(call)
    }

    fn next(&mut self, call: CallId) -> Next {
        let next = self.service.next(call);
        if let Next::Message { octets } = next {
            self.octets = octets;
        }
        next
    }

    fn read(&mut self, call: CallId, offset: u32, into: &mut [u8]) {
        self.service.read(call, offset, into);
        if offset as usize + into.len() == self.octets as usize
            && let Some(last) = into.last_mut()
        {
            *last ^= 1;
        }
    }

    fn closed(&mut self, call: CallId) {
        self.service.closed(call);
    }
}
