//! The two chips and the bus between them.
//!
//! - `bus`: when transactions begin and end · `tasks`: when the tasks of both CPUs have done what they do
//! - `radio`: what the firmware does with its radio besides

mod bus;
mod radio;
mod tasks;

use alloc::boxed::Box;

use airtime_core::{Instant, Packet, Pool};

use super::costs::{BusTiming, Costs};
use super::cpu::Cpu;
use crate::cell::{Cell, Refused as CellRefused};
use crate::hosted::coprocessor::{Coprocessor, CoprocessorOutput};
use crate::hosted::host::{Host, HostOutput, Refused, Task};
use crate::hosted::sdio::Transaction;
use crate::hosted::wire::Interface;
use crate::network::{AP, STATION};
use crate::trace::DropPoint;

/// What the chain has for the network.
#[derive(Debug)]
pub(super) enum ChainOutput {
    /// An Ethernet frame for the interface of the host.
    Frame(Packet),
    /// The host's queue has room for the task that blocked.
    Room,
    /// Something was dropped.
    Dropped(DropPoint, u32),
    /// Anything else that the host says.
    Host(Box<HostOutput>),
    /// Anything else that the co-processor says.
    Coprocessor(CoprocessorOutput),
}

/// A transaction on the bus.
#[derive(Debug)]
struct UnderWay {
    transaction: Transaction,
    /// When the wire is done, and later when the host has what was read.
    until: Instant,
    /// The wire is done, and the reply waits for the host.
    replied: bool,
}

/// A task of the host at work: until when, on how many frames.
type Running = Option<(Instant, u16)>;

/// Host, bus and co-processor.
#[derive(Debug)]
pub struct Chain {
    /// The host's side.
    pub host: Host,
    /// The co-processor's side.
    pub coprocessor: Coprocessor,
    pub(super) cpu: Cpu,
    bus: BusTiming,
    costs: Costs,
    under_way: Option<UnderWay>,
    /// The tasks of [`TASKS`].
    tasks: [Running; TASKS.len()],
    /// The interrupt line is low, and the read task does not know it yet.
    asserted: bool,
    /// When the read task knows it.
    interrupt: Option<Instant>,
    reply: Packet,
    pool: Pool,
    /// The host's side was moved: it may have something to say or to do.
    host_moved: bool,
    /// The co-processor's side was moved.
    coprocessor_moved: bool,
    /// When the two sides want to be woken, as they said last.
    host_due: Instant,
    coprocessor_due: Instant,
    /// When anything of the chain is due.
    due: Instant,
    /// Something was given to the cell.
    offered: bool,
    /// The tasks behind the reading one may have something to do.
    bursts: bool,
    /// Whether its station is to hear everything, and on which channel if it was told one.
    listens: bool,
    channel: Option<u8>,
}

/// The host's tasks besides the reading one, whose time is the bus's.
const TASKS: [Task; 3] = [Task::Write, Task::Split, Task::Dispatch];

impl Chain {
    /// The two sides with a bus of this timing between them. `wifi_rx` are the Wi-Fi receive buffers of the co-processor
    /// (dynamic ones; what comes by air while all are used is dropped).
    pub fn new(host: Host, coprocessor: Coprocessor, bus: BusTiming, costs: Costs, wifi_rx: u16, pool: &Pool) -> Self {
        Self {
            host,
            coprocessor,
            cpu: Cpu::new(wifi_rx),
            bus,
            costs,
            under_way: None,
            tasks: [None; TASKS.len()],
            asserted: false,
            interrupt: None,
            reply: pool.packet(),
            pool: pool.clone(),
            host_moved: true,
            coprocessor_moved: true,
            host_due: Instant::FAR_FUTURE,
            coprocessor_due: Instant::FAR_FUTURE,
            due: Instant::ZERO,
            offered: false,
            bursts: false,
            listens: false,
            channel: None,
        }
    }

    /// What its bus and its tasks cost.
    pub fn costs(&self) -> &Costs {
        &self.costs
    }

    /// The interface hands down a frame; `waited` says that its task stood blocked, which is past the look at the throttle.
    pub(super) fn transmit(&mut self, now: Instant, frame: Packet, waited: bool) -> Result<(), Refused> {
        self.host_moved = true;
        if waited { self.host.send(now, Interface::Station, frame) } else { self.host.transmit(now, frame) }
    }

    /// Something outside has moved one of the sides.
    pub(super) fn moved(&mut self) {
        (self.host_moved, self.coprocessor_moved, self.bursts) = (true, true, true);
    }

