//! No octets on the bus, no edges of CE and no frames make a chip panic, talk without end or stand still.

use airtime_testing::corpus;
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
    corpus("nrf24_spi", nrf24_spi);
}
