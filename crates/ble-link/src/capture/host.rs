//! The HCI of one device as btsnoop.

use airtime_ble::host::Starved;
use airtime_ble::medium::Transmission;
use airtime_ble::network::Observer;
use airtime_ble::trace::{Trace, Verdict};
use airtime_capture::btsnoop::Writer;
use airtime_capture::{Origin, Sink};
use airtime_core::Instant;

/// Writes what crosses the HCI of one device, in both directions, when it crosses.
#[derive(Debug)]
pub struct HostCapture<S> {
    writer: Writer<S>,
    origin: Origin,
    device: usize,
}

impl<S: Sink> HostCapture<S> {
    /// A capture of device `device` of the network.
    pub fn new(sink: S, origin: Origin, device: usize) -> Self {
        Self { writer: Writer::new(sink), origin, device }
    }

    /// An H4 packet crossed the HCI of `device`; those of other devices are passed over.
    pub fn hci(&mut self, now: Instant, device: usize, from_host: bool, packet: &[u8]) {
        if device == self.device {
            self.writer.packet(self.origin.unix_nanos(now), from_host, packet);
        }
    }

    /// Sink that the bytes go to.
    pub fn sink(&mut self) -> &mut S {
        self.writer.sink()
    }

    /// Ends the capture.
    pub fn into_sink(self) -> S {
        self.writer.into_sink()
    }
}

impl<E, S: Sink> Observer<E> for HostCapture<S> {
    fn transmission(&mut self, _: &Transmission, _: Verdict) {}
    fn trace(&mut self, _: Instant, _: usize, _: &Trace, _: Option<Starved>) {}
    fn event(&mut self, _: Instant, _: usize, _: &E) {}
    fn hci(&mut self, now: Instant, device: usize, from_host: bool, packet: &[u8]) {
        HostCapture::hci(self, now, device, from_host, packet);
    }
}
