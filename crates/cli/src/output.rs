//! Standard output for data, standard error for prose.

use std::io::{self, Write};

use airtime_report::{Csv, Export, Json, Markdown, Text};

use crate::exit::Failure;
use crate::screen;

/// Form in which results are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// Tables for people.
    Text,
    /// One JSON document.
    Json,
    /// A line per record.
    Csv,
    /// Tables for pages.
    Markdown,
}

impl Form {
    /// Exporter that writes this form to standard output.
    pub fn exporter(self) -> Box<dyn Export> {
        match self {
            Self::Text => Box::new(Text { width: Some(screen::width()), colour: screen::has_colour() }),
            Self::Json => Box::new(Json),
            Self::Csv => Box::new(Csv),
            Self::Markdown => Box::new(Markdown),
        }
    }
}

/// Octets that `write` writes, all of them or a failure.
///
/// # Errors
/// When `write` fails, which into memory it does not.
pub fn rendered(write: impl FnOnce(&mut Vec<u8>) -> io::Result<()>) -> Result<Vec<u8>, Failure> {
    let mut bytes = Vec::new();
    write(&mut bytes).map_err(|source| Failure::Write { what: "the result".to_owned(), source })?;
    Ok(bytes)
}

/// `1 call`, `2 calls`: a count with its noun.
pub fn counted(count: u64, noun: &str) -> String {
    format!("{count} {noun}{}", if count == 1 { "" } else { "s" })
}

/// Writes `bytes` to standard output.
///
/// # Errors
/// When nobody reads it any more, or it cannot be written.
pub fn print(bytes: &[u8]) -> Result<(), Failure> {
    let mut stdout = io::stdout().lock();
    stdout.write_all(bytes).and_then(|()| stdout.flush()).map_err(|source| match source.kind() {
        io::ErrorKind::BrokenPipe => Failure::PipeClosed,
        _ => Failure::Write { what: "standard output".to_owned(), source },
    })
}

/// Says `prose` on standard error; when nobody listens, nobody is told.
pub fn say(prose: &str) {
    let _ = writeln!(io::stderr().lock(), "{prose}");
}
