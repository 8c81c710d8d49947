//! Claim on a name in the file system, which ends with the process that has it.

use std::ffi::OsString;
use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, ErrorKind};
use std::os::unix::fs::{MetadataExt as _, OpenOptionsExt as _};
use std::path::{Path, PathBuf};

use rustix::fs::OFlags;

/// More owners than this do not come and go while one asks.
const ATTEMPTS: u32 = 100;

/// Claim on a name: a lock on the file `NAME.lock`, which the system takes away with the process, however that ends.
///
/// The name itself cannot tell: a terminal has no listener that would answer, and its number is given again.
#[derive(Debug)]
pub struct Claim {
    path: PathBuf,
    left_behind: bool,
    /// Holds the lock.
    _file: File,
}

impl Claim {
    /// Claims `name`; none where somebody who lives has it.
    ///
    /// # Errors
    /// When the file beside it cannot be made.
    pub fn on(name: &Path) -> io::Result<Option<Self>> {
        let mut path = OsString::from(name);
        path.push(".lock");
        let path = PathBuf::from(path);
        for _ in 0..ATTEMPTS {
            let (file, left_behind) = opened(&path)?;
            // A file system without locks is no reason not to serve, but there nobody can tell a dead owner from a living one.
            let locked = match file.try_lock() {
                Err(TryLockError::WouldBlock) => return Ok(None),
                other => other.is_ok(),
            };
            // Between opening and locking, its last owner may have taken the file away.
            if fs::symlink_metadata(&path).is_ok_and(|found| is_same(&found, &file)) {
                return Ok(Some(Self { path, left_behind: left_behind && locked, _file: file }));
            }
        }
        Err(ErrorKind::ResourceBusy.into())
    }

    /// True if an owner who was killed had it before.
    pub fn is_left_behind(&self) -> bool {
        self.left_behind
    }
}

impl Drop for Claim {
    fn drop(&mut self) {
        // Still locked: nobody can have claimed it meanwhile.
        let _ = fs::remove_file(&self.path);
    }
}

/// The file, and if it was there.
fn opened(path: &Path) -> io::Result<(File, bool)> {
    let mut options = OpenOptions::new();
    // A link that somebody else has put there leads to nothing of ours.
    options.read(true).write(true).mode(0o600).custom_flags(OFlags::NOFOLLOW.bits() as i32);
    match options.open(path) {
        Err(error) if error.kind() == ErrorKind::NotFound => Ok((options.create(true).open(path)?, false)),
        opened => {
            let file = opened?;
            let found = file.metadata()?;
            // Ours are empty.
            if !found.is_file() || found.len() > 0 {
                return Err(ErrorKind::AlreadyExists.into());
            }
            Ok((file, true))
        }
    }
}

fn is_same(found: &fs::Metadata, file: &File) -> bool {
    file.metadata().is_ok_and(|own| (own.dev(), own.ino()) == (found.dev(), found.ino()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_claim_is_one_owners_and_goes_with_him() {
        let folder = tempfile::tempdir().unwrap();
        let name = folder.path().join("tty");
        let claim = Claim::on(&name).unwrap().unwrap();
        assert!(!claim.is_left_behind() && Claim::on(&name).unwrap().is_none());
        drop(claim);
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
        // An owner who is killed leaves the file, and no lock.
        fs::write(folder.path().join("tty.lock"), "").unwrap();
        assert!(Claim::on(&name).unwrap().unwrap().is_left_behind());
    }

    #[test]
    fn a_lock_of_somebody_else_is_left_alone() {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("tty.lock"), "somebody's").unwrap();
        assert!(Claim::on(&folder.path().join("tty")).is_err());
        assert_eq!(fs::read_to_string(folder.path().join("tty.lock")).unwrap(), "somebody's");
    }

    #[test]
    fn a_link_beside_a_name_is_not_followed() {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("kept"), "somebody's").unwrap();
        std::os::unix::fs::symlink(folder.path().join("kept"), folder.path().join("tty.lock")).unwrap();
        assert!(Claim::on(&folder.path().join("tty")).is_err());
    }
}
