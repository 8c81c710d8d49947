//! The wires as `embedded-hal` and `embedded-hal-async` have them.

use core::convert::Infallible;
use core::pin::Pin;
use core::task::{Context, Poll, ready};

use airtime_core::Duration;
use embedded_hal::digital::{self, InputPin, OutputPin};
use embedded_hal::spi::{self, Operation};
use embedded_hal_async::delay::DelayNs;
use embedded_hal_async::digital::Wait;
use embedded_hal_async::spi::SpiDevice;

use super::task::Until;
use super::{Board, Task};
use crate::trace::Activity;

/// Octets of a transaction that reach the chip. Its longest command has 33; what is behind that takes its time and has no effect.
const OCTETS_MAX: usize = 64;

/// SPI, CE, IRQ and delays of one radio, for the task that serves it.
#[derive(Debug)]
pub struct Wires {
    /// The bus: every transaction is one assertion of CSN.
    pub spi: Spi,
    /// Pin CE of the chip.
    pub ce: Ce,
    /// IRQ; low is asserted.
    pub irq: Irq,
    /// Delays, which are longer than asked for by the slack of the host's timers.
    pub delay: Delay,
}

impl Wires {
    pub(super) fn new(task: &Task) -> Self {
        let board = task.board().clone();
        let octet = board.cost.octet();
        Self {
            spi: Spi { task: task.clone(), board, octet, mosi: [0; OCTETS_MAX], miso: [0; OCTETS_MAX] },
            ce: Ce { task: task.clone() },
            irq: Irq { task: task.clone() },
            delay: Delay { task: task.clone() },
        }
    }
}

/// The bus of one radio.
#[derive(Debug)]
pub struct Spi {
    task: Task,
    board: Board,
    /// Time of an octet, if it is a whole number of nanoseconds: a division less for each transaction.
    octet: Option<Duration>,
    mosi: [u8; OCTETS_MAX],
    miso: [u8; OCTETS_MAX],
}

