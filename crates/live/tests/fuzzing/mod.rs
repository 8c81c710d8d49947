//! Byte strings read as a stream that arrives in pieces: what the fuzz target `h4` runs, and what the ordinary tests
//! run with random strings and with the corpus in `fuzz/corpus/h4`.

use airtime_live::ble::h4::{Framer, PACKET_MAX};

/// The first half of `bytes` says how the second is cut. However it is, the same packets come out, all of them octets
/// of the stream in their order, and no more waits than belongs to one packet.
pub fn h4(bytes: &[u8]) {
    let (cuts, stream) = bytes.split_at(bytes.len() / 2);
    let mut whole = Framer::default();
    whole.push(stream);
    let expected = packets(&mut whole);

    let (mut framer, mut found, mut rest) = (Framer::default(), Vec::new(), stream);
    // Small pieces split headers, large ones carry many packets; a piece of nothing is none.
    let mut cuts = cuts.iter().map(|cut| usize::from(cut & 0x3f) << (cut >> 6 & 3) as u32);
    while !rest.is_empty() {
        let (now, later) = rest.split_at(cuts.next().unwrap_or(usize::MAX).min(rest.len()));
        framer.push(now);
        found.extend(packets(&mut framer));
        assert!(framer.waiting() < PACKET_MAX, "{} octets wait", framer.waiting());
        rest = later;
    }
    assert_eq!(found, expected);
    assert_eq!((framer.is_lost(), framer.waiting()), (whole.is_lost(), whole.waiting()));
    assert!(found.iter().map(Vec::len).sum::<usize>() + framer.waiting() <= stream.len());
}

/// All packets that are there; a framer without any, and no other, is hungry.
fn packets(framer: &mut Framer) -> Vec<Vec<u8>> {
    let mut packets = Vec::new();
    loop {
        let hungry = framer.is_hungry();
        match framer.packet() {
            Some(packet) => {
                assert!(!hungry && !packet.is_empty() && packet.len() <= PACKET_MAX);
                packets.push(packet.to_vec());
            }
            None => {
                assert!(framer.is_hungry());
                return packets;
            }
        }
    }
}
