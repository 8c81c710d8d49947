//! The explorer where it is built, for a program that does not have it inside.

use std::env;
use std::path::{Path, PathBuf};

use super::site::{self, Site};
use crate::exit::Failure;

/// Folder that the explorer is built into, from the top of the repository.
const BUILT: &str = "target/explorer";

/// The explorer; `how` says how to get one that is nowhere.
pub fn site(how: &str) -> Result<Site, Failure> {
    let built = places().into_iter().find(|folder| site::is_one(folder));
    let folder = built.ok_or_else(|| Failure::Machine(format!("the explorer is not built: {how}")))?;
    Site::read(&folder).map_err(|why| Failure::Machine(format!("{}: {why}", folder.display())))
}

/// Folders where it is looked for: below the one that the program was started in, and beside the program that cargo has built.
fn places() -> Vec<PathBuf> {
    let program = env::current_exe().ok();
    let beside = program.as_deref().and_then(Path::parent).and_then(Path::parent).map(|target| target.join("explorer"));
    [Some(PathBuf::from(BUILT)), beside].into_iter().flatten().collect()
}
