//! Host and co-processor on a virtual SDIO bus, from power on to the application.

use alloc::boxed::Box;
use alloc::rc::Rc;
use core::cell::{Ref, RefCell, RefMut};

use airtime_core::{Duration, Instant, Pool};

use super::bus::{self, Bus};
use super::{Installed, Order, Updater};
use crate::boot::{BootConfig, Progress};
use crate::direct::{Happened, Side};
use crate::flash::{Nor, StorageError, Timing};
use crate::peripherals::Peripherals;
use crate::slots::{BootError, Running, Slots};
use airtime_esp_hosted::coprocessor::{Coprocessor, CoprocessorConfig};
use airtime_esp_hosted::costs::{BusTiming, Costs};
use airtime_esp_hosted::host::{Host, HostConfig};

/// From the card's identification to the first event: two waits of the driver (`CARD_INIT_DELAY_MS`, `sdio_read_task`).
const IDENTIFIED: Duration = Duration::from_millis(200);

/// Configuration of both sides, and the durations of things.
#[derive(Clone, Debug, PartialEq)]
pub struct SessionConfig {
    /// Configuration of the host's boot sequence.
    pub boot: BootConfig,
    /// The host's driver; its `reset_delay` makes the time until the transport is up.
    pub host: HostConfig,
    /// The co-processor.
    pub coprocessor: CoprocessorConfig,
    /// The bus.
    pub bus: BusTiming,
    /// CPU time around it.
    pub costs: Costs,
    /// Until the host is on the network. *Assumed.*
    pub connect: Duration,
    /// Timing of both flashes.
    pub timing: Timing,
}

impl SessionConfig {
    /// The published sequence and the published bus, for a partition of this many octets.
    pub fn published(partition: u32) -> Self {
        let boot = BootConfig::published(partition);
        let mut config = Self {
            host: HostConfig::default(),
            coprocessor: CoprocessorConfig::default(),
            bus: BusTiming::PUBLISHED,
            costs: Costs::p4_c6(),
            connect: Duration::from_secs(2),
            timing: Timing::TYPICAL,
            boot,
        };
        config.set_transport(config.boot.not_before);
        config
    }

    /// Sets the time from a reset by the host until the transport is up.
    pub fn set_transport(&mut self, time: Duration) {
        self.host.reset_delay = time.saturating_sub(IDENTIFIED);
        self.boot.restart = self.boot.restart.max(time * 2);
    }
}

/// Session of an update: host, bus and co-processor in virtual time, with power that goes at any point.
#[derive(Debug)]
pub struct Session {
    config: SessionConfig,
    pool: Pool,
    now: Instant,
    peripherals: Peripherals,
    slots: Rc<RefCell<Slots<Nor>>>,
    host: Host,
    coprocessor: Coprocessor,
    updater: Option<Updater>,
    coprocessor_on: bool,
    bus: Bus,
    /// Writes of earlier boots.
    writes: u32,
}

impl Session {
    /// A host whose partition is `flash`, and a co-processor with `slots`; both without power.
    pub fn new(config: SessionConfig, flash: Nor, slots: Slots<Nor>) -> Self {
        let (pool, now) = (Pool::new(), Instant::ZERO);
        let slots = Rc::new(RefCell::new(slots));
        let installed = Box::new(Installed::new(Rc::clone(&slots), config.timing));
        let coprocessor = Coprocessor::with_flash(now, config.coprocessor.clone(), pool.clone(), installed);
        let host = Host::new(now, config.host.clone(), pool.clone());
        let bus = Bus::new(config.bus, config.costs, &pool);
        slots.borrow_mut().reset();
        let peripherals = Peripherals::new(flash, config.timing, config.connect);
        Self {
            config,
            pool,
            now,
            peripherals,
            slots,
            host,
            coprocessor,
            updater: None,
            coprocessor_on: false,
            bus,
            writes: 0,
        }
    }

    /// Both get power. What had it keeps running, except that a host resets its co-processor when it starts.
    ///
    /// # Errors
    /// When the co-processor has nothing to boot.
    pub fn power_on(&mut self) -> Result<(), BootError> {
        self.peripherals.flash.restore();
        self.slots.borrow_mut().storage_mut().restore();
        if !self.coprocessor_on {
            self.coprocessor_on = true;
            self.coprocessor.reset(self.now);
        }
        if self.updater.is_none() {
            self.start_host();
        }
        self.settle();
        if self.slots.borrow().running().is_some() { Ok(()) } else { Err(BootError::NoImage) }
    }

    fn start_host(&mut self) {
        self.host = Host::new(self.now, self.config.host.clone(), self.pool.clone());
        self.updater = Some(Updater::new(self.now, self.config.boot.clone()));
    }

    /// Power goes.
    pub fn cut(&mut self, side: Side) {
        if side != Side::Coprocessor {
            self.peripherals.flash.cut();
            self.host_off();
        }
        if side != Side::Host {
            self.slots.borrow_mut().storage_mut().cut();
            self.coprocessor_off();
        }
    }

