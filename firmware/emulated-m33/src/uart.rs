//! A CMSDK APB UART. Arm, Cortex-M System Design Kit, 4.4: registers of the APB UART.

use crate::register::Register;

/// The UARTs of AN505, at their secure addresses.
pub(crate) const HCI: Uart = Uart(0x5020_0000);
pub(crate) const LOG: Uart = Uart(0x5020_1000);

/// STATE: the one octet that a transmitter, or a receiver, has room for is there.
const TX_FULL: u32 = 1 << 0;
const RX_FULL: u32 = 1 << 1;

/// CTRL.
const TX_ENABLE: u32 = 1 << 0;
const RX_ENABLE: u32 = 1 << 1;
const RX_INTERRUPT: u32 = 1 << 3;

/// INTCLEAR: received.
const RECEIVED: u32 = 1 << 1;

/// BAUDDIV: the least that works. The emulator's octets take no time.
const FASTEST: u32 = 16;

/// A UART by its address.
#[derive(Clone, Copy)]
pub(crate) struct Uart(usize);

impl Uart {
    const fn register(self, offset: usize) -> Register {
        Register::at(self.0 + offset)
    }

    /// Takes it into use; `receives` is told by an interrupt.
    pub(crate) fn enable(self, receives: bool) {
        self.register(0x10).write(FASTEST);
        self.register(0x08).write(TX_ENABLE | if receives { RX_ENABLE | RX_INTERRUPT } else { 0 });
    }

    /// Sends an octet, if there is room for it.
    pub(crate) fn send(self, octet: u8) -> bool {
        let has_room = self.register(0x04).read() & TX_FULL == 0;
        if has_room {
            self.register(0x00).write(u32::from(octet));
        }
        has_room
    }

    /// Takes back the receiver's interrupt, until another octet comes.
    pub(crate) fn hush(self) {
        self.register(0x0c).write(RECEIVED);
    }

    /// The next octet received, if there is one.
    pub(crate) fn receive(self) -> Option<u8> {
        self.hush();
        (self.register(0x04).read() & RX_FULL != 0).then(|| self.register(0x00).read() as u8)
    }
}
