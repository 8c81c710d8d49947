//! Tasks of the host: which one has the bus, and all that they hand to one another. Completions of transactions are in
//! `driver`.

use alloc::collections::VecDeque;

use airtime_core::{Instant, Packet};

use super::counters::HostDrop;
use super::writer::Step as Writing;
use super::{Host, HostOutput, HostState, PENDING_READ, Task, Work};
use crate::sdio::{Completion, Transaction};
use crate::wire::{Bus, Header, Interface};

/// Holder of the mutex of the bus.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Owner {
    /// The writing task.
    Writer,
    /// The reading task.
    Reader,
    /// Whoever brings the transport up; the others do not run yet.
    Start,
}

/// The mutex of the bus. It goes to whoever has waited longer; the tasks have the same priority, and one that has just
/// released it waits behind the other. (*assumed*: on one core the task that releases may well be first again.)
#[derive(Debug, Default)]
pub(super) struct Mutex {
    pub owner: Option<Owner>,
    last: Option<Owner>,
    /// A transaction is under way.
    pub busy: bool,
}

impl Mutex {
    /// Its holder gives it back.
    pub fn release(&mut self) {
        self.last = self.owner.take();
    }

    /// Its holder is gone; a transaction that is under way ends for nobody.
    pub fn abandon(&mut self) {
        self.release();
    }
}

/// State of the driver.
pub(super) fn state(host: &Host) -> HostState {
    if !host.start.transmits() {
        return HostState::Down;
    }
    match host.mutex.owner {
        None if host.config.bus == Bus::Spi => host.waits_for_exchange(),
        None if matches!(host.writer.step, Writing::Sleeping(_)) => HostState::Credits,
        None => HostState::Idle,
        Some(Owner::Reader | Owner::Start) => HostState::Reading,
        Some(Owner::Writer) => match host.writer.step {
            Writing::Polling | Writing::Sleeping(_) => HostState::Credits,
            _ => HostState::Writing,
        },
    }
}

impl Host {
    /// Transaction that the bus is to do next, if it is free and somebody holds its mutex and is not asleep.
    pub fn transaction(&mut self, now: Instant) -> Option<Transaction> {
        let _ = now;
        if self.mutex.busy {
            return None;
        }
        if self.mutex.owner.is_none() {
            self.grant();
        }
        let transaction = match self.mutex.owner? {
            Owner::Writer => self.writer.transaction(),
            Owner::Reader => self.reader.transaction(),
            Owner::Start => self.start.transaction(self.config.bus),
        };
        self.mutex.busy = transaction.is_some();
        transaction
    }

    /// The bus has done `transaction`, the last one.
    pub fn done(&mut self, now: Instant, transaction: Transaction, completion: Completion<'_>) {
        assert!(self.mutex.busy, "no transaction is under way");
        self.mutex.busy = false;
        self.told.counters.bus_errors += u64::from(matches!(completion, Completion::Failed(_)));
        match self.mutex.owner {
            Some(Owner::Writer) => self.writer_done(now, transaction, &completion),
            Some(Owner::Reader) => self.reader_done(&completion),
            Some(Owner::Start) => {
                self.mutex.release();
                self.started(now, &completion);
            }
            None => self.done_for_nobody(&transaction, &completion),
        }
    }

    /// The bus has written the frame of the last transaction, of `octets`, and the co-processor has kept it: as
    /// [`done`](Self::done) with [`Completion::Written`].
    pub fn wrote(&mut self, now: Instant, octets: u32) {
        assert!(self.mutex.busy, "no transaction is under way");
        self.mutex.busy = false;
        // Nobody is told when the tasks were ended meanwhile: the frame has arrived.
        if self.mutex.owner == Some(Owner::Writer) {
            self.writer_wrote(now, octets);
        }
    }

    /// The tasks were ended while the transaction ran: what it has moved is lost.
    fn done_for_nobody(&mut self, transaction: &Transaction, completion: &Completion<'_>) {
        match (transaction, completion) {
            (Transaction::WriteData(frame), Completion::Failed(_)) => {
                self.told.lost(HostDrop::Down, frame.len() - Header::OCTETS);
            }
            (Transaction::ReadData { .. }, Completion::Read(bytes)) => self.receive.discard(bytes, &mut self.told),
            _ => {}
        }
    }

