//! Captures of live servers in a ring of files: one that is full makes room for the next, and the oldest goes.

use std::fs;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use airtime_capture::Form;

use crate::capture::{Planned, is_ours};
use crate::exit::Failure;
use crate::output;
use crate::place::Place;

/// Bounds of a ring.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bounds {
    /// Octets of a file, at most, unless its head and one record are longer.
    pub octets: u64,
    /// Files, the one that is written included.
    pub files: u32,
    /// Set to say when a file is full.
    pub says: bool,
}

/// Files of one capture. `x.pcapng` is the one that is written, `x.1.pcapng` the one before, and so on.
#[derive(Debug)]
pub struct Ring {
    path: PathBuf,
    bounds: Bounds,
    /// Bytes that every file begins with.
    head: Vec<u8>,
    /// Octets of the file that is written.
    octets: u64,
    dropped: bool,
}

impl Ring {
    /// The ring of `planned`.
    ///
    /// # Errors
    /// When something that no such ring has written is where its files will be, and is not to be replaced by `force`.
    pub fn claim(planned: &Planned, bounds: Bounds, force: bool) -> Result<Self, Failure> {
        let is_own = |head: &[u8]| planned.form == Form::Air && is_ours(head);
        // The files behind the one that a link names are beside that one, and the link stays.
        let path = fs::canonicalize(&planned.path).unwrap_or_else(|_| planned.path.clone());
        let ring = Self { path, bounds, head: Vec::new(), octets: 0, dropped: false };
        for older in (1..bounds.files).map(|age| ring.older(age)).filter(|older| older.exists()) {
            drop(Place::claim(&older, force, &is_own)?);
        }
        Ok(ring)
    }

    /// Keeps what every file begins with. What a capture that goes on for ever describes is not repeated for ever: half a file is enough.
    pub fn head(&mut self, bytes: &[u8]) {
        if (self.head.len() + bytes.len()) as u64 <= self.bounds.octets / 2 {
            self.head.extend_from_slice(bytes);
        }
    }

    /// Counts a record of so many octets; true if it belongs to the next file.
    pub fn is_full_with(&mut self, octets: usize) -> bool {
        let octets = octets as u64;
        let full = self.octets > self.head.len() as u64 && self.octets + octets > self.bounds.octets;
        self.octets = if full { self.head.len() as u64 + octets } else { self.octets + octets };
        full
    }

    /// Puts the file that is full behind the next one, which begins with the head.
    ///
    /// # Errors
    /// When the folder or the file cannot be written.
    pub fn turn(&mut self) -> io::Result<Place> {
        for age in (1..self.bounds.files).rev() {
            let newer = if age == 1 { self.path.clone() } else { self.older(age - 1) };
            match fs::rename(newer, self.older(age)) {
                Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
                _ => {}
            }
        }
        self.say();
        let mut place = Place::next(&self.path)?;
        // Beside it, for without a head it is no capture.
        place.write_all(&self.head)?;
        place.begin()?;
        Ok(place)
    }

    fn say(&mut self) {
        let Bounds { octets, files, says } = self.bounds;
        if !says {
            return;
        }
        let path = self.path.display();
        let oldest =
            if files == 1 || self.older(files - 1).exists() { "the oldest of them is dropped each time" } else { "" };
        match (oldest, self.dropped) {
            ("", _) => {
                output::say(&format!("`{path}` has its {octets} octets: they are in `{}`", self.older(1).display()))
            }
            (oldest, false) => {
                self.dropped = true;
                output::say(&format!("the {files} files of `{path}`, {octets} octets each, are full: {oldest}"));
            }
            (_, true) => {}
        }
    }

    /// Path of the file that was full so many files ago.
    fn older(&self, age: u32) -> PathBuf {
        older(&self.path, age)
    }
}

/// Refuses captures of which one would be written where the ring of another has its older files.
///
/// # Errors
/// Which two those are.
pub fn check(planned: &[Planned], files: u32) -> Result<(), Failure> {
    for ring in planned {
        let is_older = |path: &Path| (1..files).any(|age| older(&ring.path, age) == path);
        if let Some(other) = planned.iter().find(|other| is_older(&other.path)) {
            return Err(Failure::BadInput(format!(
                "`{}` is where `{}` goes when it is full: give each capture a name of its own",
                other.path.display(),
                ring.path.display()
            )));
        }
    }
    Ok(())
}

/// Path of the file that `path` was so many files ago.
fn older(path: &Path, age: u32) -> PathBuf {
    let extension = path.extension().unwrap_or_default().to_string_lossy().into_owned();
    path.with_extension(format!("{age}.{extension}"))
}

