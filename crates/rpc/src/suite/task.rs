//! Octets that one call of a script sends, one by one.

use crate::Next;
use crate::message::{
    BulkReadRequest, BulkWriteRequest, CounterStreamRequest, CounterUploadRequest, DataWriteRequest, FlashReadRequest,
    Octets, encode,
};
use crate::service::{Crc32, pattern};
use crate::suite::Method;

/// Size of an item of a counter stream: two numbers of 32 bits.
const ITEM_OCTETS: u32 = 8;

/// Address at which flash is read and written.
pub(super) const ADDRESS: u32 = 0;

/// Longest head of a request: four fields, each a tag and a number of 32 bits.
const HEAD_MAX: usize = 4 * 6;

/// One call and what it carries.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Task {
    pub method: Method,
    /// Payload octets, or items of a stream.
    pub amount: u32,
    pub text: Text,
}

/// Text that is echoed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Text {
    /// The published word, as often as it takes.
    Hello,
    /// The alphabet from this letter on: another one for each call, so that no answer passes for that of its neighbour.
    Letters(u32),
}

impl Text {
    pub fn octet(self, at: u32) -> u8 {
        match self {
            Self::Hello => b"hello"[at as usize % 5],
            Self::Letters(first) => b'a' + (first.wrapping_add(at) % 26) as u8,
        }
    }
}

impl Task {
    /// Messages in the streaming direction, 1 for a unary call.
    pub fn items(&self) -> u32 {
        match self.method {
            Method::CounterStream | Method::CounterUpload => self.amount,
            _ => 1,
        }
    }

    /// Octets of the application's payload both ways.
    pub fn octets(&self) -> u32 {
        match self.method {
            Method::Echo => 2 * self.amount,
            Method::FlashRead | Method::DataWrite | Method::BulkRead | Method::BulkWrite => self.amount,
            Method::CounterStream | Method::CounterUpload => ITEM_OCTETS * self.amount,
        }
    }
}

/// The requests of one call, as they are sent.
#[derive(Clone, Debug)]
pub(super) struct Requests {
    task: Task,
    head: [u8; HEAD_MAX],
    head_len: usize,
    sent: u32,
    /// Check of the octets of a large object that have gone.
    check: Crc32,
}

impl Requests {
    pub fn new(task: Task) -> Self {
        Self { task, head: [0; HEAD_MAX], head_len: 0, sent: 0, check: Crc32::new() }
    }

    /// The next message to be sent.
    pub fn next(&mut self) -> Next {
        let messages = if self.task.method == Method::CounterUpload { self.task.amount } else { 1 };
        if self.sent == messages {
            return Next::End;
        }
        let body = self.make_head();
        self.sent += 1;
        Next::Message { octets: self.head_len as u32 + body }
    }

    /// Makes the head of the message that is due and says how many octets follow it.
    fn make_head(&mut self) -> u32 {
        let (address, length) = (ADDRESS, self.task.amount);
        let head = &mut self.head[..];
        let (head_len, body) = match self.task.method {
            // Text and octets look the same on the wire: tag, length, octets.
            Method::Echo | Method::DataWrite => {
                (encode(&DataWriteRequest { data: Octets::new(1, length) }, head), length)
            }
            Method::FlashRead => (encode(&FlashReadRequest { address, length }, head), 0),
            Method::CounterStream => (encode(&CounterStreamRequest { count: length }, head), 0),
            Method::CounterUpload => {
                let item = CounterUploadRequest { seq: self.sent, value: self.sent.wrapping_mul(10) as i32 };
                (encode(&item, head), 0)
            }
            Method::BulkRead => (encode(&BulkReadRequest { address, length, offset: 0 }, head), 0),
            Method::BulkWrite => {
                let data = Octets::new(4, length);
                (encode(&BulkWriteRequest { address, length, offset: 0, data }, head), length)
            }
        };
        self.head_len = head_len;
        body
    }

    /// Octets of the message under way, from `offset` on; each is asked for once, in order.
    pub fn read(&mut self, offset: u32, into: &mut [u8]) {
        let head = &self.head[self.head_len.min(offset as usize)..self.head_len];
        let (heading, body) = into.split_at_mut(head.len().min(into.len()));
        heading.copy_from_slice(&head[..heading.len()]);
        let at = (offset as usize + heading.len() - self.head_len.min(offset as usize + heading.len())) as u32;
        for (at, octet) in (at..).zip(&mut *body) {
            *octet = match self.task.method {
                Method::Echo => self.task.text.octet(at),
                // What flash has there already, so that writing changes nothing that is read later.
                _ => pattern(ADDRESS.wrapping_add(at)),
            };
        }
        if self.task.method == Method::BulkWrite {
            self.check.update(body);
        }
    }

    /// The check of what has gone.
    pub fn check(&self) -> u32 {
        self.check.value()
    }
}
