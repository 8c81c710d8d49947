//! Files of `airtime ota`: read with a bound, written whole or not at all.

use std::fs::{self, File};
use std::io::{self, Read};
use std::path::Path;

use airtime_system::replacement::{System, replace};

use crate::exit::Failure;

/// No flash of these boards is larger.
const OCTETS_MAX: u64 = 64 << 20;
/// Remedy for a file that cannot be written, whichever the reason.
pub const REMEDY: &str = "make room, or let the folder be written to";

/// Content of the file at `path`.
///
/// # Errors
/// When it cannot be read, or is larger than any flash.
pub fn read(path: &Path) -> Result<Vec<u8>, Failure> {
    let open = |source| Failure::Open { path: path.to_owned(), source };
    let mut octets = Vec::new();
    File::open(path).map_err(open)?.take(OCTETS_MAX + 1).read_to_end(&mut octets).map_err(open)?;
    if octets.len() as u64 > OCTETS_MAX {
        return Err(Failure::BadInput(format!(
            "`{}` is larger than any flash of these boards, 64 MiB",
            path.display()
        )));
    }
    Ok(octets)
}

/// Content of the file at `path`, if it is there.
///
/// # Errors
/// When it is there and cannot be read.
pub fn read_if_there(path: &Path) -> Result<Option<Vec<u8>>, Failure> {
    match fs::symlink_metadata(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        _ => read(path).map(Some),
    }
}

/// Writes `octets` to `path`, all of them or none.
///
/// # Errors
/// When the folder cannot be written, or the disk is full.
pub fn write(path: &Path, octets: &[u8]) -> Result<(), Failure> {
    replace(&mut System, &[(path, octets)]).map_err(|error| {
        let left = match (error.replaced, path.exists()) {
            (0, false) => "nothing was written".to_owned(),
            (0, true) => format!("`{}` is as it was", path.display()),
            _ => format!("`{}` is written, and a loss of power may undo that", path.display()),
        };
        Failure::Unfinished { error, left: format!("{left}: {REMEDY}, and stage again") }
    })
}
