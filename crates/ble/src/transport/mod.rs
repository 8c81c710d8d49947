//! Transport of HCI between a host and its controller, where it takes time: a UART, USB at full speed, SPI, or memory of two cores.
//!
//! What is sent arrives whole, after the time that its octets take behind those before it. Both directions are carried at once, but on SPI.
//! Nothing is lost: a UART with H4 is *assumed* to have flow control by RTS and CTS, a three-wire one a receiver that keeps up, and a host
//! controller of USB to ask for data as soon as the bus is free.

mod bus;
mod lanes;
mod three_wire;

use alloc::boxed::Box;

use airtime_core::{Duration, Instant, Packet};

pub use bus::Bus;
use lanes::Lanes;
use three_wire::ThreeWire;

/// End of a transport.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// The controller.
    Controller,
    /// The host.
    Host,
}

/// A transport, with what is under way on it.
#[derive(Debug, Default)]
pub struct Transport {
    bus: Bus,
    line: Line,
}

/// Form of what is under way.
#[derive(Debug, Default)]
enum Line {
    /// Nothing ever is.
    #[default]
    None,
    Lanes(Box<Lanes>),
    ThreeWire(Box<ThreeWire>),
}

impl Transport {
    /// A transport over `bus` with nothing on it.
    pub fn new(bus: Bus) -> Self {
        let line = match bus {
            Bus::Memory | Bus::Ipc { delay: Duration::ZERO } => Line::None,
            Bus::ThreeWire { baud, window, crc } => Line::ThreeWire(Box::new(ThreeWire::new(baud, window, crc))),
            _ => Line::Lanes(Box::default()),
        };
        Self { bus, line }
    }

    /// True if what is sent is there at once, and need not be carried.
    pub fn is_instant(&self) -> bool {
        matches!(self.line, Line::None)
    }

    /// Takes a packet to carry `to` that end.
    ///
    /// # Panics
    /// If the transport is instant: there is nothing that would carry it.
    pub fn send(&mut self, now: Instant, to: End, packet: Packet) {
        match &mut self.line {
            Line::None => panic!("what is there at once need not be carried"),
            Line::Lanes(lanes) => lanes.send(self.bus, now, to, packet),
            Line::ThreeWire(wire) => wire.send(now, to, packet),
        }
    }

    /// The next packet that has arrived, with the end that it is for.
    pub fn poll(&mut self, now: Instant) -> Option<(End, Packet)> {
        match &mut self.line {
            Line::None => None,
            Line::Lanes(lanes) => lanes.poll(now),
            Line::ThreeWire(wire) => wire.poll(now),
        }
    }

    /// Instant at which the next packet, or a frame without one, has arrived.
    pub fn deadline(&self) -> Option<Instant> {
        match &self.line {
            Line::None => None,
            Line::Lanes(lanes) => lanes.deadline(),
            Line::ThreeWire(wire) => wire.deadline(),
        }
    }

    /// True while anything is on its way `to` that end.
    pub fn carries(&self, to: End) -> bool {
        match &self.line {
            Line::None => false,
            Line::Lanes(lanes) => lanes.carries(to),
            Line::ThreeWire(wire) => wire.carries(to),
        }
    }

    /// Drops what is under way: one of its ends has lost its power.
    pub fn clear(&mut self) {
        *self = Self::new(self.bus);
    }
}

#[cfg(test)]
mod tests;
