//! The host's side: queues by priority, the SDIO driver with its mutex, start-up, RPC. Sans-IO.
//!
//! Four tasks, as in `host/drivers/transport/sdio/sdio_drv.c`: one writes and one reads, and they share the mutex of the
//! bus; one splits what was read, one dispatches it. The bus is whoever answers [transactions](Host::transaction), the CPU
//! whoever does [`Work`]; neither takes time in here.
//!
//! Over SPI one task does both, in [exchanges](Host::exchange) that carry a frame each way. Over a UART each frame is written as a
//! transaction, and what has come is handed [over](Host::received).

mod bring_up;
mod calls;
mod config;
mod counters;
mod driver;
mod exchange;
mod handshake;
mod output;
mod reader;
mod receive;
mod start;
mod tasks;
mod uart;
mod work;
mod writer;

use alloc::collections::VecDeque;

use airtime_core::{Instant, Packet, Pool};

pub use bring_up::BringUp;
pub use calls::CallError;
pub use config::{Driver, FIXED_POOL, HostConfig, PENDING_READ, V2_11_7};
use counters::Told;
pub use counters::{HostCounters, HostDrop, Said};
pub use exchange::Exchange;
use exchange::Exchanger;
pub use handshake::{Handshake, Versions};
pub use output::{Failure, HostOutput, Refused};
pub use work::{HostDepth, HostState, Task, Work};

use super::earliest;
use super::rpc::{Calls, Port};
use super::sdio::{Credits, Length};
use super::wire::{FrameFaults, Header, Interface, PRIORITIES};
use reader::Reader;
use receive::Receive;
use start::{Stage, Start};
use tasks::Mutex;
use writer::Writer;

/// Frames of the driver's own that wait for room in their queues: five requests of six fragments, and a few answers to a
/// co-processor that starts again and again.
const BACKLOG_MAX: usize = 64;

/// The host's side of the bus.
///
/// One mutation, then drain [`poll`](Self::poll), do what [`work`](Self::work) there is, and ask for a
/// [`transaction`](Self::transaction) when none is under way.
#[derive(Debug)]
pub struct Host {
    config: HostConfig,
    pool: Pool,
    start: Start,
    queues: [VecDeque<Packet>; PRIORITIES],
    writer: Writer,
    reader: Reader,
    exchanger: Exchanger,
    receive: Receive,
    mutex: Mutex,
    throttled: bool,
    /// A task stands still in front of the queue of a priority.
    blocked: [bool; PRIORITIES],
    /// The Linux driver has stopped its queue of packets.
    stopped: bool,
    port: Port,
    calls: Calls,
    /// Frames of the driver's own, no more than [`BACKLOG_MAX`] and the last message.
    backlog: VecDeque<Packet>,
    told: Told,
}

impl Host {
    /// A host that has just started; it resets the co-processor first.
    pub fn new(now: Instant, config: HostConfig, pool: Pool) -> Self {
        let mut host = Self::down(config, pool);
        host.restart(now);
        host
    }

    /// A host whose transport is up, with a co-processor that is [`booted`](crate::coprocessor::Coprocessor::booted).
    pub fn booted(config: HostConfig, pool: Pool) -> Self {
        let mut host = Self::down(config, pool);
        host.start = Start::at(Stage::Up);
        host
    }

    fn down(config: HostConfig, pool: Pool) -> Self {
        let queue = usize::from(config.tx_queue);
        Self {
            receive: Receive::new(&config),
            pool,
            start: Start::at(Stage::Failed),
            queues: core::array::from_fn(|_| VecDeque::with_capacity(queue)),
            writer: Writer::new(config.bus, config.driver),
            reader: Reader::new(false, config.bus, config.mode),
            exchanger: Exchanger::default(),
            mutex: Mutex::default(),
            throttled: false,
            blocked: [false; PRIORITIES],
            stopped: false,
            port: Port::host(&config.layout()),
            calls: Calls::new(),
            backlog: VecDeque::new(),
            told: Told::default(),
            config,
        }
    }

    /// The same host after traffic of so many buffers and octets: its counters wrap sooner.
    #[must_use]
    pub fn aged(mut self, buffers: u32, octets: u32) -> Self {
        self.writer.continue_from(Credits::new(buffers));
        self.reader.continue_from(Length::new(octets));
        self
    }

