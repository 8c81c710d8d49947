//! Foundations that every link of airtime shares: integer time and units, pooled packets, the event loop and the
//! contract of what it wakes, named random streams and the ledger of the air.
//!
//! Nothing here knows a radio. Nothing here reads a clock, opens a file or logs a line.
#![no_std]
#![warn(missing_docs)]

extern crate alloc;

pub mod bytes;
pub mod deadlines;
pub mod event_loop;
pub mod ledger;
pub mod loss;
pub mod packet;
pub mod random;
pub mod time;
pub mod units;

pub use deadlines::Deadlines;
pub use event_loop::{EventLoop, Plant, Touched};
pub use ledger::Ledger;
pub use packet::{Packet, Pool};
pub use time::{Duration, Instant};
