//! Records that earlier runs have kept, read without going on with them: one folder, or the folders of all parts of a grid.

use std::cmp::Ordering;
use std::collections::{BTreeMap, BTreeSet};
use std::fs::File;
use std::io::{Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use airtime_lab::Record;
use serde::Deserialize;
use serde::de::DeserializeOwned;
use thiserror::Error;

use crate::folder::{Entry, Header, Line, Part, append, scan};
use crate::{Digest, FolderError, RECORDS_FILE, Shard};

/// Records of a run folder.
#[derive(Debug)]
pub struct KeptFolder {
    /// The folder.
    pub folder: PathBuf,
    /// Plans that its points are of, as the last run has said.
    pub of: Option<String>,
    /// Versions of the program that have written to it, each once.
    pub versions: Vec<String>,
    /// Parts of a grid that it is for, each once; none of a folder for the whole.
    pub parts: Vec<Part>,
    /// Time at which it was written last, where the system knows.
    pub written: Option<SystemTime>,
    points: Vec<KeptPoint>,
}

/// A finished point: where its record is, for there may be more than memory is to hold.
#[derive(Clone, Copy, Debug)]
struct KeptPoint {
    digest: Digest,
    at: Option<usize>,
    offset: u64,
    length: usize,
    /// Number of the version that has written it.
    version: usize,
}

/// A record of a run folder, with what the folder says of it.
#[derive(Clone, Debug)]
pub struct KeptRecord<'a> {
    /// Digest of the point that it is of.
    pub point: Digest,
    /// Version of the program that has written it.
    pub version: &'a str,
    /// The record.
    pub record: Record,
}

/// Reader of the records of one folder, one at a time.
struct Reader {
    path: PathBuf,
    file: File,
    bytes: Vec<u8>,
}

impl Reader {
    fn open(folder: &Path) -> Result<Self, FolderError> {
        let path = folder.join(RECORDS_FILE);
        let file = File::open(&path).map_err(|source| FolderError::Open { path: path.clone(), source })?;
        Ok(Self { path, file, bytes: Vec::new() })
    }

    fn record<R: DeserializeOwned>(&mut self, point: &KeptPoint) -> Result<R, FolderError> {
        self.bytes.resize(point.length, 0);
        let line = self.file.seek(SeekFrom::Start(point.offset)).and_then(|_| self.file.read_exact(&mut self.bytes));
        let line = line.and_then(|()| Ok(serde_json::from_slice::<Line<R>>(&self.bytes)?));
        Ok(line.map_err(|source| FolderError::Open { path: self.path.clone(), source })?.record)
    }
}

impl KeptFolder {
    /// Reads `folder`. A last line without its end is left out; of a point that was run again, the last run counts.
    ///
    /// # Errors
    /// When there is no file of records, or a line of it is none.
    pub fn read(folder: &Path) -> Result<Self, FolderError> {
        let path = folder.join(RECORDS_FILE);
        let open_error = |source| FolderError::Open { path: path.clone(), source };
        let file = File::open(&path).map_err(open_error)?;
        let written = file.metadata().and_then(|found| found.modified()).ok();
        let mut found = Self {
            folder: folder.to_owned(),
            of: None,
            versions: Vec::new(),
            parts: Vec::new(),
            written,
            points: Vec::new(),
        };
        let mut places: BTreeMap<Digest, usize> = BTreeMap::new();
        let mut version = 0;
        scan(&path, &file, |entry| match entry {
            Entry::Header(header) => version = found.begin(header),
            Entry::Point { digest, at, offset, length } => {
                let point = KeptPoint { digest, at, offset, length, version };
                match places.get(&digest) {
                    Some(place) => found.points[*place] = point,
                    None => {
                        places.insert(digest, found.points.len());
                        found.points.push(point);
                    }
                }
            }
        })?;
        Ok(found)
    }

    /// Takes the header of a run; returns the number of its version.
    fn begin(&mut self, header: Header) -> usize {
        self.of = header.of;
        if let Some(part) = header.part.filter(|part| !self.parts.contains(part)) {
            self.parts.push(part);
        }
        let known = self.versions.iter().position(|version| *version == header.airtime);
        known.unwrap_or_else(|| {
            self.versions.push(header.airtime);
            self.versions.len() - 1
        })
    }

