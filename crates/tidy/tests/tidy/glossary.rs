//! Words of the glossary stand in the order of the alphabet, each once, and the files that an entry names define its word.

use crate::repository;

/// Keywords in front of the name of an item.
const ITEMS: [&str; 9] = ["struct", "enum", "trait", "type", "fn", "mod", "const", "static", "macro_rules"];

/// Files that say what a folder holds.
const FRONT: [&str; 3] = ["mod.rs", "lib.rs", "src/lib.rs"];

#[test]
fn the_glossary_is_in_order() {
    let text = glossary();
    let words: Vec<String> = entries(&text).map(|entry| entry.word).collect();
    assert!(words.len() > 20, "the words stand in bold at the beginning of an item: {words:?}");
    assert_eq!(misplaced(&words), None, "this word stands before one that the alphabet puts first");
}

/// Whoever meets a word goes from here to the file that an entry names: it has to be about the word.
#[test]
fn files_define_the_words_that_name_them() {
    let (files, text) = (repository::files(), glossary());
    let mut found = Vec::new();
    for entry in entries(&text) {
        let paths: Vec<&str> = repository::quoted(entry.text).filter(|span| is_path(span)).collect();
        if paths.is_empty() {
            found.push(format!("{}: names no file or folder", entry.word));
        }
        for path in paths {
            match repository::place(&files, path) {
                None => found.push(format!("{}: there is no {path}", entry.word)),
                Some(place) if !is_defined(&entry.word, &place) => {
                    found.push(format!(
                        "{}: {path} is not named for it, declares no such item, and does not begin with it",
                        entry.word
                    ));
                }
                Some(_) => {}
            }
        }
    }
    assert!(found.is_empty(), "docs/glossary.md sends its readers astray:\n{}", found.join("\n"));
}

#[test]
fn a_misplaced_word_is_found() {
    let text = "# Words\n\n- **Account**: one.\n- **book**: two, not **bold**,\n  `a/b`.\n- **Anchor**: three.\n";
    let words: Vec<String> = entries(text).map(|entry| entry.word).collect();
    assert_eq!(words, ["account", "book", "anchor"]);
    assert_eq!(misplaced(&words), Some("book"));
    let paths: Vec<&str> = entries(text).flat_map(|entry| repository::quoted(entry.text)).collect();
    assert_eq!(paths, ["a/b"]);
}

#[test]
fn a_definition_is_found() {
    let text =
        "//! Payload under\n//! way.\n\npub struct DropPoint;\n/// A bell.\nfn far_end(bell: u8) {}\nimpl Lever {}\n";
    for word in ["drop point", "far end", "payload", "under way", "point"] {
        assert!(defines(word, text), "{word}");
    }
    for word in ["bell", "lever", "way under", "end far"] {
        assert!(!defines(word, text), "{word}");
    }
    assert!(is_named("personality", "personalities/") && is_named("wires", "crates/nrf24/src/wires/"));
    assert!(is_named("lint", "crates/nrf24/src/chip/lints.rs") && !is_named("chip", "crates/nrf24/src/chip/lints.rs"));
}

/// Word that is explained, in small letters, and the explanation.
struct Entry<'a> {
    word: String,
    text: &'a str,
}

fn glossary() -> String {
    repository::text("docs/glossary.md").expect("a glossary")
}

fn entries(page: &str) -> impl Iterator<Item = Entry<'_>> {
    let items = page.split("\n- **").skip(1);
    items.filter_map(|item| item.split_once("**")).map(|(word, text)| Entry { word: word.to_lowercase(), text })
}

/// First word that does not stand before its neighbour.
fn misplaced(words: &[String]) -> Option<&str> {
    words.windows(2).find(|pair| pair[0] >= pair[1]).map(|pair| pair[0].as_str())
}

fn is_path(span: &str) -> bool {
    span.contains('/') || span.ends_with(".md")
}

/// Tells if the file or folder at `place` is about `word`: by its name, by an item in it, or by the words it begins with.
fn is_defined(word: &str, place: &str) -> bool {
    let front =
        |folder: &str| FRONT.iter().filter_map(|file| repository::text(&format!("{folder}{file}"))).collect::<String>();
    let text = if place.ends_with('/') { front(place) } else { repository::text(place).unwrap_or_default() };
    is_named(word, place) || defines(word, &text) || (place.ends_with(".md") && text.contains(&format!("*{word}*")))
}

/// Tells if a file or folder has `word` for its name.
fn is_named(word: &str, place: &str) -> bool {
    let last = place.trim_end_matches('/').rsplit('/').next().unwrap_or(place);
    parts(last.trim_end_matches(".rs")) == parts(word)
}

/// Tells if the text of a module declares an item that `word` is part of the name of, or says the word in the docs it begins with.
fn defines(word: &str, text: &str) -> bool {
    let word = parts(word);
    let says = |name: &str| parts(name).windows(word.len()).any(|part| part == word);
    let docs: Vec<&str> = text.lines().filter_map(|line| line.strip_prefix("//!")).collect();
    let code = text.lines().filter(|line| !line.trim_start().starts_with("//"));
    let mut items = code.flat_map(|line| {
        let words: Vec<&str> = line
            .split(|letter: char| !letter.is_alphanumeric() && letter != '_')
            .filter(|word| !word.is_empty())
            .collect();
        words.windows(2).filter(|pair| ITEMS.contains(&pair[0])).map(|pair| pair[1]).collect::<Vec<_>>()
    });
    items.any(says) || says(&docs.join(" "))
}

/// Words of a name or of a text, small and in the singular.
fn parts(name: &str) -> Vec<String> {
    let mut parts = vec![String::new()];
    let mut before = ' ';
    for letter in name.chars() {
        if !letter.is_alphanumeric() || (letter.is_uppercase() && before.is_lowercase()) {
            parts.push(String::new());
        }
        if letter.is_alphanumeric() {
            parts.last_mut().expect("there is one").extend(letter.to_lowercase());
        }
        before = letter;
    }
    parts.retain(|part| !part.is_empty());
    parts.into_iter().map(|part| singular(&part)).collect()
}

fn singular(word: &str) -> String {
    let endings = [("ies", "y"), ("ches", "ch"), ("s", "")];
    let stem = endings.iter().find_map(|(many, one)| Some(format!("{}{one}", word.strip_suffix(many)?)));
    stem.unwrap_or_else(|| word.to_owned())
}
