//! Host and co-processor joined without a bus between them: a request takes half a round trip, an answer the other half. For
//! the order of things, and for power that goes at any point, in virtual time.

mod coprocessor;

use airtime_core::{Duration, Instant};

use super::boot::{Boot, BootConfig, BootOutput, Finding, Progress, Reply};
use super::flash::{Nor, StorageError, Timing};
use super::peripherals::Peripherals;
use super::slots::{BootError, Running, Slots};
use coprocessor::Coprocessor;

/// Configuration of the link that joins them, and the durations of things.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DirectConfig {
    /// Configuration of the host's boot sequence.
    pub boot: BootConfig,
    /// From power on of the host until the handshake is through.
    pub transport: Duration,
    /// From a reset of the co-processor until its handshake is through. *Assumed.*
    pub restart: Duration,
    /// Until the host is on the network. *Assumed.*
    pub connect: Duration,
    /// Time of a request and its answer, besides that of the flash. *Assumed.*
    pub round_trip: Duration,
    /// Timing of both flashes.
    pub timing: Timing,
    /// The version of a firmware that runs and never answers.
    pub mute: Option<[u32; 3]>,
}

impl DirectConfig {
    /// The published sequence for a partition of this many octets.
    pub fn published(partition: u32) -> Self {
        let boot = BootConfig::published(partition);
        Self {
            transport: boot.not_before,
            boot,
            restart: Duration::from_secs(2),
            connect: Duration::from_secs(2),
            round_trip: Duration::from_millis(2),
            timing: Timing::TYPICAL,
            mute: None,
        }
    }
}

/// Side of the link, for its power.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    /// The host's.
    Host,
    /// The co-processor's.
    Coprocessor,
    /// Both sides.
    Both,
}

/// Outcome of [`Direct::step`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Happened {
    /// Something on the way.
    Step,
    /// The host restarts: what was staged is installed and erased.
    Restarted,
    /// The host runs its application.
    Runs(Finding),
    /// Nothing will happen any more: power is lost, or the limit was reached.
    Nothing,
}

/// Host and co-processor.
#[derive(Clone, Debug)]
pub struct Direct {
    config: DirectConfig,
    now: Instant,
    boot: Option<Boot>,
    peripherals: Peripherals,
    coprocessor: Coprocessor,
    writes: u32,
}

impl Direct {
    /// A host whose partition is `flash`, and a co-processor with `slots`; both without power.
    pub fn new(config: DirectConfig, flash: Nor, slots: Slots<Nor>) -> Self {
        let coprocessor = Coprocessor::new(slots);
        let peripherals = Peripherals::new(flash, config.timing, config.connect);
        Self { config, now: Instant::ZERO, boot: None, peripherals, coprocessor, writes: 0 }
    }

    /// Both get power. What had it keeps running, except that a host resets its co-processor when it starts.
    ///
    /// # Errors
    /// When the co-processor has nothing to boot.
    pub fn power_on(&mut self) -> Result<(), BootError> {
        self.peripherals.flash.restore();
        self.coprocessor.slots.storage_mut().restore();
        if self.boot.is_none() {
            self.boot = Some(Boot::new(self.now, self.config.boot.clone()));
            let ready = self.now + self.config.transport;
            return self.coprocessor.reset(self.now, ready);
        }
        if self.coprocessor.slots.running().is_none() {
            let ready = self.now + self.config.restart;
            return self.coprocessor.reset(self.now, ready);
        }
        Ok(())
    }

