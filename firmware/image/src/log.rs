//! The log of a running image as text.

use std::fs;
use std::io::{self, Read, Write};

use defmt_decoder::{DecodeError, Frame, Table};

/// Octets that are read at a time.
const PIECE: usize = 4_096;

/// Writes a line to standard output for every frame that standard input has, as it comes.
///
/// # Errors
/// A sentence, when the image has no log, or when what comes is none of its own.
pub fn decode(image: &str) -> Result<(), String> {
    let file = fs::read(image).map_err(|error| format!("{image}: {error}"))?;
    let table = Table::parse(&file).map_err(|error| format!("{image}: {error:#}"))?;
    let table = table.ok_or_else(|| format!("{image}: it was built without a log"))?;
    let mut frames = table.new_stream_decoder();
    let (mut from, mut to) = (io::stdin().lock(), io::stdout().lock());
    let mut piece = [0; PIECE];
    loop {
        let octets = from.read(&mut piece).map_err(|error| format!("standard input: {error}"))?;
        if octets == 0 {
            return Ok(());
        }
        frames.received(&piece[..octets]);
        loop {
            match frames.decode() {
                Ok(frame) => write_line(&mut to, &frame).map_err(|error| format!("standard output: {error}"))?,
                Err(DecodeError::UnexpectedEof) => break,
                // rzCOBS finds the next frame by itself.
                Err(DecodeError::Malformed) if table.encoding().can_recover() => {}
                Err(DecodeError::Malformed) => return Err("standard input: no log of this image".to_owned()),
            }
        }
    }
}

/// Time, level and text, as probe-rs shows them.
fn write_line(to: &mut impl Write, frame: &Frame<'_>) -> io::Result<()> {
    let time = frame.display_timestamp().map(|time| time.to_string()).unwrap_or_default();
    let level = frame.level().map_or("print", |level| level.as_str());
    writeln!(to, "{time} {:<5} {}", level.to_uppercase(), frame.display_message())?;
    to.flush()
}
