//! Names in the file system that go with the server that has made them.

use std::fs;
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};

/// Device and inode of what the server has made, and the target of a link: the number of one that has gone is given to the next.
type Identity = (u64, u64, Option<PathBuf>);

/// A name that goes when the server does, unless something else has come to be there meanwhile.
#[derive(Debug)]
pub struct Named {
    path: PathBuf,
    own: Option<Identity>,
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

fn identity(path: &Path) -> Option<Identity> {
    fs::symlink_metadata(path).ok().map(|found| (found.dev(), found.ino(), fs::read_link(path).ok()))
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::symlink;

    use super::*;

    #[test]
    fn a_link_goes_with_its_server_and_one_that_leads_elsewhere_stays() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("tty");
        symlink("/dev/pts/7", &path).unwrap();
        drop(Named::of(&path));
        assert!(fs::symlink_metadata(&path).is_err());
        symlink("/dev/pts/7", &path).unwrap();
        let mut named = Named::of(&path);
        // Another, in the same place of the disk.
        let (device, inode, _) = named.own.take().unwrap();
        named.own = Some((device, inode, Some("/dev/pts/6".into())));
        drop(named);
        assert_eq!(fs::read_link(&path).unwrap(), Path::new("/dev/pts/7"));
    }
}
