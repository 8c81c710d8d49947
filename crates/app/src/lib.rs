//! Throughput test for Bluetooth LE, as firmware would have it: the application of both ends, sans-IO (events in, commands out,
//! no radio and no clock), without allocation, and without a word of any host.
//!
//! Two machines: [`Peripheral`] advertises and streams, [`Central`] looks for it, sets the
//! connection up and counts; either can be the sender. Both take an [`Event`] at a time and are then
//! polled for [`Command`]s until there is none; [`deadline`](Peripheral::deadline) says when they
//! want [`Event::Wake`]. Whoever runs them maps events and commands to a Bluetooth host: the
//! laboratory to its own, firmware to the one it links. Module [`rpc`] has the same two for remote calls.
//!
//! The peripheral of a test, from its start to the first SDU (a message as the application gives it to L2CAP):
//!
//! ```
//! use airtime_app::{Command, Event, Name, Peripheral, PeripheralConfig, StreamConfig};
//! use airtime_core::{Duration, Instant};
//!
//! let stream = StreamConfig { in_flight: 2, ..StreamConfig::default() };
//! let mut peripheral = Peripheral::new(PeripheralConfig { stream, ..PeripheralConfig::default() });
//! let mut tell = |ms, event| {
//!     let now = Instant::ZERO + Duration::from_millis(ms);
//!     peripheral.handle(now, event);
//!     std::iter::from_fn(|| peripheral.poll(now)).collect::<Vec<_>>()
//! };
//!
//! let advertise = Command::Advertise { name: Name::default(), interval: Duration::from_millis(100) };
//! assert_eq!(tell(0, Event::Ready), [Command::Listen { psm: 0x80 }, advertise]);
//! let interval = Duration::from_millis(30);
//! assert_eq!(tell(100, Event::Connected { conn: 0, peer: [1; 6], interval }), [Command::StopAdvertising]);
//!
//! // A channel alone is not enough: in PDUs of 27 octets the stream would crawl, so it waits for longer ones.
//! assert_eq!(tell(150, Event::ChannelOpened { conn: 0, channel: 0x40, peer_mtu: 2_000, peer_mps: 247 }), []);
//! let send = Command::Send { conn: 0, channel: 0x40, len: 492 };
//! assert_eq!(tell(200, Event::DataLength { conn: 0, tx_octets: 251, rx_octets: 251 }), [send, send]);
//! assert_eq!(tell(210, Event::Sent { conn: 0, channel: 0x40 }), [send], "two are on their way at any time");
//! ```
//!
//! The three types to begin with:
//!
//! - [`Peripheral`] and [`Central`]: the two ends, each made from a configuration with a default
//! - [`Command`]: anything that an end asks of its host; [`Event`] is the answer
//! - [`Meter`]: goodput of what has arrived, by the second and in the steady state
//!
//! # Features
//!
//! - `many-links`: room for twenty connections of a central instead of four; off unless it is asked for, since every command that
//!   waits grows with it
#![no_std]
#![warn(missing_docs)]

#[cfg(test)]
extern crate std;

pub mod central;
pub mod config;
mod interval;
mod link;
mod machine;
pub mod meter;
mod name;
mod order;
pub mod payload;
mod peripheral;
mod phy;
mod queue;
mod requests;
pub mod rpc;
mod sender;
mod settings;
mod unit;
mod wait;
mod words;

pub use central::{Central, Outcome, Step};
pub use config::{
    CentralConfig, DataLengthStep, Direction, IntervalConfig, Pacing, PeripheralConfig, Requests, StreamConfig,
    Transport, ValueRoom,
};
pub use link::Link;
pub use machine::Machine;
pub use meter::{Meter, Steady};
pub use name::Name;
pub use order::{Gaps, Order};
pub use peripheral::Peripheral;
pub use sender::Submissions;
pub use settings::{SETTINGS_MAX, Settings, SettingsError};
pub use unit::Unit;
pub use wait::Wait;
pub use words::{Address, Command, Event, Peers, Phy, Reasons};

/// Most connections of a central, and so the most peripherals of a test.
pub const LINKS_MAX: usize = if cfg!(feature = "many-links") { 20 } else { 4 };

/// Most credit-based channels of a connection.
pub const CHANNELS_MAX: usize = 4;

/// The channel of notifications and write commands: ATT. Core 6.0, Vol 3, Part A, 2.1.
pub const ATT_CHANNEL: u16 = 0x0004;
