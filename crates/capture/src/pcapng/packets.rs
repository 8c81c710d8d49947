//! The packets of a capture that is in memory.

use super::error::Error;
use super::reader::{Packet, Reader, Step};

/// Reads the packets of a whole capture; ends behind the first error.
#[derive(Clone, Debug)]
pub struct Packets<'a> {
    reader: Reader,
    rest: &'a [u8],
    done: bool,
}

impl<'a> Packets<'a> {
    /// The packets of `capture`.
    pub const fn new(capture: &'a [u8]) -> Self {
        Self { reader: Reader::new(), rest: capture, done: false }
    }

    /// The reader, which knows the interfaces of the packet returned last.
    pub const fn reader(&self) -> &Reader {
        &self.reader
    }

    fn advance(&mut self) -> Result<Option<Packet<'a>>, Error> {
        loop {
            let (packet, used) = match self.reader.read(self.rest)? {
                Step::Packet { packet, used } => (Some(packet), used),
                Step::Other { used } => (None, used),
                Step::Needs(_) => return self.reader.finish(self.rest).map(|()| None),
            };
            self.rest = &self.rest[used..];
            if packet.is_some() {
                return Ok(packet);
            }
        }
    }
}

impl<'a> Iterator for Packets<'a> {
    type Item = Result<Packet<'a>, Error>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.done {
            return None;
        }
        let next = self.advance().transpose();
        self.done = !matches!(next, Some(Ok(_)));
        next
    }
}
