//! The sink of a run below the TUN devices: books, drops, lints, and packets through the tunnel.

use alloc::rc::Rc;
use alloc::vec;
use alloc::vec::Vec;
use core::cell::RefCell;

use airtime_core::{Instant, Ledger};
use airtime_link::{Latencies, Ordered};
use airtime_net::Event;
use airtime_net::measure::{Delays, Repetitions, Tally};
use airtime_net::traffic::{Direction, Transport};

use crate::ledger::{Account, BookedLink, Books};
use crate::network::Observer;
use crate::plan::{Mode, Scenario};
use crate::trace::{DropPoint, Lint, Note, OnAir, Purpose, Reception, Sent, Trace};

/// Counter of octets that found the receive buffer of the serial port full.
pub(super) const OVERRUN: &str = "octets_overrun.serial";

/// Counters by name; they begin again after the warm-up.
#[derive(Clone, Debug, Default)]
pub struct Counted {
    /// IP packets into the tunnel, up and down.
    pub packets_in: [u64; 2],
    /// IP packets out of the tunnel, up and down.
    pub packets_out: [u64; 2],
    /// IP packets of which something was written to a radio, up and down: what is still in a queue is not among them.
    pub packets_carried: [u64; 2],
    /// Raw frames that came to the application, up and down.
    pub taken: [u64; 2],
    /// Frames with a payload sent by the radios of each node, retransmissions included.
    pub frames: [u64; 2],
    /// Frames among them whose receiver made nothing of them.
    pub frames_lost: [u64; 2],
    /// Frames among those of which no receiver found the address: missed, collided, or sent while nobody listened.
    pub frames_missed: [u64; 2],
    /// Frames among those whose check was wrong.
    pub frames_damaged: [u64; 2],
    /// Acknowledgements sent by the radios of each node.
    pub acks: [u64; 2],
    /// Acknowledgements among them that did not arrive.
    pub acks_lost: [u64; 2],
    /// Acknowledgements among those whose address nobody found.
    pub acks_missed: [u64; 2],
    /// Acknowledgements among those whose check was wrong.
    pub acks_damaged: [u64; 2],
    /// Frames that found a receiver's FIFO full.
    pub fifo_full: u64,
    /// Octets that reassembly threw away.
    pub thrown: u64,
    /// Times that reassembly lost its place.
    pub resyncs: u64,
    /// Dropped packets by place, and lints by name.
    pub named: Ordered<u64>,
    /// Books of every channel that carries payload, in the steady state: of the one up and the one down, where there are two.
    pub channels: Vec<Ledger<Account>>,
}

/// Recorder of everything a run leaves behind below its TUN devices.
#[derive(Clone, Debug)]
pub struct Recorder {
    /// Of the channel of the stream; of both, where there are two that each carry one.
    books: Vec<Books>,
    radios: usize,
    /// Set for raw frames, whose sender is told of here.
    raw: bool,
    /// The upload that the receiver of raw frames got last, whether its acknowledgement came back or not.
    got: Option<u32>,
    tally: Rc<RefCell<Tally>>,
    /// Octets that have come to applications as far as the books know, up and down.
    came: [u64; 2],
    delays: Option<[Delays; 2]>,
    /// Octets of TCP that come out of the tunnel again, up and down.
    again: Option<[Repetitions; 2]>,
    /// The packets that were written to the radios of `a` and `b` last, by their senders' numbers.
    written: [Option<u32>; 2],
    /// Delays of IP packets of TCP.
    pub latencies: Latencies,
    /// Counters by name.
    pub counted: Counted,
}

