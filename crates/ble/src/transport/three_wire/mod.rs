//! Three-wire UART: packets in SLIP frames behind a header, numbered and acknowledged, no more of them at a time than a window takes.
//!
//! The link is *assumed* to be established, as it is long before data goes over it, and neither end to sleep. Nothing is damaged, so
//! nothing is sent again. What has arrived is acknowledged by the next frame the other way; where none can go, by one of its own at once,
//! as Linux does (drivers/bluetooth/hci_h5.c, `h5_dequeue`).

mod frame;

use alloc::collections::VecDeque;

use airtime_core::{Instant, Packet};

use super::End;
use super::bus::frame_time;
use frame::Header;

/// Numbers of frames run from 0 to 7. Core 6.0, Vol 4, Part D, 4.1.
const NUMBERS: u8 = 7;

/// Both ends of the line.
#[derive(Debug)]
pub struct ThreeWire {
    settings: Settings,
    host: Side,
    controller: Side,
}

/// Settings that both ends have agreed on.
#[derive(Clone, Copy, Debug)]
struct Settings {
    baud: u32,
    window: u8,
    crc: bool,
}

/// One end: what it sends, and what it has heard.
#[derive(Debug, Default)]
struct Side {
    waiting: VecDeque<Packet>,
    line: Option<Sending>,
    /// Number of its next packet.
    next: u8,
    /// Number of its first packet without acknowledgement.
    unacknowledged: u8,
    /// Number that it expects of the other end.
    expects: u8,
    /// Something has arrived that no frame of its own has acknowledged.
    owes: bool,
}

/// A frame on the line; without a packet it only acknowledges.
#[derive(Debug)]
struct Sending {
    ends: Instant,
    packet: Option<Packet>,
    acknowledges: u8,
}

impl ThreeWire {
    /// A line with nothing on it.
    pub fn new(baud: u32, window: u8, crc: bool) -> Self {
        Self { settings: Settings { baud, window, crc }, host: Side::default(), controller: Side::default() }
    }

    /// Takes a packet to carry `to` that end.
    pub fn send(&mut self, now: Instant, to: End, packet: Packet) {
        let settings = self.settings;
        let side = self.sender_to(to);
        side.waiting.push_back(packet);
        side.begin(now, settings);
    }

    /// The next packet that has arrived, with the end that it is for.
    pub fn poll(&mut self, now: Instant) -> Option<(End, Packet)> {
        loop {
            let (at, to) = self.next().filter(|(at, _)| *at <= now)?;
            if let Some(packet) = self.arrived(at, to) {
                return Some((to, packet));
            }
        }
    }

    /// Instant at which the next frame has arrived.
    pub fn deadline(&self) -> Option<Instant> {
        self.next().map(|(at, _)| at)
    }

    /// True while a packet is on its way `to` that end.
    pub fn carries(&self, to: End) -> bool {
        let side = match to {
            End::Controller => &self.host,
            End::Host => &self.controller,
        };
        !side.waiting.is_empty() || side.line.as_ref().is_some_and(|sending| sending.packet.is_some())
    }

    /// The next arrival, and the end that it is at.
    fn next(&self) -> Option<(Instant, End)> {
        let sides = [(&self.host, End::Controller), (&self.controller, End::Host)];
        let frames = sides.into_iter().filter_map(|(side, to)| Some((side.line.as_ref()?.ends, to)));
        frames.min_by_key(|(at, _)| *at)
    }

    /// Ends the frame on the line `to` that end, and begins what may now go either way.
    fn arrived(&mut self, at: Instant, to: End) -> Option<Packet> {
        let Sending { packet, acknowledges, .. } = self.sender_to(to).line.take()?;
        let other = match to {
            End::Controller => End::Host,
            End::Host => End::Controller,
        };
        let receiver = self.sender_to(other);
        receiver.unacknowledged = acknowledges;
        if packet.is_some() {
            receiver.expects = (receiver.expects + 1) & NUMBERS;
            receiver.owes = true;
        }
        let settings = self.settings;
        for end in [to, other] {
            self.sender_to(end).begin(at, settings);
        }
        packet
    }

    fn sender_to(&mut self, to: End) -> &mut Side {
        match to {
            End::Controller => &mut self.host,
            End::Host => &mut self.controller,
        }
    }
}

impl Side {
    /// Begins the next frame if the line is free: a packet if the window takes one, else an acknowledgement if one is owed.
    fn begin(&mut self, now: Instant, settings: Settings) {
        if self.line.is_some() {
            return;
        }
        let is_open = self.under_way() < settings.window;
        let packet = if is_open { self.waiting.pop_front() } else { None };
        if packet.is_none() && !self.owes {
            return;
        }
        let header = Header {
            number: packet.as_ref().map(|_| self.next),
            acknowledges: self.expects,
            // A check of nothing but a header that has one already is *assumed* to be left out.
            crc: settings.crc && packet.is_some(),
        };
        let octets = frame::octets(header, packet.as_deref().unwrap_or_default());
        if packet.is_some() {
            self.next = (self.next + 1) & NUMBERS;
        }
        self.owes = false;
        self.line = Some(Sending { ends: now + frame_time(settings.baud, octets), packet, acknowledges: self.expects });
    }

    /// Packets sent, and not acknowledged.
    fn under_way(&self) -> u8 {
        self.next.wrapping_sub(self.unacknowledged) & NUMBERS
    }
}

#[cfg(test)]
mod tables;
