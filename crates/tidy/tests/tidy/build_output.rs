//! Build output is not tracked: it is large, differs with every machine, and hides what was changed by hand.

use crate::repository::{self, OUTPUT};

#[test]
fn no_build_output_is_tracked() {
    // Without git, nobody knows what is tracked.
    let Some(tracked) = repository::tracked() else { return };
    let found = output(&tracked);
    assert!(found.is_empty(), "build output is tracked; `git rm -r --cached` takes it out:\n{}", found.join("\n"));
}

#[test]
fn build_output_is_found_anywhere_in_a_path() {
    let paths = ["crates/wifi/target/criterion/report.json", "crates/a/src/target.rs", "dist/a", "docs/distance.md"];
    assert_eq!(output(&paths.map(str::to_owned)), ["crates/wifi/target/criterion/report.json", "dist/a"]);
}

/// Paths that lie in a folder of build output.
fn output(paths: &[String]) -> Vec<&str> {
    let is_output = |path: &&str| {
        let folder = path.rsplit_once('/').map_or("", |(folder, _)| folder);
        folder.split('/').any(|part| OUTPUT.contains(&part))
    };
    paths.iter().map(String::as_str).filter(is_output).collect()
}
