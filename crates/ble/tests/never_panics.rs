//! No bytes from above, from below or from the peer make a controller or a host panic, go silent or
//! stand still. The scripts of the fuzz targets, run on random bytes and on the corpora in `fuzz/corpus`.

use airtime_testing::corpus;
use proptest::prelude::*;

use crate::fuzzing;

fn script() -> impl Strategy<Value = Vec<u8>> {
    proptest::collection::vec(any::<u8>(), 0..2_000)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 1_500, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_controller_stands_any_hci_bytes(bytes in script()) {
        fuzzing::run("hci", &bytes);
    }

    #[test]
    fn a_connection_stands_any_pdus(bytes in script()) {
        fuzzing::run("ll_control", &bytes);
    }

    #[test]
    fn a_host_stands_any_packets(bytes in script()) {
        fuzzing::run("l2cap_att", &bytes);
    }
}

#[test]
fn the_corpus_of_hci() {
    corpus("hci", |bytes| fuzzing::run("hci", bytes));
}

#[test]
fn the_corpus_of_ll_control() {
    corpus("ll_control", |bytes| fuzzing::run("ll_control", bytes));
}

#[test]
fn the_corpus_of_l2cap_att() {
    corpus("l2cap_att", |bytes| fuzzing::run("l2cap_att", bytes));
}
