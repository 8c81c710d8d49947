//! Bits: frames on the air, commands and registers on the bus.

pub mod command;
pub mod crc;
pub mod frame;
pub mod register;

pub use command::Command;
pub use frame::{Control, Frame};
pub use register::Register;
