//! Corpora of the fuzz targets, in `fuzz/corpus`.

use std::fs;
use std::path::Path;

/// Fewest files of a corpus that is worth its name: more than ten.
const FILES_MIN: usize = 11;

/// Runs every file of the corpus of the fuzz target of this name, in the order of their names.
///
/// # Panics
/// When there are fewer than eleven, or one cannot be read.
pub fn corpus(target: &str, mut run: impl FnMut(&[u8])) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fuzz/corpus").join(target);
    let entries = fs::read_dir(&folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    let mut files: Vec<_> = entries.map(|entry| entry.expect("a readable folder").path()).collect();
    files.sort();
    assert!(files.len() >= FILES_MIN, "{target}: a corpus of {}", files.len());
    for file in files {
        run(&fs::read(&file).unwrap_or_else(|error| panic!("{}: {error}", file.display())));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_file_of_a_corpus_is_run() {
        let mut sizes = Vec::new();
        corpus("hci", |bytes| sizes.push(bytes.len()));
        assert!(sizes.len() >= FILES_MIN && sizes.iter().any(|size| *size > 0));
    }

    #[test]
    #[should_panic(expected = "corpus/nobody")]
    fn a_target_without_a_corpus_is_no_success() {
        corpus("nobody", |_| {});
    }
}
