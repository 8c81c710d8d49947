//! The update itself: begin, writes with their pauses, end, activate, and who answers then.

use airtime_core::Instant;

use super::state::{Finding, State};
use super::{Boot, BootOutput, CHUNK_MAX, FlashRequest, Reply, Request};

impl Boot {
    pub(super) fn begin(&mut self, now: Instant) {
        self.begun = Some(now);
        self.state = State::Beginning;
        self.ask(now, Request::Begin, self.config.begin_answer);
    }

    /// The octets from `at` on are next, or the end.
    pub(super) fn read(&mut self, now: Instant, at: u32) {
        if at == self.octets {
            self.state = State::Ending;
            return self.ask(now, Request::End, self.config.answer);
        }
        self.deadline = None;
        self.state = State::Reading { at };
        let octets = (self.octets - at).min(u32::from(self.config.chunk)) as u16;
        self.say(BootOutput::Flash(FlashRequest::Read { at, octets }));
    }

    pub(super) fn send(&mut self, now: Instant, at: u32, octets: &[u8]) {
        if octets.is_empty() || octets.len() > CHUNK_MAX {
            return self.finish(Finding::Flash);
        }
        self.chunk[..octets.len()].copy_from_slice(octets);
        self.filled = octets.len();
        self.state = State::Writing { at };
        self.ask(now, Request::Write { at }, self.config.answer);
    }

    pub(super) fn pause(&mut self, now: Instant, at: u32) {
        self.state = State::Pausing { at: at + self.filled as u32 };
        self.deadline = Some(now + self.config.pause);
    }

    pub(super) fn activate(&mut self, now: Instant) {
        self.state = State::Activating;
        self.ask(now, Request::Activate, self.config.answer);
    }

    pub(super) fn await_restart(&mut self, now: Instant) {
        self.state = State::Restarting;
        self.deadline = Some(now + self.config.restart);
    }

    pub(super) fn confirm(&mut self, now: Instant) {
        self.state = State::Confirming;
        self.ask(now, Request::Version, self.config.answer);
    }

    /// Judges the firmware that answers after the restart.
    pub(super) fn judge(&mut self, _now: Instant, reply: Reply) {
        let new = match (reply, &self.staged) {
            (Reply::Version(version), Some(staged)) => version.is(staged, self.before),
            _ => false,
        };
        if !new {
            return self.strike(Finding::RolledBack);
        }
        self.deadline = None;
        self.mark();
    }
}
