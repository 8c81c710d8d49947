//! Keeping of the results of `-o`: a run folder, or one file. Either is looked at, and proved to take an octet, before
//! anything is measured.

use std::path::{Path, PathBuf};

use airtime_lab::record::SCHEMA;
use airtime_report::{Csv, Export, Sheet, Text};
use airtime_study::{Opening, RunFolder};

use crate::exit::Failure;
use crate::output::{self, Form};
use crate::place::{Place, unwritten};

/// Place where results are kept.
#[derive(Debug)]
pub enum Keep {
    /// A folder with a line per finished point, which a later run can go on with.
    Folder(RunFolder),
    /// A file in the form its name ends in.
    File(Kept),
}

/// A claimed file and the form it is to have.
#[derive(Debug)]
pub struct Kept {
    place: Option<Place>,
    form: Form,
}

/// Wish to keep results, and what may become of those that are there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Wish {
    /// The folder or file.
    pub path: PathBuf,
    /// Opening of a folder; of a file, leave to replace it.
    pub opening: Opening,
}

impl Keep {
    /// Opens what `wish` names for results of `plans`: a file when its name ends in `.json`, `.csv`, `.md` or `.txt` or it is a device
    /// or a pipe, else a run folder, whose name ends in nothing or in a slash.
    ///
    /// # Errors
    /// When it cannot be opened or written, is somebody else's, or a file was to be resumed.
    pub fn open(wish: &Wish, plans: &str) -> Result<Self, Failure> {
        let Wish { path, opening } = wish;
        let Some(form) = form(path)? else { return Ok(Self::Folder(RunFolder::open(path, plans, *opening)?)) };
        if *opening == Opening::Resume {
            let path = path.display();
            return Err(Failure::BadInput(format!("--resume goes on with a run folder, and `{path}` is a file")));
        }
        let place = Place::claim(path, *opening == Opening::Replace, &|head| is_own(form, head))?;
        Ok(Self::File(Kept { place: Some(place), form }))
    }

    /// The folder, if it is one.
    pub fn folder(&self) -> Option<&RunFolder> {
        match self {
            Self::Folder(folder) => Some(folder),
            Self::File(_) => None,
        }
    }

    /// Writes `sheet` to the file; a folder has its records already.
    ///
    /// # Errors
    /// When the file cannot be written.
    pub fn finish(&mut self, sheet: &Sheet) -> Result<(), Failure> {
        match self {
            Self::Folder(_) => Ok(()),
            Self::File(kept) => kept.write(sheet),
        }
    }
}

impl Kept {
    fn write(&mut self, sheet: &Sheet) -> Result<(), Failure> {
        let Some(mut place) = self.place.take() else { return Ok(()) };
        let exporter: Box<dyn Export> = match self.form {
            // A file is as wide as it needs to be, whatever the terminal.
            Form::Text => Box::new(Text::default()),
            form => form.exporter(),
        };
        let written = output::streamed(&mut place, |out| exporter.export(sheet, out));
        written.map_err(|source| unwritten(place.path(), source))?;
        place.put()
    }
}

/// Form of the file that `path` is, or nothing where it is a folder or is to be one.
fn form(path: &Path) -> Result<Option<Form>, Failure> {
    let is_named_as_a_folder = path.as_os_str().as_encoded_bytes().last().is_some_and(|last| b"/\\".contains(last));
    if path.is_dir() || (is_named_as_a_folder && !path.exists()) {
        return Ok(None);
    }
    match path.extension().and_then(|extension| extension.to_str()) {
        Some("json") => Ok(Some(Form::Json)),
        Some("csv") => Ok(Some(Form::Csv)),
        Some("md") => Ok(Some(Form::Markdown)),
        Some("txt") => Ok(Some(Form::Text)),
        // A device, a pipe: whoever reads it wants what programs read.
        _ if path.exists() && !path.is_file() || path.starts_with("/dev") => Ok(Some(Form::Json)),
        None if path.extension().is_none() && !path.exists() => Ok(None),
        _ => Err(Failure::BadInput(format!(
            "`{}`: a file ends in .json, .csv, .md or .txt, and the name of a folder in no ending, or in a slash",
            path.display()
        ))),
    }
}

/// Tells if a file that begins so is what a measurement has written in this form. Tables for people begin with whatever a plan is called.
fn is_own(form: Form, head: &[u8]) -> bool {
    match form {
        Form::Json => {
            let (kind, _) = SCHEMA.rsplit_once('/').unwrap_or((SCHEMA, ""));
            let dense: Vec<u8> = head.iter().copied().filter(|octet| !octet.is_ascii_whitespace()).collect();
            dense.starts_with(format!("{{\"schema\":\"{kind}/").as_bytes())
        }
        Form::Csv => head.starts_with(Csv::BEGINS.as_bytes()),
        Form::Text | Form::Markdown => false,
    }
}
