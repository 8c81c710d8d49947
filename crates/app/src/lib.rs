//! The throughput test application, as firmware would have it: sans-IO, no allocation, no host type.
//!
//! Two machines: [`Peripheral`] advertises and streams, [`Central`] looks for it, sets the
//! connection up and counts; either can be the sender. Both take an [`Event`] at a time and are then
//! polled for [`Command`]s until there is none; [`deadline`](Peripheral::deadline) says when they
//! want [`Event::Wake`]. Whoever runs them maps events and commands to a Bluetooth host: the
//! laboratory to its own, firmware to the one it links. Module [`rpc`] has the same two for remote calls.
#![no_std]

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
mod queue;
pub mod rpc;
mod sender;
mod unit;
mod words;

pub use central::{Central, Outcome, Step};
pub use config::{
    CentralConfig, DataLengthStep, Direction, IntervalConfig, Pacing, PeripheralConfig, StreamConfig, Transport,
};
pub use link::Link;
pub use machine::Machine;
pub use meter::{Meter, Steady};
pub use name::Name;
pub use order::Gaps;
pub use peripheral::Peripheral;
pub use sender::Submissions;
pub use unit::Unit;
pub use words::{Address, Command, Event, Peers, Phy, Reasons};

/// Most connections of a central, and so the most peripherals of a test.
pub const LINKS_MAX: usize = 20;

/// Most credit-based channels of a connection.
pub const CHANNELS_MAX: usize = 4;

/// The channel of notifications and write commands: ATT. Core 6.0, Vol 3, Part A, 2.1.
pub const ATT_CHANNEL: u16 = 0x0004;
