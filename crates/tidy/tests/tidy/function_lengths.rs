//! No function is longer than a reader holds in mind; one that grows beyond wants to be two.

use crate::repository;

/// Lines that a function may have, from its name to its last brace.
const LINES_MAX: usize = 70;

#[test]
fn functions_are_short() {
    let sources = repository::files().into_iter().filter(|path| path.ends_with(".rs"));
    let long: Vec<String> = sources
        .filter_map(|path| Some((repository::text(&path)?, path)))
        .flat_map(|(text, path)| long(&text).into_iter().map(move |(name, lines)| format!("{path}: {name}, {lines}")))
        .collect();
    assert!(long.is_empty(), "functions above {LINES_MAX} lines:\n{}", long.join("\n"));
}

#[test]
fn a_long_function_is_found() {
    let of = |lines: usize| {
        format!("impl A {{\n    pub const fn f(\n    ) {{\n{}    }}\n}}\n", "        ;\n".repeat(lines - 3))
    };
    assert!(long(&of(70)).is_empty());
    assert_eq!(long(&of(71)), [("f".to_owned(), 71)]);
    assert!(long(&format!("fn f();\n{}}}\n", ";\n".repeat(80))).is_empty(), "a declaration has no lines");
}

/// Names of the functions of a formatted source that are too long, with their lines.
fn long(text: &str) -> Vec<(String, usize)> {
    let lines: Vec<&str> = text.lines().collect();
    let length = |at: usize| {
        let (indent, name) = function(lines[at])?;
        // Rustfmt puts the brace that ends it under its beginning.
        let ends = |line: &&str| line.strip_prefix(indent).is_some_and(|rest| rest == "}" || rest == ") {}");
        let last = lines[at..].iter().position(ends)?;
        let is_body = !lines[at].ends_with(['}', ';']);
        (is_body && last + 1 > LINES_MAX).then(|| (name.to_owned(), last + 1))
    };
    (0..lines.len()).filter_map(length).collect()
}

/// Indentation and name of the function that begins in a line.
fn function(line: &str) -> Option<(&str, &str)> {
    let code = line.trim_start();
    let indent = &line[..line.len() - code.len()];
    let (before, behind) = code.split_once("fn ")?;
    let is_head =
        |word: &str| matches!(word, "const" | "async" | "unsafe" | "extern" | "\"C\"") || word.starts_with("pub");
    // `pub(in crate::a)` has a space in it.
    let is_declared = before.split_whitespace().all(|word| is_head(word) || word.ends_with(')'));
    let name = behind.split(['(', '<']).next()?;
    is_declared.then_some((indent, name))
}
