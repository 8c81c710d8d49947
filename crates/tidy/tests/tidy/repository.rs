//! Files of the repository, by their paths below its root.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Folders that hold what programs have made, and that nobody tracks.
pub const OUTPUT: [&str; 4] = ["target", "node_modules", "dist", "__pycache__"];

/// Root of the repository.
pub fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// Paths of all tracked files, with `/` between their parts; without git, of all files that are no build output.
pub fn files() -> Vec<String> {
    let mut files = tracked().unwrap_or_else(|| {
        let mut found = Vec::new();
        walk(&root(), "", &mut found);
        found
    });
    files.sort();
    assert!(files.iter().any(|path| path == "ARCHITECTURE.md"), "this is not the root of the repository");
    files
}

/// Text of the file at `path`; none if it is no text, or was deleted and git has not been told.
pub fn text(path: &str) -> Option<String> {
    fs::read_to_string(root().join(path)).ok()
}

/// Spans in backquotes that stay on one line, in their order.
pub fn quoted(page: &str) -> impl Iterator<Item = &str> {
    page.lines().flat_map(|line| line.split('`').skip(1).step_by(2))
}

/// File or folder that a page means by `path`, which is below the root or below `crates`; a folder has a slash at its end.
pub fn place(files: &[String], path: &str) -> Option<String> {
    let path = path.trim_end_matches('/');
    [path.to_owned(), format!("crates/{path}")].into_iter().find_map(|path| {
        let folder = format!("{path}/");
        match files.contains(&path) {
            true => Some(path),
            false => files.iter().any(|file| file.starts_with(&folder)).then_some(folder),
        }
    })
}

/// Paths that git tracks; none where there is no git, or no repository.
pub fn tracked() -> Option<Vec<String>> {
    let listed = Command::new("git").args(["ls-files", "-z"]).current_dir(root()).output().ok()?;
    let paths = String::from_utf8(listed.stdout).ok()?;
    let paths: Vec<String> = paths.split('\0').filter(|path| !path.is_empty()).map(str::to_owned).collect();
    (listed.status.success() && !paths.is_empty()).then_some(paths)
}

fn walk(folder: &Path, below: &str, found: &mut Vec<String>) {
    for entry in fs::read_dir(folder).expect("a folder that can be read").flatten() {
        let name = entry.file_name().to_string_lossy().into_owned();
        let path = format!("{below}{name}");
        match entry.file_type() {
            Ok(kind) if kind.is_dir() && name != ".git" && !OUTPUT.contains(&name.as_str()) => {
                walk(&entry.path(), &format!("{path}/"), found);
            }
            Ok(kind) if kind.is_file() => found.push(path),
            _ => {}
        }
    }
}

#[test]
fn the_walk_finds_what_git_tracks() {
    let mut found = Vec::new();
    walk(&root(), "", &mut found);
    let here = "crates/tidy/tests/tidy/repository.rs".to_owned();
    assert!(found.contains(&here) && found.contains(&"Cargo.toml".to_owned()));
    assert!(found.iter().all(|path| !path.starts_with("target/") && !path.starts_with(".git/")));
}

#[test]
fn places_are_below_the_root_or_a_crate() {
    let files = ["crates/a/src/b.rs", "crates/a/src/c/d.rs", "plans/e.toml"].map(str::to_owned);
    let place = |path| place(&files, path);
    assert_eq!(place("a/src/b.rs").as_deref(), Some("crates/a/src/b.rs"));
    assert_eq!((place("a/src/c").as_deref(), place("plans/").as_deref()), (Some("crates/a/src/c/"), Some("plans/")));
    assert_eq!((place("a/src/c.rs"), place("a/sr")), (None, None));
    assert_eq!(quoted("a `b` c `d/e`\n`f` and").collect::<Vec<_>>(), ["b", "d/e", "f"]);
}
