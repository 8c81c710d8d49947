//! Bluetooth LE as the laboratory runs it: streams over credit-based channels and GATT, and remote calls over either.
//!
//! A scenario names the devices of a link and everything that a plan can set. A run of it begins with scanning, sets the
//! connection up as firmware would, streams, and ends with figures and with books that say where the time of the
//! air went.
//!
//! A stream from a peripheral to a central, both with Zephyr's link layer as it is by default: where did its throughput go?
//!
//! ```
//! use airtime_ble::ledger::Account;
//! use airtime_ble::personality::{Controller, Host};
//! use airtime_ble::transport::Bus;
//! use airtime_ble_link::plan::{Device, Image, Carrier, Program, Scenario, Stack};
//! use airtime_ble_link::run::{Outcome, run};
//! use airtime_keys::{Key, Value};
//!
//! /// Two seconds of warm-up and two of steady state; the receiver hands out L2CAP credits by `policy`.
//! fn with_credits(policy: &str) -> Outcome {
//!     let device = |_: &'static Key, name: &str| {
//!         let (controller, host) = (Controller::ZEPHYR_LL, Host::ZEPHYR_LL);
//!         let (program, stack, image) = (Program::Model, Stack::Firmware, Image::None);
//!         Ok(Device { name: name.into(), controller, host, program, bus: Bus::Memory, stack, image })
//!     };
//!     let set = |key: &Key| match key.name {
//!         "run.duration" => Some(Value::from("4s")),
//!         "coc.credits" => Some(Value::from(policy)),
//!         _ => None,
//!     };
//!     run(&Scenario::read(Carrier::BleCoc, &set, &device).expect("all other keys have a default"), 1)
//! }
//! let kbps = |outcome: &Outcome| outcome.octets(0) * 8_000_000 / outcome.steady.as_nanos();
//!
//! // One credit at a time, granted by the receive callback: the sender waits for nearly all of the time.
//! let one = with_credits("zephyr-recv");
//! let books = one.steady_ledger.as_ref().expect("there was a steady state");
//! assert!(books.balances(), "no nanosecond is booked twice, and none is missing");
//! assert!(books.of(Account::IdleCredits) * 10 > books.elapsed() * 9);
//!
//! // The same stream to a receiver that counts in segments.
//! assert_eq!((kbps(&one), kbps(&with_credits("zephyr-seg-recv"))), (34, 1_311));
//! ```
//!
//! The three types to begin with:
//!
//! - [`BleLink`]: the link as it declares itself to the laboratory; [`Point`] is one scenario of it
//! - [`run::Outcome`]: everything that came of one run
//! - [`station::EitherStation`]: a host and an application as one node above a controller: the lab's own, or TrouBLE
//!
//! [`capture`] writes what happens as files for Wireshark, btmon and Perfetto.
#![warn(missing_docs)]

pub mod capture;
pub mod config;
pub mod credits;
mod facts;
mod foreign;
mod limited;
mod link;
pub mod plan;
mod prices;
pub mod run;
pub mod station;

pub use link::{BleLink, Point};