    /// Parts that it is for.
    fn shards(&self) -> impl Iterator<Item = Shard> {
        self.parts.iter().filter_map(|part| part.shard.parse().ok())
    }

    /// Number of records.
    pub fn len(&self) -> usize {
        self.points.len()
    }

    /// True if there are none.
    pub fn is_empty(&self) -> bool {
        self.points.is_empty()
    }

    /// Puts the records in the order that `compare` gives to their names; those that the grid has a place for stay at it.
    ///
    /// # Errors
    /// When the file cannot be read any more, or a record is in a form that this version does not know.
    pub fn sort_by(&mut self, compare: impl Fn(&str, &str) -> Ordering) -> Result<(), FolderError> {
        #[derive(Deserialize)]
        struct Named {
            id: String,
        }
        let mut reader = Reader::open(&self.folder)?;
        let named = self.points.iter().map(|point| Ok((reader.record::<Named>(point)?.id, *point)));
        let mut named = named.collect::<Result<Vec<_>, FolderError>>()?;
        named.sort_by(|(a, _), (b, _)| compare(a, b));
        self.points = named.into_iter().map(|(_, point)| point).collect();
        Ok(())
    }

    /// Hands each record to `sink`, in the order of the grid where the lines say it, else as they were written.
    ///
    /// # Errors
    /// When the file cannot be read any more, or a record is in a form that this version does not know.
    pub fn each(&self, mut sink: impl FnMut(Record)) -> Result<(), FolderError> {
        self.try_each(|kept| {
            sink(kept.record);
            Ok(())
        })
    }

    /// Hands each record to `sink` in the same order, with what the folder says of it, until `sink` fails.
    ///
    /// # Errors
    /// The same, and that of `sink`.
    pub fn try_each<E: From<FolderError>>(
        &self,
        mut sink: impl FnMut(KeptRecord<'_>) -> Result<(), E>,
    ) -> Result<(), E> {
        let mut points: Vec<&KeptPoint> = self.points.iter().collect();
        points.sort_by_key(|point| point.at);
        let mut reader = Reader::open(&self.folder)?;
        points.into_iter().try_for_each(|point| {
            let record = reader.record(point)?;
            sink(KeptRecord { point: point.digest, version: &self.versions[point.version], record })
        })
    }
}

/// Reason that folders cannot be put together.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum NotMerged {
    /// One of them cannot be read.
    #[error(transparent)]
    Folder(#[from] FolderError),
    /// One of them is of no part.
    #[error("`{}` is of a whole grid, and no part of one: it was run without --shard", .0.display())]
    Whole(PathBuf),
    /// Parts of a search are missing.
    #[error("{missing} of {parts} parts of the search are missing{of}: run `airtime tune` with --shard for them")]
    Unsearched {
        /// Number of parts of which there is no folder.
        missing: usize,
        /// Parts of the search.
        parts: usize,
        /// The parts that they are, as a clause.
        of: String,
    },
    /// Two of them are of different grids.
    #[error("`{}` and `{}` are of different grids: {why}", one.display(), other.display())]
    Other {
        /// The first of them.
        one: PathBuf,
        /// The folder that differs from it.
        other: PathBuf,
        /// Difference between them, as a clause.
        why: String,
    },
    /// Versions have written that may differ in their results.
    #[error("`{}` was written by airtime {one}, and `{}` by {other}: run the one again with the other", folder.display(), second.display())]
    Version {
        /// The first folder.
        folder: PathBuf,
        /// Its version.
        one: String,
        /// The second folder.
        second: PathBuf,
        /// The version of that.
        other: String,
    },
    /// A point is in two of them.
    #[error("`{}` and `{}` both hold point {position} of the grid{also}: leave one of them out", one.display(), other.display())]
    Double {
        /// The first folder.
        one: PathBuf,
        /// The second folder.
        other: PathBuf,
        /// Position of the point, counted from 1.
        position: usize,
        /// Number of further ones, as a clause.
        also: String,
    },
    /// Points are missing.
    #[error(
        "{missing} of {points} points are missing{of}: run `airtime sweep` of that part, or go on with it (--resume)"
    )]
    Gap {
        /// Number of points that are in none of them.
        missing: usize,
        /// Points of the grid.
        points: u64,
        /// The parts that they are of, as a clause.
        of: String,
    },
}

