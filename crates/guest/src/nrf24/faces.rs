//! The faces of one radio in `embedded-hal` 1.0.

use core::convert::Infallible;

use airtime_core::{Duration, Instant};
use embedded_hal::delay::DelayNs;
use embedded_hal::digital::{self, InputPin, OutputPin};
use embedded_hal::spi::{self, Operation, SpiDevice};

use super::Machine;

/// Octets of a transaction that reach the chip: its longest command has 33, and it looks at nothing behind them.
pub(super) const OCTETS_MAX: usize = 64;

/// SPI, CE, IRQ and delays of one radio.
#[derive(Debug)]
pub struct Wires<'m> {
    /// The bus; each transaction is one assertion of CSN.
    pub spi: Spi<'m>,
    /// CE.
    pub ce: Ce<'m>,
    /// IRQ; low is asserted.
    pub irq: Irq<'m>,
    /// Delays, longer than asked for by the slack of the host's timers.
    pub delay: Delay<'m>,
}

impl<'m> Wires<'m> {
    pub(super) fn new(machine: &'m Machine<'_>, radio: usize) -> Self {
        let pin = Pin { machine, radio };
        Self { spi: Spi(pin), ce: Ce(pin), irq: Irq(pin), delay: Delay(pin) }
    }

    /// Wires of the same radio as `embedded-hal` 0.2 has them.
    pub fn v02(&self) -> super::v02::Wires<'m> {
        super::v02::Wires::new(self.spi.0)
    }
}

/// A radio of a machine.
#[derive(Clone, Copy, Debug)]
pub(super) struct Pin<'m> {
    pub(super) machine: &'m Machine<'m>,
    pub(super) radio: usize,
}

/// The bus.
#[derive(Debug)]
pub struct Spi<'m>(Pin<'m>);

/// CE.
#[derive(Debug)]
pub struct Ce<'m>(Pin<'m>);

/// IRQ.
#[derive(Debug)]
pub struct Irq<'m>(Pin<'m>);

/// Delays.
#[derive(Debug)]
pub struct Delay<'m>(Pin<'m>);

impl spi::ErrorType for Spi<'_> {
    type Error = Infallible;
}

impl SpiDevice for Spi<'_> {
    fn transaction(&mut self, operations: &mut [Operation<'_, u8>]) -> Result<(), Infallible> {
        let Pin { machine, radio } = self.0;
        let mut octets = [0; OCTETS_MAX];
        let (len, pauses) = gather(operations, &mut octets);
        machine.transact(radio, &mut octets[..len.min(OCTETS_MAX)], len, pauses);
        scatter(operations, &octets);
        Ok(())
    }
}

/// Lays what is written side by side; how many octets there are in all, and how long the pauses between them.
fn gather(operations: &[Operation<'_, u8>], mosi: &mut [u8; OCTETS_MAX]) -> (usize, Duration) {
    let (mut len, mut pauses) = (0, Duration::ZERO);
    for operation in operations {
        let written: &[u8] = match operation {
            Operation::Write(octets) | Operation::Transfer(_, octets) => octets,
            Operation::TransferInPlace(octets) => octets,
            Operation::Read(_) => &[],
            Operation::DelayNs(ns) => {
                pauses += Duration::from_nanos(u64::from(*ns));
                continue;
            }
        };
        let start = len.min(OCTETS_MAX);
        let fits = written.len().min(OCTETS_MAX - start);
        mosi[start..start + fits].copy_from_slice(&written[..fits]);
        len += octets(operation);
    }
    (len, pauses)
}

/// Gives every operation what it reads.
fn scatter(operations: &mut [Operation<'_, u8>], miso: &[u8; OCTETS_MAX]) {
    let mut at = 0;
    for operation in operations {
        let len = octets(operation);
        let read: &mut [u8] = match operation {
            Operation::Read(read) | Operation::Transfer(read, _) => read,
            Operation::TransferInPlace(read) => read,
            Operation::Write(_) | Operation::DelayNs(_) => &mut [],
        };
        let start = at.min(OCTETS_MAX);
        let known = read.len().min(OCTETS_MAX - start);
        read[..known].copy_from_slice(&miso[start..start + known]);
        read[known..].fill(0);
        at += len;
    }
}

fn octets(operation: &Operation<'_, u8>) -> usize {
    match operation {
        Operation::Read(read) => read.len(),
        Operation::Write(write) => write.len(),
        Operation::Transfer(read, write) => read.len().max(write.len()),
        Operation::TransferInPlace(both) => both.len(),
        Operation::DelayNs(_) => 0,
    }
}

impl digital::ErrorType for Ce<'_> {
    type Error = Infallible;
}

impl OutputPin for Ce<'_> {
    fn set_low(&mut self) -> Result<(), Infallible> {
        self.0.machine.set_ce(self.0.radio, false);
        Ok(())
    }

    fn set_high(&mut self) -> Result<(), Infallible> {
        self.0.machine.set_ce(self.0.radio, true);
        Ok(())
    }
}

impl digital::ErrorType for Irq<'_> {
    type Error = Infallible;
}

impl InputPin for Irq<'_> {
    fn is_high(&mut self) -> Result<bool, Infallible> {
        Ok(!self.0.machine.irq(self.0.radio))
    }

    fn is_low(&mut self) -> Result<bool, Infallible> {
        Ok(self.0.machine.irq(self.0.radio))
    }
}

impl Irq<'_> {
    /// Waits until the line is low, as `poll` on a line of a GPIO chip does; at once if it is. Says whether it is low:
    /// false after `timeout`. An interrupt ends the wait `Cost::wake` after its edge.
    pub fn wait_low(&self, timeout: Option<Duration>) -> bool {
        let Pin { machine, radio } = self.0;
        machine.until_irq(radio, timeout.map_or(Instant::FAR_FUTURE, |timeout| machine.now() + timeout))
    }
}

impl DelayNs for Delay<'_> {
    fn delay_ns(&mut self, ns: u32) {
        self.0.machine.sleep(self.0.radio, Duration::from_nanos(u64::from(ns)));
    }

    fn delay_us(&mut self, us: u32) {
        self.0.machine.sleep(self.0.radio, Duration::from_micros(u64::from(us)));
    }

    fn delay_ms(&mut self, ms: u32) {
        self.0.machine.sleep(self.0.radio, Duration::from_millis(u64::from(ms)));
    }
}
