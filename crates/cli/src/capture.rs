//! Captures in files: their names, and what is written to them.

use std::io::{self, Write};
use std::path::{Path, PathBuf};

use airtime_capture::{Form, Sink};

use crate::exit::Failure;
use crate::place::{Place, unwritten};
#[cfg(unix)]
use crate::ring::{Bounds, Ring};

/// The form that the name of `path` ends in.
///
/// # Errors
/// When it ends in none.
fn form(path: &Path) -> Result<Form, Failure> {
    let extension = path.extension().and_then(|extension| extension.to_str());
    extension.and_then(Form::of_extension).ok_or_else(|| {
        Failure::BadInput(format!(
            "`{}`: a capture is called .pcapng (the air), .btsnoop (HCI, a file for each host) or .perfetto (the time line)",
            path.display()
        ))
    })
}

/// File that a capture goes to.
#[derive(Debug)]
pub struct Planned {
    /// Path of it.
    pub path: PathBuf,
    /// Form of the capture.
    pub form: Form,
    /// Place of its view among those that its form has.
    pub view: usize,
}

/// The files that `paths` stand for: one each, or one for each view that `views` names of a form. No path may come twice: two
/// captures in one file would leave neither.
///
/// # Errors
/// When a name says no format or comes twice, or `views` says why there is no capture in a form.
pub fn planned(
    paths: &[PathBuf],
    views: impl Fn(Form) -> Result<Vec<String>, String>,
) -> Result<Vec<Planned>, Failure> {
    let mut files: Vec<Planned> = Vec::new();
    for path in paths {
        let form = form(path)?;
        let views = views(form).map_err(|why| Failure::BadInput(format!("`{}`: {why}", path.display())))?;
        files.extend(views.into_iter().enumerate().map(|(view, name)| Planned {
            path: match name.as_str() {
                "" => path.clone(),
                name => path.with_extension(format!("{name}.{}", form.extension())),
            },
            form,
            view,
        }));
    }
    for (index, file) in files.iter().enumerate() {
        if files[..index].iter().any(|other| other.path == file.path) {
            return Err(Failure::BadInput(format!(
                "`{}` would be written twice: give each capture a name of its own",
                file.path.display()
            )));
        }
    }
    Ok(files)
}

/// A file that takes a capture. The first error stays, and what comes behind is dropped.
#[derive(Debug)]
pub struct CaptureFile {
    place: Place,
    /// Whole records that are not written yet: what is in the file is a capture at any moment.
    records: Vec<u8>,
    octets: u64,
    error: Option<io::Error>,
    #[cfg(unix)]
    ring: Option<Ring>,
}

/// Octets that are written at a time, or a longer record.
const PIECE: usize = 1 << 13;

impl CaptureFile {
    /// Claims the place of `planned` for a capture that is put there when it is whole.
    ///
    /// # Errors
    /// When that is impossible, or something else is there and not to be replaced by `force`.
    pub fn create(planned: &Planned, force: bool) -> Result<Self, Failure> {
        let is_own = |head: &[u8]| planned.form == Form::Air && is_ours(head);
        Ok(Self::at(Place::claim(&planned.path, force, &is_own)?))
    }

    /// The same for a capture that is read while it grows, in a ring of files. A pipe or a device has no bounds but its reader's.
    ///
    /// # Errors
    /// The same.
    #[cfg(unix)]
    pub fn live(planned: &Planned, bounds: Bounds, force: bool) -> Result<Self, Failure> {
        let is_own = |head: &[u8]| planned.form == Form::Air && is_ours(head);
        let place = Place::claim(&planned.path, force, &is_own)?;
        let ring = place.is_file().then(|| Ring::claim(planned, bounds, force)).transpose()?;
        Ok(Self { ring, ..Self::at(place) })
    }

    fn at(place: Place) -> Self {
        Self {
            place,
            records: Vec::with_capacity(PIECE),
            octets: 0,
            error: None,
            #[cfg(unix)]
            ring: None,
        }
    }

    /// Takes a whole record.
    fn record(&mut self, bytes: &[u8]) -> io::Result<()> {
        #[cfg(unix)]
        if self.ring.as_mut().is_some_and(|ring| ring.is_full_with(bytes.len())) {
            self.write()?;
            if let Some(ring) = &mut self.ring {
                self.place = ring.turn()?;
            }
        }
        self.octets += bytes.len() as u64;
        self.records.extend_from_slice(bytes);
        if self.records.len() >= PIECE { self.write() } else { Ok(()) }
    }

    fn write(&mut self) -> io::Result<()> {
        let written = self.place.write_all(&self.records);
        self.records.clear();
        // What is read while it grows gets its name with its head: without it, it is no capture.
        #[cfg(unix)]
        if self.ring.is_some() && written.is_ok() {
            return self.place.begin();
        }
        written
    }

    /// Writes what is left, puts the file into its place, and says what there is.
    ///
    /// # Errors
    /// When anything could not be written, now or before.
    pub fn finish(mut self) -> Result<Written, Failure> {
        let path = self.place.path().to_owned();
        let flushed = self.error.take().map_or(Ok(()), Err).and_then(|()| self.write());
        flushed.map_err(|source| unwritten(&path, source))?;
        self.place.put()?;
        Ok(Written { path, octets: self.octets })
    }
}

/// Tells if a pcapng begins so that names the program that wrote it: airtime.
pub fn is_ours(head: &[u8]) -> bool {
    // The section header block, whose type is the same in either order of octets, and its options: draft-ietf-opsawg-pcapng, 4.1.
    let section = &head[..head.len().min(SECTION)];
    section.starts_with(&[0x0a, 0x0d, 0x0d, 0x0a]) && section.windows(7).any(|octets| octets == b"airtime")
}

/// Octets of our section header, at most.
const SECTION: usize = 128;

impl Sink for CaptureFile {
    fn put(&mut self, bytes: &[u8]) {
        if self.error.is_some() {
            return;
        }
        self.error = self.record(bytes).err();
    }

    #[cfg(unix)]
    fn put_head(&mut self, bytes: &[u8]) {
        if let Some(ring) = &mut self.ring {
            ring.head(bytes);
        }
        self.put(bytes);
        // One that nothing is put into is a capture as well.
        if self.error.is_none() {
            self.error = self.write().err();
        }
    }

    fn has_failed(&self) -> bool {
        self.error.is_some()
    }
}

/// A finished capture file.
#[derive(Debug)]
pub struct Written {
    /// Path of the file.
    pub path: PathBuf,
    /// Length of the file in octets.
    pub octets: u64,
}
