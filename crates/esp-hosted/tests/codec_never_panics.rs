//! No octets from the bus or from the air make a codec panic or grow without bound: the scripts of the fuzz targets, run on
//! random octets and on the corpora in `fuzz/corpus`.

use airtime_testing::corpus;
use proptest::prelude::*;

use crate::fuzzing;

proptest! {
    #![proptest_config(ProptestConfig { cases: 600, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn frames_stand_any_script(bytes in proptest::collection::vec(any::<u8>(), 0..3_000)) {
        fuzzing::frame(&bytes);
    }

    #[test]
    fn messages_stand_any_script(bytes in proptest::collection::vec(any::<u8>(), 0..3_000)) {
        fuzzing::rpc(&bytes);
    }

    #[test]
    fn raw_frames_stand_any_script(bytes in proptest::collection::vec(any::<u8>(), 0..3_000)) {
        fuzzing::raw(&bytes);
    }
}

#[test]
fn the_corpus_of_hosted_frame() {
    corpus("hosted_frame", fuzzing::frame);
}

#[test]
fn the_corpus_of_hosted_rpc() {
    corpus("hosted_rpc", fuzzing::rpc);
}

#[test]
fn the_corpus_of_hosted_raw() {
    corpus("hosted_raw", fuzzing::raw);
}
