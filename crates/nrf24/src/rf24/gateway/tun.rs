//! TUN device of the gateway on a virtual host.

use alloc::collections::VecDeque;
use alloc::rc::Rc;
use core::cell::RefCell;

use airtime_core::{Packet, Pool};

use super::program::Tun;
use crate::host::Cost;
use crate::trace::Note;
use crate::wires::Task;
use crate::wires::queue::{Outbox, Queue};

/// A TUN device in virtual time, with the two queues of the program.
#[derive(Debug)]
pub(super) struct VirtualTun {
    /// Task of the program.
    pub task: Task,
    /// Costs of the host.
    pub cost: Cost,
    /// Packets that the device has.
    pub read: Rc<Queue>,
    /// Packets for the radio.
    pub to_radio: RefCell<VecDeque<Packet>>,
    /// Packets for the device.
    pub to_tun: RefCell<VecDeque<Packet>>,
    /// Packets that the device has taken.
    pub out: Rc<Outbox>,
    /// Source of packets.
    pub pool: Pool,
}

impl Tun for VirtualTun {
    async fn read_all(&self) {
        while let Some(packet) = self.read.take() {
            self.task.pause(self.cost.tun).await;
            self.to_radio.borrow_mut().push_back(packet);
        }
    }

    fn waiting(&self) -> usize {
        self.to_radio.borrow().len()
    }

    fn next(&self, packet: &mut [u8]) -> Option<usize> {
        let first = self.to_radio.borrow_mut().pop_front()?;
        let octets = first.len().min(packet.len());
        packet[..octets].copy_from_slice(&first[..octets]);
        Some(octets)
    }

    fn throw(&self) -> (u32, u32) {
        let thrown = core::mem::take(&mut *self.to_radio.borrow_mut());
        (thrown.len() as u32, thrown.iter().map(|packet| packet.len() as u32).sum())
    }

    fn came(&self, packet: &[u8]) {
        self.to_tun.borrow_mut().push_back(self.pool.copy(packet));
    }

    async fn write_one(&self) {
        let Some(packet) = self.to_tun.borrow_mut().pop_front() else { return };
        self.task.pause(self.cost.tun).await;
        self.task.note(Note::Delivered { octets: packet.len() as u32 });
        self.out.borrow_mut().push_back(packet);
    }
}
