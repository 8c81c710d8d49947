//! Whole IP packets from one task of a virtual host to another.

use alloc::collections::VecDeque;
use core::cell::{Cell, RefCell};

use airtime_core::Packet;

use crate::wires::Notify;

/// IP packets on their way out through the TUN device, drained by the network after each step.
pub(crate) type Outbox = RefCell<VecDeque<Packet>>;

/// Octets that wait in the kernel until a reader has time for them: 500 packets (`txqueuelen` of a TUN device) of 1500.
/// Readers take them at once, so there is hardly ever one.
pub(crate) const KERNEL_OCTETS: usize = 500 * 1_500;

/// IP packets from one task to another.
#[derive(Debug)]
pub(crate) struct Queue {
    packets: RefCell<VecDeque<Packet>>,
    octets: Cell<usize>,
    most: Cell<usize>,
    limit: usize,
    bell: Notify,
}

impl Queue {
    /// A queue of at most `limit` octets whose reader is woken by `bell`.
    pub(crate) fn new(limit: usize, bell: Notify) -> Self {
        Self { packets: RefCell::default(), octets: Cell::new(0), most: Cell::new(0), limit, bell }
    }

    /// Puts a packet at the end and wakes the reader; gives it back when there is no room.
    pub(crate) fn put(&self, packet: Packet) -> Result<(), Packet> {
        let octets = self.octets.get() + packet.len();
        if octets > self.limit {
            return Err(packet);
        }
        self.octets.set(octets);
        self.most.set(self.most.get().max(octets));
        self.packets.borrow_mut().push_back(packet);
        self.bell.ring();
        Ok(())
    }

    /// Takes the first packet.
    pub(crate) fn take(&self) -> Option<Packet> {
        let packet = self.packets.borrow_mut().pop_front()?;
        self.octets.set(self.octets.get() - packet.len());
        Some(packet)
    }

    /// Bell that wakes its reader.
    pub(crate) fn bell(&self) -> &Notify {
        &self.bell
    }

    /// Octets in it.
    pub(crate) fn octets(&self) -> usize {
        self.octets.get()
    }

    /// The most octets it ever held.
    pub(crate) fn most(&self) -> usize {
        self.most.get()
    }
}
