//! A run folder: one JSON line per finished point, so that a grid that was broken off can go on.

use std::collections::BTreeMap;
use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, BufRead, BufReader, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use serde::de::{DeserializeOwned, IgnoredAny};
use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::Digest;

/// Name of the file in the folder that holds the finished points.
pub const RECORDS_FILE: &str = "records.jsonl";

/// Name and version of the form of that file; its first line says it.
const SCHEMA: &str = "airtime/records/1";

/// Reason that a run folder cannot be used.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum FolderError {
    /// The folder or its file could not be made, opened or read.
    #[error("cannot open `{}`: {source}", path.display())]
    Open {
        /// Path of the file.
        path: PathBuf,
        /// Error of the system.
        source: io::Error,
    },
    /// The file could not be written, perhaps because the disk is full.
    #[error("cannot write `{}`: {source}", path.display())]
    Write {
        /// Path of the file.
        path: PathBuf,
        /// Error of the system.
        source: io::Error,
    },
    /// A fresh run was to begin where an earlier one has left its points.
    #[error(
        "`{}` already holds {count} finished points: add --resume to go on, or --force to begin anew, or name another folder",
        path.display()
    )]
    Occupied {
        /// Path of the file.
        path: PathBuf,
        /// Number of points that it holds.
        count: usize,
    },
    /// The folder holds files, and none of a run.
    #[error("`{}` holds other files, and no run: name another folder, or add --force to keep a run among them", path.display())]
    Foreign {
        /// Path of the folder.
        path: PathBuf,
    },
    /// The points of something else were to be gone on with.
    #[error("`{}` is of {holds}, and not of {asked}: name another folder, or add --force to begin anew", path.display())]
    Other {
        /// Path of the file.
        path: PathBuf,
        /// Plans that its points are of.
        holds: String,
        /// Plans whose points were to be added.
        asked: String,
    },
    /// Another process is writing the file.
    #[error("`{}` is in use by another run", path.display())]
    InUse {
        /// Path of the file.
        path: PathBuf,
    },
    /// A line other than the last is not what a run writes.
    #[error("`{}`, line {line}: not a finished point: {source}; remove the line or name another folder", path.display())]
    Line {
        /// Path of the file.
        path: PathBuf,
        /// Number of the line, counted from 1.
        line: usize,
        /// Error of the JSON.
        source: serde_json::Error,
    },
    /// The file was written by something else.
    #[error("`{}` does not begin with {{\"schema\":\"{SCHEMA}\"}}: it was not written by a run", path.display())]
    Schema {
        /// Path of the file.
        path: PathBuf,
    },
}

/// Part of a grid or of a search that a folder is for, and what it is of: folders of several machines are put together by that.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Part {
    /// The part, as `--shard` takes it.
    pub shard: String,
    /// Points of the whole grid, or of the space that is searched.
    pub points: u64,
    /// Digest of the whole grid: of the names of its points, and of all that the first and the last of them depend on. Of a search: of
    /// its space, its goal, and of how it goes.
    pub grid: Digest,
    /// Set for a search: its points have no order, and several parts may have come to the same one.
    #[serde(default, skip_serializing_if = "is_false")]
    pub search: bool,
}

/// Tells serde that a flag need not be written.
#[allow(clippy::trivially_copy_pass_by_ref)]
fn is_false(flag: &bool) -> bool {
    !*flag
}

/// An open run folder. Of the points that an earlier run has left it knows where they are: a record is read when it is asked for.
#[derive(Debug)]
pub struct RunFolder {
    path: PathBuf,
    file: Mutex<File>,
    finished: BTreeMap<Digest, Place>,
    /// Set where the folder is for a part of a grid: its lines say their position then.
    is_placed: bool,
}

/// Manner of opening a folder that may hold points already.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Opening {
    /// There are to be none.
    #[default]
    Fresh,
    /// Those of the same plan are gone on with.
    Resume,
    /// They are given up, and files of others are no reason not to begin.
    Replace,
}

/// Place of a line in the file.
#[derive(Clone, Copy, Debug)]
struct Place {
    offset: u64,
    length: usize,
}

/// First line of what one run adds to the file.
#[derive(Serialize, Deserialize)]
pub(crate) struct Header {
    pub schema: String,
    pub airtime: String,
    /// Plans that the points are of.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub of: Option<String>,
    /// Part of the grid that the run is for, unless it is for the whole.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub part: Option<Part>,
}

impl Header {
    /// Header of a run of this version.
    pub fn new(of: &str, part: Option<Part>) -> Self {
        let (schema, airtime) = (SCHEMA.to_owned(), env!("CARGO_PKG_VERSION").to_owned());
        Self { schema, airtime, of: Some(of.to_owned()), part }
    }

