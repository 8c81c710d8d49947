//! Responses on their way out.

use heapless::Vec;
use micropb::MessageEncode;

use super::{Crc32, Flash};
use crate::Next;
use crate::message::{self, BulkReadResponse, CounterStreamResponse, FlashReadResponse, MESSAGE_MAX, Octets};

/// Tag of the check behind the octets of a large object: field 2, four octets.
const CRC_TAG: u8 = 2 << 3 | 5;

/// Octets of that field.
const CRC_FIELD: u32 = 5;

/// Longest head of a response with octets of flash: two tags and two numbers of up to five octets.
const HEAD_MAX: usize = 12;

/// Answer of a call that has yet to be sent.
#[derive(Debug)]
pub(super) enum Answer {
    /// One message that fits into memory.
    Message(Vec<u8, MESSAGE_MAX>),
    /// One message with octets of flash.
    Flash(FlashAnswer),
    /// Items of a counter: `next` up to `count`; the one under way is before `next`.
    Counters { next: u32, count: u32 },
    /// Nothing more.
    Over,
}

/// A message with octets of flash: head, octets, and a check if there is one.
#[derive(Debug)]
pub(super) struct FlashAnswer {
    head: Vec<u8, HEAD_MAX>,
    address: u32,
    octets: u32,
    crc: Option<Crc32>,
}

impl Answer {
    /// One message that fits into memory.
    pub fn message(message: &impl MessageEncode) -> Self {
        let mut octets = [0; MESSAGE_MAX];
        let len = message::encode(message, &mut octets);
        Self::Message(octets[..len].iter().copied().collect())
    }

    /// The answer to `flash_read`.
    pub fn flash_read(address: u32, octets: u32) -> Self {
        let response = FlashReadResponse { address, data: Octets::new(2, octets) };
        Self::Flash(FlashAnswer { head: head(&response), address, octets, crc: None })
    }

    /// The answer to `bulk_read`: `octets` from `address` on, after those that `crc` has seen.
    pub fn bulk_read(address: u32, octets: u32, crc: Crc32) -> Self {
        let response = BulkReadResponse { data: Octets::new(1, octets), crc32: 0 };
        Self::Flash(FlashAnswer { head: head(&response), address, octets, crc: Some(crc) })
    }

    /// Next thing to send. Each message is asked for once.
    pub fn next(&mut self) -> Next {
        match self {
            Self::Message(octets) => Next::Message { octets: octets.len() as u32 },
            Self::Flash(answer) => Next::Message { octets: answer.octets() },
            Self::Counters { next, count } if *next < *count => {
                let octets = message::size(&item(*next));
                *next += 1;
                Next::Message { octets }
            }
            Self::Counters { .. } => {
                *self = Self::Over;
                Next::End
            }
            Self::Over => Next::End,
        }
    }

    /// Fills `into` with octets of the message under way.
    pub fn read(&mut self, offset: u32, into: &mut [u8], flash: &mut impl Flash) {
        match self {
            Self::Message(octets) => into.copy_from_slice(&octets[offset as usize..][..into.len()]),
            Self::Flash(answer) => answer.read(offset, into, flash),
            Self::Counters { next, .. } => {
                let mut octets = [0; MESSAGE_MAX];
                message::encode(&item(next.saturating_sub(1)), &mut octets);
                into.copy_from_slice(&octets[offset as usize..][..into.len()]);
            }
            Self::Over => {}
        }
    }
}

impl FlashAnswer {
    fn octets(&self) -> u32 {
        self.head.len() as u32 + self.octets + if self.crc.is_some() { CRC_FIELD } else { 0 }
    }

    fn read(&mut self, mut offset: u32, mut into: &mut [u8], flash: &mut impl Flash) {
        let head = self.head.len() as u32;
        while !into.is_empty() {
            let ends = [head, head + self.octets, self.octets()];
            let Some(end) = ends.into_iter().find(|end| *end > offset) else { return };
            let (now, later) = into.split_at_mut(into.len().min((end - offset) as usize));
            if offset < head {
                now.copy_from_slice(&self.head[offset as usize..][..now.len()]);
            } else if offset < head + self.octets {
                flash.read(self.address + (offset - head), now);
                if let Some(crc) = &mut self.crc {
                    crc.update(now);
                }
            } else if let Some(crc) = &self.crc {
                let [a, b, c, d] = crc.value().to_le_bytes();
                let field = [CRC_TAG, a, b, c, d];
                now.copy_from_slice(&field[(offset - head - self.octets) as usize..][..now.len()]);
            }
            offset += now.len() as u32;
            into = later;
        }
    }
}

/// The item of this number.
fn item(seq: u32) -> CounterStreamResponse {
    CounterStreamResponse { seq, value: seq.wrapping_mul(10) as i32 }
}

fn head(response: &impl MessageEncode) -> Vec<u8, HEAD_MAX> {
    let mut octets = [0; HEAD_MAX];
    let len = message::encode(response, &mut octets);
    octets[..len].iter().copied().collect()
}
