//! The co-processor's side: SDIO slave with its buffers, throttle, Wi-Fi transmit with its two tries, RPC server. Sans-IO.
//!
//! Source: `slave/main/{sdio_slave_api.c,esp_hosted_coprocessor.c}`.

mod bus;
mod config;
mod counters;
mod exchange;
mod flash;
mod from_host;
mod output;
mod server;
mod start;
mod to_host;

use alloc::boxed::Box;
use alloc::collections::VecDeque;

use airtime_core::{Instant, Packet, Pool};

pub use config::CoprocessorConfig;
pub use counters::{CoprocessorCounters, CoprocessorDrop};
use exchange::Exchanger;
pub use exchange::Reply;
pub use flash::{Firmware, Flash, Flashed};
pub use output::{CoprocessorDepth, CoprocessorOutput, CoprocessorState};

pub use server::{Overridden, Radio, Wifi};

use super::earliest;
use super::sdio::Slave;
use super::wire::{Bus, Header, PRIORITIES};
use counters::Told;
use from_host::Step;
use server::Server;

/// A frame from the host in one of the SDIO buffers.
#[derive(Debug)]
struct Received {
    header: Header,
    payload: Packet,
}

/// Power state, from boot to running.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Power {
    /// It boots until then.
    Boots(Instant),
    /// It runs, and the host has not initialised its card yet.
    Waits,
    /// Its card is initialised.
    Runs,
    /// It has nothing to boot.
    Dead,
}

/// The co-processor.
///
/// One mutation, then drain [`poll`](Self::poll), and do what [`work`](Self::work) there is.
#[derive(Debug)]
pub struct Coprocessor {
    config: CoprocessorConfig,
    pool: Pool,
    power: Power,
    slave: Slave,
    exchanger: Exchanger,
    queues: [VecDeque<Received>; PRIORITIES],
    hand: Option<Received>,
    step: Step,
    tries: u8,
    throttle_percent: (u8, u8),
    throttling: bool,
    data_path: bool,
    connected: bool,
    line: bool,
    /// Frames of the serial interface that wait for a slot, before anything of Wi-Fi.
    serial: VecDeque<Packet>,
    /// A task of Wi-Fi waits for a slot.
    blocked: bool,
    server: Server,
    told: Told,
}

impl Coprocessor {
    /// A co-processor that boots.
    pub fn new(now: Instant, config: CoprocessorConfig, pool: Pool) -> Self {
        let mut coprocessor = Self::at(config, pool);
        coprocessor.power = Power::Boots(now + coprocessor.config.boot_time);
        coprocessor
    }

    /// A co-processor that boots what is in its `flash`.
    pub fn with_flash(now: Instant, config: CoprocessorConfig, pool: Pool, flash: Box<dyn Flash>) -> Self {
        let mut coprocessor = Self::new(now, config, pool);
        coprocessor.server.flash = Some(flash);
        coprocessor.boot();
        coprocessor
    }

    /// One whose transport is up and whose station is connected, for a host that is
    /// [`booted`](crate::host::Host::booted).
    pub fn booted(config: CoprocessorConfig, pool: Pool) -> Self {
        let mut coprocessor = Self::at(config, pool);
        coprocessor.power = Power::Runs;
        coprocessor.throttle_percent = coprocessor.config.throttle_percent;
        coprocessor.data_path = true;
        coprocessor.connected = true;
        coprocessor.prepare_exchange();
        coprocessor
    }

    fn at(config: CoprocessorConfig, pool: Pool) -> Self {
        let buffers = usize::from(config.rx_buffers);
        Self {
            server: Server::new(&config),
            slave: slave(&config),
            exchanger: Exchanger::default(),
            config,
            pool,
            power: Power::Waits,
            queues: core::array::from_fn(|_| VecDeque::with_capacity(buffers)),
            hand: None,
            step: Step::Idle,
            tries: 0,
            throttle_percent: (0, 0),
            throttling: false,
            data_path: false,
            connected: false,
            line: false,
            serial: VecDeque::new(),
            blocked: false,
            told: Told::default(),
        }
    }

