//! No bytes make the readers of captures panic: the corpus in `fuzz/corpus/capture`. Random bytes and damaged captures
//! are in the reader's own tests.

use airtime_testing::corpus;

#[test]
fn the_corpus_of_capture() {
    let mut read = [0; 4];
    corpus("capture", |bytes| {
        let counts = airtime_capture::fuzz::read(bytes, airtime_ble::capture::is_le);
        (0..4).for_each(|kind| read[kind] += counts[kind]);
    });
    assert!(read.iter().all(|count| *count > 0), "a corpus that reaches every reader: {read:?}");
}
