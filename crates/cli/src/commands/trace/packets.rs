//! The packets of a capture file, one by one, however long it is.

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

use airtime_capture::pcapng::{Error, Fault, Reader, Step};
use airtime_sniff::{Counted, LINK_TYPE, Sniffed, Sniffer};

use crate::exit::Failure;

/// Octets read at once.
const CHUNK_OCTETS: usize = 1 << 16;

/// Packets that were read of a file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Taken {
    /// Numbers of them.
    pub counted: Counted,
    /// Place where the file ends in the middle of a block, and the way it does.
    pub cut: Option<String>,
}

/// Hands every link-layer packet of the first such interface in `path` to `take`, until `stop` says so. A file that a full disk or
/// the end of its writer has cut is read up to the cut.
///
/// # Errors
/// When the file cannot be read, or is no capture or holds none of Bluetooth LE: with the place.
pub fn each_packet(path: &Path, stop: impl Fn() -> bool, mut take: impl FnMut(&Sniffed<'_>)) -> Result<Taken, Failure> {
    let bad = |why: String| Failure::BadInput(format!("`{}`: {why}", path.display()));
    let unread =
        |at: String, error: io::Error| Failure::BadInput(format!("cannot read `{}`{at}: {error}", path.display()));
    let mut file = File::open(path).map_err(|error| unread(String::new(), error))?;
    let mut reader = Reader::new();
    let mut sniffer = Sniffer::default();
    let (mut buffer, mut begin, mut cut) = (Vec::new(), 0, None);
    while !stop() {
        match reader.read(&buffer[begin..]).map_err(|error| bad(error.to_string()))? {
            Step::Packet { packet, used } => {
                sniffer.packet(&packet, &mut take);
                begin += used;
            }
            Step::Other { used } => {
                sniffer.interfaces(reader.interfaces());
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
                    match reader.finish(&buffer) {
                        Err(error @ Error { fault: Fault::Truncated { .. }, .. }) if sniffer.is_described() => {
                            cut = Some(format!("`{}`: {error}", path.display()));
                        }
                        ended => ended.map_err(|error| bad(error.to_string()))?,
                    }
                    break;
                }
            }
        }
    }
    if !sniffer.is_described() && !stop() {
        return Err(bad(format!("no interface has link type {LINK_TYPE}, Bluetooth LE with a pseudo-header")));
    }
    Ok(Taken { counted: sniffer.counted(), cut })
}

/// Reads until `buffer` has `needs` octets at least; says whether it has.
fn fill(file: &mut File, buffer: &mut Vec<u8>, needs: usize) -> io::Result<bool> {
    let wanted = needs.max(buffer.len() + CHUNK_OCTETS) - buffer.len();
    file.take(wanted as u64).read_to_end(buffer)?;
    Ok(buffer.len() >= needs)
}
