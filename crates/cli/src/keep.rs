//! Keeping of the results of `-o`: a run folder, and files. All of them are looked at, and proved to take an octet, before anything is
//! measured.

use std::io::{self, Write};
use std::path::{Path, PathBuf};

use airtime_figures::{BEGINS, Figure, GENERATOR, document};
use airtime_lab::record::SCHEMA;
use airtime_lab::{compare, explain, run};
use airtime_report::{Csv, Explanation, Export, Sheet, Text, figures};
use airtime_study::{Opening, Part, RunFolder};

use crate::answer::Answer;
use crate::exit::Failure;
use crate::output::{self, Form};
use crate::place::{Place, unwritten};
use crate::png;
use crate::table;

/// Places where results are kept.
#[derive(Debug)]
pub struct Keep {
    /// A folder with a line per finished point, which a later run can go on with.
    folder: Option<RunFolder>,
    /// Files in the forms that their names end in.
    files: Vec<Kept>,
}

/// A claimed file and the form it is to have.
#[derive(Debug)]
struct Kept {
    place: Place,
    form: FileForm,
}

/// Form of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum FileForm {
    /// As on standard output.
    Printed(Form),
    /// Figures.
    Svg,
    /// The same, as pixels.
    Png,
    /// Figures and tables as one page.
    Html,
    /// A table of columns, of records alone.
    Table,
}

/// Kind of what is kept: what tells a file of the same command from others.
#[derive(Clone, Copy, Debug)]
struct Kind {
    schema: &'static str,
    csv: &'static str,
}

/// Records of runs.
const RUNS: Kind = Kind { schema: SCHEMA, csv: Csv::BEGINS };

/// Explanation of one.
const EXPLANATION: Kind = Kind { schema: explain::SCHEMA, csv: "kind,name,kbps," };

/// Comparison of several.
const COMPARISON: Kind = Kind { schema: compare::SCHEMA, csv: "of_a,of_b,point," };

/// Wish to keep results, and what may become of those that are there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Wish {
    /// The folder or file.
    pub path: PathBuf,
    /// Opening of a folder; of a file, leave to replace it.
    pub opening: Opening,
}

impl Keep {
    /// Opens what `wishes` name for results of `plans`, or of a `part` of their grid: a file when its name ends as a form does or it is a device or a pipe, else a run
    /// folder, whose name ends in nothing or in a slash.
    ///
    /// # Errors
    /// When one cannot be opened or written or is somebody else's, when two are the same or both folders, or files alone were to be resumed.
    pub fn open(wishes: &[Wish], plans: &str, part: Option<Part>) -> Result<Self, Failure> {
        let mut keep = Self::files(wishes, RUNS)?;
        let mut folders = Vec::new();
        for wish in wishes {
            if form(&wish.path)?.is_none() {
                folders.push(wish);
            }
        }
        keep.folder = match folders.as_slice() {
            [] => None,
            [Wish { path, opening }] => Some(RunFolder::open_part(path, plans, part, *opening)?),
            [_, second, ..] => {
                let path = second.path.display();
                return Err(Failure::BadInput(format!("-o {path}: one run folder is enough; the others are files")));
            }
        };
        if let (None, Some(Wish { path, opening: Opening::Resume })) = (&keep.folder, wishes.first()) {
            let path = path.display();
            return Err(Failure::BadInput(format!("--resume goes on with a run folder, and `{path}` is a file")));
        }
        Ok(keep)
    }

    /// Opens what `wishes` name for an explanation.
    ///
    /// # Errors
    /// When one is a folder, cannot be written, is somebody else's, or two are the same.
    pub fn explanation(wishes: &[Wish]) -> Result<Self, Failure> {
        Self::files_alone(wishes, EXPLANATION, "an explanation")
    }

    /// Opens what `wishes` name for a comparison.
    ///
    /// # Errors
    /// When one is a folder, cannot be written, is somebody else's, or two are the same.
    pub fn comparison(wishes: &[Wish]) -> Result<Self, Failure> {
        Self::files_alone(wishes, COMPARISON, "a comparison")
    }

    /// Opens `wishes`, all of which are files, for what has no records and is called `what`.
    fn files_alone(wishes: &[Wish], kind: Kind, what: &str) -> Result<Self, Failure> {
        for Wish { path, .. } in wishes {
            let form = form(path)?;
            if form.is_none() {
                let path = path.display();
                return Err(Failure::BadInput(format!("-o {path}: {what} is a file, such as {path}.html")));
            }
            if form == Some(FileForm::Table) {
                let path = path.display();
                return Err(Failure::BadInput(format!("-o {path}: Parquet is for records, and {what} has none")));
            }
        }
        Self::files(wishes, kind)
    }