/// A whole grid or search, put together from the folders of its parts.
#[derive(Debug)]
pub struct Merged {
    of: String,
    folders: Vec<PathBuf>,
    /// Folder of each point, by position.
    points: Vec<(usize, KeptPoint)>,
}

impl Merged {
    /// Puts the folders together.
    ///
    /// # Errors
    /// When they are not all parts of one grid, of one version, with each of its points once; of a search, when they are not all parts.
    pub fn of(folders: Vec<KeptFolder>) -> Result<Self, NotMerged> {
        let grid = agreed(&folders)?;
        if grid.search { Self::of_search(folders) } else { Self::of_grid(folders, &grid) }
    }

    /// The points that any part of a search has come to, each once, in the order of the parts.
    fn of_search(mut folders: Vec<KeptFolder>) -> Result<Self, NotMerged> {
        folders.sort_by_key(|kept| kept.shards().map(Shard::index).min());
        let parts = folders.iter().flat_map(KeptFolder::shards).map(Shard::count).max().unwrap_or_default();
        let has = |part: usize| folders.iter().flat_map(KeptFolder::shards).any(|shard| shard.index() == part);
        let missing: Vec<usize> = (1..=parts).filter(|part| !has(*part)).collect();
        if !missing.is_empty() {
            return Err(NotMerged::Unsearched { missing: missing.len(), parts, of: listed(&missing, parts) });
        }
        let mut known = BTreeSet::new();
        let of = folders[0].of.clone().unwrap_or_default();
        let names = folders.iter().map(|kept| kept.folder.clone()).collect();
        let all = folders.into_iter().enumerate();
        let all = all.flat_map(|(folder, kept)| kept.points.into_iter().map(move |point| (folder, point)));
        let points = all.filter(|(_, point)| known.insert(point.digest)).collect();
        Ok(Self { of, folders: names, points })
    }

    fn of_grid(folders: Vec<KeptFolder>, grid: &Part) -> Result<Self, NotMerged> {
        let of = folders[0].of.clone().unwrap_or_default();
        let names: Vec<PathBuf> = folders.iter().map(|kept| kept.folder.clone()).collect();
        let length = grid.points as usize;
        let mut places: Vec<Option<(usize, KeptPoint)>> = (0..length).map(|_| None).collect();
        let mut doubles: Vec<(usize, usize, usize)> = Vec::new();
        for (folder, kept) in folders.into_iter().enumerate() {
            for point in kept.points {
                let position = point.at.filter(|at| *at < length);
                let Some(position) = position else { return Err(NotMerged::Whole(names[folder].clone())) };
                match &places[position] {
                    Some((other, _)) => doubles.push((*other, folder, position)),
                    None => places[position] = Some((folder, point)),
                }
            }
        }
        // Folders hold points in the order in which they were finished: the first of the grid is named.
        if let Some((one, other, position)) = doubles.iter().min_by_key(|(_, _, position)| *position) {
            let also = match doubles.len() {
                1 => String::new(),
                count => format!(", and {} more", count - 1),
            };
            let (one, other) = (names[*one].clone(), names[*other].clone());
            return Err(NotMerged::Double { one, other, position: position + 1, also });
        }
        let missing: Vec<usize> = (0..length).filter(|position| places[*position].is_none()).collect();
        if !missing.is_empty() {
            return Err(NotMerged::Gap { missing: missing.len(), points: grid.points, of: parts_of(&missing, grid) });
        }
        Ok(Self { of, folders: names, points: places.into_iter().flatten().collect() })
    }

    /// Number of points.
    pub fn len(&self) -> usize {
        self.points.len()
    }

    /// True if there are none.
    pub fn is_empty(&self) -> bool {
        self.points.is_empty()
    }