    /// Work that a task can do now.
    // Whoever asks knows which task: two of the three are left out there.
    #[inline]
    pub fn work(&self, task: Task) -> Option<Work> {
        match task {
            Task::Write if self.writer.step == Writing::Preparing => {
                let octets = self.writer.octets();
                Some(Work { frames: 1, octets, first: octets })
            }
            Task::Write => None,
            // What a UART brings waits until the reading task runs.
            Task::Split if self.config.bus == Bus::Uart && !self.start.receives() => None,
            Task::Split => self.receive.split_work(),
            Task::Dispatch => self.receive.dispatch_work(),
        }
    }

    /// A task has done that for `frames`.
    pub fn worked(&mut self, now: Instant, task: Task, frames: u16) {
        match task {
            Task::Write if self.writer.step == Writing::Preparing => self.writer.step = Writing::Waiting,
            Task::Write => {}
            Task::Split => self.receive.split(frames, &mut self.told),
            Task::Dispatch => {
                for _ in 0..frames {
                    let Some(incoming) = self.receive.next() else { return };
                    self.dispatch(now, incoming);
                }
            }
        }
    }

    fn grant(&mut self) {
        if self.start.transaction(self.config.bus).is_some() {
            self.mutex.owner = Some(Owner::Start);
            return;
        }
        let writes = self.writer.step == Writing::Waiting;
        let reads = self.wants_read();
        let owner = match (writes, reads) {
            (false, false) => return,
            (true, true) if self.mutex.last == Some(Owner::Writer) => Owner::Reader,
            (true, _) => Owner::Writer,
            (false, true) => Owner::Reader,
        };
        self.mutex.owner = Some(owner);
        match owner {
            Owner::Writer => self.writer.acquired(),
            _ => self.reader.acquired(),
        }
    }

    fn wants_read(&mut self) -> bool {
        if !self.reader.line || !self.start.receives() {
            return false;
        }
        let defer = self.config.version >= PENDING_READ && self.receive.splitting();
        if core::mem::replace(&mut self.reader.deferred, defer) != defer && defer {
            self.told.counters.reads_deferred += 1;
        }
        !defer
    }

    /// The writing task takes the next frame if it has none.
    pub(super) fn next_frame(&mut self, now: Instant) {
        if self.writer.busy() {
            return;
        }
        if self.queues.iter().all(VecDeque::is_empty) && self.backlog.is_empty() {
            return self.writer.rest(now);
        }
        if self.writer.sleeps(now) {
            return;
        }
        // The task of SPI takes a frame when its transaction begins.
        if self.config.bus == Bus::Spi {
            return self.queue_backlog();
        }
        if let Some(frame) = self.pop_frame() {
            self.writer.take(frame);
        }
    }

    /// The most urgent frame of the queues; whoever waited for its place goes on.
    pub(super) fn pop_frame(&mut self) -> Option<Packet> {
        self.queue_backlog();
        let priority = self.queues.iter().position(|queue| !queue.is_empty())?;
        let frame = self.queues[priority].pop_front();
        if self.config.resume_below().is_some_and(|few| self.stopped && self.queues[priority].len() >= few) {
            return frame;
        }
        self.stopped = false;
        if core::mem::take(&mut self.blocked[priority]) && priority == Interface::Station.priority() as usize {
            self.told.say(HostOutput::Room);
        }
        frame
    }

    /// The driver's own frames go into their queues as far as there is room.
    fn queue_backlog(&mut self) {
        while let Some(frame) = self.backlog.front() {
            let own = Interface::of(frame[0] & 0xf).unwrap_or(Interface::Private);
            let priority = own.priority() as usize;
            if self.queues[priority].len() >= usize::from(self.config.tx_queue) {
                return;
            }
            self.queues[priority].extend(self.backlog.pop_front());
        }
    }
}
