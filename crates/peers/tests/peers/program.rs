//! The program under test: `airtime` as cargo built it beside these tests, and not older than its sources.

use std::env;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::LazyLock;
use std::time::SystemTime;

/// Builds the program as tests of the whole workspace have it.
const BUILD: &str = "cargo test --workspace --no-run";

/// Why there is no program, or where it is. Tests of another package cannot ask cargo for its path, and do not build it: that
/// would be a second graph of everything, with other features.
static PROGRAM: LazyLock<Result<PathBuf, String>> = LazyLock::new(find);

/// A command that runs the program.
pub fn airtime() -> Command {
    match &*PROGRAM {
        Ok(program) => Command::new(program),
        Err(why) => panic!("{why}"),
    }
}

/// Why the program cannot be run, if it cannot.
pub fn lacking() -> Option<&'static str> {
    PROGRAM.as_ref().err().map(String::as_str)
}

fn find() -> Result<PathBuf, String> {
    if let Some(program) = env::var_os("AIRTIME_PROGRAM") {
        return Ok(program.into());
    }
    let test = env::current_exe().map_err(|error| error.to_string())?;
    let deps = test.parent().expect("target/PROFILE/deps/TEST");
    let program = deps.with_file_name(format!("airtime{}", env::consts::EXE_SUFFIX));
    let built = modified(&program).ok_or_else(|| format!("airtime is not built ({BUILD})"))?;
    let rules = rules(deps, built).map_err(|error| format!("{}: {error}", deps.display()))?;
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    // A source that is gone was of an earlier build.
    // What a build script has made is made of sources that are named as well, and may be made again without any change.
    let artefacts = deps.with_file_name("build");
    let is_newer = |source: &&str| {
        let source = root.join(source);
        !source.starts_with(&artefacts) && modified(&source).is_some_and(|changed| changed > built)
    };
    match rules.iter().flat_map(|rule| rule.split_whitespace()).find(is_newer) {
        Some(source) => Err(format!("airtime is older than {source} ({BUILD})")),
        None => Ok(program),
    }
}

/// What rustc has written beside the libraries of this workspace, and beside the program that was `built` then: the sources of each,
/// from the root of the workspace.
fn rules(deps: &Path, built: SystemTime) -> io::Result<Vec<String>> {
    let mut rules = Vec::new();
    for entry in fs::read_dir(deps)? {
        let file = entry?.path();
        let name = file.file_name().unwrap_or_default().to_string_lossy();
        if !name.starts_with("airtime") || !name.ends_with(".d") {
            continue;
        }
        let is_program = modified(&file.with_extension(env::consts::EXE_EXTENSION)) == Some(built);
        let text = fs::read_to_string(&file)?;
        let made = text.lines().filter_map(|line| line.split_once(": "));
        rules.extend(made.filter(|(what, _)| is_program || what.ends_with(".rlib")).map(|(_, of)| of.to_owned()));
    }
    Ok(rules)
}

fn modified(file: &Path) -> Option<SystemTime> {
    fs::metadata(file).ok()?.modified().ok()
}