    /// Writes what a run of the whole grid on one thread would have kept, to the file at `path`.
    ///
    /// # Errors
    /// When a folder cannot be read any more, or `out` cannot be written.
    pub fn write(&self, path: &Path, out: &mut impl Write) -> Result<(), FolderError> {
        let write_error = |source| FolderError::Write { path: path.to_owned(), source };
        append(out, &Header::new(&self.of, None)).map_err(write_error)?;
        let mut readers = self.folders.iter().map(|folder| Reader::open(folder)).collect::<Result<Vec<_>, _>>()?;
        self.points.iter().try_for_each(|(folder, point)| {
            let record: Record = readers[*folder].record(point)?;
            append(out, &Line { point: point.digest, at: None, record }).map_err(write_error)
        })
    }
}

/// The grid that all folders are parts of.
fn agreed(folders: &[KeptFolder]) -> Result<Part, NotMerged> {
    let mut grid: Option<(&KeptFolder, &Part)> = None;
    for kept in folders {
        if kept.parts.is_empty() {
            return Err(NotMerged::Whole(kept.folder.clone()));
        }
        for part in &kept.parts {
            let (first, known) = *grid.get_or_insert((kept, part));
            let names = || (first.folder.clone(), kept.folder.clone());
            let (one, other) = names();
            let versions = [&first.versions[0]].into_iter().chain(&kept.versions);
            if let Some(version) = versions.clone().find(|version| **version != first.versions[0]) {
                let (folder, second) = (one, other);
                return Err(NotMerged::Version {
                    folder,
                    one: first.versions[0].clone(),
                    second,
                    other: version.clone(),
                });
            }
            let named = |kept: &KeptFolder| kept.of.clone().unwrap_or_default();
            let why = match () {
                () if first.of != kept.of => format!("of {}, and of {}", named(first), named(kept)),
                () if known.points != part.points => format!("{} points, and {}", known.points, part.points),
                () if known.grid != part.grid || known.search != part.search => {
                    "values of the plan, or options, are not the same".to_owned()
                }
                () if known.search && count(known) != count(part) => {
                    format!("parts {} and {}", known.shard, part.shard)
                }
                () => continue,
            };
            return Err(NotMerged::Other { one, other, why });
        }
    }
    grid.map(|(_, part)| part.clone()).ok_or_else(|| NotMerged::Whole(PathBuf::new()))
}

/// Number of parts that a part is one of.
fn count(part: &Part) -> Option<usize> {
    part.shard.parse().ok().map(Shard::count)
}

/// The parts that `missing` positions are of, as a clause.
fn parts_of(missing: &[usize], grid: &Part) -> String {
    let Some(count) = count(grid) else { return String::new() };
    let mut parts: Vec<usize> = missing.iter().map(|position| position % count + 1).collect();
    parts.sort_unstable();
    parts.dedup();
    listed(&parts, count)
}

