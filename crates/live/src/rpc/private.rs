//! Files that only their owner reads: by their mode on UNIX; elsewhere the folders of a user are closed to others as they are.

use std::fs::{DirBuilder, Metadata, OpenOptions};
use std::io;
#[cfg(unix)]
use std::os::unix::fs::{DirBuilderExt as _, OpenOptionsExt as _, PermissionsExt as _};
use std::path::Path;

/// Options for a file that only its owner reads.
pub fn options() -> OpenOptions {
    let mut options = OpenOptions::new();
    #[cfg(unix)]
    options.mode(0o600);
    options.write(true).create(true);
    options
}

/// Makes the folder of `path`, for its owner only, if it is not there.
pub fn make_folder_of(path: &Path) -> io::Result<()> {
    let mut builder = DirBuilder::new();
    #[cfg(unix)]
    builder.mode(0o700);
    builder.recursive(true);
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    folder.map_or(Ok(()), |folder| builder.create(folder))
}

/// The mode of a file that others can read or write.
pub fn open_to_others(file: &Metadata) -> Option<u32> {
    #[cfg(unix)]
    let mode = file.permissions().mode() & 0o7777;
    #[cfg(not(unix))]
    let (mode, _) = (0, file);
    (mode & 0o077 != 0).then_some(mode)
}
