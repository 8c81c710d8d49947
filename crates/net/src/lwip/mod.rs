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

/// Reason that a host sends nothing now.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Waits {
    /// It has a packet for the interface, or waits for nothing but the interface.
    Nothing,
    /// Application that has nothing to send.
    App,
    /// CPU time of calls, copies and switches.
    Cpu,
    /// The congestion window is full.
    Cwnd,
    /// The receiver's window or the send buffer is full, and less than the congestion window.
    Window,
    /// Retransmission timer: nothing has come back for longer than any round trip before.
    Rto,
    /// Nagle's algorithm or a delayed acknowledgement holds octets back.
    Delayed,
    /// The interface refused a segment, and nothing tries again before an acknowledgement or a timer.
    Refused,
}

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
