//! The boot sequence on this chip: the driver's tasks, its bus, its flash, and time.

use airtime_core::{Instant, Packet, Pool};
use airtime_esp_hosted::host::{Host, HostConfig, HostOutput, Task};
use airtime_esp_hosted::sdio::{Completion, Transaction};
use airtime_ota::boot::{BootConfig, Finding};
use airtime_ota::hosted::{Order, Updater};
use embassy_futures::select::select;
use embassy_time::Timer;
use log::{info, warn};
use sdio::MmcBus;

use crate::card::{Brought, Card};
use crate::flash::Flash;

/// Octets of an update between two lines of the log.
const EVERY: u32 = 100_000;

/// Sequence of a boot, with everything that it needs.
pub struct Sequence<B: MmcBus> {
    card: Card<B>,
    flash: Flash,
    host: Host,
    updater: Updater,
    reply: Packet,
    said: u32,
}

/// The chip's clock as the machines count.
fn now() -> Instant {
    Instant::from_nanos(embassy_time::Instant::now().as_micros() * 1_000)
}

impl<B: MmcBus> Sequence<B> {
    pub fn new(card: Card<B>, flash: Flash) -> Self {
        let pool = Pool::new();
        let host = Host::new(now(), HostConfig::default(), pool.clone());
        let mut config = BootConfig::published(flash.octets().max(0x1000));
        // What was observed is the time that the published host takes; this one may begin when its transport is up.
        config.not_before = airtime_core::Duration::ZERO;
        Self { updater: Updater::new(now(), config), card, flash, host, reply: pool.packet(), said: 0 }
    }

    /// Runs the sequence, then keeps the link up.
    pub async fn run(&mut self) -> ! {
        loop {
            self.settle().await;
            let deadline = [self.host.deadline(), self.updater.deadline()].into_iter().flatten().min();
            let due = async {
                match deadline {
                    Some(at) => Timer::at(embassy_time::Instant::from_micros(at.as_nanos().div_ceil(1_000))).await,
                    None => core::future::pending().await,
                }
            };
            match select(due, self.card.interrupt()).await {
                embassy_futures::select::Either::First(()) => {
                    self.host.wake(now());
                    self.updater.wake(now());
                }
                embassy_futures::select::Either::Second(()) => self.host.interrupt(now(), true),
            }
        }
    }

    /// Carries out everything that can be done now.
    async fn settle(&mut self) {
        loop {
            let ordered = self.orders();
            let worked = self.tasks();
            let moved = self.transact().await;
            let told = self.listen().await;
            if !(ordered || worked || moved || told) {
                return;
            }
        }
    }

    /// Carries out the orders of the sequence; tells if there were any.
    fn orders(&mut self) -> bool {
        let Some(order) = self.updater.poll(now(), &mut self.host) else { return false };
        match order {
            // This image joins no network: an update needs none.
            Order::Connect => self.updater.connected(now(), false),
            Order::Flash(request) => {
                let done = self.flash.carry_out(request);
                self.updater.flash(now(), done);
            }
            Order::Restart => esp_hal::system::software_reset(),
            Order::Run(Finding::Nothing) => info!("nothing is staged; the link is up"),
            Order::Run(finding) => warn!("{finding}"),
        }
        let progress = self.updater.progress();
        if progress.written >= self.said + EVERY {
            self.said = progress.written;
            info!("{} of {} octets", progress.written, progress.octets);
        }
        true
    }

    /// The driver's tasks: on this chip they take the time they take.
    fn tasks(&mut self) -> bool {
        let mut any = false;
        for task in [Task::Write, Task::Split, Task::Dispatch] {
            while let Some(work) = self.host.work(task) {
                self.host.worked(now(), task, work.frames);
                any = true;
            }
        }
        any
    }

    async fn transact(&mut self) -> bool {
        let Some(transaction) = self.host.transaction(now()) else { return false };
        let brought = self.card.carry_out(&transaction).await;
        let completion = match brought {
            Err(error) => Completion::Failed(error),
            Ok(Brought::Nothing) => Completion::Written,
            Ok(Brought::Octets(octets)) => {
                self.reply.truncate(0);
                self.card.octets(octets).for_each(|octets| self.reply.put(octets));
                Completion::Read(&self.reply)
            }
        };
        // The line is asked anew after every read: an interrupt that was not cleared comes again.
        let read = matches!(transaction, Transaction::ReadData { .. });
        self.host.done(now(), transaction, completion);
        if read {
            self.host.interrupt(now(), false);
        }
        true
    }

    async fn listen(&mut self) -> bool {
        let mut any = false;
        while let Some(output) = self.host.poll(now()) {
            any = true;
            if matches!(output, HostOutput::Reset) {
                self.card.reset().await;
            }
            self.updater.host_said(now(), &output);
        }
        any
    }
}
