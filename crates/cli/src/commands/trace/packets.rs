//! The packets of a capture file, one by one, however long it is.

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

use airtime_capture::ll::{Frame, Kind, LINK_TYPE};
use airtime_capture::pcapng::{Packet, Reader, Step};
use airtime_core::{Duration, Instant};
use airtime_sniff::{Mic, Sniffed};

use crate::exit::Failure;

/// Octets read at once.
const CHUNK_OCTETS: usize = 1 << 16;

/// Counts of packets that were read of a file, and of those that were passed over.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counted {
    /// Link-layer packets handed over.
    pub taken: u64,
    /// Packets of other interfaces.
    pub elsewhere: u64,
    /// Packets of the interface that are no such packets.
    pub malformed: u64,
}

/// Hands every link-layer packet of the first such interface in `path` to `take`, until `stop` says so.
///
/// # Errors
/// When the file cannot be read, or is no capture or holds none of Bluetooth LE: with the place.
pub fn each_packet(
    path: &Path,
    stop: impl Fn() -> bool,
    mut take: impl FnMut(&Sniffed<'_>),
) -> Result<Counted, Failure> {
    let bad = |why: String| Failure::BadInput(format!("`{}`: {why}", path.display()));
    let unread =
        |at: String, error: io::Error| Failure::BadInput(format!("cannot read `{}`{at}: {error}", path.display()));
    let mut file = File::open(path).map_err(|error| unread(String::new(), error))?;
    let mut reader = Reader::new();
    let mut sniffer = Sniffer::default();
    let (mut buffer, mut begin) = (Vec::new(), 0);
    while !stop() {
        match reader.read(&buffer[begin..]).map_err(|error| bad(error.to_string()))? {
            Step::Packet { packet, used } => {
                sniffer.packet(&packet, &mut take);
                begin += used;
            }
            Step::Other { used } => {
                sniffer.described |= reader.interfaces().iter().any(|interface| interface.link_type == LINK_TYPE);
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
                    reader.finish(&buffer).map_err(|error| bad(error.to_string()))?;
                    break;
                }
            }
        }
    }
    if !sniffer.described && !stop() {
        return Err(bad(format!("no interface has link type {LINK_TYPE}, Bluetooth LE with a pseudo-header")));
    }
    Ok(sniffer.counted)
}

/// Reads until `buffer` has `needs` octets at least; says whether it has.
fn fill(file: &mut File, buffer: &mut Vec<u8>, needs: usize) -> io::Result<bool> {
    let wanted = needs.max(buffer.len() + CHUNK_OCTETS) - buffer.len();
    file.take(wanted as u64).read_to_end(buffer)?;
    Ok(buffer.len() >= needs)
}

/// Makes of packets in a file what was heard on the air.
#[derive(Debug, Default)]
struct Sniffer {
    /// Set if any interface is one of Bluetooth LE, with packets or without.
    described: bool,
    /// Section and number of the interface that is read.
    interface: Option<(u32, u32)>,
    /// The stamp that counts as the beginning.
    origin: i64,
    counted: Counted,
}

impl Sniffer {
    fn packet(&mut self, packet: &Packet<'_>, take: &mut impl FnMut(&Sniffed<'_>)) {
        if packet.link_type == LINK_TYPE && self.interface.is_none() {
            self.interface = Some((packet.section, packet.interface));
            self.origin = packet.unix_ns;
        }
        if self.interface != Some((packet.section, packet.interface)) {
            self.counted.elsewhere += 1;
            return;
        }
        let at = u64::try_from(packet.unix_ns.saturating_sub(self.origin));
        let (Ok(at), Ok(frame)) = (at, Frame::parse(packet.data)) else {
            self.counted.malformed += 1;
            return;
        };
        self.counted.taken += 1;
        take(&Sniffed {
            at: Instant::ZERO + Duration::from_nanos(at),
            link: frame.access_address,
            channel: Some(frame.channel),
            phy: frame.phy,
            from_central: match frame.kind {
                Kind::Data { from_central } => Some(from_central),
                Kind::Unspecified | Kind::Auxiliary(_) | Kind::Other(_) => None,
            },
            crc_ok: frame.crc_valid,
            mic: if frame.decrypted { Mic::Cut } else { Mic::Untold },
            readable: true,
            pdu: frame.pdu,
        });
    }
}
