//! Observers: those who look on.

use airtime_core::Instant;

use crate::trace::{Note, OnAir, Reception, Trace};

/// A sink of everything that happens on the network.
pub trait Observer {
    /// False if it does not look at all. Traces of chips and notes of hosts are not made for it then; nothing else
    /// depends on it.
    fn looks(&self) -> bool {
        true
    }
    /// A transmission of chip `from` has ended. `received` is what its peer made of it: none when no chip
    /// took notice of it (not listening, lost, wrong address).
    fn transmission(&mut self, from: usize, on_air: &OnAir, received: Option<(usize, Reception)>) {
        let _ = (from, on_air, received);
    }
    /// Chip `chip` traced this.
    fn chip(&mut self, now: Instant, chip: usize, trace: &Trace) {
        let _ = (now, chip, trace);
    }
    /// Host `host` noted this.
    fn note(&mut self, now: Instant, host: usize, note: &Note) {
        let _ = (now, host, note);
    }
    /// An IP packet entered (`into` true) or left the tunnel at `host`.
    fn packet(&mut self, now: Instant, host: usize, into: bool, packet: &[u8]) {
        let _ = (now, host, into, packet);
    }
    /// Another host has taken the place of `host`; with `fresh_chips`, other chips have taken that of its chips too,
    /// which number their uploads from 0 again.
    fn replaced(&mut self, now: Instant, host: usize, fresh_chips: bool) {
        let _ = (now, host, fresh_chips);
    }
}

/// Observer that drops everything.
impl Observer for () {
    fn looks(&self) -> bool {
        false
    }
}

/// Two sinks of the same stream; the first sees everything first.
impl<A: Observer, B: Observer> Observer for (A, B) {
    fn looks(&self) -> bool {
        self.0.looks() || self.1.looks()
    }
    fn transmission(&mut self, from: usize, on_air: &OnAir, received: Option<(usize, Reception)>) {
        self.0.transmission(from, on_air, received);
        self.1.transmission(from, on_air, received);
    }
    fn chip(&mut self, now: Instant, chip: usize, trace: &Trace) {
        self.0.chip(now, chip, trace);
        self.1.chip(now, chip, trace);
    }
    fn note(&mut self, now: Instant, host: usize, note: &Note) {
        self.0.note(now, host, note);
        self.1.note(now, host, note);
    }
    fn packet(&mut self, now: Instant, host: usize, into: bool, packet: &[u8]) {
        self.0.packet(now, host, into, packet);
        self.1.packet(now, host, into, packet);
    }
    fn replaced(&mut self, now: Instant, host: usize, fresh_chips: bool) {
        self.0.replaced(now, host, fresh_chips);
        self.1.replaced(now, host, fresh_chips);
    }
}
