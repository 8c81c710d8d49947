//! Board of one radio, as the kernel gives it.

use std::io;
use std::os::fd::BorrowedFd;

/// One radio's bus and pins. Nothing here waits for longer than the bus takes.
pub trait Board: Sync {
    /// One transaction, with one assertion of CSN: what comes back replaces what was sent.
    ///
    /// # Errors
    /// When the bus fails.
    fn transfer(&self, octets: &mut [u8]) -> io::Result<()>;

    /// Sets the CE pin.
    ///
    /// # Errors
    /// When the pin fails.
    fn set_ce(&self, high: bool) -> io::Result<()>;

    /// Tells if IRQ is asserted, which is low.
    ///
    /// # Errors
    /// When the pin fails.
    fn irq_is_low(&self) -> io::Result<bool>;

    /// Descriptor that can be read after an edge of IRQ, until [`forget_edges`](Self::forget_edges).
    fn edges(&self) -> BorrowedFd<'_>;

    /// Forgets the edges that have been.
    ///
    /// # Errors
    /// When the pin fails.
    fn forget_edges(&self) -> io::Result<()>;
}
