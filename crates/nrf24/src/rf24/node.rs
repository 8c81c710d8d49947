//! A node of raw frames on a virtual host.

use alloc::rc::Rc;

use airtime_core::{Duration, Instant, Pool};

use super::bench::Bench;
use super::config::{Program, RawConfig};
use super::programs::{receive, send};
use super::radio::Rf24;
use crate::host::{Host, HostOutput};
use crate::station::queue::Outbox;
use crate::trace::{Activity, Note};
use crate::wires::{Board, SharedChip, Task, Tasks, Wires};

/// Bench of a program in virtual time.
#[derive(Debug)]
struct VirtualBench {
    task: Task,
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

    fn received(&self, payload: &[u8]) {
        self.out.borrow_mut().push_back(self.pool.copy(payload));
    }
}

/// A host with one chip and a program that sends or receives raw frames.
#[derive(Debug)]
pub struct RawNode {
    tasks: Tasks,
    out: Rc<Outbox>,
}

impl RawNode {
    /// A node that starts now on this chip, whatever state it is in.
    pub fn new(chip: SharedChip, config: RawConfig, pool: &Pool, now: Instant) -> Self {
        let mut tasks = Tasks::new(now, config.cost);
        let task = tasks.task(Some((0, Board { chip, cost: config.cost })));
        let out = Rc::new(Outbox::default());
        let bench = VirtualBench { task: task.clone(), out: out.clone(), pool: pool.clone() };
        let Wires { spi, ce, delay, .. } = task.wires();
        let mut radio = Rf24::new(spi, ce, delay, config.radio);
        tasks.spawn(&task, async move {
            // The lab's wires do not fail.
            let ended = match config.program {
                Program::Sends(sending) => send(&bench, &mut radio, &sending).await,
                Program::Receives => receive(&bench, &mut radio).await,
            };
            debug_assert!(ended.is_ok(), "the lab's wires do not fail");
        });
        Self { tasks, out }
    }
}

impl Host for RawNode {
    fn wake(&mut self, now: Instant) {
        self.tasks.run(now);
    }

    fn irq(&mut self, now: Instant, radio: usize, asserted: bool) {
        self.tasks.irq(now, radio, asserted);
    }

    /// Raw frames carry no IP: a packet is for nobody.
    fn packet(&mut self, _: Instant, _: &[u8]) {}

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
