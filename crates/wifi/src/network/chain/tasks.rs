//! When tasks of the host and the co-processor's CPU have done what they do.

use airtime_core::{Duration, Instant, Packet};

use super::super::STATION;
use super::super::cpu::{Job, Received};
use super::{Chain, TASKS};
use crate::cell::Cell;
use crate::hosted::host::Task;
use crate::hosted::wire::Interface;

impl Chain {
    /// Lets the host's tasks begin what they can; says whether one has.
    pub(super) fn begin_tasks(&mut self, now: Instant, core: Instant) -> bool {
        let mut moved = false;
        for (index, task) in TASKS.into_iter().enumerate() {
            if self.tasks[index].is_some() || (task != Task::Write && !self.bursts) {
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
        self.bursts &= moved || self.tasks[1..].iter().any(Option::is_some);
        moved
    }

    /// Ends what a task of the host has done; says whether one has.
    pub(super) fn end_task(&mut self, now: Instant) -> bool {
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
    pub(super) fn begin_job(&mut self, now: Instant, cell: &Cell) {
        if self.cpu.is_idle() {
            let to_air = self.coprocessor.work().map(|_| self.processing(cell));
            self.cpu.start(now, to_air, self.costs.from_air);
        }
    }

    /// The co-processor's CPU has done something.
    pub(super) fn finish_job(&mut self, now: Instant, job: Job, received: Option<Received>) {
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

    /// What it costs to process the frame in hand: nothing if it is not for the air, or if the Wi-Fi driver will refuse it
    /// at once.
    fn processing(&self, cell: &Cell) -> Duration {
        let station = self.coprocessor.in_hand() == Some(Interface::Station);
        if station && cell.room(STATION) > 0 { self.costs.to_air } else { Duration::ZERO }
    }

    /// A frame from the air for an SDIO buffer.
    pub(super) fn load(&mut self, now: Instant, frame: Packet) {
        if let Err(frame) = self.coprocessor.received(now, frame) {
            self.cpu.hold(frame);
        }
        self.coprocessor_moved = true;
    }
}
