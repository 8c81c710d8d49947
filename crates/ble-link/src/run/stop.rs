//! A watcher that ends a run early.

use airtime_ble::host::Starved;
use airtime_ble::medium::Transmission;
use airtime_ble::network::Observer;
use airtime_ble::trace::{Trace, Verdict};
use airtime_core::Instant;
use airtime_core::event_loop::{STEPS_BETWEEN_LOOKS, Stop};

use super::Watcher;
use crate::station::StationOutput;

/// Ends a run when somebody outside has enough; sees nothing of it.
pub struct StopWatcher<'a> {
    stop: Stop<'a>,
    steps: u32,
    stopped: bool,
}

impl<'a> StopWatcher<'a> {
    /// A watcher that asks `stop` now and then.
    pub fn new(stop: Stop<'a>) -> Self {
        Self { stop, steps: 0, stopped: false }
    }
}

impl Observer<StationOutput> for StopWatcher<'_> {
    fn transmission(&mut self, _: &Transmission, _: Verdict) {}
    fn trace(&mut self, _: Instant, _: usize, _: &Trace, _: Option<Starved>) {}
    fn event(&mut self, _: Instant, _: usize, _: &StationOutput) {}
}

impl Watcher for StopWatcher<'_> {
    #[inline]
    fn has_enough(&mut self) -> bool {
        self.steps += 1;
        if self.steps == STEPS_BETWEEN_LOOKS {
            self.steps = 0;
            self.stopped |= (self.stop)();
        }
        self.stopped
    }
}