impl Spi {
    /// Lays the octets of all operations side by side; how many there are, and how long the pauses between them.
    fn gather(&mut self, operations: &[Operation<'_, u8>]) -> (usize, Duration) {
        let (mut len, mut pauses) = (0, Duration::ZERO);
        for operation in operations {
            let (written, octets): (&[u8], usize) = match operation {
                Operation::Read(read) => (&[], read.len()),
                Operation::Write(write) => (write, write.len()),
                Operation::Transfer(read, write) => (write, read.len().max(write.len())),
                Operation::TransferInPlace(both) => (both, both.len()),
                Operation::DelayNs(ns) => {
                    pauses += Duration::from_nanos((*ns).into());
                    continue;
                }
            };
            let room = &mut self.mosi[len.min(OCTETS_MAX)..(len + octets).min(OCTETS_MAX)];
            let fits = written.len().min(room.len());
            room[..fits].copy_from_slice(&written[..fits]);
            if fits < room.len() {
                room[fits..].fill(0);
            }
            len += octets;
        }
        (len, pauses)
    }

    /// Gives every operation that reads its octets.
    fn scatter(&self, operations: &mut [Operation<'_, u8>]) {
        let mut at = 0;
        for operation in operations {
            let (read, octets): (&mut [u8], usize) = match operation {
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
            if !read.is_empty() {
                let from = &self.miso[at.min(OCTETS_MAX)..(at + read.len()).min(OCTETS_MAX)];
                let (known, unknown) = read.split_at_mut(from.len());
                known.copy_from_slice(from);
                unknown.fill(0);
            }
            at += octets;
        }
    }
}

impl spi::ErrorType for Spi {
    type Error = Infallible;
}

impl SpiDevice for Spi {
    async fn transaction(&mut self, operations: &mut [Operation<'_, u8>]) -> Result<(), Infallible> {
        let (len, pauses) = self.gather(operations);
        let reach = len.min(OCTETS_MAX);
        let task = &self.task;
        let board = task.board();
        let falls = task.now() + task.debt() + board.lead();
        board.begin_ahead(falls, &self.mosi[..reach]);
        task.transact(falls, falls + board.cost.clocked(len) + pauses).await;
        board.end_ahead(task.now(), &self.mosi[..reach], &mut self.miso[..reach]);
        self.scatter(operations);
        Ok(())
    }

    /// Transfers in place, the call that drivers make most, without laying octets aside.
    #[inline]
    fn transfer_in_place(&mut self, octets: &mut [u8]) -> impl Future<Output = Result<(), Infallible>> {
        let Self { task, board, .. } = &*self;
        let falls = task.now() + task.debt() + board.lead();
        board.begin_ahead(falls, octets);
        let clocked = match self.octet {
            Some(octet) => octet * octets.len().max(1) as u64,
            None => board.cost.clocked(octets.len()),
        };
        Transfer { board, octets, rises: task.transact(falls, falls + clocked) }
    }
}

/// A transaction in place that has begun. Not an `async` function, since everything that a host does waits for one of these.
#[derive(Debug)]
struct Transfer<'w, 'o> {
    board: &'w Board,
    octets: &'o mut [u8],
    rises: Until<'w>,
}

impl Future for Transfer<'_, '_> {
    type Output = Result<(), Infallible>;

    #[inline]
    fn poll(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Self::Output> {
        let Self { board, octets, rises } = self.get_mut();
        ready!(Pin::new(&mut *rises).poll(context));
        let (reached, beyond) = octets.split_at_mut(octets.len().min(OCTETS_MAX));
        board.end_in_place(rises.now(), reached);
        if !beyond.is_empty() {
            beyond.fill(0);
        }
        Poll::Ready(Ok(()))
    }
}

/// The CE pin. Setting it acts at once; what the call costs is added to the next wait of the task.
#[derive(Debug)]
pub struct Ce {
    task: Task,
}

impl digital::ErrorType for Ce {
    type Error = Infallible;
}

impl OutputPin for Ce {
    fn set_low(&mut self) -> Result<(), Infallible> {
        self.task.owe(self.task.board().set_ce(self.task.now(), false));
        Ok(())
    }

    fn set_high(&mut self) -> Result<(), Infallible> {
        self.task.owe(self.task.board().set_ce(self.task.now(), true));
        Ok(())
    }
}

/// The IRQ line; low is asserted.
#[derive(Debug)]
pub struct Irq {
    task: Task,
}

impl digital::ErrorType for Irq {
    type Error = Infallible;
}

impl InputPin for Irq {
    fn is_high(&mut self) -> Result<bool, Infallible> {
        self.is_low().map(|low| !low)
    }

    fn is_low(&mut self) -> Result<bool, Infallible> {
        self.task.owe(self.task.board().cost.pin);
        Ok(self.task.board().irq())
    }
}

impl Wait for Irq {
    async fn wait_for_high(&mut self) -> Result<(), Infallible> {
        self.task.settle().await;
        if self.task.board().irq() {
            self.task.until_edge(false, true).await;
        }
        Ok(())
    }

    async fn wait_for_low(&mut self) -> Result<(), Infallible> {
        self.task.until_any(Activity::AwaitsChip, true, None, None).await;
        Ok(())
    }

    async fn wait_for_rising_edge(&mut self) -> Result<(), Infallible> {
        self.task.until_edge(false, true).await;
        Ok(())
    }

    async fn wait_for_falling_edge(&mut self) -> Result<(), Infallible> {
        self.task.until_edge(true, false).await;
        Ok(())
    }

    async fn wait_for_any_edge(&mut self) -> Result<(), Infallible> {
        self.task.until_edge(true, true).await;
        Ok(())
    }
}

/// The delays of a task.
#[derive(Debug)]
pub struct Delay {
    task: Task,
}

impl DelayNs for Delay {
    async fn delay_ns(&mut self, ns: u32) {
        self.task.sleep(Duration::from_nanos(ns.into())).await;
    }
}
