//! Files of `airtime ota`: read with a bound, written whole or not at all.

use std::fs::{self, File};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};

use crate::exit::Failure;

/// No flash of these boards is larger.
const OCTETS_MAX: u64 = 64 << 20;

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

/// Writes `octets` to `path`: beside it first, then under its name, so that a full disk or Ctrl-C leaves the old file or the new
/// one and nothing between them.
///
/// # Errors
/// When the folder cannot be written, or the disk is full.
pub fn write(path: &Path, octets: &[u8]) -> Result<(), Failure> {
    let written = |source| Failure::Write { what: format!("`{}`", path.display()), source };
    // A link stays one: what it names is replaced.
    let target = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
    let beside = beside(&target).ok_or_else(|| written(io::Error::from(io::ErrorKind::InvalidInput)))?;
    let whole = || {
        let mut file = File::create_new(&beside)?;
        file.write_all(octets)?;
        file.sync_all()?;
        if let Ok(before) = fs::metadata(&target) {
            file.set_permissions(before.permissions())?;
        }
        drop(file);
        fs::rename(&beside, &target)
    };
    whole().map_err(|source| {
        if source.kind() != io::ErrorKind::AlreadyExists {
            let _ = fs::remove_file(&beside);
        }
        written(source)
    })
}

/// A name in the same folder that nobody else has: a rename within a folder replaces at once.
fn beside(path: &Path) -> Option<PathBuf> {
    let mut name = path.file_name()?.to_owned();
    name.push(format!(".{}.part", std::process::id()));
    Some(path.with_file_name(name))
}
