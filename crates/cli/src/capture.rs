//! Captures in files: their names, and what is written to them.

use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use airtime_capture::{Form, Sink};

use crate::exit::Failure;
use crate::place::{Place, unwritten};

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
    file: BufWriter<Place>,
    octets: u64,
    error: Option<io::Error>,
}

impl CaptureFile {
    /// Claims the place of `planned` for a capture that is put there when it is whole.
    ///
    /// # Errors
    /// When that is impossible, or something else is there and not to be replaced by `force`.
    pub fn create(planned: &Planned, force: bool) -> Result<Self, Failure> {
        let is_own = |head: &[u8]| planned.form == Form::Air && is_ours(head);
        Ok(Self::at(Place::claim(&planned.path, force, &is_own)?))
    }

    /// The same for a capture that is read while it grows.
    ///
    /// # Errors
    /// The same.
    #[cfg(unix)]
    pub fn live(planned: &Planned, force: bool) -> Result<Self, Failure> {
        let is_own = |head: &[u8]| planned.form == Form::Air && is_ours(head);
        Ok(Self::at(Place::claim(&planned.path, force, &is_own)?.begin()?))
    }

    fn at(place: Place) -> Self {
        Self { file: BufWriter::new(place), octets: 0, error: None }
    }

    /// Writes what is left, puts the file into its place, and says what there is.
    ///
    /// # Errors
    /// When anything could not be written, now or before.
    pub fn finish(mut self) -> Result<Written, Failure> {
        let path = self.file.get_ref().path().to_owned();
        let flushed = self.error.take().map_or(Ok(()), Err).and_then(|()| self.file.flush());
        flushed.map_err(|source| unwritten(&path, source))?;
        // Taken apart, for there is nothing left in it.
        self.file.into_parts().0.put()?;
        Ok(Written { path, octets: self.octets })
    }
}

/// Tells if a pcapng begins so that names the program that wrote it: airtime.
fn is_ours(head: &[u8]) -> bool {
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
        self.octets += bytes.len() as u64;
        self.error = self.file.write_all(bytes).err();
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
