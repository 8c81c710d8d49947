//! Lines typed into the port of the log.

use embassy_sync::blocking_mutex::raw::CriticalSectionRawMutex;
use embassy_sync::pipe::Pipe;

use crate::interrupts::{Interrupt, unmask};
use crate::uart;

/// Octets that wait to be read; those for which there is no room are lost: nobody types so fast.
const WAITING: usize = 64;

static TYPED: Pipe<CriticalSectionRawMutex, WAITING> = Pipe::new();

/// The receiver's interrupt.
pub(crate) fn typed() {
    while let Some(octet) = uart::LOG.receive() {
        let _ = TYPED.try_write(&[octet]);
    }
}

/// Line of octets that are typed into the port of the log.
pub struct LogLine(());

impl LogLine {
    /// Begins to listen, once the board has been started.
    #[must_use]
    #[expect(clippy::new_without_default, reason = "it does something")]
    pub fn new() -> Self {
        uart::LOG.enable(true);
        unmask(Interrupt::Line);
        Self(())
    }
}

impl coc::Line for LogLine {
    async fn octet(&mut self) -> u8 {
        let mut octet = [0];
        TYPED.read(&mut octet).await;
        octet[0]
    }
}
