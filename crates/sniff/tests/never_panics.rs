//! No capture makes the explainer panic or unbalances its books: random strings read as captures, and the corpus in
//! `fuzz/corpus/sniff` and `fuzz/corpus/hci_log`.

use airtime_testing::corpus;
use proptest::prelude::*;

use crate::{fuzzing, hci_log, sniffer};

proptest! {
    #![proptest_config(ProptestConfig { cases: 1_500, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_packets_are_explained(bytes in proptest::collection::vec(any::<u8>(), 0..2_000)) {
        fuzzing::sniff(&bytes);
    }

    #[test]
    fn any_packets_of_a_file_are_read(bytes in proptest::collection::vec(any::<u8>(), 0..2_000)) {
        sniffer::file(&bytes);
    }

    #[test]
    fn any_hci_log_is_explained(bytes in proptest::collection::vec(any::<u8>(), 0..2_000)) {
        hci_log::host(&bytes);
    }
}

#[test]
fn the_corpus_of_hci_log() {
    corpus("hci_log", hci_log::host);
}

#[test]
fn the_corpus_of_sniff() {
    corpus("sniff", fuzzing::sniff);
    corpus("sniff", sniffer::file);
}
