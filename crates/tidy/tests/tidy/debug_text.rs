//! No text of `Debug` in digests, files and comparisons.

use std::collections::BTreeSet;

use crate::repository;

/// Macros whose text is read by a programmer, and by nothing else: it ends the program, or is a line of a board's log.
const FOR_PROGRAMMERS: [&str; 10] = [
    "panic",
    "unreachable",
    "assert",
    "assert_eq",
    "assert_ne",
    "debug_assert",
    "debug_assert_eq",
    "error",
    "warn",
    "info",
];

/// Files that may, and why.
const ALLOWED: [(&str, &str); 5] = [
    ("plans/build.rs", "Rust source: the text of a `str` is its literal"),
    ("firmware/coc/build/emit.rs", "Rust source: the text of a `str` or of a variant without fields is its literal"),
    ("firmware/coc/build/limits.rs", "a message of a build: the policy that the board has not"),
    ("firmware/rpc/build.rs", "Rust source: the text of an array of octets is its literal"),
    ("crates/nrf24/src/driver/error.rs", "a message: the register by its name"),
];

/// `Debug` is for programmers: its text changes with a field's name, with a compiler, and, where there is an address in it, with
/// every start. Whatever is kept, compared or digested has a form of its own.
#[test]
fn no_text_of_debug_is_kept_or_compared() {
    let files = repository::files();
    let tests = tests(&files);
    let mut found = Vec::new();
    for path in files.iter().filter(|path| is_product(path) && !tests.iter().any(|test| path.starts_with(test))) {
        let lines = debugged(&repository::text(path).unwrap_or_default());
        if ALLOWED.iter().all(|(allowed, _)| allowed != path) {
            found.extend(lines.into_iter().map(|(line, text)| format!("{path}:{line}: {text}")));
        } else {
            assert!(!lines.is_empty(), "{path}: it is allowed for nothing");
        }
    }
    assert!(
        found.is_empty(),
        "the text of `Debug` is no form that lasts; write the values themselves, as JSON or by `Display`:\n{}",
        found.join("\n")
    );
}

#[test]
fn a_text_of_debug_is_found() {
    let bad = "\
/// `{x:?}` in a doc.
fn a(x: &X) -> String {
    assert!(x.is(), \"{x:?}\");
    let y = x.y().unwrap_or_else(|| panic!(
        \"none in {x:#?}\"
    ));
    format!(\"{y:?}\") // line 7
}
impl fmt::Debug for X {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, \"{:?}\", self.0)
    }
}
fn b(x: &X) -> String {
    format!(\"{:02x?} {{ {0:?} }}\", x) // line 15
}
#[cfg(test)]
mod tests {
    fn c() -> String {
        format!(\"{:?}\", 1)
    }
}
";
    let lines: Vec<usize> = debugged(bad).into_iter().map(|(line, _)| line).collect();
    assert_eq!(lines, [7, 15]);
}

#[test]
fn modules_of_tests_are_known() {
    let found =
        modules_of_tests("crates/a/src/b/mod.rs", "mod x;\n#[cfg(test)]\nmod shown;\n#[cfg(test)]\nmod tests {\n");
    assert_eq!(found, ["crates/a/src/b/shown.rs", "crates/a/src/b/shown/"]);
    assert_eq!(modules_of_tests("crates/a/src/c.rs", "#[cfg(test)]\nmod t;\n")[1], "crates/a/src/c/t/");
    assert_eq!(modules_of_tests("crates/a/src/lib.rs", "#[cfg(test)]\npub(crate) mod t;\n")[0], "crates/a/src/t.rs");
}

/// Tells if a file is code of the product, or writes some while it is built.
fn is_product(path: &str) -> bool {
    let builds = path.ends_with("build.rs") || path.contains("/build/");
    let is_test = path.contains("/tests/") || path.contains("/benches/") || path.starts_with("fuzz/");
    path.ends_with(".rs") && !is_test && (builds || path.contains("/src/"))
}

/// Files, and folders with a slash at their end, that are compiled for tests alone.
fn tests(files: &[String]) -> BTreeSet<String> {
    let sources = files.iter().filter(|path| is_product(path));
    sources.flat_map(|path| modules_of_tests(path, &repository::text(path).unwrap_or_default())).collect()
}

fn modules_of_tests(path: &str, text: &str) -> Vec<String> {
    let (folder, file) = path.rsplit_once('/').unwrap_or(("", path));
    let below = match file {
        "mod.rs" | "lib.rs" | "main.rs" => folder.to_owned(),
        other => format!("{folder}/{}", other.trim_end_matches(".rs")),
    };
    let mut lines = text.lines().map(str::trim);
    let mut found = Vec::new();
    while let Some(line) = lines.next() {
        if line != "#[cfg(test)]" {
            continue;
        }
        let declared = lines.next().unwrap_or_default().rsplit_once("mod ").map(|(_, name)| name);
        if let Some(name) = declared.and_then(|name| name.strip_suffix(';')) {
            found.extend([format!("{below}/{name}.rs"), format!("{below}/{name}/")]);
        }
    }
    found
}

/// Lines that write the text of `Debug` somewhere else than to a programmer.
fn debugged(text: &str) -> Vec<(usize, String)> {
    let product = text.split("#[cfg(test)]\nmod tests {").next().unwrap_or_default();
    let mut called = String::new();
    let mut implements = false;
    let mut found = Vec::new();
    for (number, line) in product.lines().enumerate().filter(|(_, line)| !line.trim_start().starts_with("//")) {
        if line.trim_start().starts_with("impl") {
            implements = line.contains("Debug for ");
        } else if line.starts_with('}') {
            implements = false;
        }
        let mut rest = line;
        // What comes first on the line, macro or placeholder, is looked at first.
        while let Some(at) = rest.find(['!', '?']) {
            let (before, behind) = rest.split_at(at);
            if behind.starts_with("!(") {
                let from =
                    before.rfind(|letter: char| !letter.is_alphanumeric() && letter != '_').map_or(0, |at| at + 1);
                called = before[from..].to_owned();
            }
            let is_debug =
                behind.starts_with("?}") && before.rfind('{').is_some_and(|open| before[open..].contains(':'));
            if is_debug && !implements && !FOR_PROGRAMMERS.contains(&called.as_str()) {
                found.push((number + 1, line.trim().to_owned()));
                break;
            }
            rest = &behind[1..];
        }
    }
    found
}
