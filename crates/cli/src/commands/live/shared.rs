//! Captures in two hands: a server's, and whoever finishes them.

use std::cell::RefCell;
use std::rc::Rc;

use airtime_ble::host::Starved;
use airtime_ble::medium::Transmission;
use airtime_ble::network::Observer;
use airtime_ble::trace::{Trace, Verdict};
use airtime_ble_link::capture::Captures;
use airtime_core::Instant;

use crate::capture::CaptureFile;

/// Captures that a live server writes to until it ends, and that are finished afterwards.
#[derive(Clone, Debug)]
pub struct Shared(Rc<RefCell<Captures<CaptureFile>>>);

impl Shared {
    /// Captures in two hands.
    pub fn new(captures: Captures<CaptureFile>) -> Self {
        Self(Rc::new(RefCell::new(captures)))
    }

    /// The captures, when this is the last hand.
    pub fn into_captures(self) -> Option<Captures<CaptureFile>> {
        Rc::into_inner(self.0).map(RefCell::into_inner)
    }
}

impl<E> Observer<E> for Shared {
    fn transmission(&mut self, transmission: &Transmission, verdict: Verdict) {
        Observer::<E>::transmission(&mut *self.0.borrow_mut(), transmission, verdict);
    }

    fn trace(&mut self, now: Instant, device: usize, trace: &Trace, starved: Option<Starved>) {
        Observer::<E>::trace(&mut *self.0.borrow_mut(), now, device, trace, starved);
    }

    fn event(&mut self, _: Instant, _: usize, _: &E) {}

    fn hci(&mut self, now: Instant, device: usize, from_host: bool, packet: &[u8]) {
        Observer::<E>::hci(&mut *self.0.borrow_mut(), now, device, from_host, packet);
    }
}
