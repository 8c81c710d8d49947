//! The two chips and the bus between them: when transactions begin and end, and when tasks have done what they do.

use alloc::boxed::Box;

use airtime_core::{Duration, Instant, Packet, Pool};

use super::costs::{BusTiming, Costs};
use super::cpu::{Cpu, Job, Received};
use crate::cell::{Cell, Refused as CellRefused};
use crate::hosted::coprocessor::{Coprocessor, CoprocessorOutput, Radio};
use crate::hosted::host::{Host, HostOutput, HostState, Refused, Task};
use crate::hosted::raw::RadioRequest;
use crate::hosted::rpc::status;
use crate::hosted::sdio::{Completion, Transaction};
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
        (self.host_moved, self.coprocessor_moved) = (true, true);
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

    /// The co-processor's firmware does something with its radio. Authentication and association are not played: they
    /// take milliseconds of a start-up of seconds.
    fn radio(&mut self, now: Instant, radio: &Radio, cell: &mut Cell) {
        match radio {
            Radio::Connect => self.coprocessor.connected(now, true),
            Radio::Disconnect | Radio::Stop => self.coprocessor.connected(now, false),
            Radio::Channel { primary, .. } => self.tune(*primary, cell),
            Radio::Raw(request) => {
                let status = self.raw(now, request, cell);
                self.coprocessor.raw_done(now, status);
            }
            Radio::Start { .. } => {}
        }
    }

    /// Raw frames: listens, goes to a channel, sends. Its status.
    fn raw(&mut self, now: Instant, request: &RadioRequest, cell: &mut Cell) -> i32 {
        match request {
            RadioRequest::Listen(on) => {
                self.listens = *on;
                self.listen(cell);
            }
            RadioRequest::Channel { primary, .. } => self.tune(*primary, cell),
            RadioRequest::Inject { frame, .. } => {
                self.offered = true;
                if cell.inject(now, STATION, self.pool.copy(frame)).is_err() {
                    return status::NO_MEM;
                }
            }
        }
        status::OK
    }

    /// It goes to a channel: on another one than the cell's it hears nothing.
    fn tune(&mut self, channel: u8, cell: &mut Cell) {
        self.channel = Some(channel);
        self.listen(cell);
    }

    fn listen(&self, cell: &mut Cell) {
        let here = self.channel.is_none_or(|channel| channel == cell.channel());
        cell.listen(STATION, self.listens && here);
    }

    /// The interrupt line has changed. The read task comes to it after its wake-up time, which begins when it waits
    /// again: a burst does not begin within another one.
    fn line(&mut self, now: Instant, asserted: bool) {
        self.asserted = asserted;
        if !asserted {
            self.interrupt = None;
            self.host.interrupt(now, false);
            self.host_moved = true;
        } else if self.host.state() != HostState::Reading {
            self.interrupt = Some(now + self.costs.wake);
        }
    }

    /// Begins a transaction if the bus is free and the host wants one; says whether it did.
    fn begin_transaction(&mut self, now: Instant) -> bool {
        if self.under_way.is_some() {
            return false;
        }
        let Some(transaction) = self.host.transaction(now) else { return false };
        let span = match &transaction {
            Transaction::WriteData(frame) => self.bus.data(frame.len() as u32),
            Transaction::ReadData { octets } => self.costs.transaction + self.bus.data(*octets),
            Transaction::ReadRegisters { octets, .. } => {
                self.costs.transaction + self.bus.registers(u32::from(*octets))
            }
            _ => self.costs.transaction + self.bus.registers(4),
        };
        self.under_way = Some(UnderWay { transaction, until: now + span, replied: false });
        true
    }

    /// The wire, or what the host does with a burst, has ended.
    fn end(&mut self, now: Instant, mut ended: UnderWay) {
        let completion = if ended.replied {
            Completion::Read(&self.reply)
        } else {
            self.coprocessor_moved = true;
            let completion = self.coprocessor.bus(now, &ended.transaction, &mut self.reply);
            let burst =
                matches!((&ended.transaction, &completion), (Transaction::ReadData { .. }, Completion::Read(_)));
            if burst && !self.costs.read_frame.is_zero() {
                ended.until = now + self.costs.read_frame * frames(&self.reply);
                ended.replied = true;
                self.under_way = Some(ended);
                return;
            }
            completion
        };
        self.host.done(now, ended.transaction, completion);
        self.host_moved = true;
        // The read task waits for the line again.
        if self.asserted && self.interrupt.is_none() && self.host.state() != HostState::Reading {
            self.interrupt = Some(now + self.costs.wake);
        }
    }

    /// Lets the host's tasks begin what they can; says whether one has.
    fn begin_tasks(&mut self, now: Instant, core: Instant) -> bool {
        let mut moved = false;
        for (index, task) in TASKS.into_iter().enumerate() {
            if self.tasks[index].is_some() {
                continue;
            }
            let Some(work) = self.host.work(task) else { continue };
            // A burst is worked off in one go: nobody can tell when within it a frame was copied.
            let (each, frames) = match task {
                Task::Write => (self.costs.write_frame, 1),
                _ => (self.costs.copy_frame, work.frames),
            };
            let span = each * u64::from(frames);
            if span.is_zero() {
                self.host.worked(now, task, frames);
            } else {
                self.tasks[index] = Some((now.max(core) + span, frames));
            }
            moved = true;
        }
        moved
    }

    /// Ends what a task of the host has done; says whether one has.
    fn end_task(&mut self, now: Instant) -> bool {
        for (index, task) in TASKS.into_iter().enumerate() {
            if let Some((_, frames)) = self.tasks[index].take_if(|(until, _)| *until <= now) {
                self.host.worked(now, task, frames);
                self.host_moved = true;
                return true;
            }
        }
        false
    }

    /// Lets the co-processor's CPU begin what is next.
    fn begin_job(&mut self, now: Instant, cell: &Cell) {
        if self.cpu.is_idle() {
            let to_air = self.coprocessor.work().map(|_| self.processing(cell));
            self.cpu.start(now, to_air, self.costs.from_air);
        }
    }

    /// The co-processor's CPU has done something.
    fn finish_job(&mut self, now: Instant, job: Job, received: Option<Received>) {
        match (job, received) {
            (Job::ToAir, _) => self.coprocessor.worked(now),
            (_, Some(Received::Frame(frame))) => self.load(now, frame),
            (_, Some(Received::Heard(frame, info))) => self.coprocessor.heard(now, &frame, &info),
            (_, None) => {}
        }
        self.coprocessor_moved = true;
    }

    /// Something has come by air; given back when no receive buffer is free.
    pub(super) fn receive(&mut self, received: Received) -> Result<(), Received> {
        self.coprocessor_moved = true;
        self.cpu.receive(received)
    }

    /// What it costs to process the frame in hand: nothing if it is not for the air, or if the Wi-Fi driver will refuse it
    /// at once.
    fn processing(&self, cell: &Cell) -> Duration {
        let station = self.coprocessor.in_hand() == Some(Interface::Station);
        if station && cell.room(STATION) > 0 { self.costs.to_air } else { Duration::ZERO }
    }

    /// A frame from the air for an SDIO buffer.
    fn load(&mut self, now: Instant, frame: Packet) {
        if let Err(frame) = self.coprocessor.received(now, frame) {
            self.cpu.hold(frame);
        }
        self.coprocessor_moved = true;
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

/// Frames in a burst, by their headers: octets 2 and 3 are the length behind the offset in octets 4 and 5.
fn frames(mut burst: &[u8]) -> u64 {
    let mut frames = 0;
    while let Some(&[_, _, l0, l1, o0, o1, ..]) = burst.first_chunk::<12>() {
        let octets = usize::from(u16::from_le_bytes([l0, l1])) + usize::from(u16::from_le_bytes([o0, o1]));
        frames += 1;
        burst = burst.get(octets.max(12)..).unwrap_or_default();
    }
    frames
}
