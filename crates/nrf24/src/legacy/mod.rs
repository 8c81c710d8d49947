//! The tunnel of the published report, as its source has it: no chunk header, batches of 96 octets, an unbounded queue,
//! one CE pulse per packet, sleeps of 360 µs, CE dropped while reading. The baseline to explain and to beat.
//!
//! ```text
//!   TUN device ─► [read_tun] ─► queue without limit ─► [transmit] ── radio 0
//!   TUN device ◄─ [write_tun] ◄─ queue ◄─ "does it parse?" ◄─ [receive] ── radio 1
//! ```
//!
//! Behaviour is that of the published source (Lund University, course EITN30, 2024) in its last version; what the study turns is in
//! [`Config`]. Where the program would end in a panic, the task ends and the other three go on, as its threads do.

mod assembly;
mod config;
mod device;
mod ip;
mod threads;

use alloc::rc::Rc;

use airtime_core::{Instant, Pool};

use crate::wires::queue::{Outbox, Queue};
use crate::wires::{Board, Kernel, SharedChip, TaskHost, Tasks, TunDevice};

pub use config::{Config, Framing};
pub(crate) use ip::headers;

/// Octets that the model keeps at most in a queue: 20 minutes of what the radio carries. The published program has no such limit
/// and grows until the system ends it; a run must not. What is turned away is noted as dropped.
pub const QUEUE_OCTETS_MAX: usize = 64 << 20;

/// Kernel below the published tunnel, and its queue.
#[derive(Debug)]
pub struct LegacyKernel {
    device: TunDevice,
    queue: Rc<Queue>,
}

impl Kernel for LegacyKernel {
    fn packet(&mut self, packet: &[u8]) {
        self.device.packet(packet);
    }
}

/// An end of the published tunnel: a host with two chips.
pub type Legacy = TaskHost<LegacyKernel>;

impl Legacy {
    /// An end that starts now on these chips, whatever state they are in: radio 0 transmits, radio 1 receives.
    pub fn new(chips: [SharedChip; 2], config: Config, pool: &Pool, now: Instant) -> Self {
        let mut tasks = Tasks::new(now, config.cost);
        let [transmit, receive] = chips.map(|chip| Board { chip, cost: config.cost });
        let reader = tasks.task(None);
        let transmitter = tasks.task(Some((0, transmit)));
        let receiver = tasks.task(Some((1, receive)));
        let writer = tasks.task(None);
        let device = TunDevice::new(&mut tasks, config.mtu, pool, reader.notify());
        let queue = Rc::new(Queue::new(QUEUE_OCTETS_MAX, transmitter.notify()));
        let written = Rc::new(Queue::new(QUEUE_OCTETS_MAX, writer.notify()));
        let out = Rc::new(Outbox::default());
        tasks.spawn(&reader, threads::read_tun(reader.clone(), config, device.read(), queue.clone()));
        tasks.spawn(&transmitter, threads::transmit(transmitter.clone(), config, queue.clone()));
        tasks.spawn(&receiver, threads::receive(receiver.clone(), config, pool.clone(), written.clone()));
        tasks.spawn(&writer, threads::write_tun(writer.clone(), config, written, out.clone()));
        Self::of(tasks, out, LegacyKernel { device, queue })
    }

    /// Octets that wait for the transmitter.
    pub fn backlog(&self) -> usize {
        self.kernel().queue.octets()
    }

    /// The most octets that ever waited for the transmitter.
    pub fn backlog_max(&self) -> usize {
        self.kernel().queue.most()
    }
}
