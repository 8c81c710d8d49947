//! The journal of a bench: what its boards hold, and what was measured with them. It is replaced whole before and after each step, so that
//! whatever ends the program, no step is said to be done that is not.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::path::{Path, PathBuf};

use airtime_system::replacement::{System, replace};
use serde::{Deserialize, Serialize};

use super::file::Board;
use crate::exit::Failure;

/// The schema of the file.
const SCHEMA: &str = "airtime/bench/1";

/// Names of the files in the folder.
const JOURNAL: &str = "journal.json";
const LOCK: &str = "lock";

/// Journal of a folder, which nobody else uses while it is open.
pub struct Journal {
    path: PathBuf,
    kept: Kept,
    _lock: File,
}

/// The file. Fields are added, never renamed.
#[derive(Debug, Serialize, Deserialize)]
struct Kept {
    schema: String,
    /// Images that boards hold, by role.
    flashed: BTreeMap<String, Flashed>,
    /// SHA-256 of all that a measurement depends on which is done, by its folder.
    measured: BTreeMap<String, String>,
}

/// Image that a board holds.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Flashed {
    /// Serial number of its probe.
    pub serial: Option<String>,
    /// SHA-256 of the image.
    pub sha256: String,
    /// Command that has flashed it.
    pub command: Vec<String>,
}

impl Journal {
    /// Opens the journal in `folder`, which is made if there is none.
    ///
    /// # Errors
    /// When the folder cannot be written, somebody else is at work in it, or the journal is none.
    pub fn open(folder: &Path) -> Result<Self, Failure> {
        let open = |path: &Path, source| Failure::Open { path: path.to_owned(), source };
        fs::create_dir_all(folder).map_err(|source| open(folder, source))?;
        let lock = folder.join(LOCK);
        let held = File::create(&lock).map_err(|source| open(&lock, source))?;
        if held.try_lock().is_err() {
            let folder = folder.display();
            return Err(Failure::Machine(format!(
                "`{folder}`: another bench is at work there: wait for its end, or use another --folder"
            )));
        }
        let path = folder.join(JOURNAL);
        let kept = match fs::read(&path) {
            Ok(octets) => serde_json::from_slice::<Kept>(&octets).ok().filter(|kept| kept.schema == SCHEMA).ok_or_else(|| {
                let path = path.display();
                Failure::BadInput(format!("`{path}` is no journal of a bench: remove it, and every step is done anew, or use another --folder"))
            })?,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
                Kept { schema: SCHEMA.to_owned(), flashed: BTreeMap::new(), measured: BTreeMap::new() }
            }
            Err(source) => return Err(open(&path, source)),
        };
        Ok(Self { path, kept, _lock: held })
    }

    /// Tells if `board` holds what `wanted` says.
    pub fn holds(&self, board: &Board, wanted: &Flashed) -> bool {
        self.kept.flashed.get(&board.role) == Some(wanted)
    }

    /// Forgets what `board` holds, under whatever role it was flashed.
    ///
    /// # Errors
    /// When the journal cannot be written.
    pub fn forget(&mut self, board: &Board) -> Result<(), Failure> {
        let is_other = |held: &Flashed| held.serial.is_none() || held.serial != board.serial;
        self.kept.flashed.retain(|role, held| *role != board.role && is_other(held));
        self.write()
    }

    /// Writes down that `board` holds `flashed`.
    ///
    /// # Errors
    /// When the journal cannot be written.
    pub fn flashed(&mut self, board: &Board, flashed: Flashed) -> Result<(), Failure> {
        self.kept.flashed.insert(board.role.clone(), flashed);
        self.write()
    }

    /// Tells if the measurement in the folder of this name is done, and depends on what `of` is the digest of.
    pub fn has_measured(&self, name: &str, of: &str) -> bool {
        self.kept.measured.get(name).is_some_and(|measured| measured == of)
    }

    /// Writes down that the measurement in the folder of this name is done, with what it depends on; none where it is not.
    ///
    /// # Errors
    /// When the journal cannot be written.
    pub fn measured(&mut self, name: &str, of: Option<String>) -> Result<(), Failure> {
        match of {
            Some(of) => self.kept.measured.insert(name.to_owned(), of),
            None => self.kept.measured.remove(name),
        };
        self.write()
    }

    fn write(&self) -> Result<(), Failure> {
        let mut octets = serde_json::to_vec_pretty(&self.kept).expect("a journal is made of texts");
        octets.push(b'\n');
        let files = [(self.path.as_path(), octets.as_slice())];
        replace(&mut System, &files).map_err(|error| Failure::Machine(error.to_string()))
    }
}
