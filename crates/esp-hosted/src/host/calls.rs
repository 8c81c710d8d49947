//! Remote procedure calls from the host's side: requests, their replies, events.

use airtime_core::Instant;

use super::receive::Incoming;
use super::{BACKLOG_MAX, Host, HostDrop, HostOutput};
use crate::rpc::{Body, CallFaults, Message, Request, Settled};
use crate::wire::Frame;

/// Reason that a request is not sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum CallError {
    /// The transport is not up.
    #[error("the transport is not up")]
    Down,
    /// As many requests as there may be are under way, or their frames have not left yet.
    #[error("five requests are under way")]
    TooMany,
    /// It is longer than a message may be.
    #[error("a request of {0} octets, 8192 at most")]
    TooLong(usize),
}

impl Host {
    /// Sends a request: its identity, by which [`HostOutput::Reply`] or [`HostOutput::Expired`] is told.
    ///
    /// # Errors
    /// When the transport is down, five requests are under way, or it is too long.
    pub fn call(&mut self, now: Instant, request: Request) -> Result<u32, CallError> {
        if !self.start.transmits() {
            return Err(CallError::Down);
        }
        if self.backlog.len() >= BACKLOG_MAX {
            return Err(CallError::TooMany);
        }
        let uid = self.calls.begin(now, &request).map_err(|_| CallError::TooMany)?;
        let layout = self.config.layout();
        let (pool, backlog) = (&self.pool, &mut self.backlog);
        let sent = self.port.send(&Message::request(uid, request), |header, payload| {
            let mut frame = pool.packet();
            header.emit(&layout, payload, &mut frame);
            backlog.push_back(frame);
        });
        if let Err(error) = sent {
            // It was never sent; its time would run out for nothing.
            self.calls.withdraw(uid);
            return Err(CallError::TooLong(error.octets));
        }
        self.next_frame(now);
        Ok(uid)
    }

    /// Requests under way.
    pub fn outstanding(&self) -> usize {
        self.calls.outstanding()
    }

    /// Faults of calls so far.
    pub fn call_faults(&self) -> CallFaults {
        self.calls.faults()
    }

    /// A frame of the serial interface.
    pub(super) fn serial_frame(&mut self, incoming: &Incoming) {
        let layout = self.config.layout();
        let mut bytes = self.pool.packet();
        incoming.header.emit(&layout, &incoming.payload, &mut bytes);
        let Ok(frame) = Frame::new_checked(&bytes, &layout) else { return };
        match self.port.receive(&frame) {
            Ok(Some(Message { uid, body: Body::Response(response) })) => {
                if self.calls.settle(uid, &response) == Settled::Answered {
                    self.told.say(HostOutput::Reply { uid, response });
                }
            }
            Ok(Some(Message { body: Body::Event(event), .. })) => self.told.say(HostOutput::Event(event)),
            Ok(None) => {}
            // Nobody calls a host; and what is broken is no message.
            Ok(Some(_)) | Err(_) => self.told.lost(HostDrop::Message, incoming.payload.len()),
        }
    }

    pub(super) fn wake_calls(&mut self, now: Instant) {
        while let Some(expired) = self.calls.expire(now) {
            self.told.say(HostOutput::Expired(expired));
        }
    }

    /// The transport goes down: nobody will answer.
    pub(super) fn abort_calls(&mut self) {
        while let Some(expired) = self.calls.abort() {
            self.told.say(HostOutput::Expired(expired));
        }
        self.port.reset();
    }
}
