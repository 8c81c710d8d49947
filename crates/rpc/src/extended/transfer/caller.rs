//! The calls of a transfer: their requests out, their responses in.

use super::response::Response;
use super::{Direction, Object, Step, Transfer};
use crate::message::{self, BulkReadRequest, BulkStatusRequest, BulkWriteRequest, Octets};
use crate::{CallError, CallId, Caller, Next};

impl<O: Object> Transfer<O> {
    /// Makes ready for the call of this step.
    pub(super) fn prepare(&mut self) {
        let (address, length, offset) = (self.config.address, self.config.length, self.have);
        let octets = &mut self.head.octets;
        let used = match (self.step, self.config.direction) {
            (Step::Asking, _) => message::encode(&BulkStatusRequest { address, length }, octets),
            (Step::Moving, Direction::Download) => {
                message::encode(&BulkReadRequest { address, length, offset }, octets)
            }
            (Step::Moving, Direction::Upload) => {
                let data = Octets::new(4, length - offset);
                message::encode(&BulkWriteRequest { address, length, offset, data }, octets)
            }
        };
        self.head.length = used as u8;
        self.response = Response::default();
        self.ended = None;
    }

    /// Octets of the object behind the head of the request.
    fn tail(&self) -> u32 {
        match (self.step, self.config.direction) {
            (Step::Moving, Direction::Upload) => self.config.length - self.have,
            _ => 0,
        }
    }
}

impl<O: Object> Caller for Transfer<O> {
    fn next(&mut self, _call: CallId) -> Next {
        Next::Message { octets: u32::from(self.head.length).saturating_add(self.tail()) }
    }

    fn read(&mut self, _call: CallId, offset: u32, into: &mut [u8]) {
        let head = &self.head.octets[..usize::from(self.head.length)];
        let head = head.get(offset as usize..).unwrap_or_default();
        let (first, rest) = into.split_at_mut(head.len().min(into.len()));
        first.copy_from_slice(&head[..first.len()]);
        if !rest.is_empty() {
            let at = self.have + (offset + first.len() as u32 - u32::from(self.head.length));
            self.object.read(at, rest);
            self.crc.update(rest);
            self.moving = true;
        }
    }

    fn received(&mut self, call: CallId, octets: &[u8], last: bool) {
        if self.call != Some(call) {
            return;
        }
        let Self { object, crc, have, config, step, moving, .. } = self;
        let download = *step == Step::Moving && config.direction == Direction::Download;
        let taken = self.response.push(octets, |octets| {
            // More than was asked for, or octets where none belong, are no answer to this.
            let fits = download && octets.len() as u64 + u64::from(*have) <= u64::from(config.length);
            if fits {
                object.write(*have, octets);
                crc.update(octets);
                *have += octets.len() as u32;
                *moving = true;
            }
            fits
        });
        self.note_progress();
        if taken.is_err() || last && !self.response.may_end() {
            self.ended = Some(CallError::Malformed);
        }
    }

    fn ended(&mut self, call: CallId, result: Result<(), CallError>) {
        if self.call != Some(call) {
            return;
        }
        self.call = None;
        match (self.ended.take(), result) {
            (None, Ok(())) => self.succeeded(),
            (Some(error), _) | (None, Err(error)) => self.failed(error),
        }
    }
}
