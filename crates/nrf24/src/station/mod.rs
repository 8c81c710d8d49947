//! Driver and tunnel as one daemon: the tasks of a node, the same in the lab and on a Raspberry Pi.
//!
//! ```text
//!            TUN device                            TUN device
//!                │ read_packet                          ▲ write_packet
//!             [offer]                               [assemble] ◄── ring of frames
//!                ▼                                      ▲                ▲
//!        ┌──── tunnel, under a short lock ──────────────┘                │
//!        ▼                                                               │
//!   [transmit] ── radio 0                                radio 1 ── [receive]
//! ```
//!
//! Each task in brackets waits for its own things only, so none ever holds up another: the receiver reads while packets are written,
//! and the transmitter's FIFO is filled while packets are read. With one radio, the end that polls runs
//! [`transmit`] alone, and the other end [`answer`]. What runs them implements [`Desk`]: [`Station`] in virtual time.

mod config;
mod desk;
mod node;
mod receive;
mod report;
mod ring;
mod transmit;
mod tun;

pub use config::{Config, RASPBERRY_PI, Radios, StationEnd};
pub use desk::{Bell, Desk, Woken};
pub use node::Station;
pub use receive::{answer, receive};
pub use ring::Ring;
pub use transmit::transmit;
pub use tun::{assemble, offer};
