//! The machines of the host, and all that they can do without waiting.

use airtime_core::{Duration, Instant, Packet, Pool};
use airtime_esp_hosted::host::{Host, HostConfig, HostOutput, Task};
use airtime_esp_hosted::wire::{Bus, Frame};
use airtime_ota::boot::{BootConfig, Finding};
use airtime_ota::flash::Storage;
use airtime_ota::hosted::{Order, Updater};
use airtime_ota::partition::SECTOR;
use log::{info, warn};

use super::sequence::{Plan, Sequence};
use super::staged::Staged;

/// Octets of an update between two lines of the log.
const EVERY: u32 = 100_000;

/// Driver, sequence and flash.
pub struct Driver<'p, S, T> {
    pub host: Host,
    pool: Pool,
    updater: Updater,
    sequence: Option<Sequence<'p>>,
    staged: Staged<S>,
    found: T,
    said: u32,
    /// The co-processor is to be reset.
    reset: bool,
    restarts: bool,
}

impl<'p, S: Storage, T: FnMut(Finding)> Driver<'p, S, T> {
    /// A host that has just started, on a bus; with a plan it goes through its sequence before it looks for an update.
    pub fn new(now: Instant, bus: Bus, flash: S, found: T, plan: Option<Plan<'p>>) -> Self {
        let pool = Pool::new();
        let checksum = bus.transport().checksum_by_default();
        let host = Host::new(now, HostConfig { bus, checksum, ..HostConfig::default() }, pool.clone());
        let staged = Staged::new(flash);
        let mut config = BootConfig::published(staged.octets().unwrap_or(SECTOR));
        // What was observed is the time that the published host takes; this one may begin when its transport is up.
        config.not_before = Duration::ZERO;
        let sequence = plan.map(|plan| Sequence::new(plan, pool.clone()));
        if let Some(sequence) = &sequence {
            config.connect = sequence.limit();
        }
        let updater = Updater::new(now, config);
        Self { host, pool, updater, sequence, staged, found, said: 0, reset: false, restarts: false }
    }

    /// A frame has come over a UART.
    pub fn received(&mut self, now: Instant, frame: &Frame<'_>) {
        self.host.received(now, frame);
        self.settle(now);
    }

    /// Instant at which it next wants to be woken.
    pub fn deadline(&mut self, now: Instant) -> Option<Instant> {
        let sequence = self.sequence.as_mut().and_then(|sequence| sequence.deadline(now));
        [self.host.deadline(), self.updater.deadline(), sequence].into_iter().flatten().min()
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
        while !self.restarts && (self.order(now) | self.work(now) | self.listen(now) | self.go_on(now)) {}
    }

    /// Carries out an order of the sequence; tells if there was one.
    fn order(&mut self, now: Instant) -> bool {
        let Some(order) = self.updater.poll(now, &mut self.host) else { return false };
        match order {
            // An update needs no network, but one that is to be joined comes first.
            Order::Connect if self.sequence.as_mut().is_some_and(|sequence| sequence.begin(now)) => {}
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

    /// The sequence goes on; at its end the update's turn has come.
    fn go_on(&mut self, now: Instant) -> bool {
        let Some(sequence) = &mut self.sequence else { return false };
        let any = sequence.act(now, &mut self.host);
        if let Some(joined) = sequence.ended() {
            self.updater.connected(now, joined);
        }
        any
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
            if let Some(sequence) = &mut self.sequence {
                sequence.said(now, &output);
            }
        }
        any
    }
}
