//! One-line docs begin with the noun or verb that says what the thing is.
//!
//! A one-liner is read alone: in an index, a completion list, a search. One that begins with a question word has its noun in
//! the code beside it, which is not there then.

use crate::repository;

/// Question words, none of which begins a one-liner.
const QUESTIONS: [&str; 10] = ["what", "whether", "how", "whose", "who", "whom", "when", "where", "which", "why"];

/// Prepositions, after which a question word is no better: "Of what.", "For how long."
const PREPOSITIONS: [&str; 10] = ["of", "to", "for", "from", "with", "in", "at", "by", "on", "below"];

#[test]
fn one_liners_begin_with_a_noun_or_a_verb() {
    let mut found = Vec::new();
    for path in repository::files().iter().filter(|path| is_product(path)) {
        let text = repository::text(path).unwrap_or_default();
        found.extend(questions(&text).into_iter().map(|(line, doc)| format!("{path}:{line}: {doc}")));
    }
    assert!(
        found.is_empty(),
        "a one-line doc begins with the noun or verb that says what the thing is: \"Reject reason: …\", \"Tells if …\".\n{}",
        found.join("\n")
    );
}

#[test]
fn a_question_is_found() {
    let bad = "\
//! What both ends do.

/// Reject reason: parameters out of range.
/// What follows is a second line, and may be anything.
#[derive(Debug)]
pub struct Reject {
    /// Of what.
    pub object: u8,
    /// Whether.
    #[serde(default)]
    pub enabled: bool,
    /// Whatever the peer has sent.
    pub rest: u8,
}

impl Reject {
    /// For how long, in µs.
    pub fn time(&self) -> u32 {
        // How this is computed is said in a comment, which is no doc.
        self.time
    }
}
//// What is a rule of four slashes.
";
    let lines: Vec<usize> = questions(bad).into_iter().map(|(line, _)| line).collect();
    assert_eq!(lines, [1, 7, 9, 17]);
}

#[test]
fn tests_are_left_out() {
    for path in ["crates/ble/src/air.rs", "crates/lab/src/personality/mod.rs", "firmware/rpc-size/src/lib.rs"] {
        assert!(is_product(path), "{path}");
    }
    for path in ["crates/ble/tests/src/a.rs", "crates/ble/src/air/tests.rs", "docs/src/a.md"] {
        assert!(!is_product(path), "{path}");
    }
}

/// Tells if a file is code of the product. All docs in it count, also those of private items: they are read as often.
fn is_product(path: &str) -> bool {
    let is_test = path.contains("/tests/") || path.ends_with("/tests.rs");
    path.ends_with(".rs") && path.contains("/src/") && !is_test
}

/// First lines of doc comments that begin with a question word, each with its line number.
fn questions(text: &str) -> Vec<(usize, String)> {
    let mut before = None;
    let mut found = Vec::new();
    for (number, line) in text.lines().enumerate() {
        let doc = doc(line);
        if let (Some((mark, words)), None) = (doc, before.filter(|mark| doc.is_some_and(|(now, _)| now == *mark)))
            && begins_with_a_question(words)
        {
            found.push((number + 1, format!("{mark} {words}")));
        }
        before = doc.map(|(mark, _)| mark);
    }
    found
}

/// Mark and words of a line of a doc comment.
fn doc(line: &str) -> Option<(&'static str, &str)> {
    let line = line.trim_start();
    let of = |mark: &'static str| line.strip_prefix(mark).map(|words| (mark, words.trim()));
    of("//!").or_else(|| of("///").filter(|(_, words)| !words.starts_with('/')))
}

fn begins_with_a_question(words: &str) -> bool {
    let mut words = words.split_whitespace().map(|word| word.trim_matches(|letter: char| !letter.is_alphanumeric()));
    let (first, second) = (words.next().unwrap_or_default(), words.next().unwrap_or_default());
    let is = |word: &str, list: &[&str]| list.iter().any(|listed| listed.eq_ignore_ascii_case(word));
    is(first, &QUESTIONS) || (is(first, &PREPOSITIONS) && is(second, &QUESTIONS))
}
