//! A node of raw frames on a virtual host.

use alloc::rc::Rc;

use airtime_core::{Instant, Pool};

use super::config::{Program, RawConfig};
use super::programs::{receive, send};
use super::radio::Rf24;
use super::virtual_bench::VirtualBench;
use crate::wires::queue::Outbox;
use crate::wires::{Board, SharedChip, TaskHost, Tasks, Wires};

/// A host with one chip and a program that sends or receives raw frames; it has no TUN device.
pub type RawNode = TaskHost<()>;

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
            let ended = match config.program {
                Program::Sends(sending) => send(&bench, &mut radio, &sending).await,
                Program::Receives => receive(&bench, &mut radio).await,
            };
            debug_assert!(ended.is_ok(), "the lab's wires do not fail");
        });
        Self::of(tasks, out, ())
    }
}
