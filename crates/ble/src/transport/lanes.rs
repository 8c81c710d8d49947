//! Lanes that carry one packet behind the other, each at its time: a UART, USB, SPI, shared memory.

use alloc::collections::VecDeque;

use airtime_core::{Duration, Instant, Packet};

use super::End;
use super::bus::{Bus, USB_FRAME};
use crate::hci::EVENT;

/// Both directions of a bus, with what is under way.
#[derive(Debug, Default)]
pub struct Lanes {
    to_controller: Lane,
    to_host: Lane,
    /// Events of USB have an endpoint of their own.
    events: Lane,
}

/// Packets one behind the other.
#[derive(Debug, Default)]
struct Lane {
    free: Instant,
    /// Each with the instant at which it has arrived.
    under_way: VecDeque<(Instant, Packet)>,
}

impl Lanes {
    /// Takes a packet to carry `to` that end of `bus`.
    pub fn send(&mut self, bus: Bus, now: Instant, to: End, packet: Packet) {
        let kind = packet.first().copied().unwrap_or_default();
        let time = bus.time(kind, packet.len() as u64);
        let is_asked_for = bus == Bus::Usb && to == End::Host && kind == EVENT;
        // A transaction of SPI is a read or a write: both directions wait for one clock.
        let shared = match bus {
            Bus::Spi { .. } => self.to_controller.free.max(self.to_host.free),
            _ => Instant::ZERO,
        };
        let lane = match to {
            End::Controller => &mut self.to_controller,
            End::Host if is_asked_for => &mut self.events,
            End::Host => &mut self.to_host,
        };
        let free = lane.free.max(shared).max(now);
        let begins = if is_asked_for { next_frame(free) } else { free };
        lane.free = begins + time;
        lane.under_way.push_back((lane.free, packet));
    }

    /// The next packet that has arrived, with the end that it is for.
    pub fn poll(&mut self, now: Instant) -> Option<(End, Packet)> {
        let Self { to_controller, to_host, events } = self;
        let lanes = [(to_controller, End::Controller), (to_host, End::Host), (events, End::Host)];
        let due = lanes.into_iter().filter_map(|(lane, end)| Some((lane.next().filter(|at| *at <= now)?, lane, end)));
        let (_, lane, end) = due.min_by_key(|(at, ..)| *at)?;
        lane.under_way.pop_front().map(|(_, packet)| (end, packet))
    }

    /// Instant at which the next packet has arrived.
    pub fn deadline(&self) -> Option<Instant> {
        [&self.to_controller, &self.to_host, &self.events].into_iter().filter_map(Lane::next).min()
    }

    /// True while anything is on its way `to` that end.
    pub fn carries(&self, to: End) -> bool {
        match to {
            End::Controller => !self.to_controller.under_way.is_empty(),
            End::Host => !self.to_host.under_way.is_empty() || !self.events.under_way.is_empty(),
        }
    }
}

impl Lane {
    /// Instant of the next arrival.
    fn next(&self) -> Option<Instant> {
        self.under_way.front().map(|(at, _)| *at)
    }
}

/// Beginning of the first frame at or after `at`: frames are counted from the beginning of time.
fn next_frame(at: Instant) -> Instant {
    let into = at.as_nanos() % USB_FRAME.as_nanos();
    if into == 0 { at } else { at + (USB_FRAME - Duration::from_nanos(into)) }
}
