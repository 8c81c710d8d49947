//! Standard output for data, standard error for prose.

use std::io::{self, BufWriter, Write};

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
    stdout.write_all(bytes).and_then(|()| stdout.flush()).map_err(unwritten)
}

/// Writes what `write` writes to standard output while it is made: of a large result no copy is in memory.
///
/// # Errors
/// When nobody reads it any more, or it cannot be written.
pub fn stream(write: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> Result<(), Failure> {
    streamed(io::stdout().lock(), write).map_err(unwritten)
}

/// Writes what `write` writes to `out`, in large pieces.
///
/// # Errors
/// That of `out`, as the system gave it, where there is one: forms wrap it in errors of their own.
pub fn streamed(out: impl Write, write: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> io::Result<()> {
    let mut buffered = BufWriter::with_capacity(PIECE, Noting { out, failed: None });
    let written = write(&mut buffered).and_then(|()| buffered.flush());
    // Taken apart, for one that is dropped would try once more to write what it has.
    let (noting, _) = buffered.into_parts();
    noting.failed.map_or(written, Err)
}

/// Octets that are written at a time.
const PIECE: usize = 1 << 16;

/// Output that keeps its first error, and takes nothing after it.
struct Noting<W> {
    out: W,
    failed: Option<io::Error>,
}

impl<W> Noting<W> {
    fn noted<T>(&mut self, write: impl FnOnce(&mut W) -> io::Result<T>) -> io::Result<T> {
        if let Some(failed) = &self.failed {
            return Err(failed.kind().into());
        }
        write(&mut self.out).map_err(|error| {
            let kind = error.kind();
            // Who was interrupted tries again.
            if kind != io::ErrorKind::Interrupted {
                self.failed = Some(error);
            }
            kind.into()
        })
    }
}

impl<W: Write> Write for Noting<W> {
    fn write(&mut self, octets: &[u8]) -> io::Result<usize> {
        self.noted(|out| out.write(octets))
    }

    fn flush(&mut self) -> io::Result<()> {
        self.noted(W::flush)
    }
}

/// Failure of standard output.
fn unwritten(source: io::Error) -> Failure {
    match source.kind() {
        io::ErrorKind::BrokenPipe => Failure::PipeClosed,
        _ => Failure::Write { what: "standard output".to_owned(), source },
    }
}

/// Says `prose` on standard error; when nobody listens, nobody is told.
pub fn say(prose: &str) {
    let _ = writeln!(io::stderr().lock(), "{prose}");
}

#[cfg(test)]
mod tests {
    use airtime_lab::{Document, Record};
    use airtime_report::{Sheet, SheetKind};

    use super::*;

    /// Takes so many octets, then has the error of a system.
    struct Limited(usize, i32);

    impl Write for Limited {
        fn write(&mut self, octets: &[u8]) -> io::Result<usize> {
            if self.0 == 0 {
                return Err(io::Error::from_raw_os_error(self.1));
            }
            let taken = octets.len().min(self.0);
            self.0 -= taken;
            Ok(taken)
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    fn sheet() -> Sheet {
        let record = |n: u32| Record { id: format!("x/{n}"), outcome: "ok".into(), ..Record::default() };
        Sheet::new(SheetKind::Grid, [Document { records: (0..1_000).map(record).collect(), ..Document::new("x") }])
    }

    #[test]
    fn what_is_streamed_is_what_would_have_been_rendered() {
        for form in [Form::Text, Form::Json, Form::Csv, Form::Markdown] {
            let export = |out: &mut dyn Write| form.exporter().export(&sheet(), out);
            let mut out = Vec::new();
            streamed(&mut out, export).unwrap();
            assert_eq!(out, rendered(|out| export(out)).unwrap(), "{form:?}");
        }
    }

    #[test]
    fn the_error_is_that_of_the_system_in_every_form() {
        // 28: no space left on a device. 32: broken pipe. They are the same on Linux and macOS.
        for (form, error, room) in [Form::Text, Form::Json, Form::Csv, Form::Markdown]
            .into_iter()
            .flat_map(|form| [28, 32].map(|error| (form, error)))
            .flat_map(|(form, error)| [0, 1_000].map(|room| (form, error, room)))
        {
            let export = |out: &mut dyn Write| form.exporter().export(&sheet(), out);
            let failed = streamed(Limited(room, error), export).unwrap_err();
            assert_eq!(failed.raw_os_error(), Some(error), "{form:?}");
        }
    }
}