    /// Opens the files among `wishes` for results of this kind.
    ///
    /// # Errors
    /// When one cannot be written or is somebody else's, or two are the same.
    fn files(wishes: &[Wish], kind: Kind) -> Result<Self, Failure> {
        let mut files = Vec::new();
        for (position, Wish { path, opening }) in wishes.iter().enumerate() {
            if wishes[..position].iter().any(|before| before.path == *path) {
                return Err(Failure::BadInput(format!("-o {}: it is asked for twice", path.display())));
            }
            if let Some(form) = form(path)? {
                let place = Place::claim(path, *opening == Opening::Replace, &|head| is_own(form, kind, head))?;
                files.push(Kept { place, form });
            }
        }
        Ok(Self { folder: None, files })
    }

    /// The folder, if there is one.
    pub fn folder(&self) -> Option<&RunFolder> {
        self.folder.as_ref()
    }

    /// Writes `sheet` to the files; a folder has its records already.
    ///
    /// # Errors
    /// When a file cannot be written; the others are.
    pub fn finish(&mut self, sheet: &Sheet) -> Result<(), Failure> {
        let tables = self.finish_tables(sheet);
        let others = self.write(&|form, out| match form {
            FileForm::Table => Ok(()),
            FileForm::Printed(form) => exporter(form).export(sheet, out),
            FileForm::Svg => out.write_all(document(&figures::figures(sheet), &command()).as_bytes()),
            FileForm::Png => out.write_all(&png::png(&document(&figures::figures(sheet), &command()))?),
            FileForm::Html => out.write_all(figures::page(sheet, &command()).html().as_bytes()),
        });
        tables.and(others)
    }

    /// Writes the tables of columns among the files, which are none of them behind it.
    fn finish_tables(&mut self, sheet: &Sheet) -> Result<(), Failure> {
        let (tables, others): (Vec<Kept>, _) = self.files.drain(..).partition(|kept| kept.form == FileForm::Table);
        self.files = others;
        let mut all = Ok(());
        for Kept { place, .. } in tables {
            all = all.and(table::write(sheet, place));
        }
        all
    }

    /// Writes `explanation` to the files.
    ///
    /// # Errors
    /// When a file cannot be written; the others are.
    pub fn finish_explained(&mut self, explanation: &Explanation, quiet: bool) -> Result<(), Failure> {
        self.write(&|form, out| match form {
            FileForm::Printed(Form::Json) => airtime_report::json(explanation, out),
            FileForm::Printed(Form::Csv) => Csv.export_table(&explanation.figures(), out),
            FileForm::Printed(form) => exporter(form).export_table(&explanation.table(quiet), out),
            FileForm::Svg => out.write_all(document(&figures::explained(explanation), &command()).as_bytes()),
            FileForm::Png => out.write_all(&png::png(&document(&figures::explained(explanation), &command()))?),
            FileForm::Html => out.write_all(figures::explained_page(explanation, &command()).html().as_bytes()),
            FileForm::Table => Ok(()),
        })
    }

    /// Writes `answer` to the files.
    ///
    /// # Errors
    /// When a file cannot be written; the others are.
    pub fn finish_answer(&mut self, answer: &Answer<'_>) -> Result<(), Failure> {
        let Answer { title, tables, figures: drawn, .. } = answer;
        self.write(&|form, out| match form {
            FileForm::Printed(form) => answer.write(form, &*exporter(form), out),
            FileForm::Svg => out.write_all(document(drawn, &command()).as_bytes()),
            FileForm::Png => out.write_all(&png::png(&document(drawn, &command()))?),
            FileForm::Html => out.write_all(figures::answered_page(title, drawn, tables, &command()).html().as_bytes()),
            FileForm::Table => Ok(()),
        })
    }

    /// Opens the pictures and pages that `paths` name.
    ///
    /// # Errors
    /// When one cannot be written or is somebody else's, or two are the same.
    pub fn pictures(paths: &[PathBuf], force: bool) -> Result<Self, Failure> {
        let opening = if force { Opening::Replace } else { Opening::Fresh };
        let wishes: Vec<Wish> = paths.iter().map(|path| Wish { path: path.clone(), opening }).collect();
        Self::files(&wishes, RUNS)
    }