    /// The header that a line is, if it is one.
    pub fn of_line(line: &[u8]) -> Option<Self> {
        serde_json::from_slice::<Self>(line).ok().filter(|header| header.schema == SCHEMA)
    }
}

/// A finished point.
#[derive(Serialize, Deserialize)]
pub(crate) struct Line<R> {
    pub point: Digest,
    /// Position in the grid, in a folder for a part of it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub at: Option<usize>,
    pub record: R,
}

impl RunFolder {
    /// Makes `folder` where it does not exist and proves, before anything is measured, that a line
    /// can be written to it. Its first line says that its points are `of` these plans.
    ///
    /// When it is resumed the points of an earlier run are read; a last line without its end, left by a
    /// crash or a full disk, is dropped.
    ///
    /// # Errors
    /// When the folder cannot be made, read or written, is in use, or holds lines that no run has written; when it is not
    /// replaced, and holds files of others; when it is fresh, and holds points; when it is resumed, and holds points of other plans.
    pub fn open(folder: &Path, of: &str, opening: Opening) -> Result<Self, FolderError> {
        Self::open_part(folder, of, None, opening)
    }

    /// The same for a part of a grid.
    ///
    /// # Errors
    /// The same.
    pub fn open_part(folder: &Path, of: &str, part: Option<Part>, opening: Opening) -> Result<Self, FolderError> {
        let path = folder.join(RECORDS_FILE);
        let open_error = |source| FolderError::Open { path: path.clone(), source };
        let write_error = |source| FolderError::Write { path: path.clone(), source };
        if opening != Opening::Replace && is_foreign(folder, &path) {
            return Err(FolderError::Foreign { path: folder.to_owned() });
        }
        fs::create_dir_all(folder).map_err(|source| FolderError::Open { path: folder.to_owned(), source })?;
        let mut file = OpenOptions::new().read(true).append(true).create(true).open(&path).map_err(open_error)?;
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => return Err(FolderError::InUse { path }),
            // A file system without locks is no reason not to measure.
            Err(TryLockError::Error(_)) => {}
        }
        if !file.metadata().map_err(open_error)?.is_file() {
            return Err(open_error(io::ErrorKind::InvalidInput.into()));
        }
        if opening == Opening::Replace {
            file.set_len(0).map_err(write_error)?;
        }
        let Places { finished, whole, of: holds } = places(&path, &file)?;
        if !finished.is_empty() {
            if opening == Opening::Fresh {
                return Err(FolderError::Occupied { path, count: finished.len() });
            }
            if let Some(holds) = holds.filter(|holds| holds != of) {
                return Err(FolderError::Other { path, holds, asked: of.to_owned() });
            }
        }
        file.set_len(whole).map_err(write_error)?;
        let is_placed = part.as_ref().is_some_and(|part| !part.search);
        append(&mut file, &Header::new(of, part)).and_then(|()| file.sync_data()).map_err(write_error)?;
        Ok(Self { path, file: Mutex::new(file), finished, is_placed })
    }

    /// The record of the point named `digest`, if an earlier run has finished it.
    ///
    /// A record in a form this version does not know counts as not finished, and so does one that cannot be read any more.
    pub fn finished<R: DeserializeOwned>(&self, digest: Digest) -> Option<R> {
        let Place { offset, length } = *self.finished.get(&digest)?;
        let mut bytes = vec![0; length];
        {
            // Through the file that is locked: where locks are mandatory no other handle may read it. It is open for appending, so
            // that lines are added at its end wherever it was last read.
            let mut file = self.file.lock().unwrap_or_else(PoisonError::into_inner);
            file.seek(SeekFrom::Start(offset)).and_then(|_| file.read_exact(&mut bytes)).ok()?;
        }
        serde_json::from_slice::<Line<R>>(&bytes).ok().map(|line| line.record)
    }

    /// Adds a finished point.
    ///
    /// # Errors
    /// When the line cannot be written.
    pub fn keep<R: Serialize>(&self, point: Digest, record: &R) -> Result<(), FolderError> {
        self.put(Line { point, at: None, record })
    }

    /// Adds the finished point at this position of the grid, which is said where the folder is for a part of it.
    ///
    /// # Errors
    /// When the line cannot be written.
    pub fn keep_at<R: Serialize>(&self, point: Digest, position: usize, record: &R) -> Result<(), FolderError> {
        self.put(Line { point, at: self.is_placed.then_some(position), record })
    }

    fn put<R: Serialize>(&self, line: Line<&R>) -> Result<(), FolderError> {
        let mut file = self.file.lock().unwrap_or_else(PoisonError::into_inner);
        append(&mut *file, &line).map_err(|source| FolderError::Write { path: self.path.clone(), source })
    }

    /// The file that holds the points.
    pub fn path(&self) -> &Path {
        &self.path
    }
}

