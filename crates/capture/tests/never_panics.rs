//! No bytes make the readers of captures panic: the corpus in `fuzz/corpus/capture`. Random bytes and damaged captures
//! are in the reader's own tests.

use airtime_testing::corpus;

#[test]
fn the_corpus_of_capture() {
    let is_le = |packet: &[u8]| airtime_ble::capture::Frame::parse(packet).is_ok();
    let mut read = [0; 3];
    corpus("capture", |bytes| {
        let counts = airtime_capture::fuzz::read(bytes, is_le);
        (0..3).for_each(|kind| read[kind] += counts[kind]);
    });
    assert!(read.iter().all(|count| *count > 0), "a corpus that reaches every reader: {read:?}");
}
