//! No octets from the air or from the TUN device make a tunnel panic or stand still: the scripts of the fuzz target, run on
//! random octets and on the corpus in `fuzz/corpus`.

use airtime_testing::corpus;
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
    corpus("nrf24_chunk", tunnel_fuzzing::chunk);
}
