//! Events of a host, each handed to the step it belongs to.

use airtime_core::Instant;

use super::state::{Finding, State};
use super::{Boot, BootOutput, Reply};
use crate::flash::StorageError;
use crate::stage::strike;

impl Boot {
    /// The handshake with the co-processor is through.
    pub fn transport_up(&mut self, now: Instant) {
        self.transport = true;
        match self.state {
            State::Starting => self.start(now),
            State::Restarting => self.confirm(now),
            _ => {}
        }
    }

    /// The co-processor has gone: it lost its power, or restarts.
    pub fn transport_down(&mut self, now: Instant) {
        self.transport = false;
        match self.state {
            // As it was asked to; or while it was asked what it runs now.
            State::Confirming => self.await_restart(now),
            State::Starting
            | State::Restarting
            | State::Over
            | State::Marking
            | State::Erasing { .. }
            | State::Striking { .. } => {}
            _ => self.again(now, false),
        }
    }

    /// The host is on the network, or was refused. An update needs none.
    pub fn connected(&mut self, now: Instant, _joined: bool) {
        if self.state == State::Connecting {
            self.look(now);
        }
    }

    /// The co-processor answers the last request.
    pub fn reply(&mut self, now: Instant, reply: Reply) {
        match (self.state, reply) {
            (State::Asking, reply) => self.asked(now, reply),
            (State::Confirming, reply) => self.judge(now, reply),
            (State::Beginning | State::Writing { .. } | State::Ending | State::Activating, Reply::Refused(code)) => {
                let phase = self.state.phase();
                self.finish(Finding::Refused { phase, code });
            }
            (State::Beginning, Reply::Done) => self.read(now, 0),
            (State::Writing { at }, Reply::Done) => self.pause(now, at),
            (State::Ending, Reply::Done) => self.activate(now),
            (State::Activating, Reply::Done) => self.await_restart(now),
            // An answer that nobody awaits any more.
            _ => {}
        }
    }

    /// The flash has done the last request: what was read, or nothing.
    pub fn flash(&mut self, now: Instant, result: Result<&[u8], StorageError>) {
        let Ok(octets) = result else {
            if self.state != State::Over {
                self.finish(Finding::Flash);
            }
            return;
        };
        match self.state {
            State::Looking => self.looked(now, octets),
            State::Checking { at } => self.checked(at, octets),
            State::Searching { at, error } => self.searched(now, at, error, octets),
            State::Counting => self.counted(now, octets),
            State::Reading { at } => self.send(now, at, octets),
            State::Striking { finding } => self.finish(finding),
            State::Marking => self.erase(self.config.partition),
            State::Erasing { at } => self.erase(at),
            _ => {}
        }
    }

    /// Its deadline has come.
    pub fn wake(&mut self, now: Instant) {
        if self.deadline.is_none_or(|deadline| now < deadline) {
            return;
        }
        self.deadline = None;
        match self.state {
            State::Starting if self.transport => self.start(now),
            State::Starting => self.again(now, true),
            State::Connecting => self.look(now),
            State::Asking | State::Beginning | State::Writing { .. } | State::Ending | State::Activating => {
                self.again(now, true)
            }
            State::Pausing { at } => self.read(now, at),
            State::Restarting | State::Confirming => self.revive(now),
            _ => {}
        }
    }

    /// From the beginning, in this boot: the link was lost. With `reset`, the co-processor is reset first.
    fn again(&mut self, now: Instant, reset: bool) {
        (self.verifier, self.begun) = (None, None);
        if self.resets == self.config.resets {
            return self.finish(Finding::Unreachable);
        }
        self.resets += 1;
        self.state = State::Starting;
        self.deadline = Some(now + self.config.restart);
        if reset {
            self.transport = false;
            self.say(BootOutput::Reset);
        } else if self.transport {
            self.start(now);
        }
    }

    /// Resets a co-processor whose activated firmware does not answer: a bootloader with rollback takes the old
    /// firmware then.
    fn revive(&mut self, now: Instant) {
        if self.resets == self.config.resets {
            return self.strike(Finding::Silent);
        }
        self.resets += 1;
        self.await_restart(now);
        self.transport = false;
        self.say(BootOutput::Reset);
    }

    pub(super) fn strike(&mut self, finding: Finding) {
        self.deadline = None;
        self.state = State::Striking { finding };
        let (at, octet) = (self.config.partition - 1, strike(self.last));
        self.say(BootOutput::Flash(super::FlashRequest::Program { at, octet }));
    }
}
