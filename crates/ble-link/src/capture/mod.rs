//! Captures of Bluetooth LE: the air as pcapng, the HCI of a device as btsnoop, everything as a Perfetto trace.
//!
//! Each writes what an [`Observer`] is told and nothing else, so what is below and above the HCI does not matter: runs of the
//! laboratory, of a test of one's own, and live servers are written alike.

mod air;
mod host;
mod timeline;

use airtime_ble::host::Starved;
use airtime_ble::medium::Transmission;
use airtime_ble::network::Observer;
use airtime_ble::trace::{Trace, Verdict};
use airtime_capture::{Form, Origin, Sink};
use airtime_core::Instant;

pub use air::AirCapture;
pub use host::HostCapture;
pub use timeline::TimelineCapture;

/// Captures of one run, of devices that have names.
#[derive(Debug)]
pub struct Captures<S> {
    captures: Vec<Capture<S>>,
    devices: Vec<String>,
    origin: Origin,
    apart: bool,
}

#[derive(Debug)]
enum Capture<S> {
    Air(AirCapture<S>),
    Host(HostCapture<S>),
    Timeline(TimelineCapture<S>),
}

/// Calls the same method of any capture.
macro_rules! each {
    ($capture:expr, $inner:ident => $call:expr) => {
        match $capture {
            Capture::Air($inner) => $call,
            Capture::Host($inner) => $call,
            Capture::Timeline($inner) => $call,
        }
    };
}

impl<S: Sink> Captures<S> {
    /// No capture yet, of a run that begins at `origin`. `apart` asks for an interface of each device where the air is written.
    pub fn new(devices: Vec<String>, origin: Origin, apart: bool) -> Self {
        Self { captures: Vec::new(), devices, origin, apart }
    }

    /// Adds a capture in this `form`; that of a host is the one of `device`.
    pub fn add(&mut self, form: Form, device: usize, sink: S) {
        self.captures.push(match form {
            Form::Air => {
                let capture = AirCapture::new(sink, self.origin);
                Capture::Air(if self.apart { capture.with_devices(self.devices.len()) } else { capture })
            }
            Form::Host => Capture::Host(HostCapture::new(sink, self.origin, device)),
            Form::Timeline => {
                let names: Vec<&str> = self.devices.iter().map(String::as_str).collect();
                Capture::Timeline(TimelineCapture::new(sink, &names))
            }
        });
    }

    /// Tells if any of the sinks has dropped something.
    pub fn has_failed(&mut self) -> bool {
        self.captures.iter_mut().any(|capture| each!(capture, inner => inner.sink().has_failed()))
    }

    /// Ends every capture, and gives the sinks in the order in which they were added.
    pub fn into_sinks(self) -> impl Iterator<Item = S> {
        self.captures.into_iter().map(|capture| each!(capture, inner => inner.into_sink()))
    }
}

impl<E, S: Sink> Observer<E> for Captures<S> {
    fn transmission(&mut self, transmission: &Transmission, verdict: Verdict) {
        for capture in &mut self.captures {
            each!(capture, inner => Observer::<E>::transmission(&mut *inner, transmission, verdict));
        }
    }

    fn trace(&mut self, now: Instant, device: usize, trace: &Trace, starved: Option<Starved>) {
        for capture in &mut self.captures {
            each!(capture, inner => Observer::<E>::trace(&mut *inner, now, device, trace, starved));
        }
    }

    fn event(&mut self, _: Instant, _: usize, _: &E) {}

    fn hci(&mut self, now: Instant, device: usize, from_host: bool, packet: &[u8]) {
        for capture in &mut self.captures {
            each!(capture, inner => Observer::<E>::hci(&mut *inner, now, device, from_host, packet));
        }
    }
}
