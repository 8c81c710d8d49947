//! An image as a station.

use std::collections::VecDeque;
use std::fmt;
use std::marker::PhantomData;

use airtime_ble::network::{Station, StationOutput};
use airtime_ble::words::{ConnHandle, Starved};
use airtime_core::{Instant, Packet, Pool};

use crate::clock::Clock;
use crate::elf::NoImage;
use crate::fault::Fault;
use crate::packets;
use crate::processor::{Account, Board};

/// Octets of the log that are kept for whoever asks: the newest.
const LOG_MAX: usize = 1 << 20;

/// An image that is executed. It reports no events `E` of its own: what it does is seen on its HCI.
pub struct Image<E> {
    board: Board,
    pool: Pool,
    packets: VecDeque<Packet>,
    fault: Option<Fault>,
    log: Vec<u8>,
    events: PhantomData<fn() -> E>,
}

impl<E> Image<E> {
    /// The image of an ELF, on a CPU of so many cycles a second, as it is after a reset.
    ///
    /// # Errors
    /// When `elf` is none of a board that is known.
    pub fn new(elf: &[u8], hertz: u32, pool: Pool) -> Result<Self, NoImage> {
        let board = Board::new(elf, Clock::new(hertz))?;
        Ok(Self { board, pool, packets: VecDeque::new(), fault: None, log: Vec::new(), events: PhantomData })
    }

    /// True while its CPU executes, and does not wait for an interrupt.
    pub fn is_awake(&self) -> bool {
        self.board.is_awake() && self.fault.is_none()
    }

    /// Account of what the CPU did with its time.
    pub fn account(&self) -> Account {
        self.board.account()
    }

    /// Reason for which it goes no further, if it does not.
    pub fn fault(&self) -> Option<Fault> {
        self.fault
    }

    /// Octets that its second UART has sent: its log as `defmt` encodes it.
    pub fn log(&self) -> &[u8] {
        &self.log
    }

    /// Executes all that is over at `now`, and takes what it has sent.
    fn advance(&mut self, now: Instant) {
        if self.fault.is_none() {
            let outcome = self.board.run(self.board.clock().cycles(now)).and_then(|()| self.collect());
            self.fault = outcome.err();
        }
    }

    fn collect(&mut self) -> Result<(), Fault> {
        let [hci, log] = &self.board.uarts;
        self.log.append(log.borrow_mut().sent());
        let beyond = self.log.len().saturating_sub(LOG_MAX);
        self.log.drain(..beyond);
        let mut hci = hci.borrow_mut();
        while let Some(packet) = packets::take(hci.sent(), &self.pool)? {
            self.packets.push_back(packet);
        }
        Ok(())
    }
}

impl<E> Station for Image<E> {
    type Event = E;

    fn wake(&mut self, now: Instant) {
        self.advance(now);
    }

    fn hci(&mut self, now: Instant, packet: &[u8]) {
        // The CPU is where it is when the packet comes, and not where it was when it last had something to say.
        self.advance(now);
        self.board.uarts[0].borrow_mut().receive(packet);
    }

    fn poll(&mut self, _now: Instant) -> Option<StationOutput<E>> {
        self.packets.pop_front().map(StationOutput::Hci)
    }

    /// While it executes, a microsecond ahead at a time: a packet that it sends is under way that much later at most.
    fn deadline(&self) -> Option<Instant> {
        let clock = self.board.clock();
        let due = self.board.due(clock.per_microsecond()).filter(|_| self.fault.is_none())?;
        Some(clock.instant(due))
    }

    fn starved(&self, _handle: ConnHandle) -> Starved {
        Starved::Unseen
    }
}

impl<E> fmt::Debug for Image<E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Image").field("account", &self.account()).field("fault", &self.fault).finish_non_exhaustive()
    }
}
