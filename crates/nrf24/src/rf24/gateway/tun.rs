//! TUN device of the gateway on a virtual host, and the kernel that has it.

use alloc::collections::VecDeque;
use alloc::rc::Rc;
use core::cell::RefCell;

use airtime_core::{Instant, Packet, Pool};

use super::interrupts::Interrupts;
use super::program::Tun;
use crate::host::Cost;
use crate::trace::Note;
use crate::wires::queue::{Outbox, Queue};
use crate::wires::{Kernel, Task, TunDevice};

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
    /// Flag of the interrupt handler.
    pub interrupts: Rc<Interrupts>,
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

    fn interrupted(&self) -> bool {
        self.interrupts.is_set(self.task.now())
    }

    fn clear_interrupt(&self) {
        self.interrupts.clear(self.task.now());
    }
}

/// Kernel of a gateway: its TUN device, and the thread of its interrupt handler.
#[derive(Debug)]
pub struct GatewayKernel {
    pub(super) device: TunDevice,
    pub(super) interrupts: Rc<Interrupts>,
}

impl Kernel for GatewayKernel {
    fn packet(&mut self, packet: &[u8]) {
        self.device.packet(packet);
    }

    fn interrupt(&mut self, now: Instant) {
        self.interrupts.fell(now);
    }
}
