//! The TCP/IP stack of an ESP32 host as it behaves: TCP with its ticks, windows and timers, UDP with its errors, and what
//! calls cost. Source: espressif/esp-lwip (2.1.3-esp and 2.2.0-esp), `src/core/{tcp,tcp_in,tcp_out}.c`, and ESP-IDF v5.5.1
//! `components/lwip/Kconfig`.
//!
//! - [`Host`]: one host with its applications · [`Config`], [`Costs`]: how it is built · [`Counters`]: what it met
//! - [`Pcb`]: one connection · [`Waits`]: why nothing leaves
//!
//! What is not here: window scaling (off by default in ESP-IDF), keep-alive, urgent data, TIME-WAIT (a closed connection still
//! acknowledges repetitions), resets for foreign segments, the size of heaps (an allocation never fails).

mod config;
mod counters;
mod datagrams;
mod host;
mod pcb;
mod streams;

pub use config::{Config, Costs, OnError, TcpSender, TcpSink, UdpSender};
pub use counters::Counters;
pub use host::Host;
pub use pcb::{Heard, Out, Pcb, State};

pub use crate::waits::Waits;

/// Outcome of a packet at an interface.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// Taken by the interface.
    Taken,
    /// Its queue is full: the task that sent it stands still until [`Host::room`].
    Blocked,
    /// Refused at once (`ERR_BUF`).
    Refused,
}
