//! No octets make the framer of H4 panic, grow or depend on how they were cut.

use airtime_testing::corpus;
use proptest::prelude::*;

use crate::fuzzing;

proptest! {
    #![proptest_config(ProptestConfig { cases: 1_500, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_stream_gives_the_same_packets_however_it_is_cut(bytes in proptest::collection::vec(any::<u8>(), 0..4_000)) {
        fuzzing::h4(&bytes);
    }
}

#[test]
fn the_corpus_of_h4() {
    corpus("h4", fuzzing::h4);
}
