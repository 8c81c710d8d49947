//! The application that listens to everything, beside the stack.

use airtime_core::Instant;

use super::control::Control;
use crate::hosted::coprocessor::Coprocessor;
use crate::hosted::host::{Host, HostOutput};
use crate::hosted::raw::{Hearer, Sniffer};

impl<H: Hearer> Control for Sniffer<H> {
    fn wake(&mut self, now: Instant) {
        Self::wake(self, now);
    }

    fn host_said(&mut self, now: Instant, output: HostOutput) {
        self.said(now, &output);
    }

    fn act(&mut self, now: Instant, host: &mut Host, _: &mut Coprocessor) -> bool {
        self.ask(now, host)
    }

    fn deadline(&self) -> Option<Instant> {
        Self::deadline(self)
    }
}
