//! The program, as a script calls it.

use std::path::Path;
use std::process::{Command, Output};

use serde_json::Value;

/// The program with these arguments.
pub fn airtime(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_airtime")).args(arguments).output().unwrap()
}

/// The same with these keys set.
pub fn airtime_with(arguments: &[&str], set: &[&str]) -> Output {
    let set = set.iter().flat_map(|set| ["--set", set]);
    airtime(&arguments.iter().copied().chain(set).collect::<Vec<_>>())
}

/// What the program prints as JSON when all is well.
pub fn json(output: &Output) -> Value {
    assert_eq!((output.status.code(), stderr(output)), (Some(0), ""));
    serde_json::from_slice(&output.stdout).unwrap()
}

/// What it says went wrong.
pub fn stderr(output: &Output) -> &str {
    str::from_utf8(&output.stderr).unwrap()
}

/// A path as an argument.
pub fn text(path: &Path) -> &str {
    path.to_str().unwrap()
}
