//! Virtual radios in real time: one controller per endpoint on one medium, paced against the wall clock.
//!
//! The same event loop and the same network as in virtual time. A turn of the server wakes up, reads
//! the sockets, processes everything due up to now in virtual order, hands out what came of it, and
//! sleeps until the next event or octet. Events carry exact virtual times, so late wake-ups change no
//! rate; how late they are is measured.
//!
//! [`Radios`] is all of that without sockets and without a clock; [`Server`] adds both. On the other
//! side of an HCI, [`client::Client`] is one of our own hosts in real time, and [`Dialled`] adds socket
//! and clock. Both are for UNIX; the rest is everywhere.
#![warn(missing_docs)]

pub mod client;
pub mod clock;
pub mod config;
#[cfg(unix)]
pub mod dial;
pub mod endpoint;
pub mod figures;
pub mod h4;
#[cfg(target_os = "linux")]
pub mod hw;
#[cfg(target_os = "linux")]
pub mod ip;
pub mod link;
#[cfg(target_os = "linux")]
pub mod nrf24;
pub mod options;
pub mod pace;
#[cfg(unix)]
pub mod perf;
pub mod predict;
pub mod radios;
pub mod report;
pub mod rpc;
#[cfg(unix)]
mod serial;
#[cfg(unix)]
pub mod server;
#[cfg(unix)]
pub mod sink;
#[cfg(unix)]
mod sleep;
pub mod station;
#[cfg(target_os = "linux")]
pub mod system;
pub mod traffic;
pub mod watch;
#[cfg(target_os = "linux")]
pub mod wifi;

pub use config::{Config, EndpointConfig, PeerConfig, Place};
#[cfg(unix)]
pub use dial::Dialled;
pub use radios::{Radios, Sink};
pub use report::Report;
#[cfg(unix)]
pub use server::{Server, Stopper};
