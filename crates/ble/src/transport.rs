//! Transport of HCI between a host and its controller, where it takes time: a UART, or USB at full speed.
//!
//! What is sent arrives whole, after the time that its octets take behind those before it. Both directions are carried at once. Nothing is
//! lost: a UART is *assumed* to have flow control by RTS and CTS, and a host controller of USB to ask for data as soon as the bus is free.

use alloc::collections::VecDeque;

use airtime_core::{Duration, Instant, Packet};

use crate::hci::EVENT;

/// Bits of an octet on a UART: a start bit, eight of data, a stop bit, and no parity. Core 6.0, Vol 4, Part A, 3.
const UART_BITS: u64 = 10;

/// Octets of a packet of a bulk endpoint, and what a transaction costs beside them (USB 2.0, 5.8.3 and 5.8.4); of an interrupt endpoint for
/// events as Core 6.0, Vol 4, Part B, suggests them, *assumed* of every dongle.
const BULK: u64 = 64;
const INTERRUPT: u64 = 16;
const TRANSACTION: u64 = 13;

/// Bit rate of USB at full speed.
const USB_BITS_PER_SECOND: u64 = 12_000_000;

/// Frames of USB, in each of which the endpoint for events is asked once: a `bInterval` of 1, *assumed*.
const USB_FRAME: Duration = Duration::from_millis(1);

/// Bus between a host and its controller.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum Bus {
    /// None: both are on one chip, or share its memory, and nothing takes time.
    #[default]
    Memory,
    /// A UART with H4.
    Uart {
        /// Bits a second.
        baud: u32,
    },
    /// USB at full speed, with an endpoint each for events, which are asked for, and for data in either direction.
    Usb,
}

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

impl Bus {
    /// Time of an H4 packet of so many octets, its type among them, where nothing is before it; of an event of USB, from the frame in which
    /// it is asked for.
    pub const fn time(self, kind: u8, octets: u64) -> Duration {
        match self {
            Self::Memory => Duration::ZERO,
            Self::Uart { baud } => bits(octets * UART_BITS, baud as u64),
            Self::Usb => {
                // The type is said by the endpoint.
                let octets = octets.saturating_sub(1);
                let most = if kind == EVENT { INTERRUPT } else { BULK };
                let transactions = if octets == 0 { 1 } else { octets.div_ceil(most) };
                let last = octets - (transactions - 1) * most;
                if kind == EVENT {
                    // Each further piece waits for its own frame.
                    let before = USB_FRAME.as_nanos() * (transactions - 1);
                    Duration::from_nanos(before + bits((last + TRANSACTION) * 8, USB_BITS_PER_SECOND).as_nanos())
                } else {
                    bits((octets + transactions * TRANSACTION) * 8, USB_BITS_PER_SECOND)
                }
            }
        }
    }
}

/// Time of so many bits, rounded up to a whole nanosecond.
const fn bits(bits: u64, per_second: u64) -> Duration {
    Duration::from_nanos((bits * 1_000_000_000).div_ceil(per_second))
}

impl Transport {
    /// A transport over `bus` with nothing on it.
    pub fn new(bus: Bus) -> Self {
        Self { bus, ..Self::default() }
    }

    /// True if what is sent is there at once, and need not be carried.
    pub fn is_instant(&self) -> bool {
        self.bus == Bus::Memory
    }

    /// Takes a packet to carry `to` that end.
    pub fn send(&mut self, now: Instant, to: End, packet: Packet) {
        let kind = packet.first().copied().unwrap_or_default();
        let time = self.bus.time(kind, packet.len() as u64);
        let is_asked_for = self.bus == Bus::Usb && to == End::Host && kind == EVENT;
        let lane = match to {
            End::Controller => &mut self.to_controller,
            End::Host if is_asked_for => &mut self.events,
            End::Host => &mut self.to_host,
        };
        let free = lane.free.max(now);
        let begins = if is_asked_for { next_frame(free) } else { free };
        lane.free = begins + time;
        lane.under_way.push_back((lane.free, packet));
    }

    /// The next packet that has arrived, with the end that it is for.
    pub fn poll(&mut self, now: Instant) -> Option<(End, Packet)> {
        let Self { to_controller, to_host, events, .. } = self;
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

    /// Drops what is under way: one of its ends has lost its power.
    pub fn clear(&mut self) {
        *self = Self::new(self.bus);
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

#[cfg(test)]
mod tests {
    use airtime_core::Pool;

    use super::*;
    use crate::hci::ACL_DATA;

    fn packet(pool: &Pool, kind: u8, octets: usize) -> Packet {
        let mut all = alloc::vec![0; octets];
        all[0] = kind;
        pool.copy(&all)
    }

    fn arrivals(bus: Bus, to: End, packets: &[(u8, usize)]) -> alloc::vec::Vec<u64> {
        let pool = Pool::new();
        let mut transport = Transport::new(bus);
        for (kind, octets) in packets {
            transport.send(Instant::from_nanos(100), to, packet(&pool, *kind, *octets));
        }
        let mut found = alloc::vec::Vec::new();
        while let Some(at) = transport.deadline() {
            assert!(transport.carries(to));
            assert!(transport.poll(Instant::from_nanos(at.as_nanos() - 1)).is_none());
            assert_eq!(transport.poll(at).unwrap().0, to);
            found.push(at.as_nanos());
        }
        found
    }

    #[test]
    fn a_uart_takes_ten_bits_an_octet_one_packet_behind_the_other() {
        let uart = Bus::Uart { baud: 1_000_000 };
        // 256 octets of ten bits of 1 us each.
        assert_eq!(arrivals(uart, End::Controller, &[(ACL_DATA, 256), (ACL_DATA, 8)]), [2_560_100, 2_640_100]);
        assert_eq!(arrivals(Bus::Uart { baud: 115_200 }, End::Host, &[(EVENT, 8)]), [694_545]);
    }

    #[test]
    fn usb_asks_for_events_once_a_frame_and_for_data_at_once() {
        // 255 octets are three packets of 64 and one of 63, of 13 octets more each: 307 octets at 12 Mbit/s.
        assert_eq!(arrivals(Bus::Usb, End::Host, &[(ACL_DATA, 256)]), [100 + 204_667]);
        // Seven octets from the next frame on; eighteen are two pieces in two frames.
        assert_eq!(arrivals(Bus::Usb, End::Host, &[(EVENT, 8)]), [1_000_000 + 13_334]);
        assert_eq!(arrivals(Bus::Usb, End::Host, &[(EVENT, 19)]), [2_000_000 + 10_000]);
        assert_eq!(arrivals(Bus::Usb, End::Host, &[(EVENT, 8), (EVENT, 8)]), [1_013_334, 2_013_334]);
    }

    #[test]
    fn what_has_no_power_carries_nothing() {
        let pool = Pool::new();
        let mut transport = Transport::new(Bus::Usb);
        assert!(!transport.is_instant() && Transport::default().is_instant());
        transport.send(Instant::from_nanos(0), End::Controller, packet(&pool, ACL_DATA, 9));
        transport.clear();
        assert_eq!((transport.deadline(), transport.carries(End::Controller)), (None, false));
    }
}
