//! A board as `embedded-hal` and `embedded-hal-async` have it.

use std::io;

use airtime_core::Duration;
use embedded_hal::digital::{self, OutputPin};
use embedded_hal::spi::{self, Operation};
use embedded_hal_async::delay::DelayNs;
use embedded_hal_async::digital::Wait;
use embedded_hal_async::spi::SpiDevice;

use super::board::Board;
use super::reactor::Reactor;

/// Below this a sleep is longer for the way into the kernel and back than for its own sake. *Assumed.*
const SPIN_BELOW: Duration = Duration::from_micros(50);

/// The four wires of a radio for the task that serves it.
pub struct Faces<'r, 'a, B> {
    /// The bus.
    pub spi: Spi<'a, B>,
    /// CE.
    pub ce: Ce<'a, B>,
    /// IRQ; low is asserted.
    pub irq: Irq<'r, 'a, B>,
    /// Delays.
    pub delay: Delay<'r, 'a>,
}

/// The faces of `board` for a task of `reactor`.
pub fn faces<'r, 'a, B: Board>(board: &'a B, reactor: &'r Reactor<'a>) -> Faces<'r, 'a, B> {
    Faces { spi: Spi { board }, ce: Ce { board }, irq: Irq { board, reactor }, delay: Delay { reactor } }
}

/// A call of the kernel failed.
#[derive(Debug)]
pub struct Failed(pub io::Error);

impl spi::Error for Failed {
    fn kind(&self) -> spi::ErrorKind {
        spi::ErrorKind::Other
    }
}

impl digital::Error for Failed {
    fn kind(&self) -> digital::ErrorKind {
        digital::ErrorKind::Other
    }
}

/// The bus of one radio.
pub struct Spi<'a, B> {
    board: &'a B,
}

impl<B> spi::ErrorType for Spi<'_, B> {
    type Error = Failed;
}

impl<B: Board> SpiDevice for Spi<'_, B> {
    async fn transaction(&mut self, operations: &mut [Operation<'_, u8>]) -> Result<(), Failed> {
        // All that our driver does.
        if let [Operation::TransferInPlace(octets)] = operations {
            return self.board.transfer(octets).map_err(Failed);
        }
        let mut octets = Vec::new();
        for operation in &*operations {
            match operation {
                Operation::Read(read) => octets.resize(octets.len() + read.len(), 0),
                Operation::Write(write) => octets.extend_from_slice(write),
                Operation::Transfer(read, write) => {
                    let end = octets.len() + read.len().max(write.len());
                    octets.extend_from_slice(write);
                    octets.resize(end, 0);
                }
                Operation::TransferInPlace(both) => octets.extend_from_slice(both),
                // The chip needs no pause within a transaction.
                Operation::DelayNs(_) => return Err(Failed(io::ErrorKind::Unsupported.into())),
            }
        }
        self.board.transfer(&mut octets).map_err(Failed)?;
        let mut at = 0;
        for operation in operations {
            let (read, octets_of): (&mut [u8], usize) = match operation {
                Operation::Read(read) => {
                    let octets = read.len();
                    (read, octets)
                }
                Operation::Write(write) => (&mut [], write.len()),
                Operation::Transfer(read, write) => {
                    let octets = read.len().max(write.len());
                    (read, octets)
                }
                Operation::TransferInPlace(both) => {
                    let octets = both.len();
                    (both, octets)
                }
                Operation::DelayNs(_) => continue,
            };
            read.copy_from_slice(&octets[at..at + read.len()]);
            at += octets_of;
        }
        Ok(())
    }
}

/// The CE pin of one radio.
pub struct Ce<'a, B> {
    board: &'a B,
}

impl<B> digital::ErrorType for Ce<'_, B> {
    type Error = Failed;
}

impl<B: Board> OutputPin for Ce<'_, B> {
    fn set_low(&mut self) -> Result<(), Failed> {
        self.board.set_ce(false).map_err(Failed)
    }

    fn set_high(&mut self) -> Result<(), Failed> {
        self.board.set_ce(true).map_err(Failed)
    }
}

/// The IRQ line of one radio.
pub struct Irq<'r, 'a, B> {
    board: &'a B,
    reactor: &'r Reactor<'a>,
}

impl<B: Board> Irq<'_, '_, B> {
    async fn wait_for(&self, low: bool) -> Result<(), Failed> {
        let look = || {
            // First forget, then look: an edge in between is not lost, it only wakes once more.
            let found = self.board.forget_edges().and_then(|()| self.board.irq_is_low());
            match found {
                Ok(is_low) if is_low != low => None,
                found => Some(found.map(|_| ()).map_err(Failed)),
            }
        };
        self.reactor.when_readable(self.board.edges(), look).await
    }
}

impl<B> digital::ErrorType for Irq<'_, '_, B> {
    type Error = Failed;
}

/// An edge is a level after the other one; pulses that are over before anybody looks are none.
impl<B: Board> Wait for Irq<'_, '_, B> {
    async fn wait_for_high(&mut self) -> Result<(), Failed> {
        self.wait_for(false).await
    }

    async fn wait_for_low(&mut self) -> Result<(), Failed> {
        self.wait_for(true).await
    }

    async fn wait_for_rising_edge(&mut self) -> Result<(), Failed> {
        self.wait_for(true).await?;
        self.wait_for(false).await
    }

    async fn wait_for_falling_edge(&mut self) -> Result<(), Failed> {
        self.wait_for(false).await?;
        self.wait_for(true).await
    }

    async fn wait_for_any_edge(&mut self) -> Result<(), Failed> {
        let low = self.board.irq_is_low().map_err(Failed)?;
        self.wait_for(!low).await
    }
}

/// The delays of a task.
pub struct Delay<'r, 'a> {
    reactor: &'r Reactor<'a>,
}

impl DelayNs for Delay<'_, '_> {
    async fn delay_ns(&mut self, ns: u32) {
        let span = Duration::from_nanos(ns.into());
        let until = self.reactor.now() + span;
        if span < SPIN_BELOW {
            while self.reactor.now() < until {
                std::hint::spin_loop();
            }
        } else {
            self.reactor.until(until).await;
        }
    }
}

/// The delays of a program that calls sleep(3) for each of them, however short.
pub struct Sleep<'r, 'a>(pub &'r Reactor<'a>);

impl DelayNs for Sleep<'_, '_> {
    async fn delay_ns(&mut self, ns: u32) {
        self.0.until(self.0.now() + Duration::from_nanos(ns.into())).await;
    }
}
