//! No octets from the air or from the TUN device make a tunnel panic or stand still: the scripts of the fuzz target, run on
//! random octets and on the corpus in `fuzz/corpus`.

use std::path::Path;

use proptest::prelude::*;

use crate::tunnel_fuzzing;

proptest! {
    #![proptest_config(ProptestConfig { cases: 600, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn two_tunnels_stand_any_script(bytes in proptest::collection::vec(any::<u8>(), 0..1_500)) {
        tunnel_fuzzing::chunk(&bytes);
    }
}

#[test]
fn the_corpus_of_nrf24_chunk() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fuzz/corpus/nrf24_chunk");
    let files = std::fs::read_dir(&folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    let mut ran = 0;
    for file in files {
        tunnel_fuzzing::chunk(&std::fs::read(file.expect("a readable folder").path()).expect("a readable file"));
        ran += 1;
    }
    assert!(ran > 10, "a corpus of {ran}");
}
