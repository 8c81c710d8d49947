//! The two chips and the bus between them.
//!
//! - `bus`: when transactions of SDIO begin and end · `exchange`: those of SPI · `tasks`: when the tasks of both CPUs have done what they do
//! - `radio`: what the firmware does with its radio besides

mod bus;
mod exchange;
mod radio;
mod tasks;

use alloc::boxed::Box;

use airtime_core::{Deadlines, Duration, Instant, Packet, Pool};

use exchange::Exchanges;

use super::cpu::Cpu;
use crate::cell::{Cell, Refused as CellRefused};
use crate::hosted::coprocessor::{Coprocessor, CoprocessorOutput};
use crate::hosted::costs::{BusTiming, Costs, HalfDuplexTiming, SpiTiming};
use crate::hosted::host::{Host, HostOutput, Refused, Said, Task};
use crate::hosted::sdio::Transaction;
use crate::memo::Memo;
use crate::network::{AP, STATION};
use crate::trace::DropPoint;

/// Output of the chain for the network.
#[derive(Debug)]
pub(super) enum ChainOutput {
    /// An Ethernet frame for the interface of the host.
    Frame(Packet),
    /// The host's queue has room for the task that blocked.
    Room,
    /// Drop of a packet.
    Dropped(DropPoint, u32),
    /// Anything else that the host says.
    Host(Box<HostOutput>),
    /// Anything else that the co-processor says.
    Coprocessor(Box<CoprocessorOutput>),
}

/// A transaction on the bus.
#[derive(Debug)]
struct UnderWay {
    transaction: Transaction,
    /// The wire is done, and the reply waits for the host.
    replied: bool,
}

/// Things that end by themselves, in the order in which they are looked at when several are due at once.
#[derive(Clone, Copy, Debug)]
enum Due {
    /// The wire, or what the host does with a burst.
    Bus,
    /// A job of the co-processor's CPU.
    Cpu,
    /// The read task hears of the interrupt line; over SPI the handshake line is up, and the host's task knows it.
    Interrupt,
    /// Deadline of the host's side.
    Host,
    /// Deadline of the co-processor's side.
    Coprocessor,
    /// The host's tasks.
    Write,
    Split,
    Dispatch,
}

impl Due {
    const COUNT: usize = 8;
    const ALL: [Self; Self::COUNT] = [
        Self::Bus,
        Self::Cpu,
        Self::Interrupt,
        Self::Host,
        Self::Coprocessor,
        Self::Write,
        Self::Split,
        Self::Dispatch,
    ];
}

/// Host, bus and co-processor.
#[derive(Debug)]
pub struct Chain {
    /// The host's side.
    pub host: Host,
    /// The co-processor's side.
    pub coprocessor: Coprocessor,
    pub(super) cpu: Cpu,
    bus: BusTiming,
    /// SPI in place of it.
    spi: Option<Exchanges>,
    half_duplex: Option<HalfDuplexTiming>,
    /// Time of the wire for the frame written last.
    write: Memo<u32, Duration>,
    /// Time of the wire for the registers read last.
    read: Memo<u16, Duration>,
    costs: Costs,
    under_way: Option<UnderWay>,
    /// Number of frames that each of [`TASKS`] is at work on.
    frames: [u16; TASKS.len()],
    /// The interrupt line is low, and the read task does not know it yet.
    asserted: bool,
    reply: Packet,
    pool: Pool,
    /// The host's side was moved: it may have something to say or to do.
    host_moved: bool,
    /// The co-processor's side was moved.
    coprocessor_moved: bool,
    /// Deadlines of each of [`Due`].
    due: Deadlines<{ Due::COUNT }>,
    /// The earliest of them, since it was last run.
    next: (Instant, usize),
    /// Set if something was given to the cell.
    offered: bool,
    /// The tasks behind the reading one may have something to do.
    bursts: bool,
    /// Set if its station is to hear everything, on a certain channel if it was told one.
    listens: bool,
    channel: Option<u8>,
}

