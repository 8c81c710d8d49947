//! Captures in files: their names, and what is written to them.

use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use airtime_capture::{Form, Sink};

use crate::exit::Failure;

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
    path: PathBuf,
    file: BufWriter<File>,
    octets: u64,
    error: Option<io::Error>,
}

impl CaptureFile {
    /// Opens the file at `path`.
    ///
    /// # Errors
    /// When that is impossible.
    pub fn create(path: PathBuf) -> Result<Self, Failure> {
        let file = File::create(&path).map_err(|source| Failure::Open { path: path.clone(), source })?;
        Ok(Self { path, file: BufWriter::new(file), octets: 0, error: None })
    }

    /// Writes what is left and says what there is.
    ///
    /// # Errors
    /// When anything could not be written, now or before.
    pub fn finish(mut self) -> Result<Written, Failure> {
        let flushed = self.error.take().map_or(Ok(()), Err).and_then(|()| self.file.flush());
        flushed.map_err(|source| Failure::Write { what: format!("`{}`", self.path.display()), source })?;
        Ok(Written { path: self.path, octets: self.octets })
    }
}

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