    /// The same co-processor after traffic of so many buffers and octets: its counters wrap sooner.
    #[must_use]
    pub fn aged(mut self, buffers: u32, octets: u32) -> Self {
        self.slave = self.slave.aged(buffers, octets);
        self
    }

    /// Its reset line was pulsed, or it restarts by itself: whatever it held is lost, and it boots.
    pub fn reset(&mut self, now: Instant) {
        let pending = self.queues.iter_mut().flat_map(|queue| queue.drain(..)).chain(self.hand.take());
        for received in pending {
            self.told.lost(CoprocessorDrop::Reset, received.payload.len());
        }
        for octets in self.exchanger.drain() {
            self.told.lost(CoprocessorDrop::Reset, octets);
        }
        for frame in self.slave.drain().chain(self.serial.drain(..)) {
            self.told.lost(CoprocessorDrop::Reset, frame.len() - Header::OCTETS);
        }
        self.told.withdraw_offers();
        let told = core::mem::take(&mut self.told);
        let handlers = core::mem::take(&mut self.server.handlers);
        let flash = self.server.flash.take();
        *self = Self { told, line: self.line, ..Self::new(now, self.config.clone(), self.pool.clone()) };
        (self.server.handlers, self.server.flash) = (handlers, flash);
        self.boot();
        self.update_line();
    }

    /// The bootloader looks what there is.
    fn boot(&mut self) {
        let Some(flash) = &mut self.server.flash else { return };
        match flash.boot() {
            Some(firmware) => self.server.firmware = firmware,
            None => self.power = Power::Dead,
        }
    }

    /// Its flash, if it has one.
    pub fn flash_mut(&mut self) -> Option<&mut (dyn Flash + 'static)> {
        self.server.flash.as_deref_mut()
    }

    /// Its deadline has come.
    pub fn wake(&mut self, now: Instant) {
        if matches!(self.power, Power::Boots(until) if until <= now) {
            self.power = Power::Waits;
            self.start_exchanges();
        }
        self.wake_task(now);
        self.wake_server(now);
    }

    /// Next output; drained to none.
    pub fn poll(&mut self, now: Instant) -> Option<CoprocessorOutput> {
        let _ = now;
        self.told.outputs.pop_front()
    }

    /// Instant at which it next wants to be woken.
    pub fn deadline(&self) -> Option<Instant> {
        let task = match (self.power, self.step) {
            (Power::Boots(until), _) | (_, Step::Retrying(until)) => Some(until),
            _ => None,
        };
        earliest(task, self.server.deadline())
    }

    /// State of its task.
    pub fn state(&self) -> CoprocessorState {
        match self.step {
            _ if self.power != Power::Runs || !self.data_path => CoprocessorState::Down,
            Step::Idle => CoprocessorState::Idle,
            Step::Processing => CoprocessorState::Processing,
            Step::Offering => CoprocessorState::Offering,
            Step::Retrying(_) => CoprocessorState::Retrying,
        }
    }

    /// Depths of its queues.
    pub fn depth(&self) -> CoprocessorDepth {
        CoprocessorDepth {
            receive: core::array::from_fn(|priority| self.queues[priority].len() as u16),
            loaded: self.loaded(),
            transmit: self.slave.used() as u16,
        }
    }

    /// Frames from the host that are not with the Wi-Fi driver yet.
    pub fn queued(&self) -> usize {
        self.queues.iter().map(VecDeque::len).sum::<usize>() + usize::from(self.step != Step::Idle)
    }

    /// Counters since it was made.
    pub fn counters(&self) -> &CoprocessorCounters {
        &self.told.counters
    }

    /// Configuration it was made with.
    pub fn config(&self) -> &CoprocessorConfig {
        &self.config
    }
}

/// The peripheral of the bus.
fn slave(config: &CoprocessorConfig) -> Slave {
    match config.bus {
        Bus::SpiHalfDuplex => Slave::half_duplex(config.rx_buffers, config.tx_buffers, config.bus.buffer()),
        _ => Slave::new(config.mode, config.rx_buffers, config.tx_buffers),
    }
}
