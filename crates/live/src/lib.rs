//! Virtual radios in real time: one controller per endpoint on one medium, paced against the wall clock.
//!
//! The same event loop and the same network as in virtual time. A turn of the server wakes up, reads
//! the sockets, processes everything due up to now in virtual order, hands out what came of it, and
//! sleeps until the next event or octet. Events carry exact virtual times, so late wake-ups change no
//! rate; how late they are is measured.
//!
//! [`Radios`] is all of that without sockets and without a clock; [`Server`] adds both. On the other
//! side of an HCI, [`Client`](ble::client::Client) is one of our own hosts in real time, and [`Dialled`] adds socket
//! and clock. Both are for UNIX; the rest is everywhere.
//!
//! What arrives at an HCI comes in whatever pieces a socket or a serial line hands over; packets are made of it:
//!
//! ```
//! use airtime_live::ble::h4::Framer;
//!
//! // HCI Reset and LE Read Buffer Size, cut where the line happened to pause.
//! let mut framer = Framer::default();
//! framer.push(&[0x01, 0x03, 0x0c]);
//! assert!(framer.packet().is_none() && framer.is_hungry());
//! framer.push(&[0x00, 0x01, 0x02, 0x20, 0x00]);
//! assert_eq!(framer.packet(), Some([0x01, 0x03, 0x0c, 0x00].as_slice()));
//! assert_eq!(framer.packet(), Some([0x01, 0x02, 0x20, 0x00].as_slice()));
//!
//! // Text of a boot loader is no H4: what shows it is handed out once, and the next Reset finds the stream again.
//! framer.push(b"*** Booting\r\n");
//! assert!(framer.packet().is_some() && framer.is_lost());
//! framer.push(&[0x01, 0x03, 0x0c, 0x00]);
//! assert_eq!(framer.packet(), Some([0x01, 0x03, 0x0c, 0x00].as_slice()));
//! ```
#![warn(missing_docs)]

pub mod address;
pub mod ble;
pub mod figures;
#[cfg(target_os = "linux")]
pub mod ip;
pub mod pace;
#[cfg(unix)]
pub mod perf;
pub mod rpc;
#[cfg(unix)]
pub mod sink;

pub use airtime_system::stop::Stopper;
#[cfg(unix)]
pub use ble::dial::Dialled;
#[cfg(unix)]
pub use ble::server::Server;
pub use ble::{Config, EndpointConfig, PeerConfig, Place, Radios, Report, Sink};
