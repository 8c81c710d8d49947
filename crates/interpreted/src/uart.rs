//! A CMSDK APB UART. Arm, Cortex-M System Design Kit, 4.4.
//!
//! An octet takes no time on its line: the next one is there as soon as the one before it was taken, and there is always room for
//! another on the way out. So the time of a packet is that of the driver, and of no baud rate.

use std::cell::Cell;
use std::collections::VecDeque;
use std::rc::Rc;

use armagnac::memory::{Env, MemoryAccessError, MemoryInterface, MemoryReadResult, MemoryWriteResult};

/// STATE: there is an octet to take.
const RX_FULL: u32 = 1 << 1;

/// CTRL.
const RX_ENABLE: u32 = 1 << 1;
const RX_INTERRUPT: u32 = 1 << 3;

/// INTSTATUS and INTCLEAR: received.
const RECEIVED: u32 = 1 << 1;

/// A UART with both of its lines.
pub(crate) struct Uart {
    changed: Rc<Cell<bool>>,
    control: u32,
    baud_divisor: u32,
    asks: bool,
    /// Octets for the image.
    into: VecDeque<u8>,
    /// Octets of the image.
    out: Vec<u8>,
}

impl Uart {
    pub(crate) fn new(changed: Rc<Cell<bool>>) -> Self {
        Self { changed, control: 0, baud_divisor: 0, asks: false, into: VecDeque::new(), out: Vec::new() }
    }

    /// Octets come for the image. A receiver that is not enabled hears none.
    pub(crate) fn receive(&mut self, octets: &[u8]) {
        if self.control & RX_ENABLE != 0 {
            let was_empty = self.into.is_empty();
            self.into.extend(octets);
            self.asks |= was_empty && !octets.is_empty();
            self.changed.set(true);
        }
    }

    /// True while it asks for its interrupt.
    pub(crate) fn asks(&self) -> bool {
        self.asks && self.control & RX_INTERRUPT != 0
    }

    /// Octets that the image has sent.
    pub(crate) fn sent(&mut self) -> &mut Vec<u8> {
        &mut self.out
    }
}

impl MemoryInterface for Uart {
    fn size(&self) -> u32 {
        0x1000
    }

    fn read_u32le(&mut self, address: u32, _env: &mut Env) -> MemoryReadResult<u32> {
        match address {
            0x0 => {
                let octet = self.into.pop_front().unwrap_or(0);
                self.asks |= !self.into.is_empty();
                self.changed.set(true);
                Ok(octet.into())
            }
            0x4 => Ok(if self.into.is_empty() { 0 } else { RX_FULL }),
            0x8 => Ok(self.control),
            0xc => Ok(if self.asks() { RECEIVED } else { 0 }),
            0x10 => Ok(self.baud_divisor),
            _ => Err(MemoryAccessError::InvalidAddress),
        }
    }

    fn write_u32le(&mut self, address: u32, value: u32, _env: &mut Env) -> MemoryWriteResult {
        match address {
            0x0 => self.out.push(value as u8),
            // Overruns, which it has none of, are cleared by writing ones.
            0x4 => {}
            0x8 => self.control = value,
            0xc => self.asks &= value & RECEIVED == 0,
            0x10 => self.baud_divisor = value,
            _ => return Err(MemoryAccessError::InvalidAddress),
        }
        self.changed.set(true);
        Ok(())
    }
}
