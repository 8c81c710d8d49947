//! Drafts that the dead have left.

use std::fs::{self, DirEntry, File};
use std::path::Path;

use super::{draft, name};

/// Removes drafts beside `target` that nobody writes any more. What cannot be looked at or removed stays: it is in nobody's way.
pub fn sweep(target: &Path) {
    let target = draft::resolved(target);
    if let Some(file) = target.file_name() {
        sweep_if(draft::folder(&target), |place| place == file.as_encoded_bytes());
    }
}

/// Removes every draft in `folder` that nobody writes any more.
pub fn sweep_folder(folder: &Path) {
    sweep_if(folder, |_| true);
}

fn sweep_if(folder: &Path, wanted: impl Fn(&[u8]) -> bool) {
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        if name::place(&entry.file_name()).is_some_and(&wanted) {
            remove_if_dead(&entry);
        }
    }
}

/// On a file system without locks nobody can tell, and it stays.
fn remove_if_dead(entry: &DirEntry) {
    if !entry.file_type().is_ok_and(|kind| kind.is_file()) {
        return;
    }
    let path = entry.path();
    // Some file systems lock only what may be written.
    let opened = File::options().read(true).write(true).open(&path).or_else(|_| File::open(&path));
    if let Ok(file) = opened
        && file.try_lock().is_ok()
    {
        let _ = fs::remove_file(&path);
    }
}
