//! No source file is longer than a reader keeps in mind; one that grows beyond wants to be two.

use crate::repository;

/// Lines that a source file may have.
const LINES_MAX: usize = 600;

#[test]
fn source_files_are_short() {
    let sources = repository::files().into_iter().filter(|path| counts(path));
    let long: Vec<String> = sources
        .filter_map(|path| {
            let lines = repository::text(&path)?.lines().count();
            is_long(lines).then(|| format!("{path}: {lines} lines"))
        })
        .collect();
    assert!(
        long.is_empty(),
        "above {LINES_MAX} lines; a file that needs headings wants to be two:\n{}",
        long.join("\n")
    );
}

#[test]
fn a_long_file_is_found() {
    assert!(!is_long(600) && is_long(601));
    assert!(counts("crates/ble/src/ll/event.rs") && counts("fuzz/fuzz_targets/hci.rs"));
    assert!(
        !counts("crates/rpc/tests/vectors.rs") && !counts("crates/rpc/src/generated/a.rs") && !counts("docs/plan.md")
    );
}

/// Tells if the length of a file counts: tables in tests and generated code are not read from top to bottom.
fn counts(path: &str) -> bool {
    path.ends_with(".rs") && !path.split('/').any(|part| part == "tests" || part == "generated")
}

fn is_long(lines: usize) -> bool {
    lines > LINES_MAX
}
