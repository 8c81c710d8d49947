//! The machine that something live goes on in: its clock, its sleep, its devices, and what is changed about it.
//!
//! - [`clock`]: the wall clock as virtual time · `sleep`, `stop`: waiting, and how it is ended · [`reach`]: who can come to an address ·
//!   [`random`]: what nobody can guess
//! - [`Deed`]: a change, undone whatever ends what goes on. A [`Journal`] writes down each deed before it is done; its end undoes them,
//!   latest first, and whoever comes next undoes what a killed process has left
//! - [`Tun`]: a TUN device, which needs none of that: it goes with the descriptor · [`Crossed`]: what crossed one · `serial`: a serial port

pub mod clock;
#[cfg(target_os = "linux")]
mod crossed;
#[cfg(target_os = "linux")]
mod deed;
#[cfg(target_os = "linux")]
mod error;
#[cfg(target_os = "linux")]
mod journal;
#[cfg(target_os = "linux")]
mod machine;
#[cfg(target_os = "linux")]
mod network;
pub mod random;
pub mod reach;
#[cfg(unix)]
pub(crate) mod serial;
#[cfg(unix)]
pub(crate) mod sleep;
#[cfg(unix)]
pub(crate) mod stop;
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
