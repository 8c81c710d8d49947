//! Places of outputs: looked at before anything runs, and given what was made only when it is whole.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::mpsc;
use std::thread;
use std::time::Duration;

use airtime_system::replacement::Draft;

use crate::exit::Failure;
use crate::output;

/// Octets of a file from which it is recognised.
const HEAD: u64 = 4_096;

/// Recogniser of what the same command has written before, from how it begins.
pub type Own<'a> = &'a dyn Fn(&[u8]) -> bool;

/// Recogniser for forms that nothing is told from.
pub const NOTHING: Own<'static> = &|_| false;

/// A place that takes the output of a command.
#[derive(Debug)]
pub struct Place {
    path: PathBuf,
    out: Out,
}

/// Way in which a place takes what is written.
#[derive(Debug)]
enum Out {
    /// Beside it, until it is whole.
    Beside(Draft),
    /// As it comes: a device, a pipe, or a file that is to be read while it grows.
    Open(File),
}

impl Place {
    /// Looks at `path` and proves that it can be written. What is there is left alone until [`put`](Self::put), and a file that is not
    /// the command's `own` is refused unless `force`.
    ///
    /// # Errors
    /// When there is something of somebody else's, or the place cannot be written.
    pub fn claim(path: &Path, force: bool, own: Own<'_>) -> Result<Self, Failure> {
        let open = |source| Failure::Open { path: path.to_owned(), source };
        let found = match fs::metadata(path) {
            Ok(found) => Some(found),
            Err(error) if error.kind() == io::ErrorKind::NotFound => None,
            Err(error) => return Err(open(error)),
        };
        let out = match found {
            Some(found) if found.is_dir() => return Err(open(io::ErrorKind::IsADirectory.into())),
            Some(found) if !found.is_file() || is_of_the_system(path) => {
                // Of a file behind /dev/stdout what is there stays.
                Out::Open(OpenOptions::new().append(found.is_file()).write(true).open(path).map_err(open)?)
            }
            found => {
                if found.is_some_and(|found| found.len() > 0) && !force && !own(&head(path)) {
                    return Err(Failure::BadInput(format!(
                        "`{}` is there already, and nothing tells that this command has written it: --force replaces it",
                        path.display()
                    )));
                }
                let mut draft = Draft::beside(path).map_err(open)?;
                prove(draft.file()).map_err(|source| unwritten(path, source))?;
                Out::Beside(draft)
            }
        };
        Ok(Self { path: path.to_owned(), out })
    }

    /// Takes the place with what was written so far, for what is read while it grows; the second time it does nothing.
    ///
    /// # Errors
    /// When the folder cannot be written.
    #[cfg(unix)]
    pub fn begin(&mut self) -> io::Result<()> {
        if let Out::Beside(draft) = &mut self.out {
            draft.rename()?;
            self.out = Out::Open(draft.file().try_clone()?);
        }
        Ok(())
    }

    /// The place of the next of several files, in a folder that was proved by the first of them.
    ///
    /// # Errors
    /// When the folder cannot be written.
    #[cfg(unix)]
    pub fn next(path: &Path) -> io::Result<Self> {
        Ok(Self { path: path.to_owned(), out: Out::Beside(Draft::beside(path)?) })
    }

    /// True if it is to be a file, not a pipe or a device.
    #[cfg(unix)]
    pub fn is_file(&self) -> bool {
        matches!(self.out, Out::Beside(_))
    }

    /// Puts what was written into its place, instead of what is there.
    ///
    /// # Errors
    /// When it cannot be made durable; what is there stays then.
    pub fn put(self) -> Result<(), Failure> {
        let path = self.path.clone();
        self.placed().map_err(|source| unwritten(&path, source))
    }

    /// The same with the error of the system.
    ///
    /// # Errors
    /// The same.
    pub fn placed(self) -> io::Result<()> {
        match self.out {
            Out::Open(mut file) => file.flush(),
            Out::Beside(mut draft) => {
                draft.file().sync_all().and_then(|()| draft.rename()).and_then(|()| draft.sync_folder())
            }
        }
    }

    /// Path of it.
    pub fn path(&self) -> &Path {
        &self.path
    }

    fn file(&mut self) -> &mut File {
        match &mut self.out {
            Out::Beside(draft) => draft.file(),
            Out::Open(file) => file,
        }
    }
}

impl Write for Place {
    fn write(&mut self, octets: &[u8]) -> io::Result<usize> {
        self.file().write(octets)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file().flush()
    }
}

/// Writes `octets` to `path`, all of them or none.
///
/// # Errors
/// When there is something else, unless `force`, or the place cannot be written.
pub fn write(path: &Path, force: bool, octets: &[u8]) -> Result<(), Failure> {
    let mut place = Place::claim(path, force, NOTHING)?;
    place.write_all(octets).map_err(|source| unwritten(path, source))?;
    place.put()
}

