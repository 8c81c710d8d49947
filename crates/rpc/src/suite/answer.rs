//! Answer to one call, judged as it comes.

use super::task::{ADDRESS, Task};
use crate::message::{Field, FieldReader};
use crate::service::Crc32;
use crate::suite::Method;

/// Numbers of fields that matter are 1 and 2.
const FIELDS: usize = 3;

/// Knowledge of flash: its content, or the check of an earlier read.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Known {
    /// The octet at an address, where somebody has documented that.
    pub content: Option<fn(u32) -> u8>,
    /// Number of octets from the beginning on that were read before, and their check.
    pub read: Option<(u32, u32)>,
}

/// The responses of one call.
#[derive(Clone, Debug)]
pub(super) struct Answer {
    task: Task,
    known: Known,
    fields: FieldReader,
    integers: [u32; FIELDS],
    /// Octets of the field of octets.
    octets: u32,
    check: Crc32,
    /// The check of as many octets as were read before.
    check_before: Option<u32>,
    /// Messages that came.
    messages: u32,
    wrong: bool,
}

impl Answer {
    pub fn new(task: Task, known: Known) -> Self {
        Self {
            task,
            known,
            fields: FieldReader::default(),
            integers: [0; FIELDS],
            octets: 0,
            check: Crc32::new(),
            check_before: None,
            messages: 0,
            wrong: false,
        }
    }

    /// Octets of a message; `sent` is the check of what was sent.
    pub fn receive(&mut self, octets: &[u8], last: bool, sent: u32) {
        let mut fields = self.fields;
        let read = fields.push(octets, |field| match field {
            Field::Integer { field, value } => {
                if let Some(integer) = self.integers.get_mut(field as usize) {
                    *integer = value;
                }
            }
            Field::Begin { .. } => {}
            Field::Octets(octets) => self.octets(octets),
        });
        self.fields = fields;
        self.wrong |= read.is_err();
        if last {
            self.wrong |= !self.fields.may_end() || !self.is_right(sent);
            self.fields = FieldReader::default();
            self.integers = [0; FIELDS];
            self.messages = self.messages.saturating_add(1);
        }
    }

    fn octets(&mut self, octets: &[u8]) {
        let from = self.octets;
        let expected: Option<&dyn Fn(u32) -> u8> = match (self.task.method, &self.known.content) {
            (Method::Echo, _) => Some(&|at| self.task.text.octet(at)),
            (_, Some(content)) => Some(&|at| content(ADDRESS.wrapping_add(at))),
            (_, None) => None,
        };
        if let Some(expected) = expected {
            self.wrong |= (from..).zip(octets).any(|(at, octet)| expected(at) != *octet);
        }
        // The check of what was read before is taken where that ended.
        let before = self.known.read.map_or(0, |(len, _)| len.saturating_sub(from)) as usize;
        let (head, rest) = octets.split_at(before.min(octets.len()));
        self.check.update(head);
        if before > 0 && head.len() == before {
            self.check_before = Some(self.check.value());
        }
        self.check.update(rest);
        self.octets = from.saturating_add(octets.len() as u32);
    }

    /// Tells if the message that is complete is what it should be.
    fn is_right(&self, sent: u32) -> bool {
        let [_, first, second] = self.integers;
        let amount = self.task.amount;
        match self.task.method {
            Method::Echo => self.octets == amount,
            Method::FlashRead => first == ADDRESS && self.octets == amount && self.is_as_before(),
            Method::DataWrite | Method::CounterUpload => first == amount,
            Method::CounterStream => first == self.messages && second == self.messages.wrapping_mul(10),
            Method::BulkRead => self.octets == amount && second == self.check.value() && self.is_as_before(),
            Method::BulkWrite => first == amount && second == sent,
        }
    }

    fn is_as_before(&self) -> bool {
        match self.known.read {
            Some((len, check)) if len > 0 && len <= self.task.amount => self.check_before == Some(check),
            _ => true,
        }
    }

    /// True if all that was to come did, and was right.
    pub fn is_complete(&self) -> bool {
        let messages = if self.task.method == Method::CounterStream { self.task.amount } else { 1 };
        !self.wrong && self.messages == messages
    }

    /// Length and check of the flash that this call has read.
    pub fn read(&self) -> Option<(u32, u32)> {
        let reads = matches!(self.task.method, Method::FlashRead | Method::BulkRead);
        (reads && self.is_complete()).then(|| (self.task.amount, self.check.value()))
    }
}
