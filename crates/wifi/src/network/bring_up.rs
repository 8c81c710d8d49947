//! The start of the host's application, beside the stack.

use airtime_core::Instant;

use super::control::Control;
use crate::hosted::coprocessor::Coprocessor;
use crate::hosted::host::{BringUp, Host, HostOutput};

impl Control for BringUp {
    fn host_said(&mut self, now: Instant, output: HostOutput) {
        self.said(now, &output);
    }

    fn act(&mut self, now: Instant, host: &mut Host, _: &mut Coprocessor) -> bool {
        self.ask(now, host)
    }
}
