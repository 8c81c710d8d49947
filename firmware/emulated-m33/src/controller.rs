//! A controller behind the first UART, by H4.

use core::convert::Infallible;

use airtime_app::Address;
use bt_hci::controller::ExternalController;
use bt_hci_serial::SerialTransport;
use embassy_sync::blocking_mutex::raw::{CriticalSectionRawMutex, NoopRawMutex};
use embassy_sync::pipe::Pipe;
use embedded_io::ErrorType;
use embedded_io_async::{Read, Write};

use crate::interrupts::{Interrupt, unmask};
use crate::{time, uart};

/// Octets that wait for the host: more than the longest event, or ACL packet of an LE controller, and its header.
const WAITING: usize = 512;

/// Commands that wait for their answer at a time.
const COMMANDS: usize = 4;

static RECEIVED: Pipe<CriticalSectionRawMutex, WAITING> = Pipe::new();

/// The controller as a host has it.
pub type Controller = ExternalController<SerialTransport<NoopRawMutex, Receiver, Sender>, COMMANDS>;

/// Starts the board: its clock, its log, the line to the controller.
pub fn controller() -> Controller {
    uart::LOG.enable(false);
    time::start();
    uart::HCI.enable(true);
    unmask(Interrupt::Hci);
    ExternalController::new(SerialTransport::new(Receiver, Sender))
}

/// A static random address. Core 6.0, Vol 6, Part B, 1.3.2.1. Boards have one each from their factory; of those emulated, none is on
/// the air with another of the same role.
pub const fn address(last: u8) -> Address {
    [last, 0, 0, 0x33, 0x4d, 0xc0]
}

/// The receiver's interrupt, and whoever has made room: what does not fit waits in the UART, which keeps the other side waiting.
pub(crate) fn received() {
    critical_section::with(|_| {
        while RECEIVED.free_capacity() > 0 {
            let Some(octet) = uart::HCI.receive() else { return };
            let _ = RECEIVED.try_write(&[octet]);
        }
        // Without room the interrupt would come again at once, and whoever makes room would never run.
        uart::HCI.hush();
    });
}

/// Octets from the controller.
pub struct Receiver;

/// Octets to the controller.
pub struct Sender;

impl ErrorType for Receiver {
    type Error = Infallible;
}

impl ErrorType for Sender {
    type Error = Infallible;
}

impl Read for Receiver {
    async fn read(&mut self, into: &mut [u8]) -> Result<usize, Infallible> {
        let octets = RECEIVED.read(into).await;
        received();
        Ok(octets)
    }
}

impl Write for Sender {
    async fn write(&mut self, octets: &[u8]) -> Result<usize, Infallible> {
        for octet in octets {
            while !uart::HCI.send(*octet) {}
        }
        Ok(octets.len())
    }

    async fn flush(&mut self) -> Result<(), Infallible> {
        Ok(())
    }
}
