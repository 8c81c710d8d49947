//! A sender and a receiver of raw frames, and what the chips said of them.

use std::cell::RefCell;
use std::rc::Rc;

use airtime_core::loss::Loss;
use airtime_core::{Duration, EventLoop, Instant, Pool};
use airtime_nrf24::air::{Crc, Rate};
use airtime_nrf24::chip::{Chip, Options};
use airtime_nrf24::host::Cost;
use airtime_nrf24::medium::Medium;
use airtime_nrf24::network::{Network, Observer};
use airtime_nrf24::rf24::{Config, Length, Program, RawConfig, RawNode, Sending, Source, Write};
use airtime_nrf24::trace::{DropPoint, Lint, Note, Reception, Trace};
use airtime_nrf24::wires::SharedChip;

/// A host that costs nothing but the octets at 10 MHz.
pub const FREE: Cost = Cost {
    spi_hz: 10_000_000,
    transaction: Duration::ZERO,
    pin: Duration::ZERO,
    wake: Duration::ZERO,
    sleep_slack: Duration::ZERO,
    tun: Duration::ZERO,
};

/// Start of the traffic: both radios are set up by then.
const START: Instant = Instant::from_nanos(100_000_000);

/// Addresses of the two ends.
const ADDRESSES: [[u8; 5]; 2] = [[0xC2; 5], [0xE7, 0x18, 0xE7, 0x18, 0xE7]];

/// A link of raw frames; tests change what they are about.
#[derive(Clone, Copy)]
pub struct Link {
    pub rate: Rate,
    pub address_width: u8,
    pub crc: Crc,
    pub auto_ack: bool,
    pub length: Length,
    pub payload: u8,
    pub write: Write,
    pub pauses: bool,
    pub source: Source,
    pub cost: Cost,
    pub loss: Loss,
}

impl Link {
    /// Gap-less frames of 32 octets without acknowledgement.
    pub const fn gapless(rate: Rate) -> Self {
        Self {
            rate,
            address_width: 5,
            crc: Crc::One,
            auto_ack: false,
            length: Length::Static,
            payload: 32,
            write: Write::Fast,
            pauses: false,
            source: Source::Memory,
            cost: FREE,
            loss: Loss::None,
        }
    }

    fn radio(self, end: usize) -> Config {
        Config {
            channel: 76,
            rate: self.rate,
            address_width: self.address_width,
            crc: self.crc,
            auto_ack: self.auto_ack,
            length: self.length,
            // What `begin()` leaves, and only who wants static lengths changes.
            payload_size: if self.length == Length::Dynamic { 32 } else { self.payload },
            ard: 5,
            arc: 15,
            power: 3,
            listens_at: ADDRESSES[end],
            writes_to: ADDRESSES[1 - end],
        }
    }

    /// Runs it for `span` from the first frame on.
    pub fn run(self, span: Duration) -> Seen {
        let chips: Vec<SharedChip> = (0..2).map(|_| Rc::new(RefCell::new(Chip::new(Options::default())))).collect();
        let sending = Sending {
            payload: self.payload,
            write: self.write,
            pauses: self.pauses,
            source: self.source,
            start: START,
            end: START + span,
        };
        let programs = [Program::Sends(sending), Program::Receives];
        let pool = Pool::new();
        let node = |(end, program): (usize, Program)| {
            let config = RawConfig { radio: self.radio(end), program, cost: self.cost };
            RawNode::new(chips[end].clone(), config, &pool, Instant::ZERO)
        };
        let hosts = programs.into_iter().enumerate().map(node).collect();
        let mut network =
            Network::new(Medium::new(2, self.loss, 1), chips.clone(), hosts, vec![(), ()], Seen::default());
        network.start(Instant::ZERO);
        let mut events = EventLoop::new(Instant::ZERO, &network);
        while events.step(&mut network, START + span) {}
        network.observer
    }
}

/// Record of a run: what an application and a lint see.
#[derive(Debug, Default)]
pub struct Seen {
    /// Ends of the frames that were new to the receiver.
    pub arrivals: Vec<Instant>,
    /// Frames that came to the application, by their octets.
    pub taken: Vec<Vec<u8>>,
    /// Every lint, with the chip.
    pub lints: Vec<(usize, Lint)>,
    /// Frames that the sender handed over.
    pub written: usize,
    /// Octets that found the serial port's buffer full.
    pub overrun: u32,
    /// Frames that the chip gave up.
    pub given_up: usize,
}

impl Seen {
    /// Times between arrivals, those of the first frames left out.
    pub fn gaps(&self) -> Vec<u64> {
        let settled = &self.arrivals[self.arrivals.len().min(8)..];
        settled.windows(2).map(|pair| (pair[1] - pair[0]).as_nanos()).collect()
    }
}

impl Observer for Seen {
    fn chip(&mut self, now: Instant, chip: usize, trace: &Trace) {
        match trace {
            Trace::Received { reception: Reception::New, .. } if chip == 1 => self.arrivals.push(now),
            Trace::Lint(lint) => self.lints.push((chip, *lint)),
            Trace::MaxRt { .. } => self.given_up += 1,
            _ => {}
        }
    }

    fn note(&mut self, _: Instant, _: usize, note: &Note) {
        match note {
            Note::Upload { .. } => self.written += 1,
            Note::Dropped { at: DropPoint::Queue, octets } => self.overrun += octets,
            _ => {}
        }
    }

    fn packet(&mut self, _: Instant, host: usize, into: bool, packet: &[u8]) {
        assert!(host == 1 && !into, "only the receiver hands anything up");
        self.taken.push(packet.to_vec());
    }
}
