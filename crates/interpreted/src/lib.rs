//! Firmware images of a Cortex-M, executed in virtual time as the host above a Bluetooth LE controller.
//!
//! An [`Image`] is an ELF for Arm's AN505 as `firmware/emulated-m33` makes them, built for `thumbv7m-none-eabi`, on `armagnac`'s
//! instructions of Armv7-M. It is a station like any other: H4 packets go in and out of its UART, and its cycles are virtual time at the
//! clock it is given. While it waits for an interrupt it executes nothing, and costs nothing.
//!
//! - `elf` reads the image; `timer` and `uart` are what the board has besides memory, two of each
//! - `processor` executes, with what `armagnac` leaves out: which interrupt comes when, PRIMASK, WFI, the system's registers (`system`)
//! - `cost` is the time of an instruction, from the tables of the Cortex-M3: an M33 is no slower
//!
//! What it says of a CPU is as good as those tables, and its driver is that of a UART, an octet at a time: no board with a controller
//! on its own chip pays for that.
#![warn(missing_docs)]

mod clock;
mod cost;
mod decoded;
mod elf;
mod fault;
mod image;
mod packets;
mod processor;
mod system;
mod timer;
mod uart;

pub use elf::{NoImage, check};
pub use fault::Fault;
pub use image::Image;
pub use processor::Account;
