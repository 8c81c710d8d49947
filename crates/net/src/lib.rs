//! Traffic of a plan above a TUN device: what an application, a kernel and a measuring tool would do at one end of a
//! tunnel, in virtual time.
//!
//! An [`End`] is one host's IP address with everything that talks there: constant bit rate UDP, TCP, ping, and what
//! answers them. It is a sans-IO node (`wake`, `packet`, `poll`, `deadline`): IP packets in, IP packets out. What arrived
//! is told to a [`Watch`].
//!
//! - [`End`]: one host · [`watch`]: what it tells
//! - [`udp`]: sources and sinks of datagrams · [`pace`]: when a datagram is sent · [`tally`]: lost, late, twice
//! - [`tcp`]: streams, with smoltcp as the kernel · [`ping`]: echo requests and replies
//! - [`lwip`]: the stack of an ESP32 host, with its ticks and timers · [`linux`]: the far end of it
//! - `traffic` (feature `plan`): keys of a plan's traffic · `measure`: a run of it, and what it came to
//! - [`wire`]: IPv4, UDP and ICMP packets · [`segment`]: TCP segments · [`payload`]: what the octets of a test are
#![no_std]
#![warn(missing_docs)]

extern crate alloc;

mod checksum;
pub mod end;
pub mod linux;
pub mod lwip;
#[cfg(feature = "plan")]
pub mod measure;
pub mod pace;
pub mod payload;
pub mod ping;
pub mod segment;
pub mod tally;
pub mod tcp;
#[cfg(feature = "plan")]
pub mod traffic;
pub mod udp;
pub mod watch;
pub mod wire;

pub use end::End;
pub use watch::{Event, Watch};
