//! Fuzz target of the readers, as a function.

use crate::btsnoop::Records;
use crate::pcapng::Packets;

/// Reads `bytes` with every reader of this crate. Returns the number of packets of captures, of those `dissect` knew, and of H4
/// packets; `dissect` is a link's reader of one packet.
pub fn read(bytes: &[u8], dissect: impl Fn(&[u8]) -> bool) -> [usize; 3] {
    let alone = usize::from(dissect(bytes));
    let [packets, known] = Packets::new(bytes)
        .flatten()
        .fold([0, alone], |[packets, known], packet| [packets + 1, known + usize::from(dissect(packet.data))]);
    let records = Records::new(bytes).map_or(0, |records| records.flatten().count());
    [packets, known, records]
}