    /// Whether something was given to the cell since it was last asked.
    pub(super) fn has_offered(&mut self) -> bool {
        core::mem::take(&mut self.offered)
    }

    /// Does whatever is due up to its next output. `core` is when the tasks of the host can run at the earliest.
    pub(super) fn run(&mut self, now: Instant, core: Instant, cell: &mut Cell) -> Option<ChainOutput> {
        loop {
            if self.host_moved {
                if let Some(output) = self.host.poll(now) {
                    match self.said_by_host(now, output) {
                        None => continue,
                        output => return output,
                    }
                }
                self.host_moved = self.begin_tasks(now, core) | self.begin_transaction(now);
                if !self.host_moved {
                    self.host_due = self.host.deadline().unwrap_or(Instant::FAR_FUTURE);
                }
                continue;
            }
            if self.coprocessor_moved {
                if let Some(output) = self.coprocessor.poll(now) {
                    match self.said_by_coprocessor(now, output, cell) {
                        None => continue,
                        output => return output,
                    }
                }
                self.coprocessor_moved = false;
                self.begin_job(now, cell);
                self.coprocessor_due = self.coprocessor.deadline().unwrap_or(Instant::FAR_FUTURE);
                continue;
            }
            if !self.step(now) {
                self.due = self.earliest();
                return None;
            }
        }
    }

    /// Ends one thing that is due; says whether there was any.
    fn step(&mut self, now: Instant) -> bool {
        if let Some(ended) = self.under_way.take_if(|under_way| under_way.until <= now) {
            self.end(now, ended);
        } else if let Some((job, received)) = self.cpu.finish(now) {
            self.finish_job(now, job, received);
        } else if self.interrupt.is_some_and(|at| at <= now) {
            (self.interrupt, self.asserted) = (None, false);
            self.host.interrupt(now, true);
            self.host_moved = true;
        } else if self.host_due <= now {
            self.host.wake(now);
            self.host_moved = true;
        } else if self.coprocessor_due <= now {
            self.coprocessor.wake(now);
            self.coprocessor_moved = true;
        } else {
            return self.end_task(now);
        }
        true
    }

    fn said_by_host(&mut self, now: Instant, output: HostOutput) -> Option<ChainOutput> {
        match output {
            HostOutput::Frame(frame) => Some(ChainOutput::Frame(frame)),
            HostOutput::Room => Some(ChainOutput::Room),
            HostOutput::Reset => {
                self.coprocessor.reset(now);
                self.coprocessor_moved = true;
                let lost = self.cpu.reset();
                (lost > 0).then_some(ChainOutput::Dropped(DropPoint::WifiReset, 0))
            }
            HostOutput::Dropped { at, octets } => Some(ChainOutput::Dropped(DropPoint::Host(at), octets)),
            output => Some(ChainOutput::Host(Box::new(output))),
        }
    }

    fn said_by_coprocessor(&mut self, now: Instant, output: CoprocessorOutput, cell: &mut Cell) -> Option<ChainOutput> {
        match output {
            CoprocessorOutput::Offer(frame) => {
                self.offered = true;
                let refused = match cell.offer(now, STATION, AP, frame) {
                    Ok(()) => None,
                    Err(CellRefused::Full(frame)) => Some(frame),
                };
                self.coprocessor.offered(now, refused);
                None
            }
            CoprocessorOutput::Interrupt(asserted) => {
                self.line(now, asserted);
                None
            }
            CoprocessorOutput::Room => {
                if let Some(frame) = self.cpu.release() {
                    self.load(now, frame);
                }
                None
            }
            CoprocessorOutput::Radio(radio) => {
                self.radio(now, &radio, cell);
                None
            }
            CoprocessorOutput::Dropped { at, octets } => Some(ChainOutput::Dropped(DropPoint::Coprocessor(at), octets)),
            output => Some(ChainOutput::Coprocessor(output)),
        }
    }

    /// Until when a task of the driver has the host's core.
    pub(super) fn core(&self) -> Option<Instant> {
        self.tasks.iter().flatten().map(|(until, _)| *until).max()
    }

    /// When it next has something to do, as of its last run.
    pub(super) fn due(&self) -> Instant {
        self.due
    }

    fn earliest(&self) -> Instant {
        let mut due = self.cpu.due().min(self.host_due).min(self.coprocessor_due);
        if let Some(under_way) = &self.under_way {
            due = due.min(under_way.until);
        }
        if let Some(at) = self.interrupt {
            due = due.min(at);
        }
        for (until, _) in self.tasks.iter().flatten() {
            due = due.min(*until);
        }
        due
    }
}
