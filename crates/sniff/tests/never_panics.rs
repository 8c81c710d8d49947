//! No capture makes the explainer panic or unbalances its books: random strings read as captures, and the corpus in
//! `fuzz/corpus/sniff`.

use std::path::Path;

use proptest::prelude::*;

use crate::fuzzing;

proptest! {
    #![proptest_config(ProptestConfig { cases: 1_500, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_packets_are_explained(bytes in proptest::collection::vec(any::<u8>(), 0..2_000)) {
        fuzzing::sniff(&bytes);
    }
}

#[test]
fn the_corpus_of_sniff() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fuzz/corpus/sniff");
    let files = std::fs::read_dir(&folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    let ran = files.map(|file| fuzzing::sniff(&std::fs::read(file.unwrap().path()).unwrap())).count();
    assert!(ran > 10, "a corpus of {ran}");
}
