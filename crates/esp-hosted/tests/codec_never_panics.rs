//! No octets from the bus or from the air make a codec panic or grow without bound: the scripts of the fuzz targets, run on
//! random octets and on the corpora in `fuzz/corpus`.

use std::path::Path;

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

fn corpus(target: &str, run: impl Fn(&[u8])) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fuzz/corpus").join(target);
    let files = std::fs::read_dir(&folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    let mut ran = 0;
    for file in files {
        run(&std::fs::read(file.expect("a readable folder").path()).expect("a readable file"));
        ran += 1;
    }
    assert!(ran > 10, "a corpus of {ran}");
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
