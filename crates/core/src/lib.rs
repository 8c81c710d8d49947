//! Foundations of a discrete-event simulation of radio links: integer time and units, pooled packets, the event loop and
//! the contract of what it wakes, named random streams, and books in which every nanosecond is in one account.
//!
//! Nothing here knows a radio. Nothing here reads a clock, opens a file or logs a line: time goes from one deadline to the next.
//!
//! A beacon that is on the air for 376 µs every 100 ms, for one second, and the books of its channel:
//!
//! ```
//! use airtime_core::ledger::Account as _;
//! use airtime_core::{Duration, EventLoop, Instant, Ledger, Plant, Touched};
//!
//! airtime_core::accounts! {
//!     /// Accounts of the channel.
//!     pub enum Account {
//!         Beacon = "beacon", "frames of the beacon";
//!         Idle = "idle", "nobody is on the air";
//!     }
//! }
//!
//! /// A plant is a set of nodes that the loop can wake; this one has a single node.
//! struct Channel {
//!     due: Instant,
//!     books: Ledger<Account>,
//! }
//!
//! impl Plant for Channel {
//!     fn nodes(&self) -> usize {
//!         1
//!     }
//!     fn deadline(&self, _node: usize) -> Option<Instant> {
//!         Some(self.due)
//!     }
//!     fn wake(&mut self, node: usize, now: Instant, touched: &mut Touched) {
//!         self.books.book(Account::Idle, now);
//!         self.books.book(Account::Beacon, now + Duration::from_micros(376));
//!         self.due = now + Duration::from_millis(100);
//!         touched.note(node);
//!     }
//! }
//!
//! let start = Instant::ZERO;
//! let mut channel = Channel { due: start, books: Ledger::new(start) };
//! let mut event_loop = EventLoop::new(start, &channel);
//! event_loop.run_until(&mut channel, start + Duration::from_millis(999));
//! channel.books.book(Account::Idle, start + Duration::from_secs(1));
//!
//! assert_eq!(channel.books.of(Account::Beacon), Duration::from_micros(10 * 376));
//! assert_eq!(channel.books.elapsed(), Duration::from_secs(1));
//! assert!(channel.books.balances(), "no nanosecond is booked twice, and none is missing");
//! assert_eq!(Account::Idle.name(), "idle");
//! ```
//!
//! The three types to begin with:
//!
//! - [`Plant`]: nodes, each with a deadline, that can be woken one at a time
//! - [`EventLoop`]: wakes the nodes of a plant, always the one with the earliest deadline
//! - [`Ledger`]: accounts of time that balance because there is no other way to book
#![no_std]
#![warn(missing_docs)]

extern crate alloc;

pub mod bytes;
pub mod deadlines;
pub mod event_loop;
pub mod ledger;
pub mod level;
pub mod loss;
pub mod packet;
pub mod random;
pub mod spread;
pub mod time;
pub mod transit;
pub mod units;

pub use deadlines::Deadlines;
pub use event_loop::{EventLoop, Plant, Touched};
pub use ledger::Ledger;
pub use packet::{Packet, Pool};
pub use spread::Spread;
pub use time::{Duration, Instant};