/// The host's tasks besides the reading one, whose time is the bus's, and when each of them ends.
const TASKS: [(Task, Due); 3] = [(Task::Write, Due::Write), (Task::Split, Due::Split), (Task::Dispatch, Due::Dispatch)];

impl Chain {
    /// The two sides with a bus of this timing between them. `wifi_rx` are the Wi-Fi receive buffers of the co-processor
    /// (dynamic ones; what comes by air while all are used is dropped).
    pub fn new(host: Host, coprocessor: Coprocessor, bus: BusTiming, costs: Costs, wifi_rx: u16, pool: &Pool) -> Self {
        Self {
            host,
            coprocessor,
            cpu: Cpu::new(wifi_rx),
            bus,
            spi: None,
            half_duplex: None,
            write: Memo::new(),
            read: Memo::new(),
            costs,
            under_way: None,
            frames: [0; TASKS.len()],
            asserted: false,
            reply: pool.packet(),
            pool: pool.clone(),
            host_moved: true,
            coprocessor_moved: true,
            due: Deadlines::new(),
            next: (Instant::FAR_FUTURE, 0),
            offered: false,
            bursts: false,
            listens: false,
            channel: None,
        }
    }

    /// The same sides with SPI between them, which both are configured for.
    #[must_use]
    pub fn over_spi(self, timing: SpiTiming) -> Self {
        Self { spi: Some(Exchanges::new(timing)), ..self }
    }

    /// The same sides with SPI in half duplex between them, which both are configured for.
    #[must_use]
    pub fn over_half_duplex(self, timing: HalfDuplexTiming) -> Self {
        Self { half_duplex: Some(timing), ..self }
    }

    /// Costs of its bus and its tasks.
    pub fn costs(&self) -> &Costs {
        &self.costs
    }

    /// Time that the co-processor's CPU has worked on frames up to `now`, since the chain was made.
    pub fn coprocessor_busy(&self, now: Instant) -> Duration {
        self.cpu.busy(now)
    }

    /// The interface hands down a frame; `waited` says that its task stood blocked, which is past the look at the throttle.
    pub(super) fn transmit(&mut self, now: Instant, frame: Packet, waited: bool) -> Result<(), Refused> {
        let writes = self.host.writes();
        let result = if waited {
            self.host.send(now, self.host.config().interface(), frame)
        } else {
            self.host.transmit(now, frame)
        };
        // A frame that only joins the queue behind a writing task moves nothing, and one that finds it full neither.
        self.host_moved |= !(writes && matches!(result, Ok(()) | Err(Refused::Full(_))));
        result
    }

    /// True if it has to be run before its time.
    pub(super) fn has_moved(&self) -> bool {
        self.host_moved || self.coprocessor_moved
    }

    /// Something outside has moved one of the sides.
    pub(super) fn moved(&mut self) {
        (self.host_moved, self.coprocessor_moved, self.bursts) = (true, true, true);
    }

    /// Tells if something was given to the cell since it was last asked.
    pub(super) fn has_offered(&mut self) -> bool {
        core::mem::take(&mut self.offered)
    }

    /// Does whatever is due up to its next output. `core` is when the tasks of the host can run at the earliest.
    pub(super) fn run(&mut self, now: Instant, core: Instant, cell: &mut Cell) -> Option<ChainOutput> {
        // What is next is known from the last time, until something is done.
        let mut known = true;
        loop {
            let output = if self.host_moved {
                self.run_host(now, core)
            } else if self.coprocessor_moved {
                self.run_coprocessor(now, cell)
            } else {
                if !known {
                    self.look_ahead();
                }
                if self.next.0 > now {
                    return None;
                }
                self.step(now, Due::ALL[self.next.1]);
                None
            };
            known = false;
            if output.is_some() {
                return output;
            }
        }
    }

