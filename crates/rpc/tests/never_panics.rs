//! No octets from the other end make a machine panic, stand still or grow without bound: the scripts of the fuzz targets, run on
//! random octets and on the corpora in `fuzz/corpus`.

use airtime_testing::corpus;
use proptest::prelude::*;

use crate::fuzzing;

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn frames_stand_any_script(bytes in proptest::collection::vec(any::<u8>(), 0..1_500)) {
        fuzzing::frame(&bytes);
    }

    #[test]
    fn the_extension_stands_any_script(bytes in proptest::collection::vec(any::<u8>(), 0..1_500)) {
        fuzzing::extended(&bytes);
    }

    #[test]
    fn commands_stand_any_script(bytes in proptest::collection::vec(any::<u8>(), 0..1_500)) {
        fuzzing::command(&bytes);
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 100, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn key_exchanges_stand_any_script(bytes in proptest::collection::vec(any::<u8>(), 0..400)) {
        fuzzing::key_exchange(&bytes);
    }
}

#[test]
fn the_corpus_of_rpc_frame() {
    corpus("rpc_frame", fuzzing::frame);
}

#[test]
fn the_corpus_of_rpc_extended() {
    corpus("rpc_extended", fuzzing::extended);
}

#[test]
fn the_corpus_of_rpc_command() {
    corpus("rpc_command", fuzzing::command);
}

#[test]
fn the_corpus_of_rpc_key_exchange() {
    corpus("rpc_key_exchange", fuzzing::key_exchange);
}
