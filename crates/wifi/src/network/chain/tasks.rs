//! Completions: tasks of the host and the co-processor's CPU have done their work.

use airtime_core::{Duration, Instant, Packet};

use super::super::STATION;
use super::super::cpu::{Job, Received};
use super::{Chain, Due, TASKS};
use crate::cell::Cell;
use crate::hosted::host::Task;

impl Chain {
    /// Lets the host's tasks begin what they can; says whether one is through at once, as it costs nothing.
    pub(super) fn begin_tasks(&mut self, now: Instant, core: Instant) -> bool {
        let mut through = self.begin_task::<0>(now, core);
        // Nothing comes to the tasks behind the reading one but by a burst.
        if self.bursts {
            through |= self.begin_task::<1>(now, core) | self.begin_task::<2>(now, core);
            self.bursts = through || self.is_set(Due::Split) || self.is_set(Due::Dispatch);
        }
        through
    }

    /// Lets the task of this number begin what it can. Each is compiled by itself: nearly all frames go through one of them only.
    fn begin_task<const INDEX: usize>(&mut self, now: Instant, core: Instant) -> bool {
        let (task, due) = TASKS[INDEX];
        if self.is_set(due) {
            return false;
        }
        let Some(work) = self.host.work(task) else { return false };
        // A burst is worked off in one go: nobody can tell when within it a frame was copied.
        let (each, frames) = match task {
            Task::Write => (self.costs.write_frame, 1),
            // The buffer of a transaction of SPI is queued as it is.
            Task::Split if self.spi.is_some() => (Duration::ZERO, work.frames),
            _ => (self.costs.copy_frame, work.frames),
        };
        let span = each * u64::from(frames);
        if span.is_zero() {
            self.host.worked(now, task, frames);
            return true;
        }
        self.frames[INDEX] = frames;
        self.set(due, Some(now.max(core) + span));
        false
    }

    /// A task of the host has done what it was at.
    pub(super) fn end_task(&mut self, now: Instant, index: usize) {
        self.host.worked(now, TASKS[index].0, self.frames[index]);
        self.host_moved = true;
    }

    /// Lets the co-processor's CPU begin what is next.
    pub(super) fn begin_job(&mut self, now: Instant, cell: &Cell) {
        if self.cpu.is_idle() {
            let to_air = self.coprocessor.work().map(|_| self.processing(cell));
            self.cpu.start(now, to_air, self.costs.from_air);
            self.set(Due::Cpu, Some(self.cpu.due()));
        }
    }

    /// The co-processor's CPU has done something.
    pub(super) fn finish_job(&mut self, now: Instant) {
        let Some((job, received)) = self.cpu.finish(now) else { return };
        match (job, received) {
            (Job::ToAir, _) => self.coprocessor.worked(now),
            (_, Some(Received::Frame(frame))) => self.load(now, frame),
            (_, Some(Received::Heard(frame, info))) => self.coprocessor.heard(now, &frame, &info),
            (_, None) => {}
        }
        self.coprocessor_moved = true;
    }

    /// Something has come by air; given back when no receive buffer is free.
    pub(in crate::network) fn receive(&mut self, received: Received) -> Result<(), Received> {
        self.coprocessor_moved = true;
        self.cpu.receive(received)
    }

    /// Cost of processing the frame in hand: nothing if it is not for the air, or if the Wi-Fi driver will refuse it at
    /// once.
    fn processing(&self, cell: &Cell) -> Duration {
        let packet = self.coprocessor.in_hand() == Some(self.coprocessor.config().interface());
        if packet && cell.room(STATION) > 0 { self.costs.to_air } else { Duration::ZERO }
    }

    /// A frame from the air for an SDIO buffer.
    pub(super) fn load(&mut self, now: Instant, frame: Packet) {
        if let Err(frame) = self.coprocessor.received(now, frame) {
            self.cpu.hold(frame);
        }
        self.coprocessor_moved = true;
    }
}
