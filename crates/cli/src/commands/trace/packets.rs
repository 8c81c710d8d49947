//! The octets of a capture file, piece by piece, however long it is.

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

use airtime_report::Hearing;

use crate::exit::Failure;
use crate::place;

/// Octets read at once.
const CHUNK_OCTETS: usize = 1 << 16;

/// Hands everything in `path` to `hearing`, until `stop` says so; gives the place where it is cut, and the way.
///
/// # Errors
/// When the file cannot be read, or is no capture: with the place.
pub fn fed(path: &Path, stop: impl Fn() -> bool, hearing: &mut Hearing) -> Result<Option<String>, Failure> {
    let bad = |why: String| Failure::BadInput(format!("`{}`: {why}", path.display()));
    let unread =
        |at: String, error: io::Error| Failure::BadInput(format!("cannot read `{}`{at}: {error}", path.display()));
    let mut file = match place::open(path, &stop) {
        Err(_) if stop() => return Ok(None),
        opened => opened.map_err(|error| unread(String::new(), error))?,
    };
    let mut chunk = Vec::with_capacity(CHUNK_OCTETS);
    while !stop() {
        chunk.clear();
        piece(&mut file, &mut chunk).map_err(|error| match hearing.offset() {
            0 => unread(String::new(), error),
            offset => unread(format!(" behind octet {offset}"), error),
        })?;
        if chunk.is_empty() {
            let cut = hearing.end().map_err(bad)?;
            return Ok(cut.map(|cut| format!("`{}`: {cut}", path.display())));
        }
        hearing.take(&chunk).map_err(bad)?;
    }
    Ok(None)
}

/// Reads the next piece; nothing at the end.
fn piece(file: &mut File, into: &mut Vec<u8>) -> io::Result<()> {
    file.take(CHUNK_OCTETS as u64).read_to_end(into).map(drop)
}
