//! Arm's AN505, a Cortex-M33 on an MPS2+ board, as QEMU emulates it (`-M mps2-an505`): a clock, a UART to a controller, one for the log.
//!
//! QEMU's first serial port is HCI (H4), its second the log as `defmt` encodes it. What runs on it proves logic, order and stack, and
//! no goodput: a CPU in software takes the time that the machine under it has left.
#![no_std]

mod controller;
mod executor;
mod interrupts;
mod line;
mod log;
mod register;
mod time;
mod uart;

pub use controller::{Controller, address, controller};
pub use executor::Executor;
pub use line::LogLine;

use panic_probe as _;
