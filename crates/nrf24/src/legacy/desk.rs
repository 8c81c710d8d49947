//! Desk of the published program's threads: its channels, its TUN device, and the sleep between batches.

use core::future::Future;
use core::ops::Deref;

use airtime_core::Duration;

use crate::trace::Note;

/// Channel from one thread to another. The published ones have no bound.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Channel {
    /// From the reader of the TUN device to the transmitter.
    Transmit,
    /// From the receiver to the writer of the TUN device.
    Write,
}

impl Channel {
    /// Number of channels.
    pub const COUNT: usize = 2;
}

/// The seam between the published program's threads and what runs them: the lab's virtual time, or threads of a real system.
///
/// Each thread has a desk of its own, and all desks of a node lead to the same channels and the same device.
pub trait Desk {
    /// An IP packet, or octets that pass for one.
    type Packet: Deref<Target = [u8]>;

    /// A packet of these octets.
    fn packet(&self, octets: &[u8]) -> Self::Packet;

    /// The next IP packet from the TUN device; none once the device is gone.
    fn read_packet(&self) -> impl Future<Output = Option<Self::Packet>>;

    /// Hands octets to the TUN device, of which the kernel takes the first so many, or none.
    fn write_packet(&self, octets: Self::Packet, taken: Option<usize>) -> impl Future<Output = ()>;

    /// Puts a packet at the end of `channel` and wakes its reader.
    ///
    /// # Errors
    /// With the packet when there is no room.
    fn put(&self, channel: Channel, packet: Self::Packet) -> Result<(), Self::Packet>;

    /// The first packet of `channel`, which is waited for.
    fn next(&self, channel: Channel) -> impl Future<Output = Self::Packet>;

    /// Sleeps between two batches.
    fn sleep(&self, span: Duration) -> impl Future<Output = ()>;

    /// Passes a note to the observer.
    fn note(&self, note: Note);

    /// True once the node is to stop; asked by the thread that waits for nothing.
    fn stops(&self) -> bool {
        false
    }
}
