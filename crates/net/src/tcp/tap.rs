//! A TUN device as smoltcp sees it, or another interface whose packets somebody else carries.

use alloc::collections::VecDeque;

use airtime_core::{Packet, Pool};
use smoltcp::phy::{self, ChecksumCapabilities, Device, DeviceCapabilities, Medium};
use smoltcp::time::Instant;

/// Packets that wait to be drained before smoltcp is asked for more.
const BURST: usize = 16;

/// Packets on their way to smoltcp and from it.
pub struct Tap {
    pool: Pool,
    medium: Medium,
    mtu: usize,
    incoming: VecDeque<Packet>,
    outgoing: VecDeque<Packet>,
}

impl Tap {
    /// TUN device whose packets have `mtu` octets at most.
    pub fn new(pool: Pool, mtu: usize) -> Self {
        Self::of(Medium::Ip, pool, mtu)
    }

    /// Interface of this medium, whose packets have `mtu` octets at most, with the headers of the medium.
    pub fn of(medium: Medium, pool: Pool, mtu: usize) -> Self {
        Self { pool, medium, mtu, incoming: VecDeque::new(), outgoing: VecDeque::new() }
    }

    /// A packet for smoltcp, which takes it at the next poll.
    pub fn put(&mut self, packet: &[u8]) {
        self.incoming.push_back(self.pool.copy(packet));
    }

    /// A packet from smoltcp.
    pub fn take(&mut self) -> Option<Packet> {
        self.outgoing.pop_front()
    }

    /// True when no packet waits to be taken.
    pub fn is_empty(&self) -> bool {
        self.outgoing.is_empty()
    }

    /// True if smoltcp may have been kept from sending more.
    pub fn is_full(&self) -> bool {
        self.outgoing.len() >= BURST
    }
}

impl Device for Tap {
    type RxToken<'a> = Received;
    type TxToken<'a> = Room<'a>;

    /// A reply to a packet always has room: there is at most one for each.
    fn receive(&mut self, _: Instant) -> Option<(Received, Room<'_>)> {
        let packet = self.incoming.pop_front()?;
        Some((Received(packet), Room { pool: &self.pool, outgoing: &mut self.outgoing }))
    }

    fn transmit(&mut self, _: Instant) -> Option<Room<'_>> {
        (!self.is_full()).then_some(Room { pool: &self.pool, outgoing: &mut self.outgoing })
    }

    fn capabilities(&self) -> DeviceCapabilities {
        let mut capabilities = DeviceCapabilities::default();
        capabilities.medium = self.medium;
        capabilities.max_transmission_unit = self.mtu;
        capabilities.checksum = ChecksumCapabilities::default();
        capabilities
    }
}

/// A packet for smoltcp to read.
pub struct Received(Packet);

impl phy::RxToken for Received {
    fn consume<R, F: FnOnce(&[u8]) -> R>(self, read: F) -> R {
        read(&self.0)
    }
}

/// Room for one packet of smoltcp.
pub struct Room<'a> {
    pool: &'a Pool,
    outgoing: &'a mut VecDeque<Packet>,
}

impl phy::TxToken for Room<'_> {
    fn consume<R, F: FnOnce(&mut [u8]) -> R>(self, len: usize, write: F) -> R {
        let mut packet = self.pool.packet();
        packet.resize(len);
        let result = write(&mut packet);
        self.outgoing.push_back(packet);
        result
    }
}