impl Recorder {
    /// An empty sink for a run of `scenario` whose traffic starts at `start`, with the tally of its applications.
    pub fn new(scenario: &Scenario, start: Instant, tally: Rc<RefCell<Tally>>) -> Self {
        let radios = usize::from(scenario.radios());
        let channels = match (radios, scenario.traffic.direction) {
            // Each end sends frames of its own, and there is nothing on acknowledgements.
            (1, direction) if scenario.is_raw() || scenario.mode() == Mode::Gateway => match direction {
                Direction::Up => vec![(0, 1)],
                Direction::Down => vec![(1, 0)],
                Direction::Both => vec![(0, 1), (1, 0)],
            },
            (1, _) => vec![(0, 1)],
            (_, Direction::Down) => vec![(2, 1)],
            (_, Direction::Up) => vec![(0, 3)],
            (_, Direction::Both) => vec![(0, 3), (2, 1)],
        };
        let books = |(sender, receiver)| {
            Books::new(BookedLink { sender, receiver, radios, framing: scenario.framing() }, start).awaiting()
        };
        // Datagrams say themselves when they left.
        let tcp = matches!(scenario.traffic.transport(), Transport::Tcp { .. });
        Self {
            books: channels.into_iter().map(books).collect(),
            radios,
            raw: scenario.is_raw(),
            got: None,
            tally,
            came: [0; 2],
            delays: tcp.then(Default::default),
            again: tcp.then(Default::default),
            written: [None; 2],
            latencies: Latencies::new(),
            counted: Counted::default(),
        }
    }

    /// The warm-up is over at `now`; the accounts of every channel up to then.
    pub fn begin_measuring(&mut self, now: Instant) -> Vec<Ledger<Account>> {
        self.take_in();
        self.counted = Counted::default();
        self.latencies.restart();
        self.books.iter_mut().map(|books| books.begin_measuring(now)).collect()
    }

    /// The accounts of every channel up to `now`.
    pub fn ledgers_at(&mut self, now: Instant) -> Vec<Ledger<Account>> {
        self.take_in();
        self.books.iter().map(|books| books.ledger_at(now)).collect()
    }

    /// Tells the books what has come to the applications since.
    fn take_in(&mut self) {
        let octets = self.tally.borrow().flows.map(|flow| flow.octets);
        for (direction, octets) in octets.into_iter().enumerate() {
            let more = octets - core::mem::replace(&mut self.came[direction], octets);
            if more > 0 {
                self.books.iter_mut().for_each(|books| books.came(direction, more));
            }
        }
    }

    fn count(&mut self, name: &str) {
        self.count_many(name, 1);
    }

    fn count_many(&mut self, name: &str, more: u64) {
        if more == 0 {
            return;
        }
        let before = self.counted.named.get(name).copied().unwrap_or(0);
        self.counted.named.set(name, before + more);
    }
}

impl Observer for Recorder {
    fn transmission(&mut self, from: usize, on_air: &OnAir, received: Option<(usize, Reception)>) {
        self.take_in();
        self.books.iter_mut().for_each(|books| books.transmission(from, on_air, received));
        let host = from / self.radios;
        let reception = received.map(|(_, reception)| reception);
        let lost = !matches!(reception, Some(Reception::New | Reception::Duplicate | Reception::Ack));
        let damaged = reception == Some(Reception::BadCrc);
        let counted = &mut self.counted;
        let (sent, of_them) = match on_air.sent {
            Sent::Payload { .. } => (
                &mut counted.frames,
                [&mut counted.frames_lost, &mut counted.frames_missed, &mut counted.frames_damaged],
            ),
            Sent::Ack { .. } => {
                (&mut counted.acks, [&mut counted.acks_lost, &mut counted.acks_missed, &mut counted.acks_damaged])
            }
        };
        sent[host] += 1;
        for (count, is_one) in of_them.into_iter().zip([lost, reception.is_none(), damaged]) {
            count[host] += u64::from(is_one);
        }
        if let Sent::Payload { upload, .. } = on_air.sent {
            counted.fifo_full += u64::from(reception == Some(Reception::FifoFull));
            self.got = if lost { self.got } else { Some(upload) };
        }
    }

    fn chip(&mut self, now: Instant, chip: usize, trace: &Trace) {
        self.books.iter_mut().for_each(|books| books.chip(now, chip, trace));
        match trace {
            Trace::Lint(lint) => self.count(lint_name(*lint)),
            Trace::MaxRt { .. } => self.count("max_rt"),
            // A program of raw frames throws its FIFO away with the frame that was given up, which has arrived where only its
            // acknowledgements were lost.
            Trace::Flushed { first, last } if self.raw => {
                let arrived = u64::from(self.got == Some(*first));
                self.count_many(drop_name(DropPoint::MaxRt), u64::from(last.wrapping_sub(*first)) + 1 - arrived);
            }
            _ => {}
        }
    }

