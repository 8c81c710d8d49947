//! A node of the gateway on a virtual host.

use alloc::rc::Rc;
use core::cell::RefCell;

use airtime_core::{Instant, Pool};

use super::config::GatewayConfig;
use super::interrupts::Interrupts;
use super::program::gateway;
use super::tun::{GatewayKernel, VirtualTun};
use crate::rf24::Rf24;
use crate::rf24::virtual_bench::VirtualBench;
use crate::wires::queue::Outbox;
use crate::wires::{Board, SharedChip, TaskHost, Tasks, TunDevice, Wires};

/// A host with one chip and a TUN device, and the gateway between them.
pub type GatewayNode = TaskHost<GatewayKernel>;

impl GatewayNode {
    /// A node that starts now on this chip, whatever state it is in.
    pub fn new(chip: SharedChip, config: GatewayConfig, pool: &Pool, now: Instant) -> Self {
        let mut tasks = Tasks::new(now, config.cost);
        let task = tasks.task(Some((0, Board { chip, cost: config.cost })));
        let device = TunDevice::new(&mut tasks, config.mtu, pool, task.notify());
        let interrupts = Rc::new(Interrupts::new(config.cost.wake));
        let out = Rc::new(Outbox::default());
        let bench = VirtualBench { task: task.clone(), out: out.clone(), pool: pool.clone() };
        let tun = VirtualTun {
            task: task.clone(),
            cost: config.cost,
            read: device.read(),
            to_radio: RefCell::default(),
            to_tun: RefCell::default(),
            out: out.clone(),
            pool: pool.clone(),
            interrupts: interrupts.clone(),
        };
        let Wires { spi, ce, delay, .. } = task.wires();
        let mut radio = Rf24::new(spi, ce, delay, config.radio);
        tasks.spawn(&task, async move {
            let ended = gateway(&bench, &tun, &mut radio, &config).await;
            debug_assert!(ended.is_ok(), "the lab's wires do not fail");
        });
        Self::of(tasks, out, GatewayKernel { device, interrupts })
    }
}
