//! A capture of any kind, read as its octets come, wherever they come from.

use airtime_capture::file::{Reader, Step};
use airtime_sniff::Stamps;

use super::content::Content;
use super::told::Told;

/// Capture that is being read.
#[derive(Debug)]
pub struct Hearing {
    reader: Reader,
    /// Octets of a block or record that is not whole yet.
    rest: Vec<u8>,
    content: Content,
}

impl Hearing {
    /// A capture with a clock of this kind, of which nothing was read.
    pub fn new(stamps: Stamps) -> Self {
        Self { reader: Reader::new(), rest: Vec::new(), content: Content::new(stamps) }
    }

    /// Octets of whole blocks and records so far.
    pub fn offset(&self) -> u64 {
        self.reader.offset()
    }

    /// Takes the next octets, however many there are.
    ///
    /// # Errors
    /// The reason and the place, as a sentence without its end, when they are no capture.
    pub fn take(&mut self, octets: &[u8]) -> Result<(), String> {
        self.rest.extend_from_slice(octets);
        let mut begin = 0;
        loop {
            match self.reader.read(&self.rest[begin..]).map_err(|error| error.to_string())? {
                Step::Packet { packet, used } => {
                    self.content.packet(&packet);
                    begin += used;
                }
                Step::Other { used } => {
                    self.content.described(&self.reader);
                    begin += used;
                }
                Step::Needs(_) => break,
            }
        }
        self.rest.drain(..begin);
        Ok(())
    }

    /// Ends the capture. One that a full disk or the end of its writer has cut is read up to the cut: gives the place where it ends, and
    /// the way it does.
    ///
    /// # Errors
    /// The reason, as a sentence without its end, when it is no capture, or nothing of it can be read.
    pub fn end(&mut self) -> Result<Option<String>, String> {
        match self.reader.finish(&self.rest) {
            Ok(()) => Ok(None),
            Err(error) if error.is_cut() && self.content.has_something() => Ok(Some(error.to_string())),
            Err(error) => Err(error.to_string()),
        }
    }

    /// Tells if anything that is read was described.
    pub fn has_something(&self) -> bool {
        self.content.has_something()
    }

    /// The outcome of what was read so far.
    ///
    /// # Errors
    /// The reason, as a sentence without its end, when nothing of it is read.
    pub fn told(self) -> Result<Told, String> {
        Told::of(self.content)
    }
}