/// Opens `path` to read it. Of a pipe whose writer does not come it is said that somebody waits, and `stop` ends the wait.
///
/// # Errors
/// When the system refuses, or the wait was ended.
pub fn open(path: &Path, stop: &dyn Fn() -> bool) -> io::Result<File> {
    if !is_pipe(path) {
        return File::open(path);
    }
    let (sender, opened) = mpsc::channel();
    let pipe = path.to_owned();
    // The system lets nobody stop in the middle of this.
    thread::spawn(move || _ = sender.send(File::open(pipe)));
    for look in 0.. {
        match opened.recv_timeout(LOOK_EVERY) {
            Ok(file) => return file,
            Err(_) if stop() => return Err(io::ErrorKind::Interrupted.into()),
            Err(_) if look == PATIENCE => {
                output::say(&format!(
                    "`{}` is a pipe that nobody writes to: waiting for somebody who does",
                    path.display()
                ));
            }
            Err(_) => {}
        }
    }
    Err(io::ErrorKind::TimedOut.into())
}

/// The octets of the file at `path`, or of standard input where it is `-`; one that is longer than `octets_max` is not read to its end.
///
/// # Errors
/// When it cannot be read, or is longer.
pub fn read(path: &Path, octets_max: u64) -> Result<Vec<u8>, Failure> {
    let failed = |source| Failure::Open { path: path.to_owned(), source };
    let mut octets = Vec::new();
    let input: Box<dyn Read> = match path == Path::new("-") {
        true => Box::new(io::stdin().lock()),
        false => Box::new(open(path, &|| false).map_err(failed)?),
    };
    input.take(octets_max + 1).read_to_end(&mut octets).map_err(failed)?;
    if octets.len() as u64 > octets_max {
        let (path, mib) = (path.display(), octets_max >> 20);
        return Err(Failure::BadInput(format!("{path}: it is longer than the {mib} MiB it may have")));
    }
    Ok(octets)
}

/// Interval at which a wait for a writer looks if it is to end, and looks after which it is told. *Assumed.*
const LOOK_EVERY: Duration = Duration::from_millis(100);
const PATIENCE: u32 = 5;

#[cfg(unix)]
fn is_pipe(path: &Path) -> bool {
    use std::os::unix::fs::FileTypeExt as _;
    fs::metadata(path).is_ok_and(|found| found.file_type().is_fifo())
}

#[cfg(not(unix))]
fn is_pipe(_: &Path) -> bool {
    false
}

/// Failure to write to `path`.
pub fn unwritten(path: &Path, source: io::Error) -> Failure {
    Failure::Write { what: format!("`{}`", path.display()), source }
}

/// Tells if `path` is a name of the system's for something that is open, such as `/dev/stdout`.
fn is_of_the_system(path: &Path) -> bool {
    cfg!(unix) && ["/dev", "/proc"].iter().any(|folder| path.starts_with(folder))
}

/// First octets of the file at `path`, as far as they can be read.
fn head(path: &Path) -> Vec<u8> {
    let mut head = Vec::new();
    if let Ok(file) = File::open(path) {
        let _ = file.take(HEAD).read_to_end(&mut head);
    }
    head
}

/// Writes an octet and takes it back: a full disk is known before, not after an hour of measuring.
fn prove(file: &mut File) -> io::Result<()> {
    file.write_all(b"\n")?;
    file.sync_data()?;
    file.set_len(0)?;
    file.seek(SeekFrom::Start(0)).map(drop)
}

#[cfg(test)]
mod tests {
    use super::*;

    const OWN: Own<'static> = &|head| head.starts_with(b"ours");

    #[test]
    fn what_is_somebody_else_s_stays_unless_it_is_forced() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("x.json");
        let written = |force: bool, text: &str| {
            let mut place = Place::claim(&path, force, OWN)?;
            place.write_all(text.as_bytes()).unwrap();
            place.put().map(|()| fs::read_to_string(&path).unwrap())
        };
        assert_eq!(written(false, "ours 1").unwrap(), "ours 1");
        assert_eq!(written(false, "other").unwrap(), "other", "it was the command's own");
        let refused = written(false, "ours 2").unwrap_err();
        assert!(matches!(&refused, Failure::BadInput(said) if said.contains("--force")), "{refused}");
        assert_eq!(fs::read_to_string(&path).unwrap(), "other");
        assert_eq!(written(true, "ours 3").unwrap(), "ours 3");
        // Nothing is lost with what is empty.
        fs::write(&path, "").unwrap();
        assert_eq!(written(false, "ours 4").unwrap(), "ours 4");
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
    }

    // A place that is taken at once is a live server's.
    #[cfg(unix)]
    #[test]
    fn what_is_there_stays_until_all_of_the_new_is_written() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("x.json");
        fs::write(&path, "ours, old").unwrap();
        let mut place = Place::claim(&path, false, OWN).unwrap();
        place.write_all(b"ours, half").unwrap();
        assert_eq!(fs::read_to_string(&path).unwrap(), "ours, old");
        drop(place);
        assert_eq!(fs::read_to_string(&path).unwrap(), "ours, old");
        let mut place = Place::claim(&path, false, OWN).unwrap();
        place.begin().unwrap();
        assert_eq!(fs::read_to_string(&path).unwrap(), "");
        place.write_all(b"ours, so far").unwrap();
        assert_eq!(fs::read_to_string(&path).unwrap(), "ours, so far");
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
    }

    #[test]
    fn a_folder_takes_no_file() {
        let folder = tempfile::tempdir().unwrap();
        assert!(matches!(Place::claim(folder.path(), true, OWN), Err(Failure::Open { .. })));
    }
}
