//! Frames between chips, from the first bit to the last.

use airtime_core::{Instant, Touched};

use super::{Network, Observer};
use crate::chip::Input;
use crate::host::{Host, TunUser};
use crate::medium::Arrival;
use crate::trace::{OnAir, Reception, Trace};
use crate::wire::frame::Frame;

/// The frames of one chip on their way: at most one.
#[derive(Debug)]
pub(super) struct Flight {
    /// Time on the air, if there is a frame.
    on_air: Option<OnAir>,
    /// End of the frame; far in the future if there is none.
    pub(super) end: Instant,
    /// Frame under way, or the last one.
    frame: Frame,
}

impl Flight {
    /// Nothing is on its way.
    pub(super) const fn none() -> Self {
        Self { on_air: None, end: Instant::FAR_FUTURE, frame: Frame::EMPTY }
    }
}

impl<H: Host, A: TunUser, O: Observer> Network<H, A, O> {
    /// `from` begins to transmit: whoever listens on its channel by now notices the carrier.
    #[inline(never)]
    pub(super) fn transmit(&mut self, from: usize, now: Instant, touched: &mut Touched) {
        if self.chips[from].borrow().on_air().is_none() {
            return;
        }
        // It may have followed another one without a gap, which nobody has collected yet.
        if self.flights[from].on_air.is_some() {
            self.finish(from, now, touched);
        }
        let Some(on_air) = self.take_off(from) else { return };
        self.medium.began(from, &on_air);
        for to in 0..self.chips.len() {
            if to != from && self.hears(to, &on_air) {
                touched.note(to);
                let frame = &self.flights[from].frame;
                self.chips[to].borrow_mut().handle(now, Input::Carrier { until: on_air.end, frame });
                self.drain_chip(to, now, touched);
            }
        }
    }

    /// Copies what `from` transmits.
    fn take_off(&mut self, from: usize) -> Option<OnAir> {
        let (chip, flight) = (self.chips[from].borrow(), &mut self.flights[from]);
        let (on_air, frame) = chip.on_air()?;
        flight.frame = *frame;
        (flight.on_air, flight.end) = (Some(*on_air), on_air.end);
        flight.on_air
    }

    /// The frame of `from` ends now, or breaks off: it arrives at every chip that has listened since it began.
    #[inline(never)]
    pub(super) fn finish(&mut self, from: usize, now: Instant, touched: &mut Touched) {
        let Some(mut on_air) = self.flights[from].on_air.take() else { return };
        self.flights[from].end = Instant::FAR_FUTURE;
        let whole = on_air.end <= now;
        on_air.end = on_air.end.min(now);
        let mut verdict = None;
        for to in 0..self.chips.len() {
            if to == from || !self.hears(to, &on_air) {
                continue;
            }
            touched.note(to);
            let mut arrived = self.flights[from].frame;
            let lost = self.medium.arrival(from, to, on_air.start, &mut arrived) == Arrival::Lost || !whole;
            let input = if lost { Input::Lost } else { Input::Frame(&arrived) };
            self.chips[to].borrow_mut().handle(now, input);
            while let Some(trace) = self.next_trace(to, now, touched) {
                if let Trace::Received { reception, .. } = trace
                    && verdict.is_none_or(|(_, other)| weight(reception) > weight(other))
                {
                    verdict = Some((to, reception));
                }
                self.late.push((to, trace));
            }
        }
        self.observer.transmission(from, &on_air, verdict);
        // The frame first, then what it led to.
        for (chip, trace) in self.late.drain(..) {
            self.observer.chip(now, chip, &trace);
        }
    }

    /// Tells if `to` is tuned to a transmission and has listened since it began. Equal instants count.
    fn hears(&self, to: usize, on_air: &OnAir) -> bool {
        let chip = self.chips[to].borrow();
        chip.tuned() == (on_air.channel, on_air.rate) && chip.listens_since().is_some_and(|since| since <= on_air.start)
    }
}

/// Of several chips that took notice of a frame, the one for which it was most is its peer.
fn weight(reception: Reception) -> u8 {
    match reception {
        Reception::New | Reception::Ack => 3,
        Reception::Duplicate => 2,
        Reception::FifoFull => 1,
        Reception::BadCrc | Reception::Refused => 0,
    }
}
