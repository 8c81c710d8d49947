//! The tunnel of the published report, as its source has it: no chunk header, batches of 96 octets, an unbounded queue,
//! one CE pulse per packet, sleeps of 360 µs, CE dropped while reading. The baseline to explain and to beat.
//!
//! ```text
//!   TUN device ─► [read_tun] ─► queue without limit ─► [transmit] ── radio 0
//!   TUN device ◄─ [write_tun] ◄─ queue ◄─ "does it parse?" ◄─ [receive] ── radio 1
//! ```
//!
//! Behaviour is that of the published source (Lund University, course EITN30, 2024) in its last version; what the study turns is in
//! [`Config`]. What runs its threads implements [`Desk`]: [`Legacy`] in virtual time, where a thread that would end in a panic
//! ends and the other three go on, as in the program; or real threads on real radios.

mod assembly;
mod config;
mod desk;
mod device;
mod error;
mod ip;
mod node;
mod threads;

pub use config::{Config, Framing};
pub use desk::{Channel, Desk};
pub use device::Device;
pub use error::Error;
pub(crate) use ip::headers;
pub use node::{Legacy, LegacyKernel};
pub use threads::{read_tun, receive, transmit, write_tun};

/// Octets kept at most in a channel: 20 minutes of what the radio carries. The published program has no such limit
/// and grows until the system ends it; a run and a daemon must not. What is turned away is noted as dropped.
pub const QUEUE_OCTETS_MAX: usize = 64 << 20;
