//! The line to the host: an NS16550A, whose interrupt ends the sleep of whoever reads.

use core::convert::Infallible;
use core::future::poll_fn;
use core::task::Poll;

use embedded_io_async::{ErrorType, Read, Write};

use crate::register::Register;

/// Its registers, an octet each. National Semiconductor, PC16550D, 8.0.
const DATA: Register = Register::at(0x1000_0000);
const INTERRUPTS: Register = Register::at(0x1000_0001);
const FIFO: Register = Register::at(0x1000_0002);
const STATUS: Register = Register::at(0x1000_0005);
/// Received data interrupts.
const RECEIVED: u8 = 1;
/// FIFOs on and empty, an interrupt from the first octet on.
const FIFOS: u8 = 0b111;
/// Bits of the line's status: an octet has come, one can be sent.
const READY: u8 = 1;
const EMPTY: u8 = 1 << 5;

/// Receiving end.
pub struct Receiver;

/// Sending end.
pub struct Sender;

/// Both ends of the UART.
pub fn uart() -> (Receiver, Sender) {
    FIFO.write_octet(FIFOS);
    INTERRUPTS.write_octet(RECEIVED);
    (Receiver, Sender)
}

impl ErrorType for Receiver {
    type Error = Infallible;
}

impl ErrorType for Sender {
    type Error = Infallible;
}

impl Read for Receiver {
    async fn read(&mut self, into: &mut [u8]) -> Result<usize, Infallible> {
        poll_fn(|_| {
            let mut octets = 0;
            for octet in into.iter_mut() {
                if STATUS.octet() & READY == 0 {
                    break;
                }
                *octet = DATA.octet();
                octets += 1;
            }
            if octets == 0 { Poll::Pending } else { Poll::Ready(Ok(octets)) }
        })
        .await
    }
}

impl Write for Sender {
    async fn write(&mut self, octets: &[u8]) -> Result<usize, Infallible> {
        for octet in octets {
            while STATUS.octet() & EMPTY == 0 {
                core::hint::spin_loop();
            }
            DATA.write_octet(*octet);
        }
        Ok(octets.len())
    }

    async fn flush(&mut self) -> Result<(), Infallible> {
        Ok(())
    }
}
