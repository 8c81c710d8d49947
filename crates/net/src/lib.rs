//! Traffic above a network interface in virtual time: UDP, TCP and ping as an application, a kernel and a measuring tool would
//! send them, and what arrived of it.
//!
//! An [`IpHost`] is one host's IP address with everything that talks there. It is a sans-IO node (`wake`, `packet`, `poll`,
//! `deadline`): IP packets in, IP packets out, and no clock but the instants it is given. What arrived is told to a [`Watch`].
//!
//! Ten datagrams from one host to another, across whatever the caller puts in between; here that is nothing:
//!
//! ```
//! use std::net::Ipv4Addr;
//!
//! use airtime_core::units::Bitrate;
//! use airtime_core::{Duration, Instant, Pool};
//! use airtime_net::IpHost;
//! use airtime_net::pace::Pace;
//! use airtime_net::udp::Datagrams;
//!
//! let (a, b) = (Ipv4Addr::new(10, 0, 0, 1), Ipv4Addr::new(10, 0, 0, 2));
//! let pool = Pool::new();
//! let mut sender = IpHost::new(pool.clone(), a, 1_500, 1, ());
//! let mut receiver = IpHost::new(pool, b, 1_500, 1, ());
//!
//! // 64 kbit/s in payloads of 32 octets is one every 4 ms.
//! let (payload, rate, duration) = (32, Bitrate(64_000), Duration::from_millis(40));
//! sender.send_datagrams(b, Datagrams { flow: 5201, payload, rate, pace: Pace::Constant, start: Instant::ZERO, duration });
//! receiver.take_datagrams(5201);
//!
//! let mut on_the_way = 0;
//! while let Some(now) = sender.deadline() {
//!     sender.wake(now);
//!     while let Some(packet) = sender.poll(now) {
//!         assert_eq!(packet.len(), 20 + 8 + 32, "IPv4, UDP and payload");
//!         on_the_way += packet.len();
//!         receiver.packet(now, &packet);
//!     }
//! }
//! let sink = &receiver.sinks()[0];
//! assert_eq!((on_the_way, sink.octets()), (600, 320));
//! assert_eq!((sink.tally().arrived, sink.tally().missing()), (10, 0));
//! ```
//!
//! The three types to begin with:
//!
//! - [`IpHost`]: one host, with all that sends and receives there
//! - [`Watch`]: whoever is told of each [`Event`]; `()` does not listen
//! - [`lwip::Host`]: instead of an end, the stack of an ESP32 as it behaves, with its ticks and timers
//!
//! The modules:
//!
//! - [`udp`]: sources and sinks of datagrams · [`pace`]: when a datagram is sent · [`tally`]: lost, late, twice
//! - [`tcp`]: streams, with smoltcp as the kernel · [`ping`]: echo requests and replies
//! - [`lwip`]: the stack of an ESP32 host, with its ticks and timers · [`linux`]: the far end of it
//! - [`wire`]: IPv4, UDP and ICMP packets · [`segment`]: TCP segments · [`payload`]: what the octets of a test are
//! - [`watch`]: what an end tells
//!
//! # Features
//!
//! - `plan`: modules `traffic`, the keys of a plan's traffic, and `measure`, a run of it and what it came to; off unless it is
//!   asked for
#![no_std]
#![warn(missing_docs)]

extern crate alloc;

mod checksum;
pub mod ip_host;
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
mod waits;
pub mod watch;
pub mod wire;

pub use ip_host::IpHost;
pub use waits::Waits;
pub use watch::{Event, Watch};
