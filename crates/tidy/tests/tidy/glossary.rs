//! Words of the glossary stand in the order of the alphabet, each once.

use crate::repository;

#[test]
fn the_glossary_is_in_order() {
    let text = repository::text("docs/glossary.md").expect("a glossary");
    let words: Vec<String> = words(&text).collect();
    assert!(words.len() > 20, "the words stand in bold at the beginning of an item: {words:?}");
    assert_eq!(misplaced(&words), None, "this word stands before one that the alphabet puts first");
}

#[test]
fn a_misplaced_word_is_found() {
    let text = "- **Account**: one.\n- **book**: two, not **bold**.\n- **Anchor**: three.\n";
    let words: Vec<String> = words(text).collect();
    assert_eq!(words, ["account", "book", "anchor"]);
    assert_eq!(misplaced(&words), Some("book"));
}

/// Words that are explained, in small letters.
fn words(text: &str) -> impl Iterator<Item = String> {
    let word = |line: &str| line.strip_prefix("- **")?.split_once("**").map(|(word, _)| word.to_lowercase());
    text.lines().filter_map(word)
}

/// First word that does not stand before its neighbour.
fn misplaced(words: &[String]) -> Option<&str> {
    words.windows(2).find(|pair| pair[0] >= pair[1]).map(|pair| pair[0].as_str())
}
