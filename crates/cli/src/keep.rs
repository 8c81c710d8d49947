//! Keeping of the results of `-o`: a run folder, or one file. Either is opened, and proved to take a byte, before
//! anything is measured.

use std::fs::{File, OpenOptions};
use std::io::{self, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use airtime_report::{Export, Sheet, Text};
use airtime_study::RunFolder;

use crate::exit::Failure;
use crate::output::{self, Form};

/// Place where results are kept.
#[derive(Debug)]
pub enum Keep {
    /// A folder with a line per finished point, which a later run can go on with.
    Folder(RunFolder),
    /// A file in the form its name ends in.
    File(Kept),
}

/// An open file and the form it is to have.
#[derive(Debug)]
pub struct Kept {
    path: PathBuf,
    file: File,
    form: Form,
}

impl Keep {
    /// Opens `path`: as a file when it ends in `.json`, `.csv`, `.md` or `.txt` or is one already, else
    /// as a run folder.
    ///
    /// # Errors
    /// When it cannot be opened or written, or a file was to be resumed.
    pub fn open(path: &Path, resume: bool) -> Result<Self, Failure> {
        let form = match path.extension().and_then(|extension| extension.to_str()) {
            Some("json") => Some(Form::Json),
            Some("csv") => Some(Form::Csv),
            Some("md") => Some(Form::Markdown),
            Some("txt") => Some(Form::Text),
            _ => (path.exists() && !path.is_dir()).then_some(Form::Json),
        };
        if form.is_none() && !path.exists() && named_as_a_document(path) {
            return Err(Failure::BadInput(format!(
                "`{}`: a file ends in .json, .csv, .md or .txt, and a folder in none of the endings that documents have",
                path.display()
            )));
        }
        match form.filter(|_| !path.is_dir()) {
            None => Ok(Self::Folder(RunFolder::open(path, resume)?)),
            Some(_) if resume => Err(Failure::BadInput(format!(
                "--resume goes on with a run folder, and `{}` is a file",
                path.display()
            ))),
            Some(form) => Ok(Self::File(Kept::open(path, form)?)),
        }
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
    fn open(path: &Path, form: Form) -> Result<Self, Failure> {
        let open = OpenOptions::new().write(true).create(true).truncate(false).open(path);
        let mut file = open.map_err(|source| Failure::Open { path: path.to_owned(), source })?;
        prove(&mut file).map_err(|source| Failure::Write { what: format!("`{}`", path.display()), source })?;
        Ok(Self { path: path.to_owned(), file, form })
    }

    /// Writes the results; those that an earlier run has left are replaced only now.
    fn write(&mut self, sheet: &Sheet) -> Result<(), Failure> {
        let exporter: Box<dyn Export> = match self.form {
            // A file is as wide as it needs to be, whatever the terminal.
            Form::Text => Box::new(Text::default()),
            form => form.exporter(),
        };
        let Self { path, file, .. } = self;
        let written = begin_anew(file).and_then(|()| output::streamed(&*file, |out| exporter.export(sheet, out)));
        written.map_err(|source| Failure::Write { what: format!("`{}`", path.display()), source })
    }
}

/// Forgets what a plain file holds.
fn begin_anew(mut file: &File) -> io::Result<()> {
    if file.metadata()?.is_file() {
        file.set_len(0)?;
        file.seek(SeekFrom::Start(0))?;
    }
    Ok(())
}

/// Tells if somebody who wrote this path expects a document of a kind that there is none of, and would be surprised by
/// a folder.
fn named_as_a_document(path: &Path) -> bool {
    const KINDS: [&str; 10] = ["html", "htm", "svg", "pdf", "png", "xml", "yaml", "yml", "tsv", "jsonl"];
    path.extension().is_some_and(|ending| KINDS.iter().any(|kind| ending.eq_ignore_ascii_case(kind)))
}

/// Writes a byte to the end of a plain file and takes it back: a full disk is known before, not
/// after an hour of measuring.
fn prove(file: &mut File) -> io::Result<()> {
    let metadata = file.metadata()?;
    if metadata.is_file() {
        file.seek(SeekFrom::End(0))?;
        file.write_all(b"\n")?;
        file.sync_data()?;
        file.set_len(metadata.len())?;
    }
    Ok(())
}