    fn note(&mut self, now: Instant, host: usize, note: &Note) {
        self.books.iter_mut().for_each(|books| books.note(now, host, note));
        match *note {
            Note::Dropped { at: DropPoint::Queue, octets } if self.raw => self.count_many(OVERRUN, octets.into()),
            Note::Dropped { at, .. } => self.count(drop_name(at)),
            Note::Upload { upload, .. } if self.raw => {
                let octets = usize::from(upload.payload);
                self.tally.borrow_mut().event(now, host, Event::Written { flow: 0, octets });
            }
            Note::Upload { upload, .. } if upload.purpose == Purpose::New => {
                let fresh = self.written[host].replace(upload.packet) != Some(upload.packet);
                self.counted.packets_carried[host] += u64::from(fresh);
            }
            Note::Resync { octets } => {
                self.counted.resyncs += 1;
                self.counted.thrown += u64::from(octets);
            }
            _ => {}
        }
    }

    fn packet(&mut self, now: Instant, host: usize, into: bool, packet: &[u8]) {
        let direction = if into { host } else { 1 - host };
        if self.raw {
            return self.counted.taken[direction] += 1;
        }
        if into {
            self.counted.packets_in[direction] += 1;
        } else {
            self.counted.packets_out[direction] += 1;
        }
        if let Some(again) = self.again.as_mut().filter(|_| !into) {
            let octets = again[direction].came(packet);
            self.books.iter_mut().for_each(|books| books.came_again(direction, octets));
        }
        let Some(delays) = &mut self.delays else { return };
        match into {
            true => delays[direction].entered(now, packet),
            false => {
                if let Some(delay) = delays[direction].left(now, packet) {
                    self.latencies.took(delay);
                }
            }
        }
    }

    fn replaced(&mut self, now: Instant, host: usize, fresh_chips: bool) {
        self.books.iter_mut().for_each(|books| books.replaced(now, host, fresh_chips));
    }
}

/// A drop's counter.
fn drop_name(at: DropPoint) -> &'static str {
    match at {
        DropPoint::Queue => "dropped.queue",
        DropPoint::Persistence => "dropped.persistence",
        DropPoint::MaxRt => "dropped.max_rt",
        DropPoint::Gap => "dropped.gap",
        DropPoint::Integrity => "dropped.integrity",
        DropPoint::Authentication => "dropped.authentication",
        DropPoint::Malformed => "dropped.malformed",
        DropPoint::Context => "dropped.context",
        DropPoint::Ring => "dropped.ring",
    }
}

/// A lint's counter.
fn lint_name(lint: Lint) -> &'static str {
    match lint {
        Lint::ReservedBits { .. } => "lint.reserved_bits",
        Lint::ReadOnly { .. } => "lint.read_only",
        Lint::WriteWhileActive { .. } => "lint.write_while_active",
        Lint::TxFifoOverrun => "lint.tx_fifo_overrun",
        Lint::RxFifoEmpty => "lint.rx_fifo_empty",
        Lint::ReadBeyondPayload => "lint.read_beyond_payload",
        Lint::NoPowerUpWait => "lint.no_power_up_wait",
        Lint::CeDroppedWhileReading => "lint.ce_dropped_while_reading",
        Lint::ShortCePulse => "lint.short_ce_pulse",
        Lint::SpiTooSoonAfterCe => "lint.spi_too_soon_after_ce",
        Lint::TxBeyond4Ms => "lint.tx_beyond_4ms",
        Lint::IllegalSetting { .. } => "lint.illegal_setting",
        Lint::UnknownCommand { .. } => "lint.unknown_command",
        Lint::FeatureOff { .. } => "lint.feature_off",
        Lint::DynamicLengthWithoutAck => "lint.dynamic_length_without_ack",
        Lint::ArdTooShort => "lint.ard_too_short",
        Lint::FlushDuringAck => "lint.flush_during_ack",
    }
}
