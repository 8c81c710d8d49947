//! The machines of the host, and all that they can do without waiting.

use airtime_core::{Duration, Instant, Packet, Pool};
use airtime_esp_hosted::host::{Host, HostConfig, HostOutput, Task};
use airtime_esp_hosted::wire::{Bus, Frame};
use airtime_ota::boot::{BootConfig, Finding};
use airtime_ota::flash::Storage;
use airtime_ota::hosted::{Order, Updater};
use airtime_ota::partition::SECTOR;
use log::{info, warn};

use super::staged::Staged;

/// Octets of an update between two lines of the log.
const EVERY: u32 = 100_000;

/// Driver, sequence and flash.
pub struct Driver<S, T> {
    pub host: Host,
    pool: Pool,
    updater: Updater,
    staged: Staged<S>,
    found: T,
    said: u32,
    /// The co-processor is to be reset.
    reset: bool,
    restarts: bool,
}

impl<S: Storage, T: FnMut(Finding)> Driver<S, T> {
    /// A host that has just started, on a bus.
    pub fn new(now: Instant, bus: Bus, flash: S, found: T) -> Self {
        let pool = Pool::new();
        let checksum = bus.transport().checksum_by_default();
        let host = Host::new(now, HostConfig { bus, checksum, ..HostConfig::default() }, pool.clone());
        let staged = Staged::new(flash);
        let mut config = BootConfig::published(staged.octets().unwrap_or(SECTOR));
        // What was observed is the time that the published host takes; this one may begin when its transport is up.
        config.not_before = Duration::ZERO;
        let updater = Updater::new(now, config);
        Self { host, pool, updater, staged, found, said: 0, reset: false, restarts: false }
    }

    /// A frame has come over a UART.
    pub fn received(&mut self, now: Instant, frame: &Frame<'_>) {
        self.host.received(now, frame);
        self.settle(now);
    }

    /// Instant at which it next wants to be woken.
    pub fn deadline(&self) -> Option<Instant> {
        [self.host.deadline(), self.updater.deadline()].into_iter().flatten().min()
    }

    /// Its deadline has come.
    pub fn wake(&mut self, now: Instant) {
        self.host.wake(now);
        self.updater.wake(now);
    }

    /// Tells once that the co-processor is to be reset.
    pub fn resets(&mut self) -> bool {
        core::mem::take(&mut self.reset)
    }

    /// True when the host is to be restarted.
    pub fn restarts(&self) -> bool {
        self.restarts
    }

    /// A buffer for what a bus reads.
    pub fn buffer(&self) -> Packet {
        self.pool.packet()
    }

    /// Carries out everything that can be done without the bus.
    pub fn settle(&mut self, now: Instant) {
        while !self.restarts && (self.order(now) | self.work(now) | self.listen(now)) {}
    }

    /// Carries out an order of the sequence; tells if there was one.
    fn order(&mut self, now: Instant) -> bool {
        let Some(order) = self.updater.poll(now, &mut self.host) else { return false };
        match order {
            // This image joins no network: an update needs none.
            Order::Connect => self.updater.connected(now, false),
            Order::Flash(request) => {
                let done = self.staged.carry_out(request);
                self.updater.flash(now, done);
            }
            Order::Restart => self.restarts = true,
            Order::Run(finding) => {
                match finding {
                    Finding::Nothing => info!("nothing is staged; the link is up"),
                    finding => warn!("{finding}"),
                }
                (self.found)(finding);
            }
        }
        let progress = self.updater.progress();
        if progress.written < self.said {
            self.said = 0;
        }
        if progress.written >= self.said + EVERY {
            self.said = progress.written;
            info!("{} of {} octets", progress.written, progress.octets);
        }
        true
    }

    /// The driver's tasks: on this chip they take the time they take.
    fn work(&mut self, now: Instant) -> bool {
        let mut any = false;
        for task in [Task::Write, Task::Split, Task::Dispatch] {
            while let Some(work) = self.host.work(task) {
                self.host.worked(now, task, work.frames);
                any = true;
            }
        }
        any
    }

    fn listen(&mut self, now: Instant) -> bool {
        let mut any = false;
        while let Some(output) = self.host.poll(now) {
            any = true;
            match &output {
                HostOutput::Reset => self.reset = true,
                HostOutput::Ready(_) => info!("the co-processor is there"),
                HostOutput::Failed(failure) => warn!("no link: {failure}"),
                _ => {}
            }
            self.updater.host_said(now, &output);
        }
        any
    }
}
