//! Foreign asynchronous hosts on the laboratory's clock.
//!
//! A [`Guest`](guest::Guest) is one boxed future on one [`Node`](node::Node): the event loop polls it
//! when its timers fire or packets come, and it knows no other time. [`trouble`] makes of it a station
//! of a [`Network`](airtime_ble::network::Network) that runs TrouBLE, unmodified, with the test
//! application on it.
//!
//! This room defines the one time driver of embassy that a program can have: nothing else in the
//! program may enable `embassy-time/std`.

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
