//! Records within a page: JSON, deflated, in letters.

use std::io::{self, BufWriter, Read, Write};

use airtime_figures::{Part, data_of};
use airtime_lab::Document;
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use base64::write::EncoderStringWriter;
use flate2::Compression;
use flate2::read::GzDecoder;
use flate2::write::GzEncoder;

/// Name of the block that holds the records of a report.
const RECORDS: &str = "airtime-records";

/// Octets that are encoded at once.
const PIECE: usize = 1 << 16;

/// Octets of JSON that a page may unpack to: 100,000 records of 10 kB. *Assumed.*
const JSON_MAX: u64 = 1 << 30;

/// `documents` as a part of a page.
pub(super) fn kept(documents: &[&Document]) -> Part {
    let mut letters = EncoderStringWriter::new(&STANDARD);
    // Each record repeats most of the one before it: the quickest level finds that too.
    // An encoder clears a buffer whenever it is given something: a word at a time would cost more than all that it encodes.
    let mut encoder = BufWriter::with_capacity(PIECE, GzEncoder::new(&mut letters, Compression::fast()));
    serde_json::to_writer(&mut encoder, documents).expect("documents are JSON, and memory takes everything");
    let encoder = encoder.into_inner().map_err(io::IntoInnerError::into_error).expect("memory takes everything");
    encoder.finish().and_then(|letters| letters.flush()).expect("memory takes everything");
    Part::Data(RECORDS.to_owned(), letters.into_inner())
}

/// Documents that a report was made of, read back from its page; none where `html` is no report.
///
/// # Errors
/// When the block is damaged, or is larger than any report's.
pub fn documents(html: &str) -> Option<io::Result<Vec<Document>>> {
    data_of(html, RECORDS).map(unpacked)
}

fn unpacked(letters: &str) -> io::Result<Vec<Document>> {
    let packed = STANDARD.decode(letters.trim()).map_err(|error| io::Error::new(io::ErrorKind::InvalidData, error))?;
    let mut json = Vec::new();
    GzDecoder::new(&packed[..]).take(JSON_MAX + 1).read_to_end(&mut json)?;
    if json.len() as u64 > JSON_MAX {
        return Err(io::Error::new(
            io::ErrorKind::FileTooLarge,
            format!("its records are more than {JSON_MAX} octets"),
        ));
    }
    Ok(serde_json::from_slice(&json)?)
}
