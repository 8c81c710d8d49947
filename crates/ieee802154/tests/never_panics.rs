//! No octets make the tally of nodes panic: random strings, and the corpus in `fuzz/corpus/heard`.

use airtime_testing::corpus;
use proptest::prelude::*;

mod fuzzing;

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_frames_are_told(bytes in proptest::collection::vec(any::<u8>(), 0..2_000)) {
        fuzzing::heard(&bytes);
    }
}

#[test]
fn the_corpus_of_heard() {
    corpus("heard", fuzzing::heard);
}
