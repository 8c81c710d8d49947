//! A virtual host that is the tasks of one program, whichever that is.

use alloc::rc::Rc;

use airtime_core::{Instant, Pool};

use super::queue::{KERNEL_OCTETS, Outbox, Queue};
use super::{Notify, Task, Tasks};
use crate::host::{Host, HostOutput};
use crate::trace::{DropPoint, Note};

/// Kernel below the program of a host.
pub trait Kernel {
    /// An IP packet comes in through the TUN device.
    fn packet(&mut self, packet: &[u8]);
    /// IRQ of the only radio has fallen at `now`; of a program that waits for the line itself it is nothing to the kernel.
    fn interrupt(&mut self, now: Instant) {
        let _ = now;
    }
}

/// No TUN device: a packet is for nobody.
impl Kernel for () {
    fn packet(&mut self, _: &[u8]) {}
}

/// Kernel with a TUN device, whose packets wait until a task has time for them.
#[derive(Debug)]
pub struct TunDevice {
    /// Speaks for what happens outside the tasks.
    task: Task,
    mtu: usize,
    pool: Pool,
    read: Rc<Queue>,
}

impl TunDevice {
    /// A device of this MTU among `tasks`; packets are made from `pool`, and `bell` wakes the task that reads them.
    pub(crate) fn new(tasks: &mut Tasks, mtu: u16, pool: &Pool, bell: Notify) -> Self {
        let read = Rc::new(Queue::new(KERNEL_OCTETS, bell));
        Self { task: tasks.task(None), mtu: mtu.into(), pool: pool.clone(), read }
    }

    /// Packets that the device has for its reader.
    pub(crate) fn read(&self) -> Rc<Queue> {
        self.read.clone()
    }
}

impl Kernel for TunDevice {
    fn packet(&mut self, packet: &[u8]) {
        let octets = packet.len() as u32;
        if packet.len() > self.mtu {
            self.task.note(Note::Dropped { at: DropPoint::Malformed, octets });
        } else if self.read.put(self.pool.copy(packet)).is_err() {
            self.task.note(Note::Dropped { at: DropPoint::Queue, octets });
        }
    }
}

/// A host whose program is tasks on its virtual clock.
#[derive(Debug)]
pub struct TaskHost<K> {
    tasks: Tasks,
    /// Packets on their way out of the program.
    out: Rc<Outbox>,
    kernel: K,
}

impl<K> TaskHost<K> {
    /// A host of these tasks, which put packets into `out`.
    pub(crate) const fn of(tasks: Tasks, out: Rc<Outbox>, kernel: K) -> Self {
        Self { tasks, out, kernel }
    }

    /// The kernel.
    pub(crate) const fn kernel(&self) -> &K {
        &self.kernel
    }
}

impl<K: Kernel> Host for TaskHost<K> {
    fn wake(&mut self, now: Instant) {
        self.tasks.run(now);
    }

    fn irq(&mut self, now: Instant, radio: usize, asserted: bool) {
        self.tasks.irq(now, radio, asserted);
        if asserted {
            self.kernel.interrupt(now);
        }
    }

    fn packet(&mut self, now: Instant, packet: &[u8]) {
        self.tasks.advance(now);
        self.kernel.packet(packet);
    }

    fn poll(&mut self, _: Instant) -> Option<HostOutput> {
        if let Some(note) = self.tasks.note() {
            return Some(HostOutput::Note(note));
        }
        self.out.borrow_mut().pop_front().map(HostOutput::Packet)
    }

    fn is_quiet(&self) -> bool {
        self.tasks.is_quiet() && self.out.borrow().is_empty()
    }

    fn watched(&mut self, watched: bool) {
        self.tasks.watched(watched);
    }

    fn deadline(&self) -> Option<Instant> {
        self.tasks.deadline()
    }
}
