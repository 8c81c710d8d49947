//! No octets on the bus, no edges of CE and no frames make a chip panic, talk without end or stand still.

use std::path::Path;

use proptest::prelude::*;

use super::fuzzing::nrf24_spi;

proptest! {
    #![proptest_config(ProptestConfig { cases: 1_500, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_chip_stands_any_script(bytes in proptest::collection::vec(any::<u8>(), 0..1_500)) {
        nrf24_spi(&bytes);
    }
}

#[test]
fn the_corpus() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fuzz/corpus/nrf24_spi");
    let files = std::fs::read_dir(&folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    let mut ran = 0;
    for file in files {
        nrf24_spi(&std::fs::read(file.expect("a readable folder").path()).expect("a readable file"));
        ran += 1;
    }
    assert!(ran > 10, "a corpus of {ran}");
}