/// Writes one line with a single call, so that a line is never mixed with another.
pub(crate) fn append(file: &mut impl Write, line: &impl Serialize) -> io::Result<()> {
    let mut bytes = serde_json::to_vec(line)?;
    bytes.push(b'\n');
    file.write_all(&bytes)
}

/// Tells if `folder` holds files, of which none are those of a run.
fn is_foreign(folder: &Path, records: &Path) -> bool {
    !records.exists() && fs::read_dir(folder).is_ok_and(|mut files| files.next().is_some())
}

/// Lines that a file holds.
struct Places {
    /// Place of the line of each finished point.
    finished: BTreeMap<Digest, Place>,
    /// End of the last whole line.
    whole: u64,
    /// Plans that its points are of, as the last run has said.
    of: Option<String>,
}

fn places(path: &Path, file: &File) -> Result<Places, FolderError> {
    let (mut finished, mut of) = (BTreeMap::new(), None);
    let whole = scan(path, file, |entry| match entry {
        Entry::Header(header) => of = header.of,
        Entry::Point { digest, offset, length, .. } => {
            finished.insert(digest, Place { offset, length });
        }
    })?;
    Ok(Places { finished, whole, of })
}

/// Whole line of a file of records.
pub(crate) enum Entry {
    /// Beginning of what one run adds.
    Header(Header),
    /// Finished point, with the place of its line.
    Point { digest: Digest, at: Option<usize>, offset: u64, length: usize },
}

/// Hands every whole line of the file at `path` to `sink`, in their order; returns the end of the last one.
pub(crate) fn scan(path: &Path, file: &File, mut sink: impl FnMut(Entry)) -> Result<u64, FolderError> {
    let mut reader = BufReader::new(file);
    let (mut bytes, mut offset, mut number) = (Vec::new(), 0, 0);
    loop {
        bytes.clear();
        let length = reader
            .read_until(b'\n', &mut bytes)
            .map_err(|source| FolderError::Open { path: path.to_owned(), source })?;
        if bytes.last() != Some(&b'\n') {
            return Ok(offset);
        }
        number += 1;
        // Every run that has written to the file began with a header.
        let header = Header::of_line(&bytes);
        if number == 1 && header.is_none() {
            return Err(FolderError::Schema { path: path.to_owned() });
        }
        sink(match header {
            Some(header) => Entry::Header(header),
            None => {
                let line: Line<IgnoredAny> = serde_json::from_slice(&bytes).map_err(|source| FolderError::Line {
                    path: path.to_owned(),
                    line: number,
                    source,
                })?;
                Entry::Point { digest: line.point, at: line.at, offset, length }
            }
        });
        offset += length as u64;
    }
}

#[cfg(test)]
mod tests {
    use super::Opening::{Fresh, Replace, Resume};
    use super::*;

    fn open(folder: &Path, opening: Opening) -> Result<RunFolder, FolderError> {
        RunFolder::open(folder, "a plan", opening)
    }

    fn digest(n: u32) -> Digest {
        Digest::of([n.to_string().as_str()])
    }

    #[test]
    fn what_was_kept_is_read_back() {
        let folder = tempfile::tempdir().unwrap();
        open(folder.path(), Fresh).unwrap().keep(digest(1), &0.1f64).unwrap();
        let again = open(folder.path(), Resume).unwrap();
        assert_eq!(again.finished::<f64>(digest(1)), Some(0.1));
        assert_eq!(again.finished::<f64>(digest(2)), None);
        assert_eq!(again.finished::<String>(digest(1)), None, "another form");
    }

    #[test]
    fn a_fresh_run_does_not_mix_with_an_earlier_one() {
        let folder = tempfile::tempdir().unwrap();
        open(folder.path(), Fresh).unwrap().keep(digest(1), &1).unwrap();
        let error = open(folder.path(), Fresh).unwrap_err();
        assert!(matches!(error, FolderError::Occupied { count: 1, .. }), "{error}");
    }

    #[test]
    fn two_runs_do_not_share_a_folder() {
        let folder = tempfile::tempdir().unwrap();
        let _first = open(folder.path(), Fresh).unwrap();
        assert!(matches!(open(folder.path(), Resume), Err(FolderError::InUse { .. })));
    }

