//! The tasks of a node on a virtual host.

use alloc::rc::Rc;
use core::cell::{Cell, RefCell};

use airtime_core::{Instant, Pool};

use super::config::{Config, Radios};
use super::desk::{Bell, Desk, Woken};
use super::ring::Ring;
use super::{answer, assemble, offer, receive, transmit};
use crate::driver::{self, Radio};
use crate::host::Cost;
use crate::trace::{Activity, DropPoint, Note};
use crate::tunnel::Tunnel;
use crate::wires::queue::{KERNEL_OCTETS, Outbox, Queue};
use crate::wires::{self, Board, Ce, Delay, Irq, Kernel, Notify, SharedChip, Spi, Task, TaskHost, Tasks, Wires};

/// A radio of a virtual host.
type VirtualRadio = Radio<Spi, Ce, Irq, Delay>;

/// Desk of the tasks in virtual time.
#[derive(Debug)]
pub struct VirtualDesk {
    tunnel: RefCell<Tunnel>,
    ring: RefCell<Ring>,
    /// The task that waits at each bell.
    waiters: [(Task, Notify); Bell::COUNT],
    reader: Task,
    tun: Queue,
    out: Rc<Outbox>,
    pool: Pool,
    cost: Cost,
    failure: Cell<Option<driver::Error>>,
}

impl VirtualDesk {
    /// Keeps what ended a task before its time.
    fn ended(&self, result: Result<(), driver::Error>) {
        if let Err(error) = result {
            self.failure.set(Some(error));
        }
    }
}

impl Desk for VirtualDesk {
    fn now(&self) -> Instant {
        self.reader.now()
    }

    fn with_tunnel<R>(&self, act: impl FnOnce(&mut Tunnel, Instant) -> R) -> R {
        act(&mut self.tunnel.borrow_mut(), self.now())
    }

    fn with_ring<R>(&self, act: impl FnOnce(&mut Ring) -> R) -> R {
        act(&mut self.ring.borrow_mut())
    }

    fn ring(&self, bell: Bell) {
        self.waiters[bell as usize].1.ring();
    }

    async fn wait(&self, bell: Bell, until: Option<Instant>, reason: Activity) {
        let (task, notify) = &self.waiters[bell as usize];
        task.until_any(reason, false, Some(notify), until).await;
    }

    /// The task that waits at the bell serves the radio: one wait for both, and the radio's own is not even begun.
    #[expect(clippy::manual_async_fn, reason = "an async fn would keep the radio's wait as well")]
    fn wait_or_irq(
        &self,
        _: impl Future<Output = Result<(), driver::Error>>,
        bell: Bell,
        until: Option<Instant>,
        reason: Activity,
    ) -> impl Future<Output = Woken> {
        async move {
            let (task, notify) = &self.waiters[bell as usize];
            match task.until_any(reason, true, Some(notify), until).await {
                wires::Woken::Irq => Woken::Irq(Ok(())),
                _ => Woken::Otherwise,
            }
        }
    }

    async fn read_packet(&self, packet: &mut [u8]) -> Option<usize> {
        loop {
            if let Some(read) = self.tun.take() {
                let octets = read.len().min(packet.len());
                packet[..octets].copy_from_slice(&read[..octets]);
                self.reader.pause(self.cost.tun).await;
                return Some(octets);
            }
            self.reader.until_any(Activity::NoData, false, Some(self.tun.bell()), None).await;
        }
    }

    async fn write_packet(&self, packet: &[u8]) {
        let (task, _) = &self.waiters[Bell::Assemble as usize];
        task.pause(self.cost.tun).await;
        self.out.borrow_mut().push_back(self.pool.copy(packet));
    }

    fn note(&self, note: Note) {
        self.reader.note(note);
    }
}

impl Kernel for Rc<VirtualDesk> {
    fn packet(&mut self, packet: &[u8]) {
        if self.tun.put(self.pool.copy(packet)).is_err() {
            self.note(Note::Dropped { at: DropPoint::Queue, octets: packet.len() as u32 });
        }
    }
}