#[cfg(test)]
mod tests {
    use airtime_capture::Sink as _;
    use airtime_capture::pcapng::{Packets, Writer};

    use super::*;
    use crate::capture::CaptureFile;

    /// Stamps of the packets of `path`, which is whole.
    fn stamps(path: &Path) -> Vec<i64> {
        let octets = fs::read(path).unwrap();
        Packets::new(&octets).map(|packet| packet.unwrap().unix_ns).collect()
    }

    #[test]
    fn a_flood_fills_a_ring_whose_files_can_be_read_at_any_moment() {
        const FILES: u32 = 3;
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("air.pcapng");
        let planned = Planned { path: path.clone(), form: Form::Air, view: 0 };
        let bounds = Bounds { octets: 40_000, files: FILES, says: false };
        let mut writer = Writer::new(CaptureFile::live(&planned, bounds, false).unwrap(), "airtime test");
        let interface = writer.interface(256, "air", "");
        let ring = |age: u32| if age == 0 { path.clone() } else { path.with_extension(format!("{age}.pcapng")) };
        for stamp in 1..=1_000 {
            writer.packet(interface, stamp, |octets| octets.extend_from_slice(&[7; 300]));
            for file in (0..FILES).map(ring).filter(|file| file.exists()) {
                stamps(&file);
                assert!(fs::metadata(&file).unwrap().len() <= bounds.octets);
            }
        }
        assert!(!writer.sink().has_failed());
        writer.into_sink().finish().unwrap();
        let all: Vec<i64> = (0..FILES).rev().flat_map(|age| stamps(&ring(age))).collect();
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), FILES as usize);
        assert!(all.len() > 200 && all.windows(2).all(|pair| pair[1] == pair[0] + 1), "{all:?}");
        assert_eq!(all.last(), Some(&1_000), "the newest stay");
        assert!(!stamps(&ring(1)).is_empty() && !stamps(&ring(2)).is_empty());
    }

    #[test]
    fn what_somebody_else_has_put_where_the_ring_will_be_stays() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("air.pcapng");
        fs::write(folder.path().join("air.1.pcapng"), "somebody's").unwrap();
        let planned = Planned { path, form: Form::Air, view: 0 };
        let bounds = Bounds { octets: 40_000, files: 2, says: false };
        assert!(matches!(CaptureFile::live(&planned, bounds, false), Err(Failure::BadInput(_))));
        assert!(CaptureFile::live(&planned, bounds, true).is_ok());
        // Behind a gap as well: in the end it would be put there.
        fs::rename(folder.path().join("air.1.pcapng"), folder.path().join("air.3.pcapng")).unwrap();
        let bounds = Bounds { files: 4, ..bounds };
        assert!(matches!(CaptureFile::live(&planned, bounds, false), Err(Failure::BadInput(_))));
    }

    #[test]
    fn a_capture_where_another_goes_when_it_is_full_is_refused() {
        let planned = |name: &str| Planned { path: name.into(), form: Form::Air, view: 0 };
        let said = |files| check(&[planned("x.2.pcapng"), planned("x.pcapng")], files).map_err(|why| why.to_string());
        assert!(said(2).is_ok());
        assert!(said(3).unwrap_err().starts_with("`x.2.pcapng` is where `x.pcapng` goes"));
        assert!(check(&[planned("x.pcapng"), planned("y.1.pcapng")], 9).is_ok());
    }

    #[test]
    fn a_file_has_its_name_with_its_head_and_a_link_stays_one() {
        let folder = tempfile::tempdir().unwrap();
        let (target, path) = (folder.path().join("kept.pcapng"), folder.path().join("air.pcapng"));
        fs::write(&target, "").unwrap();
        std::os::unix::fs::symlink(&target, &path).unwrap();
        let planned = Planned { path: path.clone(), form: Form::Air, view: 0 };
        let bounds = Bounds { octets: 2_000, files: 2, says: false };
        let capture = CaptureFile::live(&planned, bounds, false).unwrap();
        let mut writer = Writer::new(capture, "airtime test");
        assert!(fs::metadata(&target).unwrap().len() > 0, "the head");
        let interface = writer.interface(256, "air", "");
        for stamp in 1..=20 {
            writer.packet(interface, stamp, |octets| octets.extend_from_slice(&[7; 300]));
        }
        writer.into_sink().finish().unwrap();
        assert_eq!(fs::read_link(&path).unwrap(), target);
        assert_eq!(stamps(&path).last(), Some(&20));
        assert!(!stamps(&folder.path().join("kept.1.pcapng")).is_empty());
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 3);
    }
}
