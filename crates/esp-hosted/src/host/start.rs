//! Start and end of the transport. Source: `host/drivers/transport/transport_drv.c`, `ensure_slave_bus_ready`.

use airtime_core::{Duration, Instant};

use super::receive::Incoming;
use super::{Exchanger, Failure, Host, HostDrop, HostOutput, Reader, Writer};
use crate::sdio::{Completion, Transaction, register as reg};
use crate::spi_hd;
use crate::wire::{Bus, Header, Interface};

/// Between two attempts to find the card, and after the last. Source: `CARD_INIT_DELAY_MS`.
const CARD_DELAY: Duration = Duration::from_millis(100);
/// Attempts to find the card. Source: `CARD_INIT_TIMEOUT_MS` / `CARD_INIT_DELAY_MS`.
const CARD_ATTEMPTS: u8 = 15;
/// Until the reading task sees that the card is there: it looks every 100 ms. Source: `sdio_read_task`.
const READER_DELAY: Duration = Duration::from_millis(100);
/// Wait for the co-processor's first event before it is reset again. Source: 50 polls of 200 ms.
const INIT_WAIT: Duration = Duration::from_millis(10_000);
/// Resets in vain before the transport counts as failed. Source: `MAX_RETRY_TRANSPORT_ACTIVE` / 50.
const RESETS: u8 = 2;

/// Stage of the transport's start.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Stage {
    /// The co-processor boots; its card is not looked for before.
    Reset(Instant),
    /// The card is looked for.
    Card,
    /// It was not there; it is looked for again.
    Again(Instant),
    /// It was there; the reading task starts.
    Found(Instant),
    /// The reading task tells the co-processor that the host is there.
    Opening,
    /// The co-processor has to say who it is until then.
    Open(Instant),
    /// Frames may be sent.
    Up,
    /// Nothing works until the host restarts.
    Failed,
}

/// The start of the transport.
#[derive(Clone, Copy, Debug)]
pub(super) struct Start {
    pub stage: Stage,
    cards: u8,
    resets: u8,
}

impl Start {
    pub const fn at(stage: Stage) -> Self {
        Self { stage, cards: CARD_ATTEMPTS, resets: RESETS }
    }

    /// True if frames are taken.
    pub fn transmits(self) -> bool {
        self.stage == Stage::Up
    }

    /// True if the reading task runs.
    pub fn receives(self) -> bool {
        matches!(self.stage, Stage::Open(_) | Stage::Up)
    }

    /// Instant at which it goes on by itself.
    pub fn deadline(self) -> Option<Instant> {
        match self.stage {
            Stage::Reset(at) | Stage::Again(at) | Stage::Found(at) | Stage::Open(at) => Some(at),
            Stage::Card | Stage::Opening | Stage::Up | Stage::Failed => None,
        }
    }

    /// Transaction that it asks of the bus.
    pub fn transaction(self, bus: Bus) -> Option<Transaction> {
        match self.stage {
            Stage::Card => Some(Transaction::Initialise),
            Stage::Opening if bus == Bus::SpiHalfDuplex => {
                Some(Transaction::WriteRegister { address: spi_hd::SLAVE_CTRL, value: spi_hd::DATAPATH_ON })
            }
            Stage::Opening => Some(Transaction::WriteRegister { address: reg::TO_SLAVE, value: reg::OPEN_DATA_PATH }),
            _ => None,
        }
    }
}

impl Host {
    /// The host starts anew: whatever it held is lost, and it resets the co-processor.
    pub fn restart(&mut self, now: Instant) {
        self.lose();
        self.start = Start::at(Stage::Failed);
        self.reset(now);
    }

    /// Resets the co-processor and waits for it to boot.
    fn reset(&mut self, now: Instant) {
        // Both sides count from zero again. (The driver forgets to when it resets a co-processor that is silent, and then
        // reads octets that are not there.)
        let bus = self.config.bus;
        (self.writer, self.reader) =
            (Writer::new(bus, self.config.driver), Reader::new(self.reader.line, bus, self.config.mode));
        if bus == Bus::Uart {
            // Source: the driver flushes its input when it resets the co-processor.
            self.receive.clear(&mut self.told);
        }
        self.told.counters.resets += 1;
        self.told.say(HostOutput::Reset);
        self.start.cards = CARD_ATTEMPTS;
        self.start.stage = Stage::Reset(now + self.config.reset_delay);
    }

    /// The transport is down: the tasks end, and what they held is lost.
    pub(super) fn fail(&mut self, failure: Failure) {
        self.lose();
        self.start.stage = Stage::Failed;
        self.told.say(HostOutput::Failed(failure));
    }

    fn lose(&mut self) {
        self.abort_calls();
        self.backlog.clear();
        self.receive.clear(&mut self.told);
        let queued = self.queues.iter_mut().flat_map(|queue| queue.drain(..));
        for frame in self.writer.abandon().into_iter().chain(queued) {
            self.told.lost(HostDrop::Down, frame.len() - Header::OCTETS);
        }
        // Who stands still in front of a queue goes on: there is nothing left in it that would make room.
        if core::mem::take(&mut self.blocked)[Interface::Station.priority() as usize] {
            self.told.say(HostOutput::Room);
        }
        self.reader = Reader::new(self.reader.line, self.config.bus, self.config.mode);
        self.exchanger = Exchanger::default();
        self.mutex.abandon();
        (self.throttled, self.stopped) = (false, false);
    }

    pub(super) fn wake_start(&mut self, now: Instant) {
        if self.start.deadline().is_none_or(|at| at > now) {
            return;
        }
        self.start.stage = match self.start.stage {
            // Over SPI and a UART there is no card: the co-processor speaks as soon as it has something to say.
            Stage::Reset(at) if matches!(self.config.bus, Bus::Spi | Bus::Uart) => Stage::Open(at + INIT_WAIT),
            Stage::Reset(_) | Stage::Again(_) => Stage::Card,
            Stage::Found(_) => Stage::Opening,
            Stage::Open(_) if self.start.resets > 0 => {
                self.start.resets -= 1;
                return self.reset(now);
            }
            Stage::Open(_) => return self.fail(Failure::NoInit),
            stage => stage,
        };
    }

    /// A transaction of the start is through.
    pub(super) fn started(&mut self, now: Instant, completion: &Completion<'_>) {
        let written = matches!(completion, Completion::Written);
        self.start.stage = match self.start.stage {
            Stage::Card if written => Stage::Found(now + CARD_DELAY + READER_DELAY),
            Stage::Card if self.start.cards > 1 => {
                self.start.cards -= 1;
                Stage::Again(now + CARD_DELAY)
            }
            Stage::Card => return self.fail(Failure::NoCard),
            // The driver does not look whether the co-processor has heard it; if not, it never says who it is.
            Stage::Opening => Stage::Open(now + INIT_WAIT),
            stage => stage,
        };
    }

    /// A frame for its interface.
    pub(super) fn dispatch(&mut self, now: Instant, incoming: Incoming) {
        match incoming.header.interface {
            Interface::Serial => return self.serial_frame(&incoming),
            Interface::Private => return self.private_frame(now, &incoming),
            _ => {}
        }
        let Incoming { header, payload } = incoming;
        let output = match header.interface {
            interface if interface == self.config.interface() => HostOutput::Frame(payload),
            Interface::Test => HostOutput::Test(payload.len() as u16),
            Interface::Hci => HostOutput::Bluetooth(header.kind, payload),
            _ => return self.told.lost(HostDrop::Interface, payload.len()),
        };
        self.told.counters.delivered += 1;
        self.told.say(output);
    }
}