    #[test]
    fn a_line_cut_short_by_a_crash_is_dropped() {
        let folder = tempfile::tempdir().unwrap();
        open(folder.path(), Fresh).unwrap().keep(digest(1), &1).unwrap();
        let path = folder.path().join(RECORDS_FILE);
        let mut text = fs::read_to_string(&path).unwrap();
        text.push_str("{\"point\":\"00000000000000");
        // The cut may go through a character.
        fs::write(&path, [text.as_bytes(), "µ".as_bytes().split_at(1).0].concat()).unwrap();
        let again = open(folder.path(), Resume).unwrap();
        again.keep(digest(2), &2).unwrap();
        drop(again);
        let third = open(folder.path(), Resume).unwrap();
        assert_eq!((third.finished(digest(1)), third.finished(digest(2))), (Some(1), Some(2)));
    }

    #[test]
    fn foreign_files_are_left_alone() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join(RECORDS_FILE);
        fs::write(&path, "dear diary\n").unwrap();
        assert!(matches!(open(folder.path(), Resume), Err(FolderError::Schema { .. })));
        assert_eq!(fs::read_to_string(&path).unwrap(), "dear diary\n");
    }

    #[test]
    fn a_damaged_line_is_named() {
        let folder = tempfile::tempdir().unwrap();
        drop(open(folder.path(), Fresh).unwrap());
        let path = folder.path().join(RECORDS_FILE);
        let text = fs::read_to_string(&path).unwrap() + "nonsense\n";
        fs::write(&path, text).unwrap();
        let error = open(folder.path(), Resume).unwrap_err().to_string();
        assert!(error.contains("line 2"), "{error}");
    }

    #[test]
    fn a_folder_that_is_a_file_is_refused_before_measuring() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("taken");
        fs::write(&file, "").unwrap();
        assert!(matches!(open(&file, Fresh), Err(FolderError::Open { .. })));
    }

    #[test]
    fn thousands_of_lines_are_read_where_they_are_while_others_are_added() {
        let home = tempfile::tempdir().unwrap();
        let record = |n: u32| (n, "µ".repeat(n as usize % 97), f64::from(n) / 7.0);
        let folder = open(home.path(), Fresh).unwrap();
        (0..3_000).for_each(|n| folder.keep(digest(n), &record(n)).unwrap());
        // A point that was run again is what it was the last time.
        folder.keep(digest(5), &record(6)).unwrap();
        drop(folder);
        let again = open(home.path(), Resume).unwrap();
        for n in (0..3_000).rev() {
            assert_eq!(again.finished(digest(n)), Some(record(if n == 5 { 6 } else { n })));
            again.keep(digest(10_000 + n), &record(n)).unwrap();
        }
        assert_eq!(again.finished::<(u32, String, f64)>(digest(10_000)), None, "what is new was not finished before");
        drop(again);
        let third = open(home.path(), Resume).unwrap();
        assert!((0..3_000).all(|n| third.finished(digest(10_000 + n)) == Some(record(n))));
        assert_eq!(third.finished.len(), 6_000);
    }

    #[test]
    fn a_record_that_cannot_be_read_any_more_is_not_finished() {
        let home = tempfile::tempdir().unwrap();
        open(home.path(), Fresh).unwrap().keep(digest(1), &1).unwrap();
        let again = open(home.path(), Resume).unwrap();
        again.file.lock().unwrap().set_len(3).unwrap();
        assert_eq!(again.finished::<i32>(digest(1)), None);
    }

    #[test]
    fn points_of_another_plan_are_not_gone_on_with() {
        let home = tempfile::tempdir().unwrap();
        open(home.path(), Fresh).unwrap().keep(digest(1), &1).unwrap();
        let error = RunFolder::open(home.path(), "another", Resume).unwrap_err();
        let FolderError::Other { holds, asked, .. } = error else { panic!("{error}") };
        assert_eq!((holds.as_str(), asked.as_str()), ("a plan", "another"));
        let anew = RunFolder::open(home.path(), "another", Replace).unwrap();
        assert_eq!(anew.finished::<i32>(digest(1)), None);
        anew.keep(digest(2), &2).unwrap();
        drop(anew);
        assert_eq!(RunFolder::open(home.path(), "another", Resume).unwrap().finished(digest(2)), Some(2));
        assert!(matches!(open(home.path(), Resume), Err(FolderError::Other { .. })));
    }

    #[test]
    fn a_folder_of_other_files_is_left_alone() {
        let home = tempfile::tempdir().unwrap();
        fs::write(home.path().join("main.c"), "int main;").unwrap();
        for opening in [Fresh, Resume] {
            assert!(matches!(open(home.path(), opening), Err(FolderError::Foreign { .. })));
        }
        assert_eq!(fs::read_dir(home.path()).unwrap().count(), 1);
        open(home.path(), Replace).unwrap().keep(digest(1), &1).unwrap();
        assert_eq!(open(home.path(), Resume).unwrap().finished(digest(1)), Some(1));
    }
}
