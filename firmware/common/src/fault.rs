//! The end of a panic: a reset, and not a board that needs a hand.
//!
//! `panic-probe` logs the panic and ends in a fault. With a debugger the probe halts there, before this runs, and shows the way to it.
#![allow(unsafe_code, reason = "`exception` wants the handler to be unsafe")]

use cortex_m::peripheral::SCB;
use cortex_m_rt::{ExceptionFrame, exception};

// SAFETY: cortex-m-rt calls it, and nobody else; nothing of what was running is touched.
#[exception]
unsafe fn HardFault(_frame: &ExceptionFrame) -> ! {
    SCB::sys_reset()
}