/// These parts of so many, as a clause.
fn listed(parts: &[usize], count: usize) -> String {
    // A list of a thousand parts tells nobody anything.
    let named: Vec<String> = parts.iter().take(8).map(|part| format!("{part}/{count}")).collect();
    let more = if parts.len() > 8 { format!(" and {} more", parts.len() - 8) } else { String::new() };
    format!(", of {}{more}", named.join(", "))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Opening, RunFolder};

    fn part(shard: &str, grid: &str) -> Part {
        Part { shard: shard.to_owned(), points: 5, grid: Digest::of([grid]), search: false }
    }

    /// A folder in `home` for a part, with the points at these positions.
    fn kept(home: &Path, name: &str, of: &str, part: Part, positions: &[usize]) -> KeptFolder {
        let path = home.join(name);
        let folder = RunFolder::open_part(&path, of, Some(part), Opening::Fresh).unwrap();
        for position in positions {
            let id = format!("grid/{position}");
            folder.keep_at(Digest::of([id.as_str()]), *position, &Record { id, ..Record::default() }).unwrap();
        }
        KeptFolder::read(&path).unwrap()
    }

    #[test]
    fn parts_in_any_order_make_what_one_run_had_kept() {
        let home = tempfile::tempdir().unwrap();
        let whole = RunFolder::open(&home.path().join("whole"), "grid", Opening::Fresh).unwrap();
        for position in 0..5 {
            let id = format!("grid/{position}");
            whole.keep_at(Digest::of([id.as_str()]), position, &Record { id, ..Record::default() }).unwrap();
        }
        let parts = [
            kept(home.path(), "b", "grid", part("2/2", "x"), &[3, 1]),
            kept(home.path(), "a", "grid", part("1/2", "x"), &[4, 0, 2]),
        ];
        let mut ids = Vec::new();
        parts[1].each(|record| ids.push(record.id)).unwrap();
        assert_eq!(ids, ["grid/0", "grid/2", "grid/4"]);
        let merged = Merged::of(parts.into()).unwrap();
        let mut written = Vec::new();
        merged.write(Path::new("x"), &mut written).unwrap();
        assert_eq!(written, std::fs::read(whole.path()).unwrap());
        assert_eq!((merged.len(), merged.is_empty()), (5, false));
    }

    #[test]
    fn gaps_doubles_and_other_grids_are_refused() {
        let home = tempfile::tempdir().unwrap();
        let mut number = 0;
        let mut folder = |of: &str, part: Part, positions: &[usize]| {
            number += 1;
            kept(home.path(), &number.to_string(), of, part, positions)
        };
        let refused = |one: KeptFolder, other: KeptFolder| Merged::of(vec![one, other]).unwrap_err().to_string();
        let gap = refused(folder("g", part("1/2", "x"), &[0, 2]), folder("g", part("2/2", "x"), &[1, 3]));
        assert!(gap.contains("1 of 5 points are missing, of 1/2"), "{gap}");
        let double = refused(folder("g", part("1/2", "x"), &[0, 2, 4]), folder("g", part("1/2", "x"), &[2, 0]));
        assert!(double.contains("both hold point 1 of the grid, and 1 more"), "{double}");
        let plan = refused(folder("g", part("1/2", "x"), &[0]), folder("h", part("2/2", "x"), &[1]));
        assert!(plan.contains("of g, and of h"), "{plan}");
        let values = refused(folder("g", part("1/2", "x"), &[0]), folder("g", part("2/2", "y"), &[1]));
        assert!(values.contains("values of the plan"), "{values}");
        let mut old = folder("g", part("2/2", "x"), &[1, 3]);
        old.versions = vec!["0.0.1".to_owned()];
        assert!(refused(folder("g", part("1/2", "x"), &[0, 2, 4]), old).contains("by 0.0.1"));
        let whole = RunFolder::open(&home.path().join("whole"), "g", Opening::Fresh).unwrap();
        let whole = KeptFolder::read(whole.path().parent().unwrap()).unwrap();
        assert!(matches!(Merged::of(vec![whole]), Err(NotMerged::Whole(_))));
    }

    #[test]
    fn parts_of_a_search_may_have_come_to_the_same_points() {
        let home = tempfile::tempdir().unwrap();
        let of = |name: &str, shard: &str, positions: &[usize]| {
            kept(home.path(), name, "space", Part { search: true, ..part(shard, "x") }, positions)
        };
        let (second, first) = (of("b", "2/2", &[4, 7, 1]), of("a", "1/2", &[1, 3]));
        let gap = Merged::of(vec![of("c", "1/3", &[1])]).unwrap_err().to_string();
        assert!(gap.contains("2 of 3 parts of the search are missing, of 2/3, 3/3"), "{gap}");
        let others = Merged::of(vec![of("d", "1/2", &[]), of("e", "2/3", &[])]).unwrap_err().to_string();
        assert!(others.contains("parts 1/2 and 2/3"), "{others}");
        let merged = Merged::of(vec![second, first]).unwrap();
        let mut written = Vec::new();
        merged.write(Path::new("x"), &mut written).unwrap();
        let whole = home.path().join("whole");
        std::fs::create_dir(&whole).unwrap();
        std::fs::write(whole.join(RECORDS_FILE), &written).unwrap();
        let mut ids = Vec::new();
        KeptFolder::read(&whole).unwrap().each(|record| ids.push(record.id)).unwrap();
        assert_eq!(ids, ["grid/1", "grid/3", "grid/4", "grid/7"]);
    }

    #[test]
    fn what_no_run_has_written_is_not_read() {
        let home = tempfile::tempdir().unwrap();
        assert!(matches!(KeptFolder::read(home.path()), Err(FolderError::Open { .. })));
        std::fs::write(home.path().join(RECORDS_FILE), "x\n").unwrap();
        assert!(matches!(KeptFolder::read(home.path()), Err(FolderError::Schema { .. })));
    }
}
