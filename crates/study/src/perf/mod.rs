//! Measurements with iperf3 and ping: what is measured in which order, what their output says, and what came of all runs.
//!
//! Nothing here starts a program or reads a clock.

mod iperf3;
mod measured;
mod ping;
mod settings;
mod summary;

pub use iperf3::{Iperf3, Iperf3Error, Sent, Totals};
pub use measured::{Failed, Measured, Outcome};
pub use ping::{PingError, Probes};
pub use settings::{HEADER_OCTETS, Load, PAYLOAD_MIN, Point, Settings};
pub use summary::{Row, Spread, Waits, rows};
