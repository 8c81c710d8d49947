//! Runs that are written down.

use crate::plan::Scenario;
use airtime_ble::host::Starved;
use airtime_ble::medium::Transmission;
use airtime_ble::network::Observer;
use airtime_ble::trace::{Trace, Verdict};
use airtime_core::Instant;
use airtime_link::{Form, Sink};

use super::{Watcher, run_watched};
use crate::capture::Captures;
use crate::station::StationOutput;

/// Views that a capture of `scenario` in this `form` has: every host has an HCI of its own.
pub fn captures(scenario: &Scenario, form: Form) -> Vec<String> {
    match form {
        Form::Host => devices(scenario),
        Form::Air | Form::Timeline => vec![String::new()],
    }
}

/// Runs `scenario` once with `seed`, and writes what is wanted.
pub fn captured(scenario: &Scenario, seed: u64, captures: airtime_link::Captures<'_>) {
    let mut files = Captures::new(devices(scenario), captures.origin, captures.apart);
    for capture in captures.wanted {
        files.add(capture.form, capture.view, capture.sink);
    }
    let (_, watched) = run_watched(scenario, seed, Watched { files, stop: captures.stop });
    watched.files.into_sinks().for_each(drop);
}

/// Names of the devices of a run, in their order.
pub(super) fn devices(scenario: &Scenario) -> Vec<String> {
    let peripherals = scenario.connection.peripherals;
    let names = (0..peripherals).map(|index| match peripherals {
        1 => "peripheral".to_owned(),
        _ => format!("peripheral{index}"),
    });
    std::iter::once("central".to_owned()).chain(names).collect()
}

/// Files of a run that ends early when nobody wants the rest.
struct Watched<'a> {
    files: Captures<&'a mut dyn Sink>,
    stop: &'a dyn Fn() -> bool,
}

impl Observer<StationOutput> for Watched<'_> {
    fn transmission(&mut self, transmission: &Transmission, verdict: Verdict) {
        Observer::<StationOutput>::transmission(&mut self.files, transmission, verdict);
    }

    fn trace(&mut self, now: Instant, device: usize, trace: &Trace, starved: Option<Starved>) {
        Observer::<StationOutput>::trace(&mut self.files, now, device, trace, starved);
    }

    fn event(&mut self, _: Instant, _: usize, _: &StationOutput) {}

    fn hci(&mut self, now: Instant, device: usize, from_host: bool, packet: &[u8]) {
        Observer::<StationOutput>::hci(&mut self.files, now, device, from_host, packet);
    }
}

impl Watcher for Watched<'_> {
    fn has_enough(&mut self) -> bool {
        (self.stop)() || self.files.has_failed()
    }
}
