//! The seam for sinks.

use airtime_core::Instant;

use crate::trace::{Begun, Delivery, DropPoint, OnAir, Phase};

/// A sink of everything that happens on the network. Stations are named by their place.
pub trait Observer {
    /// A transmission has begun.
    fn began(&mut self, now: Instant, begun: &Begun) {
        let _ = (now, begun);
    }
    /// A transmission has ended. `psdu` is what its receiver has of it, check included.
    fn transmission(&mut self, on_air: &OnAir, psdu: &[u8]) {
        let _ = (on_air, psdu);
    }
    /// A sender is in another phase from now on.
    fn phase(&mut self, now: Instant, station: usize, phase: Phase) {
        let _ = (now, station, phase);
    }
    /// Data has arrived for the first time.
    fn delivered(&mut self, delivery: &Delivery) {
        let _ = delivery;
    }
    /// A frame of `station` was dropped.
    fn dropped(&mut self, now: Instant, station: usize, at: DropPoint) {
        let _ = (now, station, at);
    }
}

/// Observer that drops everything.
impl Observer for () {}

/// Two sinks of the same stream; the first sees everything first.
impl<A: Observer, B: Observer> Observer for (A, B) {
    fn began(&mut self, now: Instant, begun: &Begun) {
        self.0.began(now, begun);
        self.1.began(now, begun);
    }
    fn transmission(&mut self, on_air: &OnAir, psdu: &[u8]) {
        self.0.transmission(on_air, psdu);
        self.1.transmission(on_air, psdu);
    }
    fn phase(&mut self, now: Instant, station: usize, phase: Phase) {
        self.0.phase(now, station, phase);
        self.1.phase(now, station, phase);
    }
    fn delivered(&mut self, delivery: &Delivery) {
        self.0.delivered(delivery);
        self.1.delivered(delivery);
    }
    fn dropped(&mut self, now: Instant, station: usize, at: DropPoint) {
        self.0.dropped(now, station, at);
        self.1.dropped(now, station, at);
    }
}
