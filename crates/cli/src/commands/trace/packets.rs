//! The packets of a capture file, one by one, however long it is.

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

use airtime_capture::file::{Packet, Reader, Step};

use crate::exit::Failure;
use crate::place;

/// Octets read at once.
const CHUNK_OCTETS: usize = 1 << 16;

/// Taker of what a capture holds.
pub trait Take {
    /// The capture has described interfaces; `reader` knows those so far.
    fn described(&mut self, reader: &Reader);
    /// The next packet.
    fn packet(&mut self, packet: &Packet<'_>);
    /// Tells if anything that is read was described, so that a capture that ends in the middle is worth something.
    fn has_something(&self) -> bool;
}

/// Hands everything in `path` to `take`, until `stop` says so. A file that a full disk or the end of its writer has cut is read up to
/// the cut; gives the place where it ends, and the way it does.
///
/// # Errors
/// When the file cannot be read, or is no capture: with the place.
pub fn each_packet(path: &Path, stop: impl Fn() -> bool, take: &mut impl Take) -> Result<Option<String>, Failure> {
    let bad = |why: String| Failure::BadInput(format!("`{}`: {why}", path.display()));
    let unread =
        |at: String, error: io::Error| Failure::BadInput(format!("cannot read `{}`{at}: {error}", path.display()));
    let mut file = match place::open(path, &stop) {
        Err(_) if stop() => return Ok(None),
        opened => opened.map_err(|error| unread(String::new(), error))?,
    };
    let mut reader = Reader::new();
    let (mut buffer, mut begin) = (Vec::new(), 0);
    while !stop() {
        match reader.read(&buffer[begin..]).map_err(|error| bad(error.to_string()))? {
            Step::Packet { packet, used } => {
                take.packet(&packet);
                begin += used;
            }
            Step::Other { used } => {
                take.described(&reader);
                begin += used;
            }
            Step::Needs(needs) => {
                buffer.drain(..begin);
                begin = 0;
                let more = fill(&mut file, &mut buffer, needs).map_err(|error| match reader.offset() {
                    0 => unread(String::new(), error),
                    offset => unread(format!(" behind octet {offset}"), error),
                })?;
                if !more {
                    return match reader.finish(&buffer) {
                        Ok(()) => Ok(None),
                        Err(error) if error.is_cut() && take.has_something() => {
                            Ok(Some(format!("`{}`: {error}", path.display())))
                        }
                        Err(error) => Err(bad(error.to_string())),
                    };
                }
            }
        }
    }
    Ok(None)
}

/// Reads until `buffer` has `needs` octets at least; says whether it has.
fn fill(file: &mut File, buffer: &mut Vec<u8>, needs: usize) -> io::Result<bool> {
    let wanted = needs.max(buffer.len() + CHUNK_OCTETS) - buffer.len();
    file.take(wanted as u64).read_to_end(buffer)?;
    Ok(buffer.len() >= needs)
}
