//! Both ends of ESP-hosted as firmware runs them: the machines of the laboratory (`airtime_esp_hosted`, `airtime_ota`) between a
//! bus, a flash, a clock and a radio, which a board hands over. An image has clocks, pins and drivers, and nothing else.
//!
//! - [`coprocessor::run`]: the chip with the radio, behind a UART
//! - [`host::over_line`], [`host::over_card`]: the host, with the boot sequence that brings the co-processor's firmware up to date
//!
//! What is received and what is sent are futures of their own: a UART holds 128 octets, and a frame of 1600 takes 17 ms.
#![no_std]
#![warn(missing_docs)]

extern crate alloc;

mod board;
pub mod coprocessor;
mod flash;
pub mod host;
mod line;

pub use board::Board;
pub use flash::Flash;
