//! A node of the gateway on a virtual host.

use alloc::collections::VecDeque;
use alloc::rc::Rc;
use core::cell::RefCell;

use airtime_core::{Duration, Instant, Packet, Pool};

use super::config::GatewayConfig;
use super::program::{Tun, gateway};
use crate::host::{Cost, Host, HostOutput};
use crate::rf24::{Bench, Rf24};
use crate::station::queue::{KERNEL_OCTETS, Outbox, Queue};
use crate::trace::{Activity, DropPoint, Note};
use crate::wires::{Board, SharedChip, Task, Tasks, Wires};

/// Bench of the gateway in virtual time.
#[derive(Debug)]
struct VirtualBench {
    task: Task,
    cost: Cost,
    /// Packets that the TUN device has.
    tun: Rc<Queue>,
    /// Packets for the radio, and those for the device.
    to_radio: RefCell<VecDeque<Packet>>,
    to_tun: RefCell<VecDeque<Packet>>,
    out: Rc<Outbox>,
    pool: Pool,
}

impl Bench for VirtualBench {
    fn now(&self) -> Instant {
        self.task.now()
    }

    async fn wait(&self, until: Instant) {
        self.task.until_any(Activity::NoData, false, None, Some(until)).await;
    }

    async fn sleep(&self, span: Duration) {
        self.task.sleep(span).await;
    }

    async fn spin(&self, until: Instant) {
        self.task.pause(until.saturating_since(self.task.now())).await;
    }

    async fn look_out(&self, until: Instant) {
        self.task.spend(Activity::NoData, until).await;
    }

    fn note(&self, note: Note) {
        self.task.note(note);
    }

    fn received(&self, _: &[u8]) {}
}

impl Tun for VirtualBench {
    async fn read_all(&self) {
        while let Some(packet) = self.tun.take() {
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

/// A host with one chip and a TUN device, and the gateway between them.
#[derive(Debug)]
pub struct GatewayNode {
    tasks: Tasks,
    /// Speaks for what happens outside the task.
    kernel: Task,
    mtu: usize,
    pool: Pool,
    tun: Rc<Queue>,
    out: Rc<Outbox>,
}

impl GatewayNode {
    /// A node that starts now on this chip, whatever state it is in.
    pub fn new(chip: SharedChip, config: GatewayConfig, pool: &Pool, now: Instant) -> Self {
        let mut tasks = Tasks::new(now, config.cost);
        let task = tasks.task(Some((0, Board { chip, cost: config.cost })));
        let (tun, out) = (Rc::new(Queue::new(KERNEL_OCTETS, task.notify())), Rc::new(Outbox::default()));
        let bench = VirtualBench {
            task: task.clone(),
            cost: config.cost,
            tun: tun.clone(),
            to_radio: RefCell::default(),
            to_tun: RefCell::default(),
            out: out.clone(),
            pool: pool.clone(),
        };
        let Wires { spi, ce, delay, .. } = task.wires();
        let mut radio = Rf24::new(spi, ce, delay, config.radio);
        tasks.spawn(&task, async move {
            let ended = gateway(&bench, &mut radio, &config).await;
            debug_assert!(ended.is_ok(), "the lab's wires do not fail");
        });
        let kernel = tasks.task(None);
        Self { tasks, kernel, mtu: config.mtu.into(), pool: pool.clone(), tun, out }
    }
}

impl Host for GatewayNode {
    fn wake(&mut self, now: Instant) {
        self.tasks.run(now);
    }

    fn irq(&mut self, now: Instant, radio: usize, asserted: bool) {
        self.tasks.irq(now, radio, asserted);
    }

    fn packet(&mut self, now: Instant, packet: &[u8]) {
        self.tasks.advance(now);
        let octets = packet.len() as u32;
        if packet.len() > self.mtu {
            self.kernel.note(Note::Dropped { at: DropPoint::Malformed, octets });
        } else if self.tun.put(self.pool.copy(packet)).is_err() {
            self.kernel.note(Note::Dropped { at: DropPoint::Queue, octets });
        }
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
