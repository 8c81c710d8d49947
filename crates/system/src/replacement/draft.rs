//! A draft on the disk of this machine.

use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, ErrorKind, Write as _};
use std::path::{Path, PathBuf};

use super::{Disk, name, sweep};

/// More drafts of one file are not written at once.
const ATTEMPTS: u32 = 100;

/// The disk of this machine.
#[derive(Clone, Copy, Debug, Default)]
pub struct System;

/// Draft of a file: written beside its place, and removed unless it is put there.
#[derive(Debug)]
pub struct Draft {
    beside: PathBuf,
    target: PathBuf,
    file: File,
    locked: bool,
    placed: bool,
}

impl Draft {
    /// Begins an empty draft beside `target`, with the permissions of what is there. A link stays one: what it names is to be replaced.
    ///
    /// # Errors
    /// When the folder cannot be written, or `target` is there and no plain file.
    pub fn beside(target: &Path) -> io::Result<Self> {
        let draft = Self::begin(target, false)?;
        if let Ok(before) = fs::metadata(&draft.target) {
            draft.file.set_permissions(before.permissions())?;
        }
        Ok(draft)
    }

    /// Begins an empty draft beside `target` that only its owner reads.
    ///
    /// # Errors
    /// The same.
    pub fn secret(target: &Path) -> io::Result<Self> {
        Self::begin(target, true)
    }

    fn begin(target: &Path, secret: bool) -> io::Result<Self> {
        let target = resolved(target);
        let file_name = target.file_name().ok_or(ErrorKind::InvalidInput)?;
        if fs::metadata(&target).is_ok_and(|found| !found.is_file()) {
            return Err(io::Error::new(ErrorKind::InvalidInput, "there is something else than a plain file"));
        }
        sweep(&target);
        for attempt in 0..ATTEMPTS {
            let beside = target.with_file_name(name::draft(file_name, attempt));
            let file = match create(&beside, secret) {
                Err(error) if error.kind() == ErrorKind::AlreadyExists => continue,
                created => created?,
            };
            let locked = file.try_lock();
            // Before it was locked, somebody who sweeps may have taken it for one of the dead.
            if matches!(locked, Err(TryLockError::WouldBlock)) || fs::symlink_metadata(&beside).is_err() {
                continue;
            }
            let locked = locked.is_ok();
            return Ok(Self { beside, target, file, locked, placed: false });
        }
        Err(ErrorKind::AlreadyExists.into())
    }

    /// The file, to write to it.
    pub fn file(&mut self) -> &mut File {
        &mut self.file
    }

    /// True where the file system has locks, so that this draft is known for one of the living.
    pub fn locked(&self) -> bool {
        self.locked
    }

    /// Puts it into its place, instead of what is there.
    ///
    /// # Errors
    /// When the folder cannot be written.
    pub fn rename(&mut self) -> io::Result<()> {
        fs::rename(&self.beside, &self.target)?;
        self.placed = true;
        Ok(())
    }

    /// Puts it into its place if nothing is there; says whether it did.
    ///
    /// # Errors
    /// When the folder cannot be written.
    pub fn link(&mut self) -> io::Result<bool> {
        match fs::hard_link(&self.beside, &self.target) {
            Err(error) if error.kind() == ErrorKind::AlreadyExists => Ok(false),
            linked => linked.map(|()| true),
        }
    }

    /// Makes the names in its folder durable.
    ///
    /// # Errors
    /// When the disk fails.
    pub fn sync_folder(&self) -> io::Result<()> {
        sync_folder(folder(&self.target))
    }

    /// The file, still locked, after it was put into its place.
    ///
    /// # Errors
    /// When the system has no handle left.
    pub fn into_file(self) -> io::Result<File> {
        self.file.try_clone()
    }
}

impl Drop for Draft {
    fn drop(&mut self) {
        if !self.placed {
            let _ = fs::remove_file(&self.beside);
        }
    }
}

impl Disk for System {
    type Draft = Draft;

    fn begin(&mut self, target: &Path) -> io::Result<Draft> {
        Draft::beside(target)
    }

    fn write(&mut self, draft: &mut Draft, octets: &[u8]) -> io::Result<()> {
        draft.file.write_all(octets)
    }

    fn sync(&mut self, draft: &mut Draft) -> io::Result<()> {
        draft.file.sync_all()
    }

    fn rename(&mut self, draft: &mut Draft) -> io::Result<()> {
        draft.rename()
    }

    fn sync_folder(&mut self, draft: &mut Draft) -> io::Result<()> {
        draft.sync_folder()
    }
}

/// The file that `target` names, through links.
pub(super) fn resolved(target: &Path) -> PathBuf {
    fs::canonicalize(target).unwrap_or_else(|_| target.to_owned())
}

/// The folder of `target`.
pub(super) fn folder(target: &Path) -> &Path {
    target.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

fn create(path: &Path, secret: bool) -> io::Result<File> {
    let mut options = OpenOptions::new();
    options.read(true).write(true).create_new(true);
    #[cfg(unix)]
    if secret {
        use std::os::unix::fs::OpenOptionsExt as _;
        options.mode(0o600);
    }
    #[cfg(not(unix))]
    let _ = secret;
    options.open(path)
}

#[cfg(unix)]
fn sync_folder(folder: &Path) -> io::Result<()> {
    match File::open(folder)?.sync_all() {
        // A file system that cannot do it has its own way.
        Err(error) if matches!(error.kind(), ErrorKind::InvalidInput | ErrorKind::Unsupported) => Ok(()),
        synced => synced,
    }
}

/// Elsewhere folders cannot be opened as files, and renaming is durable or it is not.
#[cfg(not(unix))]
fn sync_folder(_folder: &Path) -> io::Result<()> {
    Ok(())
}
