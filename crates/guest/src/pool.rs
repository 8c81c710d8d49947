//! Packets of a node.

use std::cell::{Cell, RefCell};
use std::rc::Rc;

use trouble_host::{Packet, PacketPool};

use crate::node::Node;

/// Octets of a packet, and so the longest SDU that is received: with the basic header, what a
/// personality's largest SDU needs. *Assumed*: beyond the longest SDU of any published measurement.
pub const PACKET_OCTETS: usize = 2_048;

/// The packets of a node: at most so many on loan at a time.
#[derive(Debug)]
pub(crate) struct Packets {
    capacity: usize,
    shelf: Rc<Shelf>,
}

/// Shelf that packets go back to, wherever they are dropped.
#[derive(Debug, Default)]
struct Shelf {
    in_use: Cell<usize>,
    idle: RefCell<Vec<Box<[u8]>>>,
}

impl Packets {
    pub(crate) fn new(capacity: usize) -> Self {
        Self { capacity, shelf: Rc::default() }
    }

    pub(crate) fn in_use(&self) -> usize {
        self.shelf.in_use.get()
    }

    pub(crate) fn idle(&self) -> usize {
        self.shelf.idle.borrow().len()
    }

    fn take(&self, octets: usize) -> Option<NodePacket> {
        let in_use = self.in_use();
        if in_use >= self.capacity {
            return None;
        }
        self.shelf.in_use.set(in_use + 1);
        let idle = self.shelf.idle.borrow_mut().pop().filter(|idle| idle.len() == octets);
        let octets = idle.unwrap_or_else(|| vec![0; octets].into_boxed_slice());
        Some(NodePacket { octets, shelf: Rc::clone(&self.shelf) })
    }
}

/// The pool of the node whose code runs, with packets of so many octets; empty where none does.
#[derive(Debug)]
pub struct NodePool<const OCTETS: usize = PACKET_OCTETS>;

impl<const OCTETS: usize> PacketPool for NodePool<OCTETS> {
    type Packet = NodePacket;

    const MTU: usize = OCTETS;

    fn allocate() -> Option<NodePacket> {
        Node::current()?.packets.take(OCTETS)
    }

    fn capacity() -> usize {
        Node::current().map_or(0, |node| node.packets.capacity)
    }
}

/// A packet on loan from its node.
#[derive(Debug)]
pub struct NodePacket {
    octets: Box<[u8]>,
    shelf: Rc<Shelf>,
}

impl Packet for NodePacket {}

impl AsRef<[u8]> for NodePacket {
    fn as_ref(&self) -> &[u8] {
        &self.octets
    }
}

impl AsMut<[u8]> for NodePacket {
    fn as_mut(&mut self) -> &mut [u8] {
        &mut self.octets
    }
}

impl Drop for NodePacket {
    fn drop(&mut self) {
        self.shelf.in_use.set(self.shelf.in_use.get() - 1);
        self.shelf.idle.borrow_mut().push(std::mem::take(&mut self.octets));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_node_lends_what_it_has_and_gets_it_back_from_anywhere() {
        type Pool = NodePool<PACKET_OCTETS>;
        assert!(Pool::allocate().is_none(), "no node, no packet");
        let node = Node::new(2);
        let packets = {
            let _entered = node.enter();
            assert_eq!(Pool::capacity(), 2);
            let packets = [Pool::allocate(), Pool::allocate()];
            assert!(packets.iter().all(Option::is_some) && Pool::allocate().is_none());
            packets
        };
        let _elsewhere = Node::new(1).enter();
        assert_eq!(node.packets_in_use(), 2);
        drop(packets);
        assert_eq!(node.packets_in_use(), 0);
    }
}
