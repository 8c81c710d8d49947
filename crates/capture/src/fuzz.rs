//! Fuzz target of the readers, as a function.

use crate::btsnoop::Records;
use crate::ll::Frame;
use crate::pcapng::Packets;

/// Reads `bytes` with every reader of this room, LE packets inside captures included, and by themselves. Returns how
/// many packets of captures, LE packets and H4 packets were read.
pub fn read(bytes: &[u8]) -> [usize; 3] {
    let alone = usize::from(Frame::parse(bytes).is_ok());
    let [packets, frames] = Packets::new(bytes).flatten().fold([0, alone], |[packets, frames], packet| {
        [packets + 1, frames + usize::from(Frame::parse(packet.data).is_ok())]
    });
    let records = Records::new(bytes).map_or(0, |records| records.flatten().count());
    [packets, frames, records]
}
