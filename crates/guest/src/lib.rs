//! Foreign asynchronous hosts on the laboratory's clock: a future that knows no other time than that of the event loop.
//!
//! A [`Guest`](guest::Guest) is one boxed future on one [`Node`](node::Node): the event loop polls it
//! when its timers fire or packets come. [`trouble`] makes of it a station of a
//! [`Network`](airtime_ble::network::Network) that runs TrouBLE, a Bluetooth host for microcontrollers, unmodified, with the test
//! application on it. [`nrf24`] does the same for published drivers of the nRF24L01+, blocking ones among them.
//!
//! This crate defines the one time driver of embassy that a program can have: nothing else in the
//! program may enable `embassy-time/std`.
//!
//! A task that waits twice, and wakes on the nanosecond without anybody's having waited:
//!
//! ```
//! use std::cell::Cell;
//! use std::rc::Rc;
//!
//! use airtime_guest::guest::Guest;
//! use airtime_guest::node::Node;
//!
//! let woke_at = Rc::new(Cell::new(0));
//! let tells = Rc::clone(&woke_at);
//! let mut guest = Guest::new(Node::new(0), async move {
//!     embassy_time::Timer::after_millis(10).await;
//!     embassy_time::Timer::after_nanos(1).await;
//!     tells.set(embassy_time::Instant::now().as_ticks());
//! });
//!
//! // What an event loop does with it: poll to the end, then go to the deadline.
//! while guest.poll() {}
//! while let Some(due) = guest.deadline() {
//!     guest.wake(due);
//!     while guest.poll() {}
//! }
//! assert_eq!((woke_at.get(), guest.is_over(), guest.rests()), (10_000_001, true, 0));
//! ```
//!
//! The three types to begin with:
//!
//! - [`guest::Guest`]: a future with a deadline
//! - [`trouble::TroubleStation`]: TrouBLE and an application, ready to sit on a virtual controller
//! - [`node::Node`]: the clock, the timers and the packets of one guest
#![warn(missing_docs)]

mod bus;
mod driver;
mod elsewhere;
pub mod guest;
pub mod node;
pub mod nrf24;
mod observed;
pub mod pool;
pub mod report;
pub mod trouble;
