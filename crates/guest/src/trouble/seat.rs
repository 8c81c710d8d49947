//! Seat of a host: its future, and the bus to its controller.

use std::rc::Rc;

use airtime_ble::network::StationOutput;
use airtime_core::{Instant, Packet};

use crate::bus::Bus;
use crate::guest::Guest;
use crate::report::Report;

/// One host on its bus.
pub(super) struct Seat {
    pub(super) guest: Guest,
    pub(super) bus: Rc<Bus>,
}

impl Seat {
    /// A packet from the controller.
    pub(super) fn hci(&mut self, now: Instant, packet: &[u8]) {
        self.guest.advance(now);
        self.guest.news();
        self.bus.give(packet);
    }

    /// The next output, until there is none; what `report` has goes first.
    pub(super) fn poll(&mut self, report: impl Fn() -> Option<Report>) -> Option<StationOutput<Report>> {
        loop {
            if let Some(report) = report() {
                return Some(StationOutput::Event(report));
            }
            if let Some(packet) = self.take_packet() {
                return Some(StationOutput::Hci(packet));
            }
            if !self.guest.poll() {
                return None;
            }
        }
    }

    fn take_packet(&mut self) -> Option<Packet> {
        let packet = self.bus.take()?;
        self.guest.news();
        Some(packet)
    }

    /// Packets and timers of the node, and packets on the bus.
    pub(super) fn held(&self) -> usize {
        let node = self.guest.node();
        node.packets_in_use() + node.packets_idle() + node.timers() + self.bus.held()
    }
}