    /// Finds what is next.
    // A call of its own, because the choice is made without branches only where it stands outside of a loop.
    #[inline(never)]
    fn look_ahead(&mut self) {
        self.next = self.due.earliest();
    }

    /// Takes what the host's side has to say, or lets it begin what it can.
    #[inline(never)]
    fn run_host(&mut self, now: Instant, core: Instant) -> Option<ChainOutput> {
        if let Some(said) = self.host.said() {
            return self.said_by_host(now, said);
        }
        // What was only begun says nothing before it ends.
        self.host_moved = self.begin_tasks(now, core);
        self.begin_transaction(now, core);
        if !self.host_moved {
            self.set(Due::Host, self.host.deadline());
        }
        None
    }

    /// Takes what the co-processor's side has to say, or lets its CPU begin what is next.
    #[inline(never)]
    fn run_coprocessor(&mut self, now: Instant, cell: &mut Cell) -> Option<ChainOutput> {
        if let Some(output) = self.coprocessor.poll(now) {
            return self.said_by_coprocessor(now, output, cell);
        }
        self.coprocessor_moved = false;
        self.begin_job(now, cell);
        self.turn(now);
        self.set(Due::Coprocessor, self.coprocessor.deadline());
        None
    }

    /// Ends one thing that is due.
    #[inline(never)]
    fn step(&mut self, now: Instant, due: Due) {
        self.set(due, None);
        match due {
            Due::Bus if self.spi.is_some() => self.end_exchange(now),
            Due::Bus => self.end(now),
            Due::Cpu => self.finish_job(now),
            Due::Interrupt if self.spi.is_some() => self.handshake(),
            Due::Interrupt => {
                self.asserted = false;
                self.host.interrupt(now, true);
                self.host_moved = true;
            }
            Due::Host => {
                self.host.wake(now);
                self.host_moved = true;
            }
            Due::Coprocessor => {
                self.coprocessor.wake(now);
                self.coprocessor_moved = true;
            }
            Due::Write => self.end_task(now, 0),
            Due::Split => self.end_task(now, 1),
            Due::Dispatch => self.end_task(now, 2),
        }
    }

    /// `due` ends at this time, or is not under way.
    fn set(&mut self, due: Due, at: Option<Instant>) {
        self.due.set(due as usize, at.unwrap_or(Instant::FAR_FUTURE));
    }

    /// True if `due` is under way.
    fn is_set(&self, due: Due) -> bool {
        self.due.at(due as usize) != Instant::FAR_FUTURE
    }

    fn said_by_host(&mut self, now: Instant, said: Said) -> Option<ChainOutput> {
        match said {
            Said::Frame(frame) => Some(ChainOutput::Frame(frame)),
            Said::Room => Some(ChainOutput::Room),
            Said::Dropped(at, octets) => Some(ChainOutput::Dropped(DropPoint::Host(at), octets)),
            Said::Test(octets) => Some(ChainOutput::Host(Box::new(HostOutput::Test(octets)))),
            Said::Rarely(output) if matches!(*output, HostOutput::Reset) => {
                self.coprocessor.reset(now);
                self.coprocessor_moved = true;
                let lost = self.cpu.reset();
                self.set(Due::Cpu, None);
                (lost > 0).then_some(ChainOutput::Dropped(DropPoint::WifiReset, 0))
            }
            Said::Rarely(output) => Some(ChainOutput::Host(output)),
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
            output => Some(ChainOutput::Coprocessor(Box::new(output))),
        }
    }

    /// Until when a task of the driver has the host's core.
    pub(super) fn core(&self) -> Option<Instant> {
        let running = TASKS.iter().filter(|(_, due)| self.is_set(*due));
        running.map(|(_, due)| self.due.at(*due as usize)).chain(self.exchange_runs()).max()
    }

    /// Instant at which it next has something to do; far in the future if nothing is under way.
    pub(super) fn due(&self) -> Instant {
        self.next.0
    }
}
