//! A server's identity: the seed of its Ed25519 key, in a file that only its owner reads.

use std::fs::File;
use std::io::{self, ErrorKind, Read as _, Write as _};
use std::path::{Path, PathBuf};

use airtime_system::random::random;
use airtime_system::replacement::{Draft, sweep};
use thiserror::Error;

use super::hex;
use super::private::{make_folder_of, open_to_others};

/// Nobody writes a longer key; a device or a huge file named by mistake is not read to its end.
const FILE_OCTETS_MAX: u64 = 4_096;

/// Reason that a file of keys cannot be used.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum KeyFileError {
    /// File that cannot be opened, read or written.
    #[error("cannot {what} `{}`: {source}", path.display())]
    File {
        /// Operation that was tried.
        what: &'static str,
        /// Path of the file.
        path: PathBuf,
        /// Error of the system.
        source: io::Error,
    },
    /// Others can read it, or write it.
    #[error("`{}` has mode {mode:04o}, so that others have the key as well; chmod 600 it, or remove it to have a new one made", path.display())]
    Open {
        /// Path of the file.
        path: PathBuf,
        /// Permissions of the file.
        mode: u32,
    },
    /// File that holds something else.
    #[error("`{}`, line {line}: expected {expected}", path.display())]
    Content {
        /// Path of the file.
        path: PathBuf,
        /// Number of the line.
        line: usize,
        /// Form that would be right.
        expected: &'static str,
    },
}

/// The seed in the file at `path`; where there is none, a fresh one is made first. Says whether it was.
///
/// # Errors
/// When the file is no key, others can read it, or it cannot be read or made.
pub fn identity(path: &Path) -> Result<([u8; 32], bool), KeyFileError> {
    // Of a process that was killed, a second name of the key may be left.
    sweep(path);
    match read(path) {
        Err(KeyFileError::File { source, .. }) if source.kind() == ErrorKind::NotFound => {
            make(path).map_err(|source| KeyFileError::File { what: "make", path: path.to_owned(), source })?;
            Ok((read(path)?, true))
        }
        seed => Ok((seed?, false)),
    }
}

fn read(path: &Path) -> Result<[u8; 32], KeyFileError> {
    let refused = |source| KeyFileError::File { what: "read", path: path.to_owned(), source };
    let file = File::open(path).map_err(refused)?;
    if let Some(mode) = open_to_others(&file.metadata().map_err(refused)?) {
        return Err(KeyFileError::Open { path: path.to_owned(), mode });
    }
    let mut text = String::new();
    file.take(FILE_OCTETS_MAX).read_to_string(&mut text).map_err(refused)?;
    hex::key(&text).ok_or(KeyFileError::Content { path: path.to_owned(), line: 1, expected: "64 hexadecimal digits" })
}

/// The file appears with all that it holds or not at all, whoever else makes one at the same time: the first one stays.
fn make(path: &Path) -> io::Result<()> {
    make_folder_of(path)?;
    let seed: [u8; 32] = random()?;
    let mut draft = Draft::secret(path)?;
    writeln!(draft.file(), "{}", hex::written(&seed))?;
    draft.file().sync_all()?;
    draft.link()?;
    draft.sync_folder()
}

#[cfg(all(test, unix))]
mod tests {
    use std::fs;
    use std::os::unix::fs::PermissionsExt as _;

    use super::*;

    #[test]
    fn a_key_is_made_once_and_only_its_owner_reads_it() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("keys").join("identity");
        let (seed, fresh) = identity(&path).unwrap();
        assert!(fresh);
        assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o600);
        assert_eq!(identity(&path).unwrap(), (seed, false));
        assert_eq!(fs::read_dir(path.parent().unwrap()).unwrap().count(), 1, "nothing is left beside it");
        let other = identity(&folder.path().join("other")).unwrap().0;
        assert_ne!(seed, other);
    }

    #[test]
    fn no_second_name_of_a_key_is_left_by_the_dead() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("identity");
        let (seed, _) = identity(&path).unwrap();
        fs::hard_link(&path, folder.path().join("identity.1.part")).unwrap();
        assert_eq!(identity(&path).unwrap(), (seed, false));
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
    }

    #[test]
    fn a_key_that_others_read_is_no_secret() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("identity");
        identity(&path).unwrap();
        fs::set_permissions(&path, fs::Permissions::from_mode(0o640)).unwrap();
        assert!(matches!(identity(&path), Err(KeyFileError::Open { mode: 0o640, .. })));
    }

    #[test]
    fn what_is_no_key_is_said_to_be_none() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("identity");
        for text in ["", "00", &"00".repeat(33), "no key at all", &"00".repeat(4_000)] {
            identity(&path).unwrap();
            fs::write(&path, text).unwrap();
            assert!(matches!(identity(&path), Err(KeyFileError::Content { line: 1, .. })), "{text}");
            fs::remove_file(&path).unwrap();
        }
    }
}
