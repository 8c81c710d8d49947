//! Files that are whole at any time: written beside their place, made durable, then put there by one rename.
//!
//! What is beside a place is a draft, `NAME.PID.part`. Whoever writes it holds a lock on it, which the system takes away with
//! the process: a draft that can be locked belongs to the dead, and whoever next writes that file removes it. A number of a
//! process would not tell: it is used again, and in a container it is always the same.

mod draft;
mod name;
mod sweep;
#[cfg(test)]
mod tests;

use std::io;
use std::path::{Path, PathBuf};

pub use draft::{Draft, System};
pub use sweep::{sweep, sweep_folder};
use thiserror::Error;

/// Steps by which a file gets its place; what was not synced may be lost with the power.
pub trait Disk {
    /// File that is written beside its place.
    type Draft;

    /// Makes an empty draft beside `target`.
    ///
    /// # Errors
    /// When the folder cannot be written, or `target` is there and no plain file.
    fn begin(&mut self, target: &Path) -> io::Result<Self::Draft>;

    /// Writes `octets` to it.
    ///
    /// # Errors
    /// When the disk is full.
    fn write(&mut self, draft: &mut Self::Draft, octets: &[u8]) -> io::Result<()>;

    /// Makes what was written durable.
    ///
    /// # Errors
    /// When the disk is full after all.
    fn sync(&mut self, draft: &mut Self::Draft) -> io::Result<()>;

    /// Puts it into its place, instead of what is there.
    ///
    /// # Errors
    /// When the folder cannot be written.
    fn rename(&mut self, draft: &mut Self::Draft) -> io::Result<()>;

    /// Makes the names in its folder durable.
    ///
    /// # Errors
    /// When the disk fails.
    fn sync_folder(&mut self, draft: &mut Self::Draft) -> io::Result<()>;
}

/// Files that were to be replaced, and were not all of them.
#[derive(Debug, Error)]
#[error("cannot write `{}`: {source}", path.display())]
pub struct NotReplaced {
    /// File that failed.
    pub path: PathBuf,
    /// Number of files that hold what they were to hold: the first ones. The others are as they were.
    pub replaced: usize,
    /// Error that the system gave.
    pub source: io::Error,
}

/// Replaces `files` with these octets, in this order: whatever ends the process or the machine, no file is replaced unless
/// those before it are, for good. All drafts are written first, so that a full disk is met before anything is replaced.
///
/// # Errors
/// When a folder cannot be written, or the disk is full.
pub fn replace<D: Disk>(disk: &mut D, files: &[(&Path, &[u8])]) -> Result<(), NotReplaced> {
    let failed = |at: usize, replaced| move |source| NotReplaced { path: files[at].0.to_owned(), replaced, source };
    let mut drafts = Vec::with_capacity(files.len());
    for (at, (path, octets)) in files.iter().enumerate() {
        drafts.push(written(disk, path, octets).map_err(failed(at, 0))?);
    }
    for (at, draft) in drafts.iter_mut().enumerate() {
        disk.rename(draft).map_err(failed(at, at))?;
        disk.sync_folder(draft).map_err(failed(at, at + 1))?;
    }
    Ok(())
}

fn written<D: Disk>(disk: &mut D, path: &Path, octets: &[u8]) -> io::Result<D::Draft> {
    let mut draft = disk.begin(path)?;
    disk.write(&mut draft, octets)?;
    disk.sync(&mut draft)?;
    Ok(draft)
}
