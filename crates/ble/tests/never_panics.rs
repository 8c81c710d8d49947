//! No bytes from above, from below or from the peer make a controller or a host panic, go silent or
//! stand still. The scripts of the fuzz targets, run on random bytes and on the corpora in `fuzz/corpus`.

use std::path::Path;

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

/// Runs every file of a corpus, and requires that there are some.
fn run_corpus(target: &str) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fuzz/corpus").join(target);
    let files = std::fs::read_dir(&folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    let mut ran = 0;
    for file in files {
        fuzzing::run(target, &std::fs::read(file.expect("a readable folder").path()).expect("a readable file"));
        ran += 1;
    }
    assert!(ran > 10, "{target}: a corpus of {ran}");
}

#[test]
fn the_corpus_of_hci() {
    run_corpus("hci");
}

#[test]
fn the_corpus_of_ll_control() {
    run_corpus("ll_control");
}

#[test]
fn the_corpus_of_l2cap_att() {
    run_corpus("l2cap_att");
}
