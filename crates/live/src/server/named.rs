//! Names in the file system that go with the server that has made them.

use std::fs;
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};

/// A name that goes when the server does, unless something else has come to be there meanwhile.
#[derive(Debug)]
pub struct Named {
    path: PathBuf,
    /// Device and inode of what the server has made.
    own: Option<(u64, u64)>,
}

impl Named {
    /// The name of what was just made at `path`.
    pub fn of(path: &Path) -> Self {
        Self { path: path.to_owned(), own: identity(path) }
    }

    /// Path of it.
    pub fn path(&self) -> &Path {
        &self.path
    }
}

impl Drop for Named {
    fn drop(&mut self) {
        if self.own.is_some() && self.own == identity(&self.path) {
            let _ = fs::remove_file(&self.path);
        }
    }
}

fn identity(path: &Path) -> Option<(u64, u64)> {
    fs::symlink_metadata(path).ok().map(|found| (found.dev(), found.ino()))
}
