//! Fuzz target of the readers, as a function.

use crate::btsnoop::Records;
use crate::file::{Packet, Reader, Step};
use crate::hci::Hci;
use crate::pcapng::Packets;

/// Reads `bytes` with every reader of this crate. Returns the number of packets of captures, of those `dissect` knew, of records of
/// btsnoop, and of HCI packets; `dissect` is a link's reader of one packet of a link type.
pub fn read(bytes: &[u8], dissect: impl Fn(u16, &[u8]) -> bool) -> [usize; 4] {
    let alone = usize::from(dissect(256, bytes));
    let [packets, known] = Packets::new(bytes).flatten().fold([0, alone], |[packets, known], packet| {
        [packets + 1, known + usize::from(dissect(packet.link_type, packet.data))]
    });
    let records = Records::new(bytes).map_or(0, |records| records.flatten().count());
    [packets, known, records, hci(bytes, packets + records)]
}

/// Number of HCI packets that the reader of any format finds, which finds as many packets as the others.
fn hci(mut bytes: &[u8], expected: usize) -> usize {
    let (mut reader, mut packets, mut found) = (Reader::new(), 0, 0);
    while let Ok(step) = reader.read(bytes) {
        let used = match step {
            Step::Packet { packet, used } => {
                packets += 1;
                if let Ok(Some(hci)) = Hci::of(&packet) {
                    assert!(hci.octets >= hci.data.len());
                    found += 1;
                }
                if let Packet::Captured(packet) = packet {
                    assert!(packet.data.len() <= used);
                }
                used
            }
            Step::Other { used } => used,
            Step::Needs(needs) => {
                assert!(needs > bytes.len());
                break;
            }
        };
        bytes = &bytes[used..];
    }
    assert_eq!(packets, expected);
    found
}
