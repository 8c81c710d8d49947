//! The node of `airtime-nrf24` on real radios: the same tasks, on threads of a Linux machine with SPI and GPIO.
//!
//! ```text
//!   thread        task        waits for
//!   transmit      transmit    IRQ of radio 0 · bell · the tunnel's deadline
//!   receive       receive     IRQ of radio 1
//!   tun reader    offer       the TUN device
//!   tun writer    assemble    bell of the ring
//! ```
//!
//! Each thread runs one task on a [`Reactor`]: `ppoll` on what the task waits for. They share the tunnel and the ring
//! under locks that are held for the time of a copy, and wake each other by [`Bell`]s. So nothing blocks anything: a radio
//! never waits for a TUN device, and neither of them for the other direction.
//!
//! A [`Board`] is where this ends and the kernel begins; with one radio, `transmit` or `answer` serves it alone.
//!
//! [`Published`] runs the tunnel of the published report on the same boards, to be measured beside ours: its four threads, its
//! sleeps, and its receiver that asks without a pause.
//!
//! [`examine`] says of a board what of it does not work, before anything else is tried on it.
//!
//! Radios are named by their bus and by two lines of GPIO chips, however gpiodetect(1) and udev call those:
//!
//! ```
//! use airtime_hw::Line;
//!
//! for text in ["gpiochip0:25", "/dev/gpiochip0:25", "0:25"] {
//!     let line: Line = text.parse().expect("a chip and an offset");
//!     assert_eq!(line.to_string(), "/dev/gpiochip0:25");
//! }
//! assert!("25".parse::<Line>().is_err(), "which chip?");
//! ```
// What it stands on is Linux's: elsewhere there is nothing of it.
#![cfg(target_os = "linux")]
#![warn(missing_docs)]

mod bell;
mod board;
mod crew;
mod daemon;
mod desk;
mod device;
mod doctor;
mod faces;
mod node;
mod pi;
mod published;
mod reactor;

pub use bell::Bell;
pub use board::Board;
pub use daemon::{Backlog, Daemon, DaemonError, Figures};
pub use device::Device;
pub use doctor::{Ailment, Health, examine};
pub use faces::{Faces, faces};
pub use node::{Traffic, fresh_epoch};
pub use pi::{Line, Pi, PiConfig, PiError};
pub use published::Published;
pub use reactor::Reactor;
