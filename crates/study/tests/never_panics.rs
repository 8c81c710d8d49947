//! No log makes its reader panic or comes to a figure that is none: random strings read as logs, and the corpus in `fuzz/corpus/log`.

use airtime_testing::corpus;
use proptest::prelude::*;

use crate::fuzzing;

proptest! {
    #![proptest_config(ProptestConfig { cases: 3_000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_log_is_read_or_refused(bytes in proptest::collection::vec(any::<u8>(), 0..1_000)) {
        fuzzing::log(&bytes);
    }

    /// Two or three lines: longer logs are mostly damaged somewhere.
    #[test]
    fn any_short_log_is_read_or_refused(bytes in proptest::collection::vec(any::<u8>(), 0..20)) {
        fuzzing::log(&bytes);
    }

    #[test]
    fn any_document_is_read_or_refused(mut bytes in proptest::collection::vec(any::<u8>(), 2..60)) {
        bytes[0] |= 0xe0;
        bytes[1] &= 3;
        fuzzing::log(&bytes);
    }
}

#[test]
fn the_corpus_of_log() {
    corpus("log", fuzzing::log);
}