/// A node: a host with one or two chips on which the daemon runs in virtual time.
pub type Station = TaskHost<Rc<VirtualDesk>>;

impl Station {
    /// A node that starts now on these chips, whatever state a former one has left them in: radio 0, and radio 1 if it has two.
    ///
    /// # Panics
    /// When there are not as many chips as [`Radios::count`] says, or the tunnel's configuration is out of its ranges.
    pub fn new(chips: &[SharedChip], config: Config, pool: &Pool, now: Instant) -> Self {
        assert_eq!(chips.len(), config.radios.count(), "a node has as many chips as its configuration has radios");
        let mut tasks = Tasks::new(now, config.cost);
        let board = |radio: usize| Some((radio, Board { chip: chips[radio].clone(), cost: config.cost }));
        let first = tasks.task(board(0));
        let assembler = tasks.task(None);
        let reader = tasks.task(None);
        let notify = reader.notify();
        let out = Rc::new(Outbox::default());
        let desk = Rc::new(VirtualDesk {
            tunnel: RefCell::new(Tunnel::with_tuning(config.tunnel, config.tuning, now)),
            ring: RefCell::default(),
            waiters: [(first.clone(), first.notify()), (assembler.clone(), assembler.notify())],
            reader: reader.clone(),
            tun: Queue::new(KERNEL_OCTETS, notify),
            out: out.clone(),
            pool: pool.clone(),
            cost: config.cost,
            failure: Cell::new(None),
        });
        match config.radios {
            Radios::Two { transmit, receive } => {
                let second = tasks.task(board(1));
                spawn_transmit(&mut tasks, &first, &desk, transmit);
                spawn_receive(&mut tasks, &second, &desk, receive);
            }
            Radios::One { radio } if config.tuning.polls => spawn_transmit(&mut tasks, &first, &desk, radio),
            Radios::One { radio } => spawn_answer(&mut tasks, &first, &desk, radio),
        }
        let (to_tunnel, to_tun) = (desk.clone(), desk.clone());
        tasks.spawn(&reader, async move { offer(&*to_tunnel).await });
        tasks.spawn(&assembler, async move { assemble(&*to_tun).await });
        Self::of(tasks, out, desk)
    }

    /// Looks at its end of the tunnel.
    pub fn with_tunnel<R>(&self, look: impl FnOnce(&Tunnel) -> R) -> R {
        look(&self.kernel().tunnel.borrow())
    }

    /// Payloads that found the ring between radio and reassembly full.
    pub fn ring_dropped(&self) -> u64 {
        self.kernel().ring.borrow().dropped()
    }

    /// Error that has ended the task of a radio, if one has ended.
    pub fn failure(&self) -> Option<driver::Error> {
        self.kernel().failure.get()
    }
}

fn radio(task: &Task) -> VirtualRadio {
    let Wires { spi, ce, irq, delay } = task.wires();
    Radio::new(spi, ce, irq, delay)
}

fn spawn_transmit(tasks: &mut Tasks, task: &Task, desk: &Rc<VirtualDesk>, config: driver::Config) {
    let (desk, mut radio) = (desk.clone(), radio(task));
    tasks.spawn(task, async move { desk.ended(transmit(&*desk, &mut radio, &config).await) });
}

fn spawn_receive(tasks: &mut Tasks, task: &Task, desk: &Rc<VirtualDesk>, config: driver::Config) {
    let (desk, mut radio) = (desk.clone(), radio(task));
    tasks.spawn(task, async move { desk.ended(receive(&*desk, &mut radio, &config).await) });
}

fn spawn_answer(tasks: &mut Tasks, task: &Task, desk: &Rc<VirtualDesk>, config: driver::Config) {
    let (desk, mut radio) = (desk.clone(), radio(task));
    tasks.spawn(task, async move { desk.ended(answer(&*desk, &mut radio, &config).await) });
}
