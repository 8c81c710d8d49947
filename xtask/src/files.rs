//! Files and folders of the repository, with errors that name them.

use std::fs;
use std::path::{Path, PathBuf};

/// Root of the repository.
pub fn root() -> Result<PathBuf, String> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    root.canonicalize().map_err(|error| said(&root, &error))
}

/// Error of a file as a sentence.
pub fn said(path: &Path, error: &dyn std::fmt::Display) -> String {
    format!("{}: {error}", path.display())
}

/// Makes `folder` with nothing in it.
pub fn emptied(folder: &Path) -> Result<(), String> {
    if folder.exists() {
        fs::remove_dir_all(folder).map_err(|error| said(folder, &error))?;
    }
    made(folder)
}

/// Makes `folder` where it is not there.
pub fn made(folder: &Path) -> Result<(), String> {
    fs::create_dir_all(folder).map_err(|error| said(folder, &error))
}

/// Copies a file.
pub fn copy(from: &Path, to: &Path) -> Result<(), String> {
    fs::copy(from, to).map(drop).map_err(|error| said(from, &error))
}

/// Text of a file.
pub fn text(path: &Path) -> Result<String, String> {
    fs::read_to_string(path).map_err(|error| said(path, &error))
}

/// Writes a file, and the folder that it is in where that is not there.
pub fn write(path: &Path, content: impl AsRef<[u8]>) -> Result<(), String> {
    if let Some(folder) = path.parent() {
        made(folder)?;
    }
    fs::write(path, content).map_err(|error| said(path, &error))
}

/// Files below `folder` whose names end in `ending`, in the order of their paths.
pub fn below(folder: &Path, ending: &str) -> Result<Vec<PathBuf>, String> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).map_err(|error| said(folder, &error))? {
        let path = entry.map_err(|error| said(folder, &error))?.path();
        match path.is_dir() {
            true => found.extend(below(&path, ending)?),
            false if path.to_string_lossy().ends_with(ending) => found.push(path),
            false => {}
        }
    }
    found.sort();
    Ok(found)
}
