//! Servers whose identity is known: a line for each, its address and its key. The first meeting is trusted, as with `ssh`.

use std::fs::File;
use std::io::{self, Read as _, Write as _};
use std::path::{Path, PathBuf};

use airtime_rpc::crypto::KeyStore;

use super::hex;
use super::identity::KeyFileError;
use super::private::{make_folder_of, options};

/// Octets of such a file: some 10,000 servers.
const FILE_OCTETS_MAX: u64 = 1 << 20;

/// Form of a line.
const EXPECTED: &str =
    "a server and its key: C0:00:5E:00:01:00 and 64 hexadecimal digits, of no more than 1 MiB in all";

/// The keys of a file.
#[derive(Debug)]
pub struct KnownKeys {
    path: PathBuf,
    /// Opened before anything is called: a folder that cannot be written is known early.
    file: File,
    keys: Vec<(String, [u8; 32])>,
}

/// Acquaintance with a server.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Acquaintance {
    /// Stranger: the server was never met.
    Stranger,
    /// Known: the server has the key that is known.
    Known,
    /// Changed: the server has another key than this.
    Changed([u8; 32]),
}

impl KnownKeys {
    /// The keys of the file at `path`, which is made where there is none.
    ///
    /// # Errors
    /// When it cannot be read or written, or a line makes no sense.
    pub fn open(path: &Path) -> Result<Self, KeyFileError> {
        let refused = |source| KeyFileError::File { what: "open", path: path.to_owned(), source };
        make_folder_of(path).map_err(refused)?;
        let file = options().read(true).append(true).open(path).map_err(refused)?;
        let mut text = String::new();
        (&file).take(FILE_OCTETS_MAX + 1).read_to_string(&mut text).map_err(refused)?;
        let content = |line| KeyFileError::Content { path: path.to_owned(), line, expected: EXPECTED };
        if text.len() as u64 > FILE_OCTETS_MAX {
            return Err(content(1));
        }
        let mut keys = Vec::new();
        for (index, line) in text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty()) {
            if line.trim_start().starts_with('#') {
                continue;
            }
            let pair = line.trim().split_once(char::is_whitespace);
            let known = pair.and_then(|(server, key)| Some((server.to_owned(), hex::key(key)?)));
            keys.push(known.ok_or_else(|| content(index + 1))?);
        }
        Ok(Self { path: path.to_owned(), file, keys })
    }

    /// Path of the keys.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Acquaintance with `server`, which has shown `key`.
    pub fn look(&self, server: &str, key: &[u8; 32]) -> Acquaintance {
        match self.known(server.as_bytes()) {
            None => Acquaintance::Stranger,
            Some(known) if known == *key => Acquaintance::Known,
            Some(known) => Acquaintance::Changed(known),
        }
    }
}

impl KeyStore for KnownKeys {
    type Error = io::Error;

    /// Of two lines the later one counts.
    fn known(&self, device: &[u8]) -> Option<[u8; 32]> {
        self.keys.iter().rev().find(|(known, _)| known.as_bytes() == device).map(|(_, key)| *key)
    }

    /// Devices are addresses as people write them. The key is on the disk when this returns; when it cannot be written, nothing
    /// is remembered.
    fn remember(&mut self, device: &[u8], identity: [u8; 32]) -> io::Result<()> {
        let server = String::from_utf8_lossy(device).into_owned();
        let before = self.file.metadata()?.len();
        let line = format!("{server} {}\n", hex::written(&identity));
        let written = self.file.write_all(line.as_bytes()).and_then(|()| self.file.sync_data());
        if written.is_err() {
            // Half a line would be in the way of every later start.
            let _ = self.file.set_len(before);
        }
        written?;
        self.keys.push((server, identity));
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_server_once_met_is_known_for_ever() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("state").join("known");
        let mut keys = KnownKeys::open(&path).unwrap();
        assert_eq!(keys.look("C0:00:5E:00:01:00", &[1; 32]), Acquaintance::Stranger);
        keys.remember(b"C0:00:5E:00:01:00", [1; 32]).unwrap();
        keys.remember(b"C0:00:5E:00:01:01", [2; 32]).unwrap();
        let again = KnownKeys::open(&path).unwrap();
        assert_eq!(again.look("C0:00:5E:00:01:00", &[1; 32]), Acquaintance::Known);
        assert_eq!(again.look("C0:00:5E:00:01:01", &[1; 32]), Acquaintance::Changed([2; 32]));
    }

    #[test]
    fn a_line_that_makes_no_sense_is_named() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("known");
        let good = format!("# servers\n\nC0:00:5E:00:01:00 {}\n", "5a".repeat(32));
        for wrong in ["C0:00:5E:00:01:01", "C0:00:5E:00:01:01 5a5a", "C0:00:5E:00:01:01 key"] {
            std::fs::write(&path, format!("{good}{wrong}\n")).unwrap();
            let error = KnownKeys::open(&path).unwrap_err();
            assert!(matches!(error, KeyFileError::Content { line: 4, .. }), "{error}");
        }
        std::fs::write(&path, good).unwrap();
        assert_eq!(KnownKeys::open(&path).unwrap().look("C0:00:5E:00:01:00", &[0x5a; 32]), Acquaintance::Known);
    }
}
