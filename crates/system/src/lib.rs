//! The machine that something live goes on in: its clock, its sleep, its devices and files, and what is changed about it.
//!
//! - [`clock`]: the wall clock as virtual time · [`sleep`], [`stop`]: waiting, and how it is ended · [`reach`]: who can come to an address ·
//!   [`random`]: what nobody can guess
//! - [`replacement`]: files that are replaced whole, in an order that survives a cut
//! - [`Deed`]: a change, undone whatever ends what goes on. A [`Journal`] writes down each deed before it is done; its end undoes them,
//!   latest first, and whoever comes next undoes what a killed process has left
//! - [`Tun`]: a TUN device, which needs none of that: it goes with the descriptor · [`Crossed`]: what crossed one · [`serial`]: a serial port
//! - [`program`]: a program beside this one, bounded and ended with what it has started · [`lines`]: lines of a pipe or a console
//!
//! It knows no radio and no laboratory: a node on a Raspberry Pi stands on it as the servers of virtual radios do.
//!
//! What is waited for is over when its time is, or when somebody asks:
//!
//! ```
//! # #[cfg(unix)] {
//! use std::os::fd::AsFd as _;
//!
//! use airtime_core::{Duration, Instant};
//! use airtime_system::clock::Clock;
//! use airtime_system::sleep::sleep;
//! use airtime_system::stop::Stop;
//! use rustix::event::{PollFd, PollFlags};
//!
//! let (clock, stop) = (Clock::start(), Stop::new().expect("a socket pair"));
//! let wait = |rest| sleep(&mut [PollFd::from_borrowed_fd(stop.as_fd(), PollFlags::IN)], rest);
//!
//! let rest = Duration::from_micros(50);
//! while !wait(rest).expect("poll") {}
//! assert!(clock.now() >= Instant::ZERO + rest);
//!
//! assert!(stop.stopper().stop() && stop.is_asked());
//! assert!(wait(Duration::from_secs(3_600)).expect("poll"), "the descriptor is ready at once");
//! # }
//! ```
#![warn(missing_docs)]

pub mod clock;
#[cfg(target_os = "linux")]
mod crossed;
#[cfg(target_os = "linux")]
mod deed;
#[cfg(target_os = "linux")]
mod error;
#[cfg(target_os = "linux")]
mod journal;
#[cfg(unix)]
pub mod lines;
#[cfg(target_os = "linux")]
mod machine;
#[cfg(target_os = "linux")]
mod network;
#[cfg(target_os = "linux")]
pub mod program;
pub mod random;
pub mod reach;
pub mod replacement;
#[cfg(unix)]
pub mod serial;
#[cfg(unix)]
pub mod sleep;
pub mod stop;
#[cfg(target_os = "linux")]
mod tun;

#[cfg(target_os = "linux")]
pub use crossed::Crossed;
#[cfg(target_os = "linux")]
pub use deed::Deed;
#[cfg(target_os = "linux")]
pub use error::SystemError;
#[cfg(target_os = "linux")]
pub use journal::{FOLDER, Journal};
#[cfg(target_os = "linux")]
pub use machine::{Linux, Machine};
#[cfg(target_os = "linux")]
pub use network::Ipv4Network;
#[cfg(target_os = "linux")]
pub use tun::{QUEUE_PACKETS, Tun, TunConfig};