    /// Power goes.
    pub fn cut(&mut self, side: Side) {
        if side != Side::Coprocessor {
            self.peripherals.flash.cut();
            self.peripherals.forget();
            self.boot = None;
        }
        if side != Side::Host {
            self.coprocessor.slots.storage_mut().cut();
            self.coprocessor.off();
        }
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
    pub fn slots(&self) -> &Slots<Nor> {
        &self.coprocessor.slots
    }

    /// The flash of the co-processor.
    pub fn slots_mut(&mut self) -> &mut Slots<Nor> {
        &mut self.coprocessor.slots
    }

    /// Firmware that the co-processor runs.
    pub fn running(&self) -> Option<&Running> {
        self.coprocessor.slots.running()
    }

    /// Current time.
    pub fn now(&self) -> Instant {
        self.now
    }

    /// Progress of the host, if it has power.
    pub fn progress(&self) -> Option<Progress> {
        self.boot.as_ref().map(Boot::progress)
    }

    /// Writes that the co-processor has acknowledged.
    pub fn writes(&self) -> u32 {
        self.writes
    }

    /// Lets happen what happens next, unless that is after `limit`.
    pub fn step(&mut self, limit: Instant) -> Happened {
        let host = self.boot.as_ref().and_then(Boot::deadline);
        let next = [host, self.peripherals.deadline(), self.coprocessor.deadline()].into_iter().flatten().min();
        let Some(next) = next.filter(|next| *next <= limit) else { return Happened::Nothing };
        self.now = self.now.max(next);
        if self.operate() {
            // The sequence goes on below.
        } else if self.peripherals.has_joined(self.now) {
            self.tell(|boot, now| boot.connected(now, true));
        } else if self.coprocessor.deadline() == Some(next) {
            self.coprocess();
        } else {
            self.tell(Boot::wake);
        }
        self.drain()
    }

    fn tell(&mut self, event: impl FnOnce(&mut Boot, Instant)) {
        if let Some(boot) = &mut self.boot {
            event(boot, self.now);
        }
    }

    /// The host's flash has done what it was at; false if it was at nothing.
    fn operate(&mut self) -> bool {
        let boot = &mut self.boot;
        let heard = self.peripherals.operate(self.now, |done| match (done, boot.as_mut()) {
            // Firmware does not see its own power go.
            (Err(StorageError::PowerLost), _) => *boot = None,
            (done, Some(boot)) => boot.flash(self.now, done),
            (_, None) => {}
        });
        if self.boot.is_none() {
            self.peripherals.forget();
        }
        heard.is_some()
    }

    fn coprocess(&mut self) {
        let reply = match self.coprocessor.wake(self.now, &self.config) {
            coprocessor::Happening::Nothing => return,
            coprocessor::Happening::Up => {
                return self.tell(|boot, now| {
                    // The host learns of a restart from the new handshake.
                    boot.transport_down(now);
                    boot.transport_up(now);
                });
            }
            coprocessor::Happening::Answers(reply, write) => {
                self.writes += u32::from(write && reply == Reply::Done);
                reply
            }
        };
        self.tell(|boot, now| boot.reply(now, reply));
    }

    /// Carries out what the host says.
    fn drain(&mut self) -> Happened {
        while let Some(output) = self.boot.as_mut().and_then(|boot| boot.poll(self.now)) {
            match output {
                BootOutput::Connect => self.peripherals.connect(self.now),
                BootOutput::Request(request) => {
                    let chunk = self.boot.as_ref().map_or(&[][..], Boot::chunk);
                    self.coprocessor.request(self.now + self.config.round_trip / 2, request, chunk);
                }
                BootOutput::Flash(request) => self.peripherals.ask(self.now, request),
                BootOutput::Reset => {
                    let ready = self.now + self.config.restart;
                    // A co-processor without power stays as it is.
                    let _ = self.coprocessor.reset(self.now, ready);
                }
                BootOutput::Restart => {
                    self.boot = None;
                    let _ = self.power_on_host();
                    return Happened::Restarted;
                }
                BootOutput::Run(finding) => return Happened::Runs(finding),
            }
        }
        Happened::Step
    }

    fn power_on_host(&mut self) -> Result<(), BootError> {
        self.boot = Some(Boot::new(self.now, self.config.boot.clone()));
        self.coprocessor.reset(self.now, self.now + self.config.transport)
    }
}
