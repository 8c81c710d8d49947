//! The sink of a live network: books and figures of every link, and whatever else listens.

use airtime_ble::host::Starved;
use airtime_ble::medium::Transmission;
use airtime_ble::network::Observer;
use airtime_ble::trace::{Trace, Verdict};
use airtime_core::Instant;

use crate::radios::Sink;
use crate::station::Event;

/// What watches the air.
pub struct Watch {
    sink: Option<Sink>,
}

impl Watch {
    /// Nothing was seen yet of `devices` devices.
    pub fn new(_devices: usize, sink: Option<Sink>) -> Self {
        Self { sink }
    }

    /// The controller of `device` has lost power.
    pub fn power_lost(&mut self, _now: Instant, _device: usize) {}
}

impl Observer<Event> for Watch {
    fn transmission(&mut self, transmission: &Transmission, verdict: Verdict) {
        if let Some(sink) = &mut self.sink {
            sink.transmission(transmission, verdict);
        }
    }

    fn trace(&mut self, now: Instant, device: usize, trace: &Trace, starved: Option<Starved>) {
        if let Some(sink) = &mut self.sink {
            sink.trace(now, device, trace, starved);
        }
    }

    fn event(&mut self, now: Instant, device: usize, event: &Event) {
        if let Some(sink) = &mut self.sink {
            sink.event(now, device, event);
        }
    }

    fn hci(&mut self, now: Instant, device: usize, from_host: bool, packet: &[u8]) {
        if let Some(sink) = &mut self.sink {
            sink.hci(now, device, from_host, packet);
        }
    }
}