    /// Writes `drawn`, figures of what is called `title`, to pictures and pages.
    ///
    /// # Errors
    /// When a file cannot be written; the others are.
    pub fn finish_pictures(&mut self, title: &str, drawn: &[Figure]) -> Result<(), Failure> {
        self.write(&|form, out| match form {
            FileForm::Html => out.write_all(figures::drawn_page(title, drawn, &command()).html().as_bytes()),
            FileForm::Png => out.write_all(&png::png(&document(drawn, &command()))?),
            FileForm::Table => Ok(()),
            FileForm::Svg | FileForm::Printed(_) => out.write_all(document(drawn, &command()).as_bytes()),
        })
    }

    fn write(&mut self, write: &dyn Fn(FileForm, &mut dyn Write) -> io::Result<()>) -> Result<(), Failure> {
        let mut all = Ok(());
        for Kept { mut place, form } in self.files.drain(..) {
            let written = output::streamed(&mut place, |out| write(form, out));
            let placed = written.map_err(|source| unwritten(place.path(), source)).and_then(|()| place.put());
            all = all.and(placed);
        }
        all
    }
}

/// Tells if `path` is named as a picture or a page, and is no folder.
pub fn is_picture(path: &Path) -> bool {
    matches!(form(path), Ok(Some(FileForm::Svg | FileForm::Png | FileForm::Html)))
}

/// The line that was typed, as a shell takes it.
pub fn command() -> String {
    let words = std::env::args_os().skip(1).map(|word| run::quoted(&word.to_string_lossy()));
    ["airtime".to_owned()].into_iter().chain(words).collect::<Vec<_>>().join(" ")
}

fn exporter(form: Form) -> Box<dyn Export> {
    match form {
        // A file is as wide as it needs to be, whatever the terminal.
        Form::Text => Box::new(Text::default()),
        form => form.exporter(),
    }
}

/// Form of the file that `path` is, or nothing where it is a folder or is to be one.
fn form(path: &Path) -> Result<Option<FileForm>, Failure> {
    let is_named_as_a_folder = path.as_os_str().as_encoded_bytes().last().is_some_and(|last| b"/\\".contains(last));
    if path.is_dir() || (is_named_as_a_folder && !path.exists()) {
        return Ok(None);
    }
    match path.extension().and_then(|extension| extension.to_str()) {
        Some("json") => Ok(Some(FileForm::Printed(Form::Json))),
        Some("csv") => Ok(Some(FileForm::Printed(Form::Csv))),
        Some("md") => Ok(Some(FileForm::Printed(Form::Markdown))),
        Some("txt") => Ok(Some(FileForm::Printed(Form::Text))),
        Some("svg") => Ok(Some(FileForm::Svg)),
        Some("png") => Ok(Some(FileForm::Png)),
        Some("html") => Ok(Some(FileForm::Html)),
        Some("parquet") if cfg!(feature = "parquet") => Ok(Some(FileForm::Table)),
        // A device, a pipe: whoever reads it wants what programs read.
        _ if path.exists() && !path.is_file() || path.starts_with("/dev") => Ok(Some(FileForm::Printed(Form::Json))),
        None if path.extension().is_none() && !path.exists() => Ok(None),
        _ => Err(Failure::BadInput(format!(
            "`{}`: a file ends in .json, .csv, .parquet, .md, .txt, .svg, .png or .html, and the name of a folder in no ending, or in a slash",
            path.display()
        ))),
    }
}

/// Tells if a file that begins so is what results of this kind were written as in this form. Tables for people begin with whatever a plan
/// is called.
fn is_own(form: FileForm, kind: Kind, head: &[u8]) -> bool {
    match form {
        FileForm::Printed(Form::Json) => {
            let (name, _) = kind.schema.rsplit_once('/').unwrap_or((kind.schema, ""));
            let dense: Vec<u8> = head.iter().copied().filter(|octet| !octet.is_ascii_whitespace()).collect();
            dense.starts_with(format!("{{\"schema\":\"{name}/").as_bytes())
        }
        FileForm::Printed(Form::Csv) => head.starts_with(kind.csv.as_bytes()),
        FileForm::Printed(Form::Text | Form::Markdown) => false,
        FileForm::Svg => head.starts_with(BEGINS.as_bytes()),
        FileForm::Png => png::is_own(head),
        FileForm::Html => head.windows(GENERATOR.len()).any(|part| part == GENERATOR.as_bytes()),
        // What a file of Parquet holds is told at its end.
        FileForm::Table => false,
    }
}
