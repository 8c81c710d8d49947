//! Interrupts of AN505, and who is told of them.
#![allow(unsafe_code, reason = "an interrupt handler is named for the linker, and unmasking one is unsafe")]

use cortex_m::interrupt::InterruptNumber;
use cortex_m::peripheral::NVIC;
use cortex_m_rt::exception;

use crate::{controller, line, time};

/// Interrupt by its number. Arm AN505, interrupt assignments; AN521 has the same for what both have.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Interrupt {
    /// CMSDK timer 0: the clock has turned over.
    Clock = 3,
    /// CMSDK timer 1: the alarm.
    Alarm = 4,
    /// UART 0, receive.
    Hci = 32,
    /// UART 1, receive.
    Line = 34,
}

// SAFETY: the numbers are the board's, and do not change.
unsafe impl InterruptNumber for Interrupt {
    fn number(self) -> u16 {
        self as u16
    }
}

/// Lets an interrupt come.
pub(crate) fn unmask(interrupt: Interrupt) {
    // SAFETY: the handler below works from the start on, and no critical section is built on this interrupt being masked.
    unsafe { NVIC::unmask(interrupt) }
}

/// Every interrupt: cortex-m-rt's vectors name no chip.
///
/// SAFETY: `exception` wants it so; nothing here is.
#[exception]
unsafe fn DefaultHandler(number: i16) {
    match number {
        3 => time::turned_over(),
        4 => time::due(),
        32 => controller::received(),
        34 => line::typed(),
        _ => defmt::panic!("interrupt {} is nobody's", number),
    }
}
