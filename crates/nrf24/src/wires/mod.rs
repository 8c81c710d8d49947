//! A virtual host's wires to one chip (SPI, CE, IRQ), its delays, and the tasks that use them.
//!
//! A [`Wires`] has the traits of `embedded-hal-async`; each call of a task takes the host's own cost in virtual time.
//! STATUS and read data are taken when a transaction starts, a command acts when it ends. The blocking faces of crate
//! `guest` stand on the same functions of [`Board`].
//!
//! - [`Tasks`] runs the futures of one host on its virtual clock; a [`Task`] is the handle by which one of them waits
//! - [`Wires`] are made from a task that has a radio · [`Notify`] is how one task wakes another
//! - [`TaskHost`] is a host that such tasks are, above a [`Kernel`]

mod faces;
mod host;
mod notes;
pub(crate) mod queue;
mod task;
mod tasks;
#[cfg(test)]
mod tests;

use alloc::rc::Rc;
use core::cell::RefCell;

use airtime_core::{Duration, Instant};

use crate::chip::{Chip, Options};
use crate::host::Cost;

pub use faces::{Ce, Delay, Irq, Spi, Wires};
pub use host::{Kernel, TaskHost, TunDevice};
pub use notes::Notes;
pub use task::{Notify, Task, Woken};
pub use tasks::Tasks;

/// A chip that its host and the network both reach.
pub type SharedChip = Rc<RefCell<Chip>>;

/// One radio of a host: its chip, and what reaching it costs.
#[derive(Clone, Debug)]
pub struct Board {
    /// Chip behind the wires.
    pub chip: SharedChip,
    /// Costs to reach it.
    pub cost: Cost,
}

impl Board {
    /// A board with a chip that has had its power-on reset.
    pub fn new(options: Options, cost: Cost) -> Self {
        Self { chip: Rc::new(RefCell::new(Chip::new(options))), cost }
    }

    /// Time that a transaction takes before CSN falls: the host's own part of it.
    pub fn lead(&self) -> Duration {
        self.cost.transaction
    }

    /// CSN falls: STATUS and read data are taken as they are now. `miso` is as long as `mosi`. How long the octets
    /// take, never zero; [`end`](Self::end) is to be called after that.
    pub fn begin(&self, now: Instant, mosi: &[u8], miso: &mut [u8]) -> Duration {
        self.chip.borrow_mut().select(now, mosi, miso);
        self.cost.clocked(mosi.len())
    }

    /// CSN rises: the command acts.
    pub fn end(&self, now: Instant, mosi: &[u8]) {
        self.chip.borrow_mut().deselect(now, mosi);
    }

    /// A transaction is called now that begins at `falls`, when CSN does, and is to be [ended](Self::end_ahead) when its
    /// octets are through. One call less than [`begin`](Self::begin) at that time, and the same to the chip.
    #[inline]
    pub fn begin_ahead(&self, falls: Instant, mosi: &[u8]) {
        self.chip.borrow_mut().select_at(falls, mosi);
    }

    /// CSN rises behind [`begin_ahead`](Self::begin_ahead): the command acts, and what was read is in `miso`.
    pub fn end_ahead(&self, now: Instant, mosi: &[u8], miso: &mut [u8]) {
        self.chip.borrow_mut().deselect_at(now, mosi, miso);
    }

    /// The same, and what was read replaces what was written.
    #[inline]
    pub fn end_in_place(&self, now: Instant, octets: &mut [u8]) {
        self.chip.borrow_mut().deselect_in_place(now, octets);
    }

    /// Sets CE now. How long the call takes the host.
    pub fn set_ce(&self, now: Instant, high: bool) -> Duration {
        self.chip.borrow_mut().set_ce(now, high);
        self.cost.pin
    }

    /// State of the IRQ line now: true if asserted (low); to look takes as long as to set a pin.
    #[inline]
    pub fn irq(&self) -> bool {
        self.chip.borrow().irq()
    }
}