    /// The netif hands an Ethernet frame to its interface.
    ///
    /// # Errors
    /// With the frame, when it is not taken.
    pub fn transmit(&mut self, now: Instant, frame: Packet) -> Result<(), Refused> {
        // Source: `transport_drv_sta_tx` looks at the throttle first, `esp_hosted_tx` at the transport.
        // That of an access point, `transport_drv_ap_tx`, does not look at it.
        if self.throttled && !self.config.access_point {
            self.told.lost(HostDrop::Throttled, frame.len());
            return Err(Refused::Throttled(frame));
        }
        self.send(now, self.config.interface(), frame)
    }

    /// Hands a payload to any interface. A station's frame that was [`Full`](Refused::Full) comes back here after
    /// [`HostOutput::Room`]: its task is past the throttle.
    ///
    /// # Errors
    /// With the payload, when it is not taken; never because the co-processor throttles.
    pub fn send(&mut self, now: Instant, interface: Interface, payload: Packet) -> Result<(), Refused> {
        self.enqueue(now, Header::new(interface), payload)
    }

    fn enqueue(&mut self, now: Instant, header: Header, payload: Packet) -> Result<(), Refused> {
        let layout = self.config.layout();
        if payload.is_empty() || payload.len() > layout.payload_max() {
            return Err(Refused::Length(payload));
        }
        if !self.start.transmits() {
            return Err(Refused::Down(payload));
        }
        let priority = header.interface.priority() as usize;
        let full = self.queues[priority].len() >= usize::from(self.config.tx_queue);
        let packet = header.interface == self.config.interface();
        if full && packet && !self.stopped && self.config.resume_below().is_some() {
            // Source: `write_packet` stops the queue, frees the packet and says -EBUSY, which `process_tx_packet` tells nobody.
            self.stopped = true;
            self.told.lost(HostDrop::Stopped, payload.len());
            return Ok(());
        }
        if full || packet && self.stopped {
            self.blocked[priority] = true;
            return Err(Refused::Full(payload));
        }
        self.queues[priority].push_back(header.wrap(&layout, payload));
        self.next_frame(now);
        Ok(())
    }

    /// The card's interrupt line, or the data-ready line of SPI, has changed.
    pub fn interrupt(&mut self, now: Instant, asserted: bool) {
        let _ = now;
        self.exchanger.line(asserted && !self.reader.line);
        self.reader.line = asserted;
    }

    /// Its deadline has come.
    pub fn wake(&mut self, now: Instant) {
        self.wake_writer(now);
        self.wake_start(now);
        self.wake_calls(now);
    }

    /// Next output; drained to none.
    pub fn poll(&mut self, now: Instant) -> Option<HostOutput> {
        let _ = now;
        self.said().map(Said::output)
    }

    /// Next output in few octets, for whoever takes every frame; the same outputs as [`poll`](Self::poll) gives.
    pub fn said(&mut self) -> Option<Said> {
        self.told.next()
    }

    /// Instant at which it next wants to be woken.
    pub fn deadline(&self) -> Option<Instant> {
        earliest(self.writer.deadline(), earliest(self.start.deadline(), self.calls.deadline()))
    }

    /// State of its driver on the bus.
    pub fn state(&self) -> HostState {
        tasks::state(self)
    }

    /// Depths of its queues.
    pub fn depth(&self) -> HostDepth {
        HostDepth {
            transmit: core::array::from_fn(|priority| self.queues[priority].len() as u16),
            burst: self.receive.burst() as u16,
            receive: core::array::from_fn(|priority| self.receive.queued(priority) as u16),
        }
    }

    /// Counters since it was made.
    pub fn counters(&self) -> &HostCounters {
        &self.told.counters
    }

    /// Faults of octets that came from the co-processor.
    pub fn faults(&self) -> FrameFaults {
        self.receive.faults()
    }

    /// Frames that were taken and are not on the bus yet.
    pub fn queued(&self) -> usize {
        self.queues.iter().map(VecDeque::len).sum::<usize>() + usize::from(self.writer.busy())
    }

    /// True while the writing task has a frame: others sent meanwhile only join a queue.
    pub fn writes(&self) -> bool {
        self.writer.busy()
    }

    /// True while the co-processor throttles its station interface.
    pub fn throttled(&self) -> bool {
        self.throttled
    }

    /// Configuration it was made with.
    pub fn config(&self) -> &HostConfig {
        &self.config
    }
}
