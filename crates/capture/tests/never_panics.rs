//! No bytes make the readers of captures panic: the corpus in `fuzz/corpus/capture`. Random bytes and damaged captures
//! are in the reader's own tests.

use std::path::Path;

#[test]
fn the_corpus_of_capture() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fuzz/corpus/capture");
    let files = std::fs::read_dir(&folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    let is_le = |packet: &[u8]| airtime_ble::capture::Frame::parse(packet).is_ok();
    let counts = files.map(|file| airtime_capture::fuzz::read(&std::fs::read(file.unwrap().path()).unwrap(), is_le));
    let (mut ran, mut read) = (0, [0; 3]);
    for count in counts {
        ran += 1;
        (0..3).for_each(|kind| read[kind] += count[kind]);
    }
    assert!(ran > 10, "a corpus of {ran}");
    assert!(read.iter().all(|count| *count > 0), "a corpus that reaches every reader: {read:?}");
}