    fn host_off(&mut self) {
        self.writes += self.updater.take().map_or(0, |updater| updater.writes());
        self.peripherals.forget();
        self.bus.host_off();
    }

    fn coprocessor_off(&mut self) {
        self.coprocessor_on = false;
        self.slots.borrow_mut().reset();
        self.bus.coprocessor_off();
    }

    /// The flash of the host's partition.
    pub fn flash(&self) -> &Nor {
        &self.peripherals.flash
    }

    /// The flash of the host's partition.
    pub fn flash_mut(&mut self) -> &mut Nor {
        &mut self.peripherals.flash
    }

    /// The flash of the co-processor.
    pub fn slots(&self) -> Ref<'_, Slots<Nor>> {
        self.slots.borrow()
    }

    /// The flash of the co-processor.
    pub fn slots_mut(&mut self) -> RefMut<'_, Slots<Nor>> {
        self.slots.borrow_mut()
    }

    /// Firmware that the co-processor runs.
    pub fn running(&self) -> Option<Running> {
        self.slots.borrow().running().cloned()
    }

    /// Current time.
    pub fn now(&self) -> Instant {
        self.now
    }

    /// Progress of the host, if it has power.
    pub fn progress(&self) -> Option<Progress> {
        self.updater.as_ref().map(Updater::progress)
    }

    /// Writes that the co-processor has acknowledged, in all boots.
    pub fn writes(&self) -> u32 {
        self.writes + self.updater.as_ref().map_or(0, Updater::writes)
    }

    /// Lets happen what happens next, unless that is after `limit`.
    pub fn step(&mut self, limit: Instant) -> Happened {
        let host = self.updater.as_ref().and_then(|updater| {
            let driver = self.host.deadline();
            [updater.deadline(), driver].into_iter().flatten().min()
        });
        let coprocessor = self.coprocessor.deadline().filter(|_| self.coprocessor_on);
        let next = [host, coprocessor, self.peripherals.deadline(), self.bus.deadline()].into_iter().flatten().min();
        let Some(next) = next.filter(|next| *next <= limit) else { return Happened::Nothing };
        self.now = self.now.max(next);
        self.operate();
        if self.peripherals.has_joined(self.now) {
            self.tell(|updater, now| updater.connected(now, true));
        }
        if self.coprocessor_on {
            self.coprocessor.wake(self.now);
        }
        if self.updater.is_some() {
            self.host.wake(self.now);
            self.tell(Updater::wake);
        }
        self.settle()
    }

    fn tell(&mut self, event: impl FnOnce(&mut Updater, Instant)) {
        if let Some(updater) = &mut self.updater {
            event(updater, self.now);
        }
    }

    /// Everything that happens now. What the sequence orders comes first: a call that it makes moves the bus.
    fn settle(&mut self) -> Happened {
        loop {
            let order = self.updater.as_mut().and_then(|updater| updater.poll(self.now, &mut self.host));
            match order {
                None => {}
                Some(Order::Connect) => self.peripherals.connect(self.now),
                Some(Order::Flash(request)) => self.peripherals.ask(self.now, request),
                Some(Order::Restart) => {
                    self.host_off();
                    self.start_host();
                    self.settle();
                    return Happened::Restarted;
                }
                Some(Order::Run(finding)) => return Happened::Runs(finding),
            }
            if !self.move_bus() && order.is_none() {
                return Happened::Step;
            }
        }
    }

    /// Moves both drivers as far as they go now; tells if they did anything.
    fn move_bus(&mut self) -> bool {
        let mut any = false;
        if self.coprocessor_on {
            any |= self.bus.coprocessor(self.now, &mut self.coprocessor);
            any |= bus::listen(self.now, &mut self.host, &mut self.coprocessor);
        }
        if self.updater.is_some() {
            any |= self.bus.host(self.now, &mut self.host, &mut self.coprocessor, self.coprocessor_on);
        }
        if self.coprocessor_on && !self.slots.borrow().storage().powered() {
            // Its power went in the middle of something: nobody hears of it.
            self.coprocessor_off();
        }
        while let Some(updater) = &mut self.updater {
            let Some(said) = bus::said(self.now, &mut self.host, &mut self.coprocessor, self.coprocessor_on) else {
                break;
            };
            any = true;
            updater.host_said(self.now, &said);
        }
        any
    }

    /// The host's flash has done what it was at.
    fn operate(&mut self) {
        let (now, updater) = (self.now, &mut self.updater);
        let lost = self.peripherals.operate(now, |done| match (done, updater.as_mut()) {
            (Err(StorageError::PowerLost), _) => true,
            (done, updater) => {
                if let Some(updater) = updater {
                    updater.flash(now, done);
                }
                false
            }
        });
        if lost == Some(true) {
            self.host_off();
        }
    }
}
